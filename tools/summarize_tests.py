#!/usr/bin/env python3
"""Adds up CTest's JUnit reports and ends with one line: N passed, N failed[, N skipped].

A cmocka program or a unittest script counts as the cases that it ran, any other test as one. A
report that is missing or that ran nothing counts as a failure. The total has at least as many
failures as there are checks named with --failed. The exit status is 0 when nothing failed.
"""

import argparse
import re
import sys
import xml.etree.ElementTree as xml

CMOCKA_TOTAL = re.compile(r"^\[ +(PASSED|FAILED|SKIPPED) +\] (\d+) test\(s\)", re.MULTILINE)
UNITTEST_RAN = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
UNITTEST_NOT_PASSED = re.compile(r"\b(skipped|failures|errors)=(\d+)")


class Counts:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def __str__(self):
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"


def count_cases(output):
    """The counts that a test's own runner printed; zeros when it has none."""
    counts = Counts()
    for verdict, number in CMOCKA_TOTAL.findall(output):
        name = verdict.lower()
        setattr(counts, name, getattr(counts, name) + int(number))
    if ran := UNITTEST_RAN.search(output):
        not_passed = dict(UNITTEST_NOT_PASSED.findall(output[ran.end() :]))
        counts.skipped += int(not_passed.pop("skipped", 0))
        counts.failed += sum(int(number) for number in not_passed.values())
        counts.passed += int(ran[1]) - counts.skipped - counts.failed
    return counts


def count_test(case):
    """The counts of one CTest test."""
    counts = Counts()
    if case.find("skipped") is not None or case.get("status") in ("disabled", "notrun"):
        counts.skipped = 1
        return counts
    counts = count_cases(case.findtext("system-out") or "")
    if case.get("status") == "fail":
        counts.failed = max(
            counts.failed, 1
        )  # also for a crash, a time-out or a sanitizer's finding
    elif not (counts.passed or counts.failed or counts.skipped):
        counts.passed = 1
    return counts


def count_report(path):
    counts = Counts()
    try:
        cases = list(xml.parse(path).getroot().iter("testcase"))
    except (OSError, xml.ParseError) as problem:
        print(f"{path}: {problem}")
        cases = []
    for case in cases:
        counts.add(count_test(case))
    if not (counts.passed or counts.failed):
        counts.failed = 1
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", nargs="+", help="a junit.xml written by CTest")
    parser.add_argument(
        "--failed", action="append", default=[], metavar="CHECK", help="a check that failed"
    )
    options = parser.parse_args()

    total = Counts()
    for path in options.report:
        counts = count_report(path)
        print(f"{path}: {counts}")
        total.add(counts)
    for check in options.failed:
        print(f"{check}: failed")
    total.failed = max(total.failed, len(options.failed))
    print(total)
    return 0 if total.passed and not total.failed else 1


if __name__ == "__main__":
    sys.exit(main())

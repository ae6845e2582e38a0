"""Keeps the benchmarks running: all of them, on tiny arrays, and the verdicts on their rows."""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(os.environ["ONEFOLD_SOURCE"]) / "bench"
BUILD = pathlib.Path(os.environ["ONEFOLD_BUILD"])
sys.path.insert(0, str(BENCH))

import report  # noqa: E402


def run(*command):
    return subprocess.run(command, text=True, capture_output=True)


class Verdicts(unittest.TestCase):
    def verdict(self, **changes):
        row = {"suite": "reduce", "operation": "sum", "dtype": "f32", "data": "normal"}
        row |= {"threads": 2, "isa": "avx2", "peer": None, "seconds": 1.0, "ratio": None, "share": 0.95}
        row |= changes
        report.judge(row, report.read_targets())
        return row["target"], row["met"]

    def test_the_bound_itself_is_met(self):
        self.assertEqual(self.verdict(), ("share >= 0.95", True))

    def test_less_is_missed(self):
        self.assertEqual(self.verdict(share=0.9499), ("share >= 0.95", False))

    def test_the_first_line_that_fits_counts(self):
        self.assertEqual(self.verdict(data="58-binades", share=0.6), ("share >= 0.5", True))
        self.assertEqual(self.verdict(suite="dims", threads=1, share=0.8), ("share >= 0.7", True))
        self.assertEqual(self.verdict(suite="dims", threads=2, share=0.8), ("share >= 0.85", False))

    def test_nanoseconds(self):
        self.assertEqual(self.verdict(suite="small", seconds=101e-9), ("ns <= 100", False))

    def test_nothing_promised(self):
        self.assertEqual(self.verdict(isa="baseline"), (None, None))


class Programs(unittest.TestCase):
    def test_everything_runs(self):
        result = run(BENCH / "run.sh", "--tiny")
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        for title in report.SUITES.values():
            self.assertIn(f"\n{title}\n", result.stdout)
        self.assertRegex(result.stdout, r"\n\d+ rows; \d+ of \d+ targets met\n$")

    def test_pages(self):
        rows = run(sys.executable, BENCH / "peers.py", "--tiny", "exact").stdout
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "bench.json")
            subprocess.run(
                [sys.executable, BENCH / "report.py", "--json", record], input=rows, text=True, capture_output=True
            )
            tables = run(sys.executable, BENCH / "report.py", "--markdown", record)
            peers = run(sys.executable, BENCH / "report.py", "--peers", record)
        self.assertRegex(tables.stdout, r"\n\| sum \| f64 \| normal \| 2\^14 \| 1 \|.*\| math.fsum \|")
        self.assertRegex(peers.stdout, r"\n\| sum \| f64 \| normal \| 2\^14 \| math.fsum \d+")

    def test_every_target_fits_a_row(self):
        targets = report.read_targets()
        output = run(BUILD / "bench/onefold_bench", "--tiny").stdout
        output += run(sys.executable, BENCH / "peers.py", "--tiny", "sort-peers", "group-peers").stdout
        rows = [row for row in map(json.loads, output.splitlines()) if "suite" in row]
        for row in rows[:]:  # as if this machine had everything
            for isa, threads, peer in itertools.product(("avx2", "avx512"), (1, 2), (row["peer"], "PyTorch")):
                rows.append(row | {"isa": isa, "threads": threads, "peer": peer})
        used = {report.target_of(row, targets) for row in rows}
        unused = [target for target in targets if tuple(target[-3:]) not in used]
        self.assertEqual(unused, [])

    def test_an_unknown_suite_fails(self):
        result = run(BENCH / "run.sh", "--tiny", "everything")
        self.assertIn('there is no suite "everything"', result.stderr)
        self.assertNotEqual(result.returncode, 0)


if __name__ == "__main__":
    unittest.main()

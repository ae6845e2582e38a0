"""Makes the table of what was measured.

    onefold_bench | report.py --json OUT.json     as the rows come; keeps them with what they ran on
    report.py --markdown OUT.json                 the tables of an earlier run for a page
    report.py --peers OUT.json                    how many times as fast it is as each peer, in one table

Each row says whether it meets its target in targets.txt.
"""

import argparse
import datetime
import json
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
SUITE = re.compile(r'^SUITE\(\w+, "(.*)", "(.*)"\)$', re.M)
PEERS = {
    "peers": "Beside other libraries, in one Python process, in GB/s",
    "exact": "Beside other exact sums, in one Python process, in GB/s",
    "call-peers": "Small calls beside NumPy, in one Python process, in ns a call",
    "scan-peers": "Scans beside other libraries, in one Python process, in GB/s read and written",
    "sort-peers": "Sorts beside other libraries, in one Python process, in millions of elements a second",
    "group-peers": "Groups beside other libraries, in one Python process, in millions of elements a second",
}
SUITES = dict(SUITE.findall((HERE / "suites.def").read_text())) | PEERS
HEADINGS = ("operation", "dtype", "data", "shape", "threads", "set", "ours", "peer", "theirs", "ratio", "share", "target")
LAYOUT = "{:<14} {:<5} {:<13} {:<12} {:>7} {:<8} {:>6}  {:<11} {:>6} {:>6} {:>6}  {}"
COMPARE = {">=": float.__ge__, "<=": float.__le__}


# ---- Targets ----


def read_targets():
    lines = (HERE / "targets.txt").read_text().splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def fits(pattern, value):
    return pattern == "*" or str(value) in pattern.split(",")


def target_of(row, targets):
    """The figure's name, the comparison and the bound, as text; None where nothing was promised."""
    keys = ("suite", "operation", "dtype", "data", "threads", "isa", "peer")
    for *patterns, figure, comparison, bound in targets:
        if all(fits(pattern, row[key]) for pattern, key in zip(patterns, keys)):
            return figure, comparison, bound
    return None


def judge(row, targets):
    """Adds the row's target and whether it is met."""
    target = target_of(row, targets)
    row["target"] = row["met"] = None
    if target:
        figure, comparison, bound = target
        value = row["seconds"] * 1e9 if figure == "ns" else row[figure]
        row["target"] = " ".join(target)
        row["met"] = COMPARE[comparison](float(value), float(bound))


# ---- The table ----


def size_text(size):
    power = size.bit_length() - 1
    return f"2^{power}" if size == 1 << power and power > 12 else str(size)


def shape_text(row):
    sizes = [size_text(size) for size in row["shape"]]
    return sizes[0] if len(sizes) == 1 else "(" + ",".join(sizes) + ")"


def speed_text(row, seconds):
    if seconds is None:
        return "-"
    if SUITES[row["suite"]].endswith("in ns a call"):
        return number_text(seconds * 1e9)
    if SUITES[row["suite"]].endswith("in millions of elements a second"):
        return number_text(row["shape"][0] / seconds * 1e-6)
    return number_text(row["bytes"] / seconds * 1e-9)


def number_text(value):
    """With three digits."""
    if value is None:
        return "-"
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


def cells(row):
    return (
        row["operation"] + ("" if row["dim"] is None else f", dim {row['dim']}"),
        row["dtype"],
        row["data"],
        shape_text(row),
        row["threads"],
        row["isa"],
        speed_text(row, row["seconds"]),
        row["peer"] or "-",
        speed_text(row, row["peer_seconds"]),
        number_text(row["ratio"]),
        number_text(row["share"]),
        "" if row["target"] is None else f"{row['target']} {'met' if row['met'] else 'MISSED'}",
    )


def summary(rows):
    promised = [row for row in rows if row["target"] is not None]
    met = sum(row["met"] for row in promised)
    return f"{len(rows)} rows; {met} of {len(promised)} targets met"


# ---- What it ran on ----


def output_of(*command):
    result = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
    return result.stdout.strip()


def processor():
    match = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return match[1] if match else platform.machine()


def circumstances():
    changed = output_of("git", "status", "--porcelain", "--untracked-files=no")
    return {
        "commit": output_of("git", "rev-parse", "HEAD") + ("+changes" if changed else ""),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "cpu": processor(),
        "kernel": platform.release(),
    }


# ---- The two ways to be called ----


def print_facts(facts):
    for name, value in facts.items():
        print(f"{name:<8} {value}")


def report_stream(lines, path):
    targets = read_targets()
    record = circumstances()
    print_facts(record)
    rows = []
    for line in lines:
        row = json.loads(line)
        if "suite" not in row:  # what a program says about itself
            record |= row
            print_facts(row)
            continue
        judge(row, targets)
        if not rows or rows[-1]["suite"] != row["suite"]:
            print(f"\n{SUITES[row['suite']]}\n\n{LAYOUT.format(*HEADINGS)}")
        rows.append(row)
        print(LAYOUT.format(*cells(row)).rstrip(), flush=True)
    print(f"\n{summary(rows)}")
    if path and rows:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record | {"rows": rows}, indent=1) + "\n")


def print_markdown(path):
    record = json.loads(path.read_text())
    facts = [record[name] for name in ("cpu", "compiler", "flags") if name in record]
    print(", ".join([*facts, record["date"][:10]]))
    for suite, title in SUITES.items():
        rows = [row for row in record["rows"] if row["suite"] == suite]
        if rows:
            print(f"\n{title}:\n\n| " + " | ".join(HEADINGS) + " |\n" + "|---" * len(HEADINGS) + "|")
        for row in rows:
            print("| " + " | ".join(map(str, cells(row))) + " |")
    print(f"\n{summary(record['rows'])}")


def print_peers(path):
    """A line for each work: with one thread, or with all beside a peer that has no choice."""
    record = json.loads(path.read_text())
    lines = {}
    for row in record["rows"]:
        if row["suite"] not in PEERS:
            continue
        figures = lines.setdefault((cells(row)[0], row["dtype"], row["data"], shape_text(row)), {})
        if row["peer"] not in figures or row["threads"] == 1:
            figures[row["peer"]] = number_text(row["ratio"])
    print("| work | dtype | data | shape | times as fast as |\n" + "|---" * 5 + "|")
    for work, figures in lines.items():
        print("| " + " | ".join([*work, ", ".join(map(" ".join, figures.items()))]) + " |")


def main():
    parser = argparse.ArgumentParser(description="Makes the table of what was measured.")
    parser.add_argument("--json", type=pathlib.Path, metavar="OUT.json")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="OUT.json")
    parser.add_argument("--peers", type=pathlib.Path, metavar="OUT.json")
    arguments = parser.parse_args()
    if arguments.markdown:
        print_markdown(arguments.markdown)
    elif arguments.peers:
        print_peers(arguments.peers)
    else:
        report_stream(sys.stdin, arguments.json)


if __name__ == "__main__":
    main()

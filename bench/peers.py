"""Measures Onefold beside other libraries in one Python process, on the same memory, taking turns.

    ONEFOLD_BUILD=FOLDER peers.py [--quick | --tiny] [SUITE]...

Prints one line of JSON a row, as onefold_bench does. Peers that are not installed are named.
"""

import argparse
import json
import os
import pathlib
import sys
from importlib import metadata
from typing import NamedTuple

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # or a few of NumPy's functions use more threads than the rest
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/reference"))

import peers_calls
import peers_group
import peers_order
import peers_reduce
from library import Library
from turns import compare

PEERS = ("numpy", "torch", "jax", "pandas", "xsum")

# What makes the tasks of each suite.
SUITES = {
    "peers": (peers_reduce.whole_tasks, peers_reduce.dim_tasks, peers_reduce.statistic_tasks),
    "exact": (peers_reduce.exact_tasks,),
    "call-peers": (peers_calls.call_tasks,),
    "scan-peers": (peers_order.scan_tasks,),
    "sort-peers": (peers_order.sort_tasks,),
    "group-peers": (
        peers_group.run_tasks,
        peers_group.segment_tasks,
        peers_group.histogram_tasks,
        peers_group.compact_tasks,
    ),
}


class Effort(NamedTuple):
    """How much is measured."""

    long: int  # elements of what is reduced and scanned
    exact: int  # of what others sum exactly
    rows: int  # of what is sorted and grouped
    turns: int
    calls: int  # of a function on few elements


EFFORTS = {
    "full": Effort(1 << 26, 1 << 22, 10**7, 7, 10**5),
    "quick": Effort(1 << 24, 1 << 22, 10**6, 3, 10**4),
    "tiny": Effort(1 << 14, 1 << 14, 10**3, 1, 10),
}


def version_of(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def read_arguments():
    parser = argparse.ArgumentParser(description="Measures Onefold beside other libraries.")
    parser.add_argument("--quick", dest="effort", action="store_const", const="quick", default="full")
    parser.add_argument("--tiny", dest="effort", action="store_const", const="tiny")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=" ".join(SUITES))
    arguments = parser.parse_args()
    for suite in arguments.suites:
        if suite not in SUITES:
            parser.error(f'there is no suite "{suite}"; there are {" ".join(SUITES)}')
    return arguments


def main():
    arguments = read_arguments()
    effort = EFFORTS[arguments.effort]
    library = Library()
    most_threads = library.c.of_threads_get()
    print(json.dumps({name: version_of(name) for name in PEERS}), flush=True)
    for suite in arguments.suites or SUITES:
        for make_tasks in SUITES[suite]:
            for task in make_tasks(library, effort):
                compare(library, task, effort.turns, most_threads)


if __name__ == "__main__":
    main()

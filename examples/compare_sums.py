"""Adds up one file of float32 numbers in many ways, and shows which of them agree.

    compare_sums.py ONEFOLD FILE.npy

ONEFOLD is the command. Fails unless each of its answers is the exact one, rounded once.
"""

import itertools
import json
import os
import subprocess
import sys
import tempfile
from fractions import Fraction

import numpy as np

THREADS = (1, 2, 3, 7)
LANES = {"baseline": 4, "avx2": 8, "avx512": 16}  # numbers of 32 bits in a vector


class Onefold:
    """The command, and how many of its answers were checked and wrong."""

    def __init__(self, command):
        self.command = command
        self.checked = 0
        self.wrong = 0

    def ask(self, *arguments):
        command = [self.command, *arguments, "--json"]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)

    def ask_and_check(self, expected, *arguments):
        """The answer, and whether its bytes are those of the number expected."""
        answer = self.ask(*arguments)
        right = bytes.fromhex(answer["bits"]) == expected.tobytes()
        self.checked += 1
        self.wrong += not right
        return answer, right


# ---- The right answers, in rational arithmetic ----


def exact_sum(numbers):
    """Adds the numbers as integers, those of each power of two by themselves."""
    significands, exponents = np.frexp(numbers.astype(np.float64))
    integers = (significands * 2**24).astype(np.int64)
    return sum(
        int(integers[exponents == exponent].sum()) * Fraction(2) ** (int(exponent) - 24)
        for exponent in np.unique(exponents)
    )


def round_once(value, dtype):
    guess = dtype(float(value))
    nearby = guess, np.nextafter(guess, dtype(-np.inf)), np.nextafter(guess, dtype(np.inf))
    return min(nearby, key=lambda number: abs(Fraction(float(number)) - value))


# ---- Ordinary sums ----


def loop(numbers):
    """for (i = 0; i < n; i++) sum += numbers[i];"""
    return np.add.accumulate(numbers)[-1]


def vector_loop(numbers, lanes, parts):
    """That loop with the sums of a vector side by side, over each part of the numbers."""
    total = np.float32(0)
    for part in np.array_split(numbers, parts):
        whole = part.size // lanes * lanes
        vector = np.add.accumulate(part[:whole].reshape(-1, lanes), axis=0)[-1]
        total += loop(np.concatenate([vector, part[whole:]]))
    return total


# ---- What is shown ----


def decimal(number):
    return np.format_float_positional(number, trim="0")


def in_six_orders(grid):
    numbers = grid.ravel()
    ascending = np.sort(numbers)
    orders = {
        "as stored": numbers,
        "reversed": numbers[::-1],
        "by column": grid.T.ravel(),
        "ascending": ascending,
        "descending": ascending[::-1],
        "shuffled": np.random.default_rng(1996).permutation(numbers),
    }
    return {name: np.ascontiguousarray(order) for name, order in orders.items()}


def show_orders(onefold, orders, files, expected):
    row = "{:<10}  {:>11}  {:>13}  {:>19}  {:>18}"
    print(row.format("order", "float loop", "NumPy float32", "NumPy float64", "Onefold f64"))
    for name, numbers in orders.items():
        answer, right = onefold.ask_and_check(expected, "sum", files[name], "--acc", "f64")
        ordinary = loop(numbers), numbers.sum(), numbers.sum(dtype=np.float64)
        ours = str(answer["value"]) + ("" if right else " WRONG")
        print(row.format(name, *map(decimal, ordinary), ours))
    print(row.format("exact", "", "", "", decimal(expected)))


def show_machines(onefold, numbers, files, expected):
    row = "{:<10}  {:>7}  {:>11}  {:>10}  {:>18}  {:>9}"
    print(row.format("instr. set", "threads", "float loop", "sum (f32)", "mean (f64)", "correct"))
    for isa, threads in itertools.product(onefold.ask("devices")["isas"], THREADS):
        bits, runs, correct = {}, 0, 0
        for operation, file in itertools.product(expected, files):
            how = operation, file, "--isa", isa, "--threads", str(threads)
            answer, right = onefold.ask_and_check(expected[operation], *how)
            bits[operation] = answer["bits"]
            runs += 1
            correct += right
        ordinary = decimal(vector_loop(numbers, LANES.get(isa, 4), threads))
        print(row.format(isa, threads, ordinary, *bits.values(), f"{correct} of {runs}"))


def main(command, path):
    onefold = Onefold(command)
    grid = np.load(path)
    exact = exact_sum(grid.ravel())
    orders = in_six_orders(grid)
    with tempfile.TemporaryDirectory() as folder:
        files = {name: os.path.join(folder, f"{name}.npy") for name in orders}
        for name, numbers in orders.items():
            np.save(files[name], numbers)

        print("An ordinary sum depends on the order of its numbers. Onefold's does not: it is")
        print("the exact sum, which the last line gives in rational arithmetic, rounded once.\n")
        show_orders(onefold, orders, files, round_once(exact, np.float64))

        print("\nAn ordinary sum depends on the instruction set too, whose vectors hold 4, 8 or")
        print("16 sums side by side, and on the number of threads. Onefold's sum and mean have")
        print("the same bits, in hexadecimal here, in each of these ways and in all six orders.\n")
        expected = {
            "sum": round_once(exact, np.float32),
            "mean": round_once(exact / grid.size, np.float64),
        }
        show_machines(onefold, grid.ravel(), list(files.values()), expected)

    if onefold.wrong:
        sys.exit(f"\ndemo: {onefold.wrong} of {onefold.checked} answers are wrong")
    print(f"\nAll {onefold.checked} answers of Onefold are exact, to the last bit.")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Runs the demo, and sees it fail when a few of its many answers have a wrong bit."""

import os
import pathlib
import subprocess
import tempfile
import unittest

DEMO = pathlib.Path(os.environ["ONEFOLD_SOURCE"]) / "examples/demo.sh"
COMMAND = os.environ["ONEFOLD_COMMAND"]

LIAR = """#!/bin/sh
case "$*" in
mean*shuffled*avx2*7* | mean*shuffled*baseline*7*) "{command}" "$@" | sed 's/"bits":"../"bits":"00/' ;;
*) exec "{command}" "$@" ;;
esac
"""


def run(command):
    environment = os.environ | {"ONEFOLD_COMMAND": str(command)}
    return subprocess.run([DEMO], text=True, capture_output=True, env=environment)


class Demo(unittest.TestCase):
    def test_all_answers_are_right(self):
        result = run(COMMAND)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertRegex(result.stdout, r"\nAll \d+ answers of Onefold are exact")
        self.assertRegex(result.stdout, r"\nAll \d+ ways to compute the table give the same bits.\n$")
        self.assertLessEqual(max(map(len, result.stdout.splitlines())), 80)

    def test_a_wrong_bit_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            liar = pathlib.Path(folder, "liar")
            liar.write_text(LIAR.format(command=COMMAND))
            liar.chmod(0o755)
            result = run(liar)
        self.assertRegex(result.stderr, r"demo: [12] of \d+ answers are wrong")
        self.assertIn("11 of 12", result.stdout)
        self.assertEqual(result.returncode, 1)


if __name__ == "__main__":
    unittest.main()

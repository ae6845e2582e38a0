"""The manual page against the program: the same commands and options, and groff has nothing to complain of."""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ.get("ONEFOLD_SOURCE", pathlib.Path(__file__).parents[2]))
COMMAND = os.environ.get("ONEFOLD_COMMAND", "")
PAGE = SOURCE / "docs/onefold.1"
OPTION = re.compile(r"--[a-z][a-z-]*")


def help_text(*words):
    return subprocess.run([COMMAND, "help", *words], text=True, check=True, capture_output=True).stdout


def page_text():
    return PAGE.read_text().replace("\\-", "-")


@unittest.skipUnless(COMMAND, "the command is not built")
class Page(unittest.TestCase):
    def setUp(self):
        listed = help_text().split("Commands:\n")[1].split("\n\n")[0]
        self.commands = re.findall(r"^  ([\w-]+)", listed, re.MULTILINE)

    def test_names_every_command(self):
        commands_section = page_text().split(".SH COMMANDS")[1].split(".SH OPTIONS")[0]
        tagged = re.findall(r"^\.TP\n(.*)$", commands_section, re.MULTILINE)
        named = {word for tag in tagged for word in re.findall(r"[a-z][a-z_-]{2,}", tag)}
        self.assertEqual(named, set(self.commands))

    def test_names_every_option(self):
        offered = {"--version"}
        for command in self.commands:
            help_lines = help_text(command).split("\nExamples:")[0]
            offered |= set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", help_lines, re.MULTILINE))
        options_section = page_text().split(".SH OPTIONS")[1].split(".SH FORMATS")[0]
        tagged = re.findall(r"^\.TP\n(.*)$", options_section, re.MULTILINE)
        self.assertEqual({option for tag in tagged for option in OPTION.findall(tag)}, offered)

    def test_help_fits_a_terminal(self):
        for words in [(), *((command,) for command in self.commands)]:
            for line in help_text(*words).splitlines():
                self.assertLess(len(line), 80, line)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_renders_without_warnings(self):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", str(PAGE)],
                              text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()

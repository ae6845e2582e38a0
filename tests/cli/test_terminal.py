"""The progress line: on a terminal, after a second, and gone at the end; nowhere else."""
import os
import pty
import re
import subprocess
import time
import unittest

COMMAND = os.environ.get("ONEFOLD_COMMAND", "")
STEP = b"\x01" * 1000000


def read_all(terminal):
    text = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # what Linux answers when the other side is closed
            return text.decode()
        if not part:
            return text.decode()
        text += part


def feed_slowly(program):
    """Writes ones for somewhat longer than a second."""
    end = time.monotonic() + 1.5
    steps = 0
    while time.monotonic() < end:
        program.stdin.write(STEP)
        steps += 1
        time.sleep(0.01)
    program.stdin.close()
    return steps * len(STEP)


@unittest.skipUnless(COMMAND, "the command is not built")
class Progress(unittest.TestCase):
    def sum_of_ones(self, errors, feed):
        program = subprocess.Popen([COMMAND, "sum", "-", "--dtype", "u8"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=errors)
        count = feed(program)
        self.assertEqual(int(program.stdout.read()), count)
        program.stdout.close()
        self.assertEqual(program.wait(), 0)

    def feed_at_once(self, program):
        program.stdin.write(STEP)
        program.stdin.close()
        return len(STEP)

    def terminal_text(self, feed):
        ours, theirs = pty.openpty()
        self.sum_of_ones(theirs, feed)
        os.close(theirs)
        text = read_all(ours)
        os.close(ours)
        return text

    def test_shows_and_erases_a_line(self):
        text = self.terminal_text(feed_slowly)
        self.assertRegex(text, r"\r\x1b\[K[\d.]+ MB  [\d.]+ [MG]B/s")
        self.assertTrue(text.endswith("\r\x1b[K"), text[-40:])
        self.assertEqual(re.sub(r"\r\x1b\[K[^\r]*", "", text), "")

    def test_quiet_when_it_is_quick(self):
        self.assertEqual(self.terminal_text(self.feed_at_once), "")

    def test_quiet_without_a_terminal(self):
        ours, theirs = os.pipe()
        self.sum_of_ones(theirs, feed_slowly)
        os.close(theirs)
        self.assertEqual(read_all(ours), "")
        os.close(ours)


if __name__ == "__main__":
    unittest.main()

"""What is particular to terminals: the progress line, after a second, and gone at the end; that long results are not
printed there; and that bars are as wide as they are."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import tempfile
import termios
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


@unittest.skipUnless(COMMAND, "the command is not built")
class LongResult(unittest.TestCase):
    def run_on_terminal(self, count, *options):
        """The status and both outputs of a reduction to `count` elements."""
        ours, theirs = pty.openpty()
        done = subprocess.run([COMMAND, "sum", "-", "--dtype", "u8", "--shape", f"1,{count}", "--dim", "0", *options],
                              input=bytes(count), stdout=theirs, stderr=subprocess.PIPE)
        os.close(theirs)
        text = read_all(ours)
        os.close(ours)
        return done.returncode, text, done.stderr.decode()

    def test_a_thousand_is_printed(self):
        self.assertEqual(self.run_on_terminal(1000), (0, "0\r\n" * 1000, ""))

    def test_more_is_not(self):
        for options in [], ["--json"]:
            self.assertEqual(self.run_on_terminal(1001, *options), (1, "", (
                "onefold: standard input: the result has 1001 elements, more than the 1000 that are printed on a "
                "terminal; write it to a file with -o OUT.npy\n")))

    def test_a_picture_of_more_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "many.svg")
            ours, theirs = pty.openpty()
            done = subprocess.run([COMMAND, "hist", "-", "--dtype", "u8", "--bins", "1001", "--svg", path],
                                  input=bytes(range(100)), stdout=theirs, stderr=theirs)
            self.assertEqual(done.returncode, 0)
            self.assertTrue(os.path.getsize(path))
            os.close(theirs)
            os.close(ours)


@unittest.skipUnless(COMMAND, "the command is not built")
class Bars(unittest.TestCase):
    def test_lines_fill_the_terminal(self):
        for width, text in [(33, "[0, 1)  1  ###########\r\n[1, 2]  2  ######################\r\n"),
                            (10, "[0, 1)  1  ####\r\n[1, 2]  2  ########\r\n")]:
            ours, theirs = pty.openpty()
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
            done = subprocess.run([COMMAND, "hist", "-", "--dtype", "u8", "--bins", "2"], input=bytes([0, 1, 2]),
                                  stdout=theirs, env={"LC_ALL": "C"})
            os.close(theirs)
            self.assertEqual((done.returncode, read_all(ours)), (0, text))
            os.close(ours)


if __name__ == "__main__":
    unittest.main()

"""Many threads at once, Python's lock let go, Ctrl-C, forks, exits in the midst of a call."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

import onefold


def endless(count=2**40):
    """An array of one element at many indices: long to reduce, and small."""
    return np.broadcast_to(np.float32(1), (count,))


def run_python(script, timeout=60):
    """What a Python process with the script printed; it must end well."""
    begin = "import os, signal, sys, threading, time\nimport numpy as np\nimport onefold\n"
    begin += "endless = lambda count=2**40: np.broadcast_to(np.float32(1), (count,))\n"
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", begin + textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
    )
    if done.returncode != 0:
        raise AssertionError(f"the process ended with {done.returncode}: {done.stdout}")
    return done.stdout


class ManyThreads(unittest.TestCase):
    def in_threads(self, count, work):
        failures = []

        def guarded(number):
            try:
                work(number)
            except BaseException as error:  # noqa: B036
                failures.append(error)

        threads = [threading.Thread(target=guarded, args=(number,)) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def test_the_same_bits(self):
        rng = np.random.default_rng(1)
        small, large = rng.standard_normal(100), rng.standard_normal(400000).astype(np.float32)
        table, points = rng.standard_normal((300, 40)), onefold.array(rng.standard_normal((5000, 3)), onefold.vec3())

        def into(op, **options):
            return onefold.mapreducedim(None, op, np.ones((1, 40)), table, **options)

        calls = [
            lambda: onefold.sum(small),
            lambda: onefold.sum(large),
            lambda: onefold.prod(large),
            lambda: onefold.var(table, 0),
            lambda: onefold.sum(points, 0),
            lambda: onefold.argmin(table, 1),
            lambda: onefold.mapreduce("product", "sum", large, large[::-1]),
            lambda: onefold.mapreduce("square", "max", table, dims=1),
            lambda: into("sum", init=3),
            lambda: into("prod", overwrite=True),
            lambda: onefold.array(large, onefold.f16),
            lambda: onefold.asarray(table).astype(onefold.i16).reshape(-1),
        ]
        contents = [np.asarray(call()).tobytes() for call in calls]

        def work(number):
            order = np.random.default_rng(number)
            for which in order.integers(len(calls), size=150):
                if np.asarray(calls[which]()).tobytes() != contents[which]:
                    raise AssertionError(f"call {which}")
                if number == 0 and which == 0:
                    onefold.set_threads(int(order.integers(1, 4)))

        try:
            self.in_threads(8, work)
        finally:
            onefold.set_threads(0)

    def test_arrays_that_go_while_they_are_read(self):
        def work(number):
            for i in range(50):
                total = onefold.sum(np.full(30000, number + i, np.float64))
                self.assertEqual(total.item(), 30000 * (number + i))

        self.in_threads(8, work)

    def test_one_workspace(self):
        """At the same time it is refused; it never mixes sums."""
        x = np.random.default_rng(2).standard_normal((2000, 300))
        workspace = onefold.workspace(None, "sum", x, dims=0)
        content = onefold.reduce("sum", x, dims=0).numpy().tobytes()
        served = []

        def work(number):
            for _ in range(20):
                try:
                    got = onefold.reduce("sum", x, dims=0, workspace=workspace)
                except ValueError as error:
                    self.assertIn("in use", str(error))
                else:
                    served.append(number)
                    self.assertEqual(got.numpy().tobytes(), content)

        self.in_threads(4, work)
        self.assertGreater(len(served), 0)

    def progress_during(self, call):
        """How often another thread came to run, and how long the call took."""
        turns, done = [0], threading.Event()

        def count():
            while not done.is_set():
                turns[0] += 1
                time.sleep(0.001)

        other = threading.Thread(target=count)
        other.start()
        time.sleep(0.02)
        before, start = turns[0], time.perf_counter()
        call()
        elapsed, made = time.perf_counter() - start, turns[0] - before
        done.set()
        other.join()
        return made, elapsed

    def test_other_threads_run_during_a_long_call(self):
        long_call = lambda: onefold.mapreduce("square", "prod", endless(10**7))  # noqa: E731
        made, elapsed = self.progress_during(long_call)
        self.assertGreater(made, min(20, elapsed / 0.02))
        results = []

        def elsewhere():
            results.append(self.progress_during(long_call))

        self.in_threads(1, lambda number: elsewhere())
        made, elapsed = results[0]
        self.assertGreater(made, min(20, elapsed / 0.02))


class CtrlC(unittest.TestCase):
    def test_a_long_call_ends_within_a_second(self):
        for call in (
            'onefold.mapreduce("square", "prod", endless())',
            "onefold.prod(endless())",
            'onefold.mapreducedim("square", "prod", np.ones(1, np.float32), endless())',
            'onefold.mapreduce("square", "prod", endless(), workspace=onefold.workspace("square", "prod", endless()))',
        ):
            output = run_python(
                f"""
                pressed = []

                def press():
                    time.sleep(0.3)
                    pressed.append(time.perf_counter())
                    os.kill(os.getpid(), signal.SIGINT)

                threading.Thread(target=press).start()
                try:
                    {call}
                except KeyboardInterrupt:
                    print("interrupted after", time.perf_counter() - pressed[0])
                assert onefold.sum(np.ones(1000)).item() == 1000
                assert onefold.sum(np.ones((1000, 1000))).item() == 10**6
                """
            )
            self.assertIn("interrupted after", output)
            self.assertLess(float(output.split()[2]), 1.0, call)

    def test_a_workspace_stays_in_use(self):
        """The work that was given up still writes to it."""
        run_python(
            """
            workspace = onefold.workspace("square", "prod", endless())
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            try:
                onefold.mapreduce("square", "prod", endless(), workspace=workspace)
                raise SystemExit("no interrupt")
            except KeyboardInterrupt:
                pass
            try:
                onefold.mapreduce("square", "prod", endless(), workspace=workspace)
                raise SystemExit("no refusal")
            except ValueError as error:
                assert "in use" in str(error)
            del workspace
            """
        )

    def test_the_work_that_was_given_up_releases_its_arrays(self):
        output = run_python(
            """
            import weakref

            class Owner(np.ndarray):
                pass

            values = np.zeros(1, np.float32).view(Owner)
            gone = weakref.ref(values)
            long_array = np.broadcast_to(values, (10**7,), subok=True)
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            try:
                onefold.mapreduce("square", "prod", long_array)
                print("it was too short")
            except KeyboardInterrupt:
                pass
            del long_array, values
            for _ in range(3000):
                if gone() is None:
                    break
                time.sleep(0.01)
            assert gone() is None
            """
        )
        self.assertNotIn("error", output)

    def test_handlers_may_call_onefold(self):
        run_python(
            """
            seen = []
            def handler(*_):
                seen.append(onefold.sum(np.ones((1000, 3000))).item())
                signal.setitimer(signal.ITIMER_REAL, 0.05)  # not before: a slow one would interrupt itself
            signal.signal(signal.SIGALRM, handler)
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            onefold.mapreduce("square", "prod", endless(2 * 10**7))
            signal.setitimer(signal.ITIMER_REAL, 0)
            assert seen and set(seen) == {3e6}, seen
            """
        )

    def test_short_calls_raise_too(self):
        run_python(
            """
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            try:
                while True:
                    onefold.sum(np.ones(100))
            except KeyboardInterrupt:
                pass
            """
        )


class Processes(unittest.TestCase):
    def test_forks_after_use(self):
        run_python(
            """
            x = np.random.default_rng(1).standard_normal(3 * 10**6)
            total = onefold.sum(x).item()
            for _ in range(4):
                child = os.fork()
                if child == 0:
                    good = onefold.sum(x).item() == total and onefold.sum(x.reshape(-1, 3), 0).shape == (3,)
                    os._exit(0 if good else 1)
                assert os.waitpid(child, 0)[1] == 0
                assert onefold.sum(x).item() == total
            """
        )

    def test_forks_while_others_work(self):
        run_python(
            """
            stop = threading.Event()
            x = np.ones(10**6)

            def work():
                while not stop.is_set():
                    onefold.sum(x)

            threads = [threading.Thread(target=work) for _ in range(3)]
            for thread in threads:
                thread.start()
            for _ in range(10):
                child = os.fork()
                if child == 0:
                    os._exit(0 if onefold.sum(x).item() == 10**6 else 1)
                assert os.waitpid(child, 0)[1] == 0
            stop.set()
            """
        )

    def test_a_pool_of_processes(self):
        run_python(
            """
            import multiprocessing

            parts = [onefold.array(np.arange(100000.0) + i) for i in range(6)]
            with multiprocessing.get_context("fork").Pool(2) as pool:
                totals = pool.map(onefold.sum, parts)
            assert [t.item() for t in totals] == [onefold.sum(part).item() for part in parts]
            """
        )

    def test_exits_in_the_midst(self):
        run_python(
            """
            threading.Thread(target=lambda: onefold.reduce("prod", endless()), daemon=True).start()
            time.sleep(0.1)
            """
        )
        run_python(
            """
            def work():
                while True:
                    onefold.mapreduce("square", "prod", endless(10**5))

            for _ in range(4):
                threading.Thread(target=work, daemon=True).start()
            time.sleep(0.2)
            """
        )

    def test_calls_at_exit(self):
        output = run_python(
            """
            import atexit

            class Late:
                def __del__(self):
                    print("late", onefold.sum(self.array).item())

            late = Late()
            late.array = onefold.ones(5)
            late.itself = late
            atexit.register(lambda: print("exit", onefold.sum(onefold.ones(3)).item()))
            """
        )
        self.assertIn("exit 3.0", output)

    def test_pickles(self):
        for array in (
            onefold.arange(5),
            onefold.zeros((2, 0), onefold.f16),
            onefold.array([[1, 2, 3]], onefold.vec3()),
            onefold.array([1.5, -0.0], onefold.bf16),
            onefold.full((2,), [1, 2], onefold.vec2(), layout="soa"),
            onefold.sum([1, 2]),
        ):
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
                same = pickle.loads(pickle.dumps(array, protocol))
                self.assertEqual((same.shape, same.dtype), (array.shape, array.dtype))
                self.assertEqual(same.numpy().tobytes(), array.numpy().tobytes())
        with self.assertRaises(TypeError):
            pickle.dumps(onefold.workspace(None, "sum", [1.0]))


if __name__ == "__main__":
    unittest.main()

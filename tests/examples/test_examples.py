"""Runs the C programs of examples/ and compares what they print with plain computations."""

import collections
import csv
import importlib.util
import itertools
import math
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest
from fractions import Fraction

PROGRAMS = pathlib.Path(os.environ["ONEFOLD_BUILD"]) / "examples"
EXAMPLES = pathlib.Path(os.environ["ONEFOLD_SOURCE"]) / "examples"


def run(name, *arguments):
    return subprocess.run([PROGRAMS / name, *map(str, arguments)], text=True, capture_output=True)


def npy(shape, numbers, kind="d"):
    descr = {"d": "<f8", "f": "<f4"}[kind]
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    data = struct.pack(f"<{len(numbers)}{kind}", *numbers)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def npy_data(path):
    content = path.read_bytes()
    (header,) = struct.unpack_from("<H", content, 8)
    return content[10 + header :]


class Programs(unittest.TestCase):
    """Tests that run programs on files in a folder of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def assert_prints(self, result, lines):
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertEqual(result.stdout.splitlines(), lines)

    def assert_refuses(self, result, message, status=1):
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, message)
        self.assertEqual(result.returncode, status)


class SumFile(Programs):
    def test_sum_and_column_means(self):
        # 1e300 and -1e300 cancel; an ordinary sum would lose all that was added between them.
        path = self.write("x.npy", npy((3, 2), [1e300, 1, 0.5, 2, -1e300, 6]))
        self.assert_prints(run("sum_file", path), ["sum 9.5", "means", f"{0.5 / 3!r}", "3.0"])

    def test_what_is_no_file_of_numbers(self):
        self.assert_refuses(run("sum_file", self.write("x.npy", "day,rain\n")), "^sum_file: .")

    def test_usage(self):
        self.assert_refuses(run("sum_file"), "^usage: sum_file FILE.npy\n$", 2)


class PartialSums(Programs):
    def test_sum_is_one(self):
        result = run("partial_sums")
        self.assertEqual(result.stderr, "")
        self.assertRegex(result.stdout, r"^a loop says -?[\d.e+]+, 4 processes 1\.0\n$")
        self.assertNotRegex(result.stdout, "loop says 1,")
        self.assertEqual(result.returncode, 0)


# ---- Meshes ----


def read_mesh(path):
    """The number of points, and the four points of each cell, counted from 0."""
    words = path.read_text().split()
    points = int(words[words.index("Vertices") + 1])
    place = words.index("Tetrahedra") + 1
    rows = words[place + 1 : place + 1 + 5 * int(words[place])]
    return points, [[int(word) - 1 for word in rows[i : i + 4]] for i in range(0, len(rows), 5)]


def describe_mesh(points, cells):
    """What mesh_points prints, and the surface, a set of faces, by looking each of them up."""
    around = collections.defaultdict(list)
    for number, cell in enumerate(cells):
        for point in cell:
            around[point].append(number)
    most = max(range(points), key=lambda point: (len(around[point]), -point))
    faces = collections.Counter(
        frozenset(face) for cell in cells for face in itertools.combinations(cell, 3)
    )
    surface = {face for face, count in faces.items() if count == 1}
    edges = {frozenset(edge) for face in surface for edge in itertools.combinations(face, 2)}
    corners = set().union(*surface)
    mean = f"{4 * len(cells) / points:.3g}"
    sizes = f"{len(corners)} - {len(edges)} + {len(surface)}"
    lines = [
        f"{points} points, {len(cells)} cells",
        f"cells that meet in a point: {mean} on average, at most {len(around[most])}, in point {most}",
        f"in the last point, {points - 1}:" + "".join(f" {cell}" for cell in around[points - 1]),
        f"{len(surface)} of {len(faces)} faces are on the surface",
        f"its points - edges + triangles: {sizes} = {len(corners) - len(edges) + len(surface)}",
    ]
    return lines, surface


def mesh_text(points, cells):
    rows = ["MeshVersionFormatted 2", "Dimension 3", "Vertices", str(points)]
    rows += ["0.5 -1e-3 2 0"] * points + ["Tetrahedra", str(len(cells))]
    rows += [" ".join(str(point + 1) for point in cell) + " 7" for cell in cells]
    return "\n".join(rows + ["End", ""])


class MeshPoints(Programs):
    def assert_described(self, path):
        lines, surface = describe_mesh(*read_mesh(path))
        saved = self.folder / "surface.npy"
        self.assert_prints(run("mesh_points", path, saved), lines)
        rows = list(struct.iter_unpack("<3i", npy_data(saved)))
        self.assertEqual(rows, sorted(tuple(sorted(face)) for face in surface))

    def test_elbow(self):
        self.assert_described(EXAMPLES / "data/elbow.mesh")

    def test_two_cells_and_a_point_of_none(self):
        self.assert_described(self.write("two.mesh", mesh_text(6, [(5, 3, 1, 0), (4, 1, 3, 0)])))

    def test_what_is_no_mesh(self):
        texts = {
            "empty": "",
            "point 0": mesh_text(4, [(-1, 1, 2, 3)]),
            "a point too many": mesh_text(4, [(1, 2, 3, 4)]),
            "cut short": mesh_text(4, [(0, 1, 2, 3)]).removesuffix("4 7\nEnd\n"),
            "no cells": "Vertices 1\n0 0 0 0\n",
            "too many points": "Vertices 2097152\n0 0 0 0\nTetrahedra 1\n1 2 3 4 5\n",
        }
        for name, text in texts.items():
            with self.subTest(name):
                result = run("mesh_points", self.write("no.mesh", text))
                self.assert_refuses(result, '^mesh_points: ".*no.mesh" is no mesh of tetrahedra\n$')

    def test_usage(self):
        self.assert_refuses(run("mesh_points"), "^usage: mesh_points ", 2)


# ---- Tables ----


def airports():
    spec = importlib.util.find_spec("airportsdata")
    return spec and pathlib.Path(spec.origin).parent / "airports.csv"


def grouped(path, key, value):
    """What group_by prints."""
    groups = collections.defaultdict(list)
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            groups[row[key]].append(float(row[value]))
    largest = sorted(sorted(groups, key=str.encode), key=lambda name: -len(groups[name]))
    lines = [f"{key:16}" + "".join(f"{name:>12}" for name in ("count", "mean", "min", "max"))]
    for name in largest[:12]:
        values = groups[name]
        mean = float(sum(map(Fraction, values)) / len(values))
        cells = (len(values), mean, min(values), max(values))
        lines.append(f"{name:16}" + "".join(f"{cell:12.6g}" for cell in cells))
    return lines + ([f"and {len(groups) - 12} more"] if len(groups) > 12 else [])


class GroupBy(Programs):
    # 1e300 and -1e300 cancel within a group.
    TABLE = """day,"month, or so",rain
1,March,0.1
2,"April, cold",1e300
3,March,0.2
4,May,7
5,"April, cold",-1e300
6,"April, cold",1
"""

    def test_airports(self):
        path = airports()
        if not path:
            self.skipTest("airportsdata is not installed")
        self.assert_prints(run("group_by", path, "country", "elevation"), grouped(path, "country", "elevation"))

    def test_few_groups(self):
        path = self.write("rain.csv", self.TABLE)
        result = run("group_by", path, "month, or so", "rain")
        self.assert_prints(result, grouped(path, "month, or so", "rain"))
        self.assertRegex(result.stdout, r"\nApril, cold +3 +0\.333333 ")

    def test_refusals(self):
        path = self.write("rain.csv", self.TABLE)
        self.assert_refuses(run("group_by", path, "day", "snow"), "^group_by: .*snow")
        self.assert_refuses(run("group_by", path, "snow", "day"), "^group_by: .*snow")
        self.assert_refuses(run("group_by", path, "day"), "^usage: group_by ", 2)


# ---- Selections ----


def above(rows, bound):
    """What stream_compaction prints, and the numbers that it keeps."""
    places = ((height, row, column) for row, line in enumerate(rows) for column, height in enumerate(line))
    kept = [place for place in places if place[0] > bound]
    lines = [f"{len(kept)} of {sum(map(len, rows))} elements are above {bound:g}"]
    if kept:
        mean = float(sum(Fraction(height) for height, *_ in kept) / len(kept))
        height, row, column = max(kept, key=lambda item: item[0])
        counts = [sum(height > bound for height in line) for line in rows]
        fullest = counts.index(max(counts))
        begin = sum(counts[:fullest])
        lines += [
            f"their mean is {mean:g}",
            f"the highest is {height:g}, at row {row}, column {column}",
            f"most are in row {fullest}: numbers {begin} to {begin + counts[fullest] - 1} of what is kept",
        ]
    return lines, [height for height, *_ in kept]


class StreamCompaction(Programs):
    def assert_selected(self, rows, bound):
        numbers = [height for line in rows for height in line]
        grid = self.write("grid.npy", npy((len(rows), len(rows[0])), numbers, "f"))
        saved = self.folder / "kept.npy"
        lines, kept = above(rows, bound)
        self.assert_prints(run("stream_compaction", grid, bound, saved), lines)
        self.assertEqual(npy_data(saved), struct.pack(f"<{len(kept)}f", *kept))

    def test_geoid(self):
        source = os.environ.get("ONEFOLD_GEOID", "/usr/share/proj/egm96_15.gtx")
        if not os.path.exists(source):
            self.skipTest(f"{source} is missing")
        data = pathlib.Path(source).read_bytes()
        *_, rows, columns = struct.unpack_from(">4d2i", data)
        numbers = struct.unpack_from(f">{rows * columns}f", data, 40)
        self.assert_selected([numbers[i : i + columns] for i in range(0, len(numbers), columns)], 75)

    def test_small(self):
        self.assert_selected([[1, 5, 2], [5, 0, 4], [math.nan, 3, -1]], 2.5)

    def test_nothing_is_kept(self):
        self.assert_selected([[1, 2], [3, 4]], 4)

    def test_refusals(self):
        message = '^stream_compaction: ".*x.npy" holds no rows of 32-bit floats\n$'
        self.assert_refuses(run("stream_compaction", self.write("x.npy", npy((2, 2), [1, 2, 3, 4])), 1), message)
        self.assert_refuses(run("stream_compaction", self.write("x.npy", npy((2,), [1, 2], "f")), 1), message)
        self.assert_refuses(run("stream_compaction", "x.npy"), "^usage: stream_compaction ", 2)


if __name__ == "__main__":
    unittest.main()

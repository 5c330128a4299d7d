# SPDX-License-Identifier: BSD-3-Clause
"""`python -m cudnn_checked plot`: what is drawn of one sweep and of two; and the picture, where matplotlib has been fetched."""

import copy
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from support import REPOSITORY, ScratchTest, clean_environment
from support.matplotlib import NOT_FETCHED, python_with_matplotlib

PACKAGE = REPOSITORY / "packaging" / "python"
sys.path.insert(0, str(PACKAGE))
from cudnn_checked import _plot  # noqa: E402
from cudnn_checked._plot import Block, Cell, Column, Picture  # noqa: E402

REPORT = json.loads((REPOSITORY / "tests/laboratory/sweep_report.json").read_text(encoding="utf-8"))
SVG = "{http://www.w3.org/2000/svg}"
NOT_A_REPORT = "not a report of cudnn-checked sweep --json"
# In the order of the columns: images, of them dilated and grouped ones, volumes; each by size.
SHAPES = ("1x4x5x1 * 16x4x3x3, padding 1, stride 2", "1x32x16x16 * 32x32x3x3", "1x4x5x5 * 16x4x3x3, dilation 2",
          "1x32x16x16 * 32x8x3x3, groups 4", "2x4x7x7x7 * 16x4x3x3x3")


def report(problems, **more):
    """One with these problems: of each the text, and plans as engine, outcome, microseconds and offers."""
    made = copy.deepcopy(REPORT) | more
    made["problems"] = [{"problem": text, "finished": True,
                         "plans": [[f"eng{engine}_k2=1", outcome, microseconds, 1e-7, offers]
                                   for engine, outcome, microseconds, offers in plans]} for text, plans in problems]
    return made


class PlotTest(ScratchTest):
    @classmethod
    def setUpClass(cls):
        # Where matplotlib keeps the list of fonts that it makes at its first start.
        cls.fonts = tempfile.mkdtemp(prefix="cudnn-checked-fonts-")
        cls.addClassCleanup(shutil.rmtree, cls.fonts, ignore_errors=True)

    def written(self, name, tree):
        return self.write(name, json.dumps(tree))

    def picture(self, *problems, **more):
        return _plot.picture_of(_plot.Report(str(self.written("a.json", report(problems, **more)))))

    def change(self, then, now):
        return _plot.picture_of_change(*(_plot.Report(str(self.written(name, tree)))
                                         for name, tree in (("then.json", then), ("now.json", now))))

    def plot(self, *words, python=sys.executable, path=PACKAGE):
        done = subprocess.run([str(word) for word in (python, "-m", "cudnn_checked", "plot", *words)], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                              env=clean_environment(self.scratch, PYTHONPATH=str(path), PYTHONDONTWRITEBYTECODE="1",
                                                    MPLCONFIGDIR=str(self.fonts)))
        return done.returncode, done.stdout, done.stderr.replace(str(self.scratch), "<scratch>")


class WhatIsDrawn(PlotTest):
    def test_one_sweep(self):
        """Each speed, a plan that was not timed, the worst plan of an engine, times that count as 5 us."""
        times = {1: 3.0, 2: 5.6, 3: 9.0, 4: 12.0, 5: 20.0, 6: 90.0, 7: 0.0}
        plans = [(engine, "right", time, "A1" if engine == 3 else "") for engine, time in times.items()]
        plans += [(8, "inexact", 9.0, "A2"), (8, "wrong", 8.0, "B1"), (1, "right", 5.4, "")]
        text = "fwd fp16 nchw " + SHAPES[0]
        cells = {1: Cell("fastest, up to 1.1 times"), 2: Cell("up to 1.5 times"), 3: Cell("up to 2.5 times"),
                 4: Cell("up to 2.5 times"), 5: Cell("up to 5 times"), 6: Cell("more"), 7: Cell("right, not timed"),
                 8: Cell("", "wrong")}
        self.assertEqual(self.picture((text, plans)), Picture(
            "cuDNN's engines: cuDNN 9.19.0 on NVIDIA H200 (sm_90)",
            ["1 problems, 10 plans, driver for CUDA 13.0, seed 1", "defects: fwd engine 8"],
            "first choice of heuristic A",
            {"fwd": [Block("fp16", "nchw", [Column(text, "up to 2.5 times", cells)])]}))

    def test_panels_blocks_and_columns(self):
        right = [(0, "right", 9.0, "")]
        texts = [f"fwd fp16 nhwc {shape}" for shape in reversed(SHAPES)]
        texts[2:2] = ["fwd fp32 nchw " + SHAPES[0], "rms-norm/forward bf16 64x512", "dgrad fp32 nchw " + SHAPES[1]]
        drawn = self.picture(*((text, right) for text in texts))
        self.assertEqual({operation: [(block.element, block.layout, len(block.columns)) for block in blocks]
                          for operation, blocks in drawn.panels.items()},
                         {"fwd": [("fp16", "nhwc", 5), ("fp32", "nchw", 1)], "rms-norm/forward": [("bf16", "packed", 1)],
                          "dgrad": [("fp32", "nchw", 1)]})
        self.assertEqual([column.text for column in drawn.panels["fwd"][0].columns],
                         [f"fwd fp16 nhwc {shape}" for shape in SHAPES])
        self.assertEqual(drawn.lines[1], "no defect found")

    def test_engines_with_a_defect(self):
        """By operation and number, each once, eight at most; a plan without an engine is what asking for plans is."""
        plans = [(engine, "died", 0.0, "") for engine in range(10, 1, -1)]
        drawn = self.picture(("fwd fp16 nchw " + SHAPES[0], plans), ("dgrad fp16 nchw " + SHAPES[0], plans[-1:]),
                             ("fwd fp32 nchw " + SHAPES[0], plans[-1:]))
        self.assertEqual(drawn.lines[1], "defects: " + ", ".join(f"fwd engine {n}" for n in range(2, 10)) + " and 2 more")
        tree = report([("fwd fp16 nchw " + SHAPES[0], plans[:1])])
        tree["problems"][0]["plans"][0][0] = "asking"
        self.assertEqual(_plot.Report(str(self.written("b.json", tree))).problems[0].engines, {-1: _plot.Plan(0.0, "died")})

    def test_nothing(self):
        self.assertEqual(self.picture(why_not="there is no GPU that CUDA can use").lines,
                         ["there is no GPU that CUDA can use"])
        drawn = self.picture(machine=REPORT["machine"] | {"gpu": "", "capability": ""})
        self.assertEqual((drawn.title, drawn.lines, drawn.panels),
                         ("cuDNN's engines: cuDNN 9.19.0 on an unknown GPU", ["no problem was computed"], {}))

    def test_what_changed(self):
        text, other = "fwd fp16 nchw " + SHAPES[0], "fwd fp16 nchw " + SHAPES[1]
        then = report([(text, [(1, "right", 9.0, ""), (2, "right", 9.0, ""), (3, "right", 9.0, ""), (4, "wrong", 9.0, ""),
                               (5, "wrong", 9.0, ""), (6, "right", 9.0, ""), (7, "right", 9.0, ""), (9, "right", 0.0, "")]),
                       (other, [(1, "right", 9.0, "")])])
        now = report([(text, [(1, "right", 9.0, ""), (2, "right", 14.0, ""), (3, "right", 5.0, ""), (4, "right", 9.0, ""),
                              (5, "wrong", 9.0, ""), (6, "hung", 0.0, ""), (8, "right", 9.0, ""), (9, "right", 9.0, "")]),
                      (other, [(1, "right", 9.0, "")])], machine=REPORT["machine"] | {"cudnn": "9.20.0"})
        now["problems"][1]["finished"] = False
        cells = {1: Cell("unchanged"), 2: Cell("slower"), 3: Cell("faster"), 4: Cell("unchanged", "mended"),
                 5: Cell("unchanged", "wrong", True), 6: Cell("unchanged", "hung"), 7: Cell("no longer supported"),
                 8: Cell("newly supported"), 9: Cell("unchanged")}
        self.assertEqual(self.change(then, now), Picture(
            "What changed: cuDNN 9.19.0 -> 9.20.0 on NVIDIA H200 (sm_90)",
            ["1 problems of both sweeps; faster and slower: by 1.5 times or more", "new defects: fwd engine 6"],
            "fastest right engine", {"fwd": [Block("fp16", "nchw", [Column(text, "faster", cells)])]}))

    def test_words_of_what_changed(self):
        text = "fwd fp16 nchw " + SHAPES[0]
        then = report([(text, [(1, "right", 9.0, "")])], machine=REPORT["machine"] | {"gpu": "NVIDIA A100", "capability": "8.0"})
        now = report([(text, [])], request=REPORT["request"] | {"errata": "{}"})
        drawn = self.change(then, now)
        self.assertEqual(drawn.title, "What changed: cuDNN 9.19.0 on NVIDIA A100 (sm_80) -> cuDNN 9.19.0 on NVIDIA H200 (sm_90)")
        self.assertEqual(drawn.lines[1:], ["no new defect",
                                           "plans that the errata file of one sweep blocks are drawn as not supported"])
        self.assertEqual(self.change(report([]), now).lines, ["the two sweeps have no problem in common"])


class Refused(PlotTest):
    def test_no_report(self):
        for number, text in enumerate(("", "{", "[1]", '{"schema": 2, "program": "sweep"}', "[" * 100000,
                                       json.dumps(report([("fwd", [])])), json.dumps(report([]) | {"machine": 3}))):
            with self.subTest(number):
                self.assertEqual(self.plot(self.write("a.json", text)),
                                 (2, "", f"cudnn_checked: error: plot: <scratch>/a.json: {NOT_A_REPORT}\n"))
        good = self.written("good.json", REPORT)
        self.assertEqual(self.plot(good, "--against", self.scratch / "absent"),
                         (2, "", "cudnn_checked: error: plot: <scratch>/absent: No such file or directory\n"))
        self.assertEqual(sorted(os.listdir(self.scratch)), ["a.json", "good.json"])

    def test_a_report_is_not_replaced(self):
        then, now = self.written("then.json", REPORT), self.written("now.json", REPORT)
        (self.scratch / "link.svg").symlink_to("then.json")
        for words, other in (((now, "--output", now), "now.json"),
                             ((now, "--against", then, "--output", self.scratch / "link.svg"), "then.json")):
            self.assertEqual(self.plot(*words), (
                2, "", f"cudnn_checked: error: plot: <scratch>/{words[-1].name}: it is the report <scratch>/{other}, "
                       "which the picture would replace\n"))
        self.assertEqual([json.loads(path.read_text()) for path in (then, now)], [REPORT, REPORT])

    def test_without_matplotlib(self):
        absent = self.write("absent/matplotlib.py", "raise ModuleNotFoundError(name='matplotlib')\n").parent
        self.assertEqual(self.plot(self.written("a.json", REPORT), path=f"{absent}:{PACKAGE}"), (
            2, "", "cudnn_checked: error: plot: matplotlib is not installed\n"
                   f"  fix: {sys.executable} -m pip install matplotlib\n"))


@unittest.skipIf(python_with_matplotlib() is None, NOT_FETCHED)
class Drawn(PlotTest):
    def drawn(self, *words):
        self.assertEqual(self.plot(*words, python=python_with_matplotlib()), (0, "", ""))

    def test_one_sweep(self):
        """The name, the words, and the same bytes twice; nothing else is left."""
        now = self.written("now.json", REPORT)
        self.drawn(now)
        root = xml.etree.ElementTree.parse(self.scratch / "now.svg").getroot()
        self.assertEqual(root.find(f"{SVG}title").text, "cuDNN's engines: cuDNN 9.19.0 on NVIDIA H200 (sm_90)")
        texts = ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]
        for words in ("forward (fwd)", "data gradient (dgrad)", "filter gradient (wgrad)", "fp16", "nchw", "72",
                      "wrong numbers", "process died", "not supported"):
            self.assertIn(words, texts)
        self.write("again.svg", "old")
        self.drawn(now, "--output", self.scratch / "again.svg")
        self.assertEqual((self.scratch / "again.svg").read_bytes() == (self.scratch / "now.svg").read_bytes(), True)
        self.assertEqual(sorted(os.listdir(self.scratch)), ["again.svg", "now.json", "now.svg"])

    def test_other_kinds_and_places(self):
        now, then = self.written("now.json", REPORT), self.written("then.json", report([]))
        self.drawn(now, "--against", now, "--output", self.scratch / "a.PNG")
        self.assertTrue((self.scratch / "a.PNG").read_bytes().startswith(b"\x89PNG"))
        self.drawn(now, "--against", then, "--output", self.scratch / "a.pdf")  # no problem in common
        self.assertTrue((self.scratch / "a.pdf").read_bytes().startswith(b"%PDF"))
        for name, words in (("a.xyz", "matplotlib writes no .xyz file, but "),
                            ("no/a.svg", "cannot be written: No such file or directory\n")):
            status, _, err = self.plot(now, "--output", self.scratch / name, python=python_with_matplotlib())
            self.assertEqual((status, err.startswith(f"cudnn_checked: error: plot: <scratch>/{name}: {words}")), (2, True), err)

    def test_hostile_names(self):
        """No formula, no tag, and no character that XML has not."""
        machine = REPORT["machine"] | {"gpu": "</title><script>$x$</script>\u0001\uffff & \"GPU\""}
        self.drawn(self.written("now.json", REPORT | {"machine": machine}))
        root = xml.etree.ElementTree.parse(self.scratch / "now.svg").getroot()
        self.assertIn('</title><script>$x$</script>?? & "GPU" (sm_90)', root.find(f"{SVG}title").text)
        self.assertEqual(list(root.iter(f"{SVG}script")), [])


if __name__ == "__main__":
    unittest.main()

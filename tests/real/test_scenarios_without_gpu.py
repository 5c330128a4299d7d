# SPDX-License-Identifier: BSD-3-Clause
"""The rows of docs/scenarios.md that need no GPU, on real cuDNNs: what a guarded program reports.

The programs may run without a GPU, so that what is said of the files is all that is said, on any
machine; where nothing is wrong main() runs and cuDNN answers.
"""

from arrangements import ARRANGEMENTS, Arrangement, one, two
from expected import REFUSED, SILENT, TWO_CUDNNS, WARNED, gist
from places import NotHere
from starting import OnRealCudnns, Stage, named
from support import relative_output
from support.this_cpu import LOADER

NAMED = {arrangement.name: arrangement for arrangement in ARRANGEMENTS}
REFUSAL = 78


class Laboratory(OnRealCudnns):
    built_on = ("9.14", "9.19", "jit 9.14")

    @staticmethod
    def relative(stage, text):
        """Paths by name; how a program reaches <root>/A from <root>/bin does not matter here."""
        folders = {name: stage.place.folder(name) for name in stage.place.installs}
        return relative_output(text.replace(f"{stage.root}/bin/../", f"{stage.root}/"),
                               root=stage.root, **folders)

    def check(self, expected, status):
        for (row, name, built_on), text in expected.items():
            with self.subTest(name, row=row, built_on=built_on):
                try:
                    with Stage(NAMED[name], self.made) as stage:
                        stage.put(self.made.app(built_on, stage.arrangement.link, gpu="optional"))
                        outcome, _ = stage.start()
                        self.assertEqual(gist(self.relative(stage, outcome.output)), text)
                        self.assertEqual(outcome.status, status)
                except NotHere as why:
                    print(f"not here: {name}: {why}")

    def test_refused_before_cudnn_can_abort(self):
        self.check(REFUSED, REFUSAL)

    def test_warned(self):
        self.check(WARNED, 0)

    def test_silent(self):
        self.check(SILENT, 0)

    def asked(self, first, second, arguments, **options):
        """What the guard says to a program that opened cuDNNs itself (plugins, interpreters)."""
        with Stage(Arrangement("opened by path", two(first, second), **options), self.made) as stage:
            stage.put(self.made.asks("9.14"))
            folders = {name: stage.place.folder(name) for name in stage.place.installs}
            outcome, _ = stage.start(*[argument.format(**folders) for argument in arguments])
            self.assertEqual(outcome.status, 0, outcome.output)
            return gist(self.relative(stage, outcome.output))

    def test_two_shims_by_their_paths(self):
        """L11, S5."""
        self.assertEqual(self.asked("9.14", "9.19", ["{A}/libcudnn.so.9", "{B}/libcudnn.so.9"]),
                         TWO_CUDNNS.format(how="opened by its path"))

    def test_two_shims_of_one_release(self):
        """L11: harmless, a note."""
        self.assertEqual(self.asked("9.14", "9.14", ["{A}/libcudnn.so.9", "{B}/libcudnn.so.9"]), "")

    def test_a_shim_in_a_namespace_of_its_own(self):
        """L12."""
        self.assertEqual(self.asked("9.14", "9.19", ["{A}/libcudnn.so.9", "apart:{B}/libcudnn.so.9"]),
                         TWO_CUDNNS.format(how="in a namespace of its own (dlmopen)"))

    def test_started_by_the_loader(self):
        """N18: as "ld.so program", and with the loader's own search path."""
        for arrangement, options in (
                (Arrangement("one install", one("9.14")), []),
                (Arrangement("none by its own path", two("9.14", "9.14"), link="none"),
                 ["--library-path", "{B}"])):
            with Stage(arrangement, self.made) as stage:
                stage.put(self.made.app("9.14", arrangement.link, gpu="optional"))
                options = [option.format(B=stage.place.folder("B")) for option in options]
                outcome = stage.run(LOADER, *options, stage.program)
                self.assertEqual((outcome.status, outcome.output), (0, "main runs on 91400\n"))

    def test_an_auditor(self):
        """N19: it may lead the loader to other files, so that nothing is refused for those that are predicted."""
        with Stage(NAMED["9.14 with the heuristic of 9.19"], self.made) as stage:
            stage.put(self.made.app("9.14", "runpath", gpu="optional"))
            self.assertEqual(stage.start()[0].status, REFUSAL)
            outcome, report = stage.start(LD_AUDIT=self.made.audit)
            self.assertEqual(outcome.status, 0)
            self.assertRegex(outcome.output, r"(?s)^cudnn_checked: warning: the files of cuDNN are of more than one release\n.*"
                                             r"\nand: which libraries .*\n  \[loader-unknown\]\nmain runs on 91400\n$")
            self.assertEqual((report["verdict"], named(report, "unknown")),
                             ("unknown", {"mixed-sublibraries", "loader-unknown"}))

    def test_one_cudnn_by_its_path(self):
        self.assertEqual(self.asked("9.14", "9.19", ["{B}/libcudnn.so.9"]), "")

# SPDX-License-Identifier: BSD-3-Clause
"""A program that is linked with the graph library of cuDNN, and not with its shim."""

import subprocess

from checked_program import CalledTest, compiled, messages
from fake_packages import ids_of, make_library

GRAPH = ("graph", "engines_precompiled", "engines_runtime_compiled", "heuristic")
TAKES = """\
cudnn-checked: ok: app takes cuDNN 9.5.1 for CUDA 12, {}, from <scratch>/lib
  graph:  9.5.1 for CUDA 12   <scratch>/lib/libcudnn_graph.so.9   chosen by RUNPATH of <scratch>/app
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
   or: build it with cudnn_checked_guard()
  [not-stamped]
"""


class GraphAlone(CalledTest):
    def make(self, *roles):
        for name, build_id in ids_of("9.5.1.17", "12").items():
            options = ["-Wl,-rpath,$ORIGIN", "-Wl,--build-id=0x" + build_id]
            if name == "libcudnn_graph.so.9":  # with code, as it is in a process
                compiled(self.scratch / "lib" / name, "void f(void) {}\n", "-shared", "-fPIC", "-Wl,-soname," + name, *options,
                         language="C")
            elif not roles or name[len("libcudnn_"):-len(".so.9")] in roles:
                make_library(self.scratch / "lib" / name, *options)
        return compiled(self.scratch / "app", "#include <stdio.h>\nint main(void) { puts(\"ready\"); fflush(stdout); "
                        "return getchar() < 0; }\n",
                        "-Wl,--no-as-needed", self.scratch / "lib/libcudnn_graph.so.9", f"-Wl,-rpath,{self.scratch}/lib",
                        language="C")

    def test_beside_the_rest(self):
        status, out, _ = self.called("verify", self.make())
        self.assertEqual((status, out.partition("cudnn-checked: note: ")[0]), (0, TAKES.format("whole")))

    def test_what_only_a_shim_asks_for_is_not_there(self):
        app = self.make(*GRAPH)
        status, out, _ = self.called("verify", app)
        self.assertEqual((status, messages(out)[0]), (0, ("[not-stamped]", "nothing")), out)

    def test_what_the_graph_library_asks_for_is_not_there(self):
        app = self.make(*GRAPH)
        (self.scratch / "lib/libcudnn_heuristic.so.9").unlink()
        for words in (["verify", app], ["run", "--", app]):
            status, out, err = self.called(*words)
            self.assertIn(messages(out + err)[0][0], ("[sublibrary-missing]", "[mixed-sublibraries]"), out + err)
            self.assertEqual(status, 78 if words[0] == "run" else 1)

    def test_in_a_process(self):
        app = self.make(*GRAPH)
        with subprocess.Popen([app], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            status, out, _ = self.called("verify", "--pid", process.pid)
            process.stdin.close()
        place = "<scratch>/lib"
        self.assertEqual((status, out.partition("  It has no")[0].replace(str(process.pid), "PID")), (0, f"""\
cudnn-checked: ok: app has in its memory cuDNN 9.5.1 for CUDA 12, whole, from {place}
  graph:      9.5.1 for CUDA 12   {place}/libcudnn_graph.so.9   chosen by RUNPATH of <scratch>/app
  in memory:  1 of 4 files   process PID
"""))

# SPDX-License-Identifier: BSD-3-Clause
"""A directory of LD_LIBRARY_PATH has a damaged or old library that is not cuDNN's."""

from checked_program import CalledTest, compiled, messages
from fake_packages import ids_of, make_library

SYSTEM = ("libgcc_s.so.1", "libz.so.1")


class OtherLibraries(CalledTest):
    def setUp(self):
        super().setUp()
        for name in SYSTEM:
            make_library(self.scratch / "system" / name)
        self.lib = self.scratch / "lib"
        for name, build_id in ids_of("9.5.1.17", "12").items():
            needed = {"libcudnn.so.9": SYSTEM[0], "libcudnn_graph.so.9": SYSTEM[1]}.get(name)
            make_library(self.lib / name, "-Wl,-rpath,$ORIGIN", "-Wl,--build-id=0x" + build_id,
                         *([self.scratch / "system" / needed] if needed else []))
        self.app = compiled(self.scratch / "app", "int main(void) { return 0; }\n", "-Wl,--no-as-needed",
                            self.lib / "libcudnn.so.9", f"-Wl,-rpath,{self.lib}", language="C")

    def test_an_old_library(self):
        """The program needs a version of symbols that it lacks."""
        script = self.write("versions", "NEW_2 { global: f; };\n")
        new = compiled(self.scratch / "new/libnew.so.1", "void f(void) {}\n", "-shared", "-fPIC", "-Wl,-soname,libnew.so.1",
                       f"-Wl,--version-script,{script}", language="C")
        script.write_text("OLD_1 { global: f; };\n")
        compiled(self.scratch / "old/libnew.so.1", "void f(void) {}\n", "-shared", "-fPIC", "-Wl,-soname,libnew.so.1",
                 f"-Wl,--version-script,{script}", language="C")
        app = compiled(self.scratch / "app", "void f(void);\nint main(void) { f(); return 0; }\n", "-Wl,--no-as-needed", new,
                       self.lib / "libcudnn.so.9", f"-Wl,-rpath,{self.lib}:{new.parent}", language="C")
        self.assertNotIn("[cannot-start]", self.called("verify", app)[1])
        status, out, _ = self.called("verify", app, LD_LIBRARY_PATH=str(self.scratch / "old"))
        self.assertEqual(status, 1)
        self.assertTrue(out.startswith("""\
cudnn-checked: refused: this program needs NEW_2, which the libnew.so.1 that it gets lacks
  needs:  NEW_2   by <scratch>/app
  found:  none   <scratch>/old/libnew.so.1   chosen by LD_LIBRARY_PATH[0]
  The loader ends it before main(): "version `NEW_2' not found".
  try: unset LD_LIBRARY_PATH
  [cannot-start]
"""), out)

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

    def doors(self, *directory, **environment):
        """What verify and doctor say, with the first message alone."""
        for words in (["verify", self.app], ["doctor", *directory]):
            yield self.called(*words, **environment)

    def cut(self, name, size):
        path = self.scratch / "cut" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes((self.scratch / "system" / name).read_bytes()[:size])
        return {"LD_LIBRARY_PATH": str(path.parent)}

    def test_a_cut_library(self):
        for name, finding in zip(SYSTEM, ("[library-corrupt]", "[dependency-missing]")):
            for size in (30, 5000):
                told = list(self.doors(self.lib, **self.cut(name, size)))
                self.assertEqual([messages(out)[0] for _, out, _ in told], [(finding, "unset LD_LIBRARY_PATH")] * 2, told)
                self.assertEqual([status for status, _, _ in told], [1, 1])
                if size > 64:
                    for _, out, _ in told:
                        self.assertIn(f"  5000 bytes of {(self.scratch / 'system' / name).stat().st_size} ", out)
            (self.scratch / "cut" / name).unlink()

    def test_a_whole_library(self):
        for name in SYSTEM:
            environment = self.cut(name, None)
        for _, out, _ in self.doors(self.lib, **environment):
            for name in SYSTEM:
                self.assertNotIn(name, out)

    def test_the_words_of_the_loader(self):
        """It looks at the length of a file first."""
        for text, words in [("INPUT ( libcudnn.so.9.5.1 )\n", "file too short"), ("x" * 63, "file too short"),
                            ("x" * 64, "invalid ELF header")]:
            self.write("text/libcudnn.so.9", text)
            status, out, _ = self.called("verify", self.app, LD_LIBRARY_PATH=str(self.scratch / "text"))
            self.assertEqual((status, messages(out)[0]), (1, ("[library-corrupt]", "unset LD_LIBRARY_PATH")))
            self.assertIn(f'  The loader ends it before main(): "{words}".\n', out)

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

    def test_a_path_in_needed(self):
        """A library without a SONAME is NEEDED by its path, and nothing is searched."""
        absent = self.scratch / "gone/libcudnn.so.9"
        compiled(absent, "void f(void) {}\n", "-shared", "-fPIC", language="C")
        app = compiled(self.scratch / "app", "int main(void) { return 0; }\n", "-Wl,--no-as-needed", absent, language="C")
        self.assertIn(f"   {absent}   chosen by its path\n".replace(str(self.scratch), "<scratch>"), self.called("verify", app)[1])
        absent.unlink()
        status, out, _ = self.called("verify", app)
        self.assertEqual(status, 1)
        self.assertTrue(out.startswith("""\
cudnn-checked: refused: a library that this program names by its path is not there: libcudnn.so.9
  needed:  <scratch>/gone/libcudnn.so.9   by <scratch>/app
  found:   no such file   <scratch>/gone
  The loader ends it before main(): "error while loading shared libraries".
  fix: install in <scratch>/gone what has it
   or: link <scratch>/app again, with a library that has a SONAME
  [cudnn-not-found]
"""), out)

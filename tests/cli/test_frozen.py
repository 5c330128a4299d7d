# SPDX-License-Identifier: BSD-3-Clause
"""Applications that PyInstaller and Nuitka make: a folder, or one file.  What lies where was seen with PyInstaller 6
and Nuitka 4.3, and that their fixes mend it.  Libraries have the names and build ids of real ones."""

import shutil
import struct

from checked_program import CalledTest, compiled, messages
from fake_packages import ids_of, make_library
from support.command_line import cudnn_checked_program

FIX = ("build it again, with all of cuDNN: pyinstaller --collect-all nvidia.cudnn "
       "(nvidia.cudnn_jit of a JIT-only one), and the other options as before")
NUITKA = FIX.replace("pyinstaller --collect-all nvidia.cudnn", "nuitka --include-package-data=nvidia.cudnn")


class Application(CalledTest):
    def cudnn(self, folder, number, cuda, *left_out):
        for name, build_id in ids_of(number, cuda).items():
            if not any(word in name for word in left_out):
                make_library(folder / name, "-Wl,-rpath,$ORIGIN", "-Wl,--build-id=0x" + build_id)
        return folder


class Frozen(Application):
    def application(self, *left_out):
        """A program and the package acme, whose library NEEDs cuDNN; of cuDNN 9.5.1 what PyInstaller has collected."""
        self.libraries = self.scratch / "dist/app/_internal"
        self.write("dist/app/_internal/base_library.zip")
        wheel = self.cudnn(self.libraries / "nvidia/cudnn/lib", "9.5.1.17", "12", *left_out)
        for name in ("libcublasLt.so.12", "libnvrtc.so.12"):
            make_library(wheel / name)
        if left_out:  # --collect-all makes no such link
            (self.libraries / "libcudnn.so.9").symlink_to("nvidia/cudnn/lib/libcudnn.so.9")
        make_library(self.libraries / "acme/_core.abi3.so", wheel / "libcudnn.so.9",
                     "-Wl,-rpath,$ORIGIN/../nvidia/cudnn/lib")
        return compiled(self.scratch / "dist/app/app", "int main(void) { return 0; }", language="C")

    def test_the_shim_alone(self):
        """Its sub-libraries come from whatever the loader finds."""
        program = self.application("libcudnn_")
        other = {"LD_LIBRARY_PATH": str(self.cudnn(self.scratch / "other", "9.1.0.70", "12", "libcudnn.so"))}
        for command, status in ((["verify"], 1), (["run", "--"], 78)):
            got, out, err = self.called(*command, program, **other)
            told = (out + err).splitlines()
            self.assertEqual((got, told[0]), (
                status, "cudnn-checked: refused: the files of cuDNN are of more than one release"), out + err)
            self.assertEqual(messages(out + err)[0], ("[mixed-sublibraries]", FIX))
        _, out, _ = self.called("doctor", self.libraries, **other)
        self.assertEqual({fix for name, fix in messages(out) if name == "[mixed-sublibraries]"}, {FIX}, out)

    def test_all_of_it(self):
        program = self.application()
        status, out, err = self.called("verify", program)
        self.assertEqual((status, out.splitlines()[0], err), (
            0, "cudnn-checked: ok: _core.abi3.so takes cuDNN 9.5.1 for CUDA 12, whole, from "
               "<scratch>/dist/app/_internal/nvidia/cudnn/lib", ""), out)

    def test_a_plugin_that_may_never_be_imported(self):
        """As `run` of a Python program: one package gets a right cuDNN, and which of them it imports is not known."""
        program = self.application()
        make_library(self.scratch / "gone/libcudnn.so.8")
        make_library(self.libraries / "plugin/_core.abi3.so", self.scratch / "gone/libcudnn.so.8")
        for command in (["verify"], ["run", "--"]):
            status, out, err = self.called(*command, program)
            self.assertEqual((status, (out + err)[:24]), (0, "cudnn-checked: warning: "), out + err)
            self.assertIn("needed:", out + err)
        shutil.rmtree(self.libraries / "acme")
        self.assertEqual(self.called("verify", program)[0], 1)

    def test_another_program_beside_such_a_folder(self):
        """One that needs cuDNN itself is looked at as it is."""
        self.application()
        own = self.cudnn(self.scratch / "own", "9.1.0.70", "12")
        program = compiled(self.scratch / "dist/app/other", "int main(void) { return 0; }", "-Wl,--no-as-needed",
                           own / "libcudnn.so.9", f"-Wl,-rpath,{own}", language="C")
        self.assertIn("other takes cuDNN 9.1.0 for CUDA 12, whole, from <scratch>/own",
                      self.called("verify", program)[1])


class OneFile(CalledTest):
    def pyinstaller(self, name, *files):
        """A program with the archive that PyInstaller puts behind it: what is in it, its table, its cookie."""
        program = compiled(self.scratch / name, "int main(void) { return 0; }", language="C")
        table = b""
        for file in files:
            text = file.encode() + b"\0"
            table += struct.pack("!IIIIBc", 18 + len(text), 0, 0, 0, 0, b"b") + text
        cookie = b"MEI\014\013\012\013\016" + struct.pack("!IIII64s", 4 + len(table) + 88, 4, len(table), 311, b"")
        with open(program, "ab") as file:
            file.write(b"data" + table + cookie)
        return program

    def told(self, program):
        status, out, err = self.called("verify", program)
        self.assertEqual((status, err), (3, ""))
        return out

    def test_the_shim_alone(self):
        app = self.pyinstaller("app", "nvidia/cudnn/lib/libcudnn.so.9", "libcudnn.so.9", "libz.so.1")
        self.assertEqual(self.told(app), f"""\
cudnn-checked: unknown: the libraries of app are packed in it, so no cuDNN was checked
  packed:  libcudnn.so.9   PyInstaller, in one file
  What it lacks of cuDNN comes from wherever the loader finds it.
  fix: {FIX}
   or: build it in one folder, and verify that: pyinstaller --onedir, and the other options as before
  [not-stamped]
""")
        self.assertEqual(self.called("run", app), (
            0, "", "cudnn-checked: note: the libraries of app are packed in it, so no cuDNN was checked\n"))

    def test_all_of_it(self):
        app = self.pyinstaller("app", "nvidia/cudnn/lib/libcudnn.so.9", "nvidia/cudnn/lib/libcudnn_graph.so.9")
        self.assertEqual(self.told(app), """\
cudnn-checked: unknown: the libraries of app are packed in it, so no cuDNN was checked
  packed:  libcudnn.so.9, libcudnn_graph.so.9   PyInstaller, in one file
  It unpacks them when it starts: which cuDNN they take is not known before.
  fix: build it in one folder, and verify that: pyinstaller --onedir, and the other options as before
  [not-stamped]
""")

    def test_none_of_it(self):
        app = self.pyinstaller("app", "libz.so.1")
        self.assertIn("\n  packed:  no cuDNN   PyInstaller, in one file\n", self.told(app))

    def test_a_table_of_many_names(self):
        app = self.pyinstaller("app", *(f"libcudnn.so.{number}" for number in range(5000)))
        self.assertEqual(self.told(app).count("libcudnn.so."), 64)

    def test_damaged_tables(self):
        """Lengths that lead out of the file: it is no such archive."""
        app = self.pyinstaller("app", "libcudnn.so.9")
        whole = app.read_bytes()
        at = whole.rfind(b"MEI\014")
        for offset in (8, 12, 16):
            for number in (0, 1, 0x7fffffff, 0xffffffff):
                app.write_bytes(whole[:at + offset] + struct.pack("!I", number) + whole[at + offset + 4:])
                self.assertIn(": unknown: ", self.told(app))
        for length in (0, 18, 0xffffffff):
            table = at - 18 - len("libcudnn.so.9") - 1
            app.write_bytes(whole[:table] + struct.pack("!I", length) + whole[table + 4:])
            self.assertIn("  packed:  no cuDNN   PyInstaller, in one file\n", self.told(app))

    def test_nuitka(self):
        """Its payload is compressed, or as it is: names of libraries in it are no names that the program opens."""
        source = 'const char* parent = "NUITKA_ONEFILE_PARENT", *name = "libcudnn.so.9"; int main(void) { return 0; }'
        app = compiled(self.scratch / "app.bin", source, language="C")
        for payload in (b"", b"KAX", b"KAY\x28\xb5\x2f\xfd"):
            other = self.scratch / "other.bin"
            shutil.copy(app, other)
            with open(other, "ab") as file:
                file.write(payload)
            self.assertEqual("Nuitka, in one file" in self.called("verify", other)[1], payload != b"", payload)
        with open(app, "ab") as file:
            file.write(b"KAX")
        self.assertEqual(self.told(app), """\
cudnn-checked: unknown: the libraries of app.bin are packed in it, so no cuDNN was checked
  packed:  not known   Nuitka, in one file
  It unpacks them when it starts: which cuDNN they take is not known before.
  fix: build it as a folder, and verify that: nuitka --standalone, and the other options as before
  [not-stamped]
""")


class Nuitka(Application):
    """A folder of libraries, which it gives run paths; the shim lies in it."""

    def application(self, *left_out):
        self.libraries = self.scratch / "app.dist"
        folder = self.libraries if left_out else self.libraries / "nvidia/cudnn/lib"
        whole = self.cudnn(folder, "9.5.1.17", "12", *left_out)
        for name in ("libcublasLt.so.12", "libnvrtc.so.12"):
            make_library(whole / name)
        make_library(self.libraries / "acme/_core.so", whole / "libcudnn.so.9",
                     "-Wl,--disable-new-dtags,-rpath,$ORIGIN:$ORIGIN/..:$ORIGIN/../nvidia/cudnn/lib")
        return self.program('"__nuitka_binary_dir"; void PyObject_Init(void) {}', "-rdynamic")

    def program(self, text, *options):
        return compiled(self.libraries / "app.bin", f"const char* attribute = {text}\nint main(void) {{ return 0; }}",
                        *options, language="C")

    def test_another_program_with_that_text(self):
        """It has no Python in it: what lies beside it is not its own."""
        self.application("libcudnn_")
        for program in (self.program('"__nuitka_binary_dir";'), cudnn_checked_program()):
            shutil.copy(program, self.libraries / "app")
            status, out, _ = self.called("verify", self.libraries / "app")
            self.assertEqual((status, FIX in out or NUITKA in out), (3, False), out)

    def test_the_shim_alone(self):
        program = self.application("libcudnn_")
        other = {"LD_LIBRARY_PATH": str(self.cudnn(self.scratch / "other", "9.1.0.70", "12", "libcudnn.so"))}
        for command, status in ((["verify"], 1), (["run", "--"], 78)):
            got, out, err = self.called(*command, program, **other)
            self.assertEqual((got, messages(out + err)[0]), (status, ("[mixed-sublibraries]", NUITKA)), out + err)

    def test_all_of_it(self):
        status, out, err = self.called("verify", self.application())
        self.assertEqual((status, out.splitlines()[0], err), (
            0, "cudnn-checked: ok: _core.so takes cuDNN 9.5.1 for CUDA 12, whole, from "
               "<scratch>/app.dist/nvidia/cudnn/lib", ""), out)

    def test_what_else_cudnn_needs(self):
        """It is no part of cuDNN, and pip installs nothing there."""
        program = self.application()
        (self.libraries / "nvidia/cudnn/lib/libcublasLt.so.12").unlink()
        out = self.called("verify", program)[1]
        self.assertNotIn("pip install", out)

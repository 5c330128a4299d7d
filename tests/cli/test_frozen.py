# SPDX-License-Identifier: BSD-3-Clause
"""Applications that PyInstaller makes: one folder, with all that it has collected in _internal.  What lies where was
seen with PyInstaller 6, and that --collect-all nvidia.cudnn mends it.  Libraries have the names and build ids of real
ones."""

from checked_program import CalledTest, compiled, messages
from fake_packages import ids_of, make_library

FIX = "build it again, with all of cuDNN: pyinstaller --collect-all nvidia.cudnn, and the other options as before"


class Frozen(CalledTest):
    def cudnn(self, folder, number, cuda, *left_out):
        for name, build_id in ids_of(number, cuda).items():
            if not any(word in name for word in left_out):
                make_library(folder / name, "-Wl,-rpath,$ORIGIN", "-Wl,--build-id=0x" + build_id)
        return folder

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

    def test_another_program_beside_such_a_folder(self):
        """One that needs cuDNN itself is looked at as it is."""
        self.application()
        own = self.cudnn(self.scratch / "own", "9.1.0.70", "12")
        program = compiled(self.scratch / "dist/app/other", "int main(void) { return 0; }", "-Wl,--no-as-needed",
                           own / "libcudnn.so.9", f"-Wl,-rpath,{own}", language="C")
        self.assertIn("other takes cuDNN 9.1.0 for CUDA 12, whole, from <scratch>/own",
                      self.called("verify", program)[1])

# SPDX-License-Identifier: BSD-3-Clause
"""Real cuDNNs while configuring, as far as LOADED: what is wrong is said before it can abort."""

import shutil

import isolation
from places import link
from real_cudnn import fetched
from support import errors, relative_output, status_lines
from support.command_line import cudnn_checked_program
from support.output import assert_refusal
from support.proving import PROJECT
from support.scratch import ScratchTest


class Configured(ScratchTest):
    def setUp(self):
        super().setUp()
        self.jit = fetched("jit")
        if self.jit is None:
            self.skipTest("PyPI cannot be reached, and the cache has no real cuDNN")
        self.app = self.consumer(cmake_lists=PROJECT)

    def real(self, name):
        found = fetched(name)
        if found is None:
            self.skipTest(f"the cache has no {name}")
        return found

    def configure(self, root, request="REQUIRED"):
        done = self.app.configure(
            f"-DREQUEST={request}", f"-DCuDNNChecked_ROOT={root}", "-DCuDNNChecked_REQUIRE=LOADED",
            f"-DCUDAToolkit_ROOT={self.jit.parent / 'cu13'}")
        self.output = done.output
        return done.status

    def proved(self, root, version, **options):
        self.assertEqual(self.configure(root, **options), 0, self.output)
        self.assertNotIn("Warning", self.output)
        self.assertEqual(status_lines(self.output), [
            f"cuDNN {version} · CUDA 13.0 · loaded, no convolution was run: level loaded was asked for"])

    def refused(self, root, **options):
        self.assertNotEqual(self.configure(root, **options), 0, self.output)
        return relative_output("".join(errors(self.output)), scratch=self.scratch, jit=self.jit)

    def prefix(self, headers, libraries):
        """An install with links to the headers of one and to the libraries of another."""
        prefix = self.scratch / "prefix"
        (prefix / "lib").mkdir(parents=True)
        (prefix / "include").symlink_to(headers / "include")
        for file in (libraries / "lib").glob("libcudnn*.so.9"):
            (prefix / "lib" / file.name).symlink_to(file)
        return prefix

    def test_jit_only_and_a_changed_root(self):
        """A JIT-only set is legal, beside whatever else ld.so.cache has; the root hint counts anew."""
        self.proved(self.jit, "9.14.0")
        self.proved(self.real("jit-9.27-cu13"), "9.27.0")
        self.assertIn("[cudnn-not-found]", self.refused(self.jit, request="99;REQUIRED"))
        assert_refusal(
            self, self.refused(self.jit, request="REQUIRED;COMPONENTS;cnn"), "4 sub-libraries of cuDNN are missing",
            "sublibrary-missing", "with pip or uv, neither of which is here: install nvidia-cudnn-cu13==9.14.0.* in "
            f"{self.jit.parents[1]}", "needed:  libcudnn_engines_precompiled.so.9, libcudnn_heuristic.so.9, "
            "libcudnn_ops.so.9, libcudnn_cnn.so.9\n", "found:   9.14.0 for CUDA 13   <jit>/lib/libcudnn_graph.so.9   ")

    def test_headers_of_two_releases(self):
        """S44: cudnn_version.h of 9.27 among the headers of 9.14, as a wheel has them."""
        site = self.scratch / "venv" / "lib" / "python3.12" / "site-packages"
        place = site / "nvidia" / "cudnn_jit"
        shutil.copytree(self.jit / "include", place / "include")
        (place / "lib").symlink_to(self.jit / "lib")
        (site / "nvidia_cudnn_jit_cu13-9.14.0.64.dist-info").mkdir()
        shutil.copy2(self.real("jit-9.27-cu13") / "include" / "cudnn_version.h", place / "include")
        text = self.refused(place).replace("<scratch>/venv/lib/python3.12/site-packages", "<site>")
        place = "<site>/nvidia/cudnn_jit/include"
        assert_refusal(
            self, text, "the headers of cuDNN are of more than one release", "header-mixed",
            "with pip or uv, neither of which is here: install nvidia-cudnn-jit-cu13==9.14.0.64 in <site>",
            f"cudnn_version.h:  9.27.0   {place}/cudnn_version.h\n",
            *(f"{f'cudnn_{name}.h:':18}9.14.0   {place}/cudnn_{name}.h\n" for name in ["graph", "ops", "adv", "cnn"]))
        self.assertIn("Version mismatch in cuDNN GRAPH", text.partition("  | ")[2])

    def test_cudnn_for_another_cuda(self):
        """Q1: a cuDNN for CUDA 12 beside the toolkit of CUDA 13."""
        older = self.real("older-cu12")
        text = self.refused(older).replace(str(older), "<older>").replace(str(older.parents[1]), "<site>")
        assert_refusal(
            self, text, "this cuDNN is for CUDA 12, and the CUDA headers are of 13.0", "cuda-major",
            "with pip or uv, neither of which is here: install nvidia-cudnn-jit-cu13==9.13.1.* in <site>",
            "headers:  CUDA 13.0   CUDART_VERSION\n", "cuDNN:    9.13.1 for CUDA 12   <older>/lib/libcudnn_graph.so.9   ",
            "runtime:  CUDA 13   libcudart.so.13 of this program\n")

    def with_cache(self, folder):
        """From now on ld.so.cache leads to that folder."""
        if isolation.why_cache_stays():
            self.skipTest(f"ld.so.cache cannot be covered: {isolation.why_cache_stays()}")
        cache, run = isolation.make_cache(self.scratch, [folder]), self.app.run
        cover = shutil.which("mount") + ' --bind "$1" /etc/ld.so.cache && shift && exec "$@"'

        def covered(*command, **options):
            return run(shutil.which("unshare"), "-rm", "sh", "-c", cover, "sh", cache, *command, **options)
        self.app.run = covered

    def test_another_cudnn_lends_a_sub_library(self):
        """S52: the machine that configures has what the install lacks, others may not."""
        full = self.real("full-9.19-cu13")
        self.with_cache(full / "lib")
        prefix = self.prefix(full, full)
        for file in (prefix / "lib").iterdir():  # links would lead to all that lies beside their targets
            target = file.resolve()
            file.unlink()
            link(target, file)
        self.proved(prefix, "9.19.0")
        (prefix / "lib" / "libcudnn_heuristic.so.9").unlink()
        assert_refusal(
            self, self.refused(prefix).replace(str(full), "<full>"),
            "a sub-library of this cuDNN is missing, and this machine lends it: libcudnn_heuristic.so.9",
            "sublibrary-missing", "reinstall cuDNN 9.19.0 for CUDA 13 in <scratch>/prefix/lib",
            "found:   9.19.0 for CUDA 12 or 13   <full>/lib/libcudnn_heuristic.so.9   chosen by ld.so.cache\n")
        # Who names the directory asks the same at each door.
        for words in (("doctor", prefix / "lib"), ("probe", "--require", "loaded", prefix)):
            told = self.app.run(cudnn_checked_program(), *words)
            self.assertEqual(told.status, 1, told.output)
            self.assertIn("error: a sub-library of this cuDNN is missing, and this machine lends it: "
                          "libcudnn_heuristic.so.9\n", told.output)
        # What COMPONENTS need, wherever it was found; without both it is a warning.
        def found_by_hint(request):
            done = self.app.configure(
                f"-DREQUEST={request}", "-UCuDNNChecked_ROOT", f"-DCUDNN_ROOT={prefix}",
                "-DCuDNNChecked_REQUIRE=LOADED", f"-DCUDAToolkit_ROOT={self.jit.parent / 'cu13'}")
            return done.status, done.output
        status, out = found_by_hint("REQUIRED;COMPONENTS;cnn")
        self.assertNotEqual(status, 0, out)
        self.assertIn("this machine lends it: libcudnn_heuristic.so.9", out)
        status, out = found_by_hint("REQUIRED")
        self.assertEqual(status, 0, out)
        self.assertIn("this machine lends it: libcudnn_heuristic.so.9", out)

    def test_a_wheel_without_the_plain_name(self):
        full = self.real("full-9.14-cu13")
        self.assertEqual(list((full / "lib").glob("libcudnn.so")), [])
        self.proved(full, "9.14.0")

    def test_the_header_of_another_install(self):
        prefix = self.prefix(self.real("full-9.19-cu13"), self.real("full-9.14-cu13"))
        assert_refusal(
            self, self.refused(prefix), "the header is of cuDNN 9.19.0 and the library of cuDNN 9.14.0",
            "header-library-mismatch", "let CuDNNChecked_ROOT name an install that has both",
            "header:   9.19.0   <scratch>/prefix/include/cudnn_version.h\n",
            "library:  9.14.0   <scratch>/prefix/lib/libcudnn_graph.so.9   chosen by RUNPATH of ")

    def emptied(self, prefix, name):
        """The message where one library is a file of zero bytes; it is put back."""
        file = prefix / "lib" / name
        real = file.readlink()
        file.unlink()
        file.write_bytes(b"")
        try:
            return self.refused(prefix)
        finally:
            file.unlink()
            file.symlink_to(real)

    def test_zero_byte_libraries(self):
        full = self.real("full-9.14-cu13")
        prefix = self.prefix(full, full)
        assert_refusal(
            self, self.emptied(prefix, "libcudnn.so.9"), "a library of cuDNN is damaged: libcudnn.so.9",
            "library-corrupt", "reinstall cuDNN in <scratch>/prefix/lib",
            "found:     an empty file   <scratch>/prefix/lib/libcudnn.so.9   chosen by the RUNPATH of the probe\n")
        # After the empty .so.9 cuDNN asks for the plain .so, which another install may have.
        text = self.emptied(prefix, "libcudnn_engines_precompiled.so.9")
        self.assertRegex(text, r"\[(library-corrupt|mixed-sublibraries)\]\n\Z")
        self.assertIn("libcudnn_engines_precompiled.so", text)

# SPDX-License-Identifier: BSD-3-Clause
"""Files that are damaged, missing or of another machine, met while configuring."""

import shutil

from support import status_lines
from support.downloads import download
from support.proving import ProvingTest

CORRUPT = """\
cudnn_checked: refused: a library of cuDNN is damaged: {name}
  expected:  a whole library
  found:     {found}   <scratch>/sdk/lib/{name}   chosen by {by}
  Loading it ends the process with a signal, or cuDNN continues without it.
  fix: reinstall {release} in <scratch>/sdk/lib
  [library-corrupt]
"""

FROM_GRAPH = "RUNPATH of <scratch>/sdk/lib/libcudnn_graph.so.9.14.0"
FROM_SHIM = "RUNPATH of <scratch>/sdk/lib/libcudnn.so.9"


class Damaged(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": ""}

    def damaged(self, role, change):
        """The message where one library is changed; it is put back."""
        path = self.sdk.library(role).resolve()
        content = path.read_bytes()
        path.write_bytes(change(content))
        try:
            return self.refused(), len(content)
        finally:
            path.write_bytes(content)

    def test_before_anything_maps_it(self):
        for role, change, found, by in [
                ("heuristic", lambda content: b"", "an empty file", FROM_GRAPH),
                ("graph", lambda content: content[:9999], "9999 bytes of {size}", FROM_SHIM),
                ("ops", lambda content: b"404\n", "not an ELF file", FROM_SHIM)]:
            with self.subTest(role=role):
                text, size = self.damaged(role, change)
                self.assertEqual(text, CORRUPT.format(
                    name=f"libcudnn_{role}.so.9.14.0", found=found.format(size=size), by=by,
                    release="cuDNN 9.14.0"))
        self.proved()

    def test_the_library_that_the_linker_reads(self):
        # What holds nothing of cuDNN is of no release, whatever its name says.
        for change, found, release in [
                (lambda content: b"", "an empty file", "cuDNN"),
                (lambda content: content[:9999], "9999 bytes of {size}", "cuDNN 9.14.0"),
                (lambda content: b"404\n", "not an ELF file", "cuDNN")]:
            with self.subTest(found=found):
                text, size = self.damaged("", change)
                self.assertEqual(text, CORRUPT.format(
                    name="libcudnn.so.9", found=found.format(size=size),
                    by="the RUNPATH of the probe", release=release))

    def test_the_library_that_the_linker_reads_of_another_machine(self):
        """It is passed over before anything is built, and there is no other."""
        names = {0x3e: "x86_64", 0xb7: "aarch64"}
        here = self.sdk.library().read_bytes()[18]
        other = next(number for number in names if number != here)
        text, _ = self.damaged(
            "", lambda content: content[:18] + bytes([other, 0]) + content[20:])
        self.assertEqual(text, f"""\
cudnn_checked: refused: the cuDNN that was found is for another machine
  looked in:  <scratch>/sdk   CuDNNChecked_ROOT: <scratch>/sdk/lib/libcudnn.so is for \
{names[other]}, and this build is for {names[here]}
  CuDNNChecked_ROOT is set, so no other directory was searched.
  fix: in a Python environment, which CuDNNChecked_ROOT then names: pip install nvidia-cudnn-cu13
{download()}   or: name the directory above include/cudnn.h and lib/libcudnn.so: -D CuDNNChecked_ROOT=DIRECTORY
  [wrong-machine]
""")

    def test_a_sub_library_of_another_machine(self):
        """The loader passes it over, and takes that of another install where there is one."""
        text, _ = self.damaged("heuristic", lambda content: content[:4] + b"\x01" + content[5:])
        self.assertRegex(text, r"\[(wrong-machine|sublibrary-missing|mixed-sublibraries)\]")
        self.assertIn("libcudnn_heuristic.so.9", text)


class JitOnly(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "sublibraries": "jit", "gpus": "sm_90"}

    def test_wrong_numbers_and_leaving_that_kind_out(self):
        self.assertRegex(self.refused(), r"""\Acudnn_checked: refused: cuDNN computes wrong numbers: graph/fp16/nchw
  tolerance:  0\.002 of sum \|x\*w\|   float64 reference
  computed:   relative error 1\.\d   graph/fp16/nchw, 1x32x16x16 \* 32x32x3x3, engine 7 on GPU 0
(  also:       relative error 1\.\d   graph/fp16/nchw, \S+ \* \S+, engine 7 on GPU 0
){4}  also:       1 more
  cuDNN reports no error: every status was CUDNN_STATUS_SUCCESS\.
  fix: install the full cuDNN package instead of the JIT-only one
   or: exclude this kind: CuDNNChecked_CONVOLUTIONS
  \[wrong-numbers\]
\Z""")
        result = self.proved("-DCuDNNChecked_CONVOLUTIONS=graph/fp32;graph/fp16/nhwc")
        self.assertEqual(result["LEVEL"], "RAN")
        self.assertRegex(status_lines(self.output)[0],
                         r"^cuDNN 9\.14\.0 · CUDA 13\.0 · sm_90, convolution verified "
                         r"\(graph; error fp32 \S+, fp16 \S+\)$")

    def test_legal_and_an_error_only_where_cnn_is_asked_for(self):
        self.assertEqual(self.proved("-DCuDNNChecked_REQUIRE=LOADED")["LEVEL"], "LOADED")
        self.assertEqual(status_lines(self.output), [
            "cuDNN 9.14.0 · CUDA 13.0 · loaded, no convolution was run: level loaded was asked for"])
        self.proved("-DCuDNNChecked_REQUIRE=LOADED", request="REQUIRED;COMPONENTS;graph")
        self.assertEqual(self.refused("-DCuDNNChecked_REQUIRE=LOADED",
                                      request="REQUIRED;COMPONENTS;cnn"), """\
cudnn_checked: refused: 4 sub-libraries of cuDNN are missing
  needed:  libcudnn_engines_precompiled.so.9, libcudnn_heuristic.so.9, libcudnn_ops.so.9, \
libcudnn_cnn.so.9
  found:   9.14.0   <scratch>/sdk/lib/libcudnn_graph.so.9.14.0   chosen by RUNPATH of \
<scratch>/sdk/lib/libcudnn.so.9
  cuDNN does not report it: depending on the file it aborts, fails later, runs slower or computes wrong \
numbers.
  fix: install the full cuDNN package instead of the JIT-only one
   or: ask for COMPONENTS graph
  [sublibrary-missing]
""")


class MustStaySilent(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_86"}

    def assert_silent(self, *arguments, level="RAN", **options):
        result = self.proved(*arguments, **options)
        self.assertEqual(result["LEVEL"], level)
        self.assertNotIn("Warning", self.output)
        self.assertEqual(len(status_lines(self.output)), 1, self.output)
        return result

    def test_a_sub_library_of_tomorrow(self):
        """Nobody has heard of libcudnn_frontier, and the set is coherent."""
        name = "libcudnn_frontier.so.9"
        shutil.copy2(self.sdk.library("ext" if self.sdk.library("ext").exists() else "adv").resolve(),
                     self.sdk.library_directory / name)
        self.app.write("after.cmake", """
if(NOT TARGET CuDNNChecked::cudnn_frontier)
  message(FATAL_ERROR "no target")
endif()""")
        self.assert_silent()

    def test_gpus_hidden_on_purpose(self):
        self.assert_silent(level="LOADED", environment={"CUDA_VISIBLE_DEVICES": ""})
        self.assertEqual(status_lines(self.output), [
            "cuDNN 9.14.0 · CUDA 13.0 · loaded, no convolution was run: "
            "CUDA_VISIBLE_DEVICES= hides the GPUs"])

    def test_a_login_node(self):
        self.assert_silent(level="LOADED", environment={"SIMULATED_GPUS": ""})
        self.assertEqual(status_lines(self.output), [
            "cuDNN 9.14.0 · CUDA 13.0 · loaded, no convolution was run: no GPU here"])


class RuntimeInsideCudnn(MustStaySilent):
    """cuDNN's own runtime is 13.1 beside the toolkit's 13.0."""

    sdk_options = {"cudnn": "9.14.0", "cuda": "13.0", "cudnn_cudart": "13.1", "gpus": "sm_86"}
    test_a_sub_library_of_tomorrow = test_gpus_hidden_on_purpose = test_a_login_node = None

    def test_it_is_no_finding(self):
        result = self.assert_silent()
        self.assertEqual((result["CUDA_VERSION"], result["CUDART_VERSION"]), ("13.0", "13.1"))

# SPDX-License-Identifier: BSD-3-Clause
"""NVIDIA's wheels: the runtime that belongs to a cuDNN, and the one line that installs what is missing."""

import shutil
import sys

from support import bare_cuda, bare_cudnn, bare_wheel
from support.environment import add_pip, with_installers
from support.locating import LocatingTest

PYTHON = f"python3.{sys.version_info.minor}"


class WheelTest(LocatingTest):
    """self.site is the site-packages of an environment that has pip, and in it cuDNN for CUDA 12."""

    def setUp(self):
        super().setUp()
        self.venv = self.scratch / "venv"
        self.site = self.venv / "lib" / PYTHON / "site-packages"
        self.write("venv/pyvenv.cfg", "")
        self.write("venv/bin/python", "")
        add_pip(self.site)

    def cudnn_wheel(self, cuda, version="9.14.0", jit=False, site=None, installer="pip"):
        site = site or self.site
        name = f"nvidia-cudnn-jit-cu{cuda}" if jit else f"nvidia-cudnn-cu{cuda}"
        bare_wheel(site, name, f"{version}.64", installer=installer)
        return bare_cudnn(site / "nvidia" / ("cudnn_jit" if jit else "cudnn"), version)

    def runtime_wheel(self, cuda, version):
        if cuda >= 13:
            bare_wheel(self.site, "nvidia-cuda-runtime", f"{version}.96")
            return bare_cuda(self.site / "nvidia" / f"cu{cuda}", version)
        bare_wheel(self.site, f"nvidia-cuda-runtime-cu{cuda}", f"{version}.79")
        bare_wheel(self.site, f"nvidia-cuda-nvcc-cu{cuda}", f"{version}.86",
                   "cuda_nvcc/include/crt/host_defines.h")
        return bare_cuda(self.site / "nvidia" / "cuda_runtime", version, crt=False)

    def locate_venv(self, *arguments, **options):
        return self.locate(f"-DCuDNNChecked_ROOT={self.venv}", *arguments, cuda=False, **options)

    def fix(self, *arguments, **options):
        """The first fix of the message."""
        text = self.locate_venv(*arguments, **options)
        self.assertIsInstance(text, str, text)
        self.assertIn("\n  fix: ", text)
        return next(line for line in text.splitlines() if line.startswith("  fix: "))[len("  fix: "):]


class TheRuntimeThatBelongsToIt(WheelTest):
    def assert_taken(self, result, prefix, version):
        self.assertIsInstance(result, dict, result)
        self.assertEqual(result["cudart"], f"{prefix}/lib/libcudart.so.{version.split('.')[0]}")
        self.assertEqual(result["CUDA_VERSION"], version)

    def test_before_toolkits_that_are_only_there(self):
        self.cudnn_wheel(12)
        own = self.runtime_wheel(12, "12.9")
        for version in ["13.0", "12.4"]:
            toolkit = bare_cuda(self.scratch / f"toolkit-{version}", version)
            self.write(f"toolkit-{version}/bin/nvcc", "#!/bin/sh\n").chmod(0o755)
            result = self.locate_venv(environment={
                "CUDA_HOME": toolkit, "CUDA_PATH": toolkit, "PATH": f"{toolkit}/bin"})
            self.assert_taken(result, own, "12.9")

    def test_of_two_cuda_majors_in_one_environment(self):
        self.cudnn_wheel(12)
        self.cudnn_wheel(13, jit=True)
        twelve, thirteen = self.runtime_wheel(12, "12.9"), self.runtime_wheel(13, "13.0")
        self.assert_taken(self.locate_venv(), twelve, "12.9")
        (self.site / "nvidia" / "cudnn" / "lib" / "libcudnn.so.9").unlink()
        (self.site / "nvidia" / "cudnn" / "include" / "cudnn.h").unlink()
        (self.site / "nvidia" / "cudnn" / "include" / "cudnn_version.h").unlink()
        self.assert_taken(self.locate_venv(), thirteen, "13.0")

    def test_a_toolkit_of_that_cuda_where_the_environment_has_no_runtime(self):
        self.cudnn_wheel(12)
        other = bare_cuda(self.scratch / "other", "13.0")
        fits = bare_cuda(self.scratch / "fits", "12.6")
        self.assert_taken(self.locate_venv(environment={"CUDA_PATH": other, "CUDA_HOME": fits}),
                          fits, "12.6")

    def test_what_the_project_names_comes_first_whatever_its_release(self):
        self.cudnn_wheel(12)
        self.runtime_wheel(12, "12.9")
        named = bare_cuda(self.scratch / "named", "13.0")
        self.assert_taken(self.locate_venv(f"-DCUDAToolkit_ROOT={named}"), named, "13.0")
        compiler = bare_cuda(self.scratch / "compiler", "12.4")
        result = self.locate_venv(f"-DCUDAToolkit_ROOT={named}",
                                  f"-DCMAKE_CUDA_COMPILER_TOOLKIT_ROOT={compiler}")
        self.assert_taken(result, compiler, "12.4")

    def test_cudatoolkit_root_names_an_environment(self):
        cudnn = bare_cudnn(self.scratch / "sdk")
        own = self.runtime_wheel(13, "13.0")
        for place in [self.venv, self.site, self.site / "nvidia", own, f"{self.site}/"]:
            for given in ["variable", "environment"]:
                with self.subTest(place=place, given=given):
                    environment = {"CUDAToolkit_ROOT": place} if given == "environment" else None
                    arguments = [f"-DCUDAToolkit_ROOT={place}"] if given == "variable" else []
                    result = self.locate(f"-DCuDNNChecked_ROOT={cudnn}", "-UCUDAToolkit_ROOT",
                                         *arguments, cuda=False, environment=environment)
                    self.assert_taken(result, own, "13.0")

    def test_cudatoolkit_root_is_not_passed_over(self):
        self.cudnn_wheel(13)
        self.runtime_wheel(13, "13.0")
        self.write("empty/nvidia/cuda_runtime/lib/libcudart.so.13", "")
        self.assertEqual(self.locate_venv(f"-DCUDAToolkit_ROOT={self.scratch}/empty"), f"""\
cudnn_checked: refused: cuDNN 9.14.0 was found, but no CUDA 13 runtime to compile with
  cuDNN:      9.14.0   <scratch>/venv/lib/{PYTHON}/site-packages/nvidia/\
cudnn/include/cudnn_version.h
  looked in:  <scratch>/empty   CUDAToolkit_ROOT: no cuda_runtime_api.h
              <scratch>/empty/nvidia/cuda_runtime   CUDAToolkit_ROOT: no cuda_runtime_api.h
  cudnn.h includes cuda_runtime_api.h, and the probe links libcudart.
  CUDAToolkit_ROOT is set, so no other directory was searched.
  fix: cmake -U CUDAToolkit_ROOT <scratch>/app-build
   or: name the directory above include/cuda_runtime_api.h of CUDA 13: -D CUDAToolkit_ROOT=DIRECTORY
  [headers-missing]
""")


class OneLineInstallsWhatIsMissing(WheelTest):
    def test_the_whole_message(self):
        self.cudnn_wheel(12)
        toolkit = bare_cuda(self.scratch / "cuda-13", "13.0")
        text = self.locate_venv(environment={"CUDA_HOME": toolkit})
        self.assertEqual(text.replace(PYTHON, "python3.x"), """\
cudnn_checked: refused: cuDNN 9.14.0 was found, but no CUDA 12 runtime to compile with
  cuDNN:      9.14.0   <scratch>/venv/lib/python3.x/site-packages/nvidia/cudnn/include/\
cudnn_version.h
  looked in:  <scratch>/venv/lib/python3.x/site-packages/nvidia/cudnn   beside cuDNN: no \
cuda_runtime_api.h
              <scratch>/cuda-13   environment CUDA_HOME: CUDA 13.0, and this cuDNN is for CUDA 12
  cudnn.h includes cuda_runtime_api.h, and the probe links libcudart.
  fix: <scratch>/venv/bin/python -m pip install 'nvidia-cuda-runtime-cu12==12.*' 'nvidia-cuda-nvcc-cu12==12.*' \
'nvidia-cuda-nvrtc-cu12==12.*' 'nvidia-cublas-cu12==12.*'
   or: name the directory above include/cuda_runtime_api.h of CUDA 12: -D CUDAToolkit_ROOT=DIRECTORY
  [headers-missing]
""")

    PIP = "<scratch>/venv/bin/python -m pip install "

    def test_cuda_13_is_pinned(self):
        self.cudnn_wheel(13)
        self.assertEqual(self.fix(), self.PIP + "'nvidia-cuda-runtime==13.*' 'nvidia-cuda-crt==13.*' "
                         "'nvidia-cuda-nvrtc==13.*' 'nvidia-cublas==13.*'")

    def test_only_what_is_missing(self):
        self.cudnn_wheel(13, jit=True)
        bare_wheel(self.site, "nvidia-cuda-nvrtc", "13.0.88", "cu13/lib/libnvrtc.so.13")
        self.assertEqual(self.fix(), self.PIP + "'nvidia-cuda-runtime==13.*' 'nvidia-cuda-crt==13.*'")

    def test_of_the_release_of_the_runtime_that_is_there(self):
        self.cudnn_wheel(13, jit=True)
        bare_wheel(self.site, "nvidia-cuda-runtime", "13.0.96")
        bare_cuda(self.site / "nvidia" / "cu13", "13.0", crt=False)
        self.assertEqual(self.fix(),
                         self.PIP + "'nvidia-cuda-crt==13.0.*' 'nvidia-cuda-nvrtc==13.0.*'")
        self.assertIn("crt/host_defines.h (package nvidia-cuda-crt)\n", self.locate_venv())

    def test_the_crt_headers_of_cuda_12_are_in_its_compiler(self):
        self.cudnn_wheel(12, jit=True)
        bare_wheel(self.site, "nvidia-cuda-runtime-cu12", "12.4.127")
        bare_cuda(self.site / "nvidia" / "cuda_runtime", "12.4", crt=False)
        self.assertEqual(self.fix(), self.PIP + "'nvidia-cuda-nvcc-cu12==12.4.*' "
                         "'nvidia-cuda-nvrtc-cu12==12.4.*'")
        self.assertIn("crt/host_defines.h (package nvidia-cuda-nvcc-cu12)\n", self.locate_venv())

    def test_an_environment_without_pip(self):
        self.cudnn_wheel(13, jit=True)
        shutil.rmtree(self.site / "pip")
        having_uv = with_installers(self.scratch / "bin", "uv")
        self.assertEqual(self.fix(environment=having_uv), "uv pip install --python <scratch>/venv "
                         "'nvidia-cuda-runtime==13.*' 'nvidia-cuda-crt==13.*' 'nvidia-cuda-nvrtc==13.*'")

    def test_a_target_directory(self):
        """pip --target replaces the directory nvidia whole; uv adds to it."""
        having_both = with_installers(self.scratch / "bin", "python3", "pip", "uv")
        for installer, command in [
                ("uv", "uv pip install --target '<scratch>/my target' "),
                ("pip", "python3 -m pip install --upgrade --target '<scratch>/my target' "
                        "nvidia-cudnn-jit-cu12==9.14.0.64 ")]:
            with self.subTest(installer=installer):
                self.venv = self.scratch / "my target"
                self.cudnn_wheel(12, jit=True, site=self.venv, installer=installer)
                self.assertEqual(self.fix(environment=having_both), command + "'nvidia-cuda-runtime-cu12==12.*' "
                                 "'nvidia-cuda-nvcc-cu12==12.*' 'nvidia-cuda-nvrtc-cu12==12.*'")

    def test_the_user_site(self):
        site = self.scratch / ".local" / "lib" / PYTHON / "site-packages"
        self.cudnn_wheel(12, jit=True, site=site)
        self.venv = self.scratch / ".local"
        having_pip = with_installers(self.scratch / "bin", "python3", PYTHON, "pip")
        for flag in ("", " --break-system-packages"):
            self.assertEqual(self.fix(environment=having_pip),
                             f"{PYTHON} -m pip install{flag} --user 'nvidia-cuda-runtime-cu12==12.*' "
                             "'nvidia-cuda-nvcc-cu12==12.*' 'nvidia-cuda-nvrtc-cu12==12.*'")
            self.write(f"lib/{PYTHON}/EXTERNALLY-MANAGED")


class VirtualEnv(WheelTest):
    def test_its_packages_count_whatever_its_python_is(self):
        """Copied, or of a Python that was removed: the interpreter cannot be started."""
        cudnn = self.cudnn_wheel(13)
        self.runtime_wheel(13, "13.0")
        python = self.venv / "bin" / "python"
        for state in ["not a program", "dangling", "python3 alone", "gone"]:
            with self.subTest(state=state):
                python.unlink(missing_ok=True)
                if state == "not a program":
                    python.write_text("")
                elif state == "dangling":
                    python.symlink_to("/nonexistent/python3")
                elif state == "python3 alone":
                    (python.parent / "python3").symlink_to(sys.executable)
                else:
                    (python.parent / "python3").unlink()
                result = self.locate("-UCuDNNChecked_PYTHON_KEY", cuda=False,
                                     environment={"VIRTUAL_ENV": self.venv})
                self.assert_located(result, cudnn)

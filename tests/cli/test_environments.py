# SPDX-License-Identifier: BSD-3-Clause
"""doctor on whole Python environments.  The libraries hold nothing but names, run paths and the build ids of
real ones."""

import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

from checked_program import call, messages
from fake_packages import FakePackages, make_library, NUMBER, PACKAGE, WHEEL
from support.output import relative_output

MANY = 100_000
WALKED = 51_000  # more than are listed where no record lists them


class Environments(FakePackages):
    def doctor(self, *options):
        status, out, err = call("doctor", *options, self.root / "venv", home=self.root)
        self.assertEqual(err, "")
        return status, out

    def text(self):
        status, out = self.doctor()
        return status, relative_output(out, site=self.site)

    def test_what_an_interrupted_pip_has_left(self):
        (self.site / "~vidia_cudnn_cu12-9.1.0.70.dist-info").mkdir()
        (self.site / "nvidia/~udnn/lib").mkdir(parents=True)
        (self.site / "nvidia/~udart").mkdir()  # not of cuDNN
        status, text = self.text()
        self.assertEqual((status, messages(text)), (0, [
            ("[library-missing]", "rm -r '<site>/nvidia/~udnn' && rm -r '<site>/~vidia_cudnn_cu12-9.1.0.70.dist-info'")]))

    def tree(self):
        place, = json.loads(self.doctor("--json")[1])["environments"]
        return place

    def test_a_sound_one(self):
        self.assertEqual(self.text(), (0, f"""\
cuDNN
  9.5.1 for CUDA 12   full   <site>/{WHEEL}   command line
users of cuDNN in <site>
  torch 2.7.1   libtorch_cuda.so and 1 more   9.5.1 for CUDA 12, whole   {WHEEL}   requires \
{PACKAGE}=={NUMBER}

cudnn-checked: ok: 1 cuDNN, 0 errors, 0 warnings
"""))
        place = self.tree()
        self.assertEqual((place["packages"], place["libraries"], place["limit"]), (2, 2, ""))
        user, = place["users"]
        self.assertEqual([pathlib.Path(path).name for path in user["libraries"]],
                         ["libtorch_cuda.so", "libtorch_python.so"])
        self.assertEqual((user["package"], user["needed"], user["verdict"]),
                         ("torch 2.7.1", ["libcudnn.so.9"], "ok"))
        self.assertEqual(user["takes"], {
            "release": "9.5.1 for CUDA 12", "version": "9.5.1", "cuda_major": 12, "kind": "whole",
            "directory": str(self.site / WHEEL)})
        self.assertEqual(place["requirements"], [{
            "package": "torch 2.7.1", "requires": f"{PACKAGE}=={NUMBER}", "installed": NUMBER, "met": "yes"}])

    def test_packages_that_take_several_cudnns(self):
        """Each takes a right one where it is alone, and doctor is not told what one process imports."""
        shutil.copytree(self.site, self.root / "other")
        status, out, _ = call("doctor", self.root / "venv", self.root / "other", home=self.root)
        self.assertEqual((status, out.partition("\n\n")[2]), (0, """\
not looked at: which packages are imported, and in which order: the first that brings a cuDNN decides: \
cudnn-checked verify --python MODULE,MODULE

cudnn-checked: ok: 2 cuDNNs, 0 errors, 0 warnings
"""))
        for places, told in ((("venv", "other"), [{
                "name": "order", "asked": "verify --python MODULE,MODULE",
                "what": "which packages are imported, and in which order: the first that brings a cuDNN decides"}]),
                             (("venv",), [])):
            _, out, _ = call("doctor", "--json", *(self.root / place for place in places), home=self.root)
            self.assertEqual(json.loads(out)["not_looked_at"], told)

    def test_users_are_judged_as_verify_judges_them(self):
        (self.site / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        library = self.site / "torch/lib/libtorch_cuda.so"
        status, out, _ = call("verify", "--json", library, home=self.root)
        report = json.loads(out)
        user = self.tree()["users"][0]
        self.assertEqual((status, user["verdict"]), (1, report["verdict"]))
        self.assertEqual(user["findings"], report["findings"])

    def test_a_library_of_another_machine(self):
        """S39: said once, for the package, with the package's own command."""
        machines = {62: "x86_64", 183: "aarch64"}
        for file in (self.site / WHEEL).glob("libcudnn*"):
            content = file.read_bytes()
            other = 183 if content[18] == 62 else 62
            file.write_bytes(content[:18] + bytes([other, 0]) + content[20:])
        status, out = self.text()
        self.assertEqual((status, messages(out)[0]), (1, (
            "[wrong-machine]", f"with pip or uv, neither of which is here: install {PACKAGE}=={NUMBER} in <site>")))
        self.assertIn(f"\n  needed:  a file for {machines[content[18]]}\n  found:   a file for {machines[other]}   <site>/", out)
        self.assertEqual(out.count("\n  [wrong-machine]"), 1)

    def test_a_library_without_a_build_id(self):
        """S49: of another release, perhaps; nothing of it says which."""
        path = self.site / WHEEL / "libcudnn_heuristic.so.9"
        subprocess.run(["objcopy", "-R", ".note.gnu.build-id", path], check=True)
        status, out = self.text()
        self.assertEqual(status, 0)
        self.assertRegex(out, f"\nwarning: a library of cuDNN is not the one of its release: {path.name}\n"
                              "  graph:      9.5.1 for CUDA 12   .*\n  heuristic:  no build id   ")

    def test_a_library_that_the_import_cannot_load(self):
        """MXNet 1.9.1 looks for nothing in the wheels, and NEEDs NVTX and NCCL as well."""
        names = ("libcudart.so.12", "libnvToolsExt.so.1", "libnccl.so.2")
        for name in names:
            make_library(self.root / "away" / name)
        make_library(self.site / "mxnet/libmxnet.so", self.site / WHEEL / "libcudnn.so.9",
                     *(self.root / "away" / name for name in names))
        self.record("mxnet-cu112", "1.9.1", [self.site / "mxnet/libmxnet.so"])
        status, out = self.text()
        self.assertEqual(status, 1)
        self.assertIn("\nerror: a library that this program needs is missing: libcudart.so.12\n", out)
        self.assertIn("  used by:    mxnet-cu112 1.9.1   <site>/mxnet/libmxnet.so\n", out)
        self.assertNotIn("nccl", out)

    def test_a_folder_of_python_path(self):
        """As pip install --target makes it, and as modules of clusters name it; a tree of sources is none."""
        folder, sources = self.root / "module", self.root / "sources"
        self.site.rename(folder)
        (sources / "deep").mkdir(parents=True)
        shutil.copy(folder / "torch/lib/libtorch_cuda.so", sources / "deep")
        path = f"{sources}:{folder}/"
        def called(*options):
            return call("doctor", *options, home=self.root, PATH=str(pathlib.Path(sys.executable).parent),
                        PYTHONPATH=path)
        out = relative_output(called()[1], folder=folder)
        self.assertIn(f"  9.5.1 for CUDA 12   full   <folder>/{WHEEL}   PYTHONPATH[1]\n", out)
        self.assertIn("users of cuDNN in <folder>\n  torch 2.7.1   libtorch_cuda.so and 1 more   9.5.1 for CUDA 12", out)
        places = {place["directory"]: place["found_by"] for place in json.loads(called("--json")[1])["environments"]}
        self.assertEqual(places[str(folder)], "PYTHONPATH[1]")
        self.assertNotIn(str(sources), places)

    def test_a_package_that_loads_nvrtc_itself(self):
        """N22: PyTorch does since 2.6, the builtins since 2.9; LD_LIBRARY_PATH serves every program."""
        runtime, nvrtc = (self.site / "nvidia" / name / "lib" for name in ("cuda_runtime", "cuda_nvrtc"))
        make_library(runtime / "libcudart.so.12")
        nvrtc.mkdir(parents=True)
        (self.site / WHEEL / "libnvrtc.so.12").rename(nvrtc / "libnvrtc.so.12")
        for library in (self.site / "torch/lib").iterdir():
            make_library(library, self.site / WHEEL / "libcudnn.so.9", runtime / "libcudart.so.12",
                         "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../../" + WHEEL +
                         ":$ORIGIN/../../nvidia/cuda_runtime/lib")
        def notes(release, **variables):
            for info in self.site.glob("torch-*"):
                shutil.rmtree(info)
            self.record("torch", release, sorted((self.site / "torch/lib").iterdir()))
            return re.findall("note: (cuDNN needs .*), which",
                              call("doctor", self.root / "venv", home=self.root, **variables)[1])
        needs = ["cuDNN needs libnvrtc.so.12"]
        self.assertEqual(notes("2.4.1"), needs)
        self.assertEqual(notes("2.5.1"), needs)
        self.assertEqual(notes("2.6.0"), [])
        self.assertEqual(notes("2.4.1", LD_LIBRARY_PATH=f"/nowhere:{nvrtc}"), [])
        make_library(nvrtc / "libnvrtc-builtins.so.12.6")
        self.assertEqual(notes("2.8.0"), needs)
        self.assertEqual(notes("2.9.1"), [])
        # It is what another package uses that does not.
        shutil.copytree(self.site / "torch", self.site / "other")
        self.record("other", "1.0", sorted((self.site / "other/lib").iterdir()))
        self.assertEqual(notes("2.9.1"), needs)

    def test_headers_of_two_releases(self):
        """S44."""
        include = self.site / "nvidia/cudnn/include"
        include.mkdir()
        (include / "cudnn.h").write_text('#include <cuda_runtime.h>\n#include "cudnn_version.h"\n'
                                         '#include "cudnn_ops.h"\n')
        for name, part, minor in (("cudnn_version.h", "", 5), ("cudnn_ops.h", "OPS_", 1),
                                  ("cudnn_left_behind.h", "OLD_", 0)):
            (include / name).write_text(f"#define CUDNN_{part}MAJOR 9\n#define CUDNN_{part}MINOR {minor}\n"
                                        f"#define CUDNN_{part}PATCH{'' if part else 'LEVEL'} 1\n")
        status, out = self.text()
        self.assertEqual(status, 1)
        self.assertEqual(out[out.index("error: "):out.index("cudnn-checked:")], f"""\
error: the headers of cuDNN are of more than one release
  cudnn_version.h:  9.5.1   <site>/nvidia/cudnn/include/cudnn_version.h
  cudnn_ops.h:      9.1.1   <site>/nvidia/cudnn/include/cudnn_ops.h
  library:          <site>/{WHEEL}/libcudnn.so.9
  No program compiles with them: an upgrade of cuDNN has replaced some of them only.
  fix: with pip or uv, neither of which is here: install {PACKAGE}=={NUMBER} in <site>
  [header-mixed]

""")
        (include / "cudnn_ops.h").write_text((include / "cudnn_ops.h").read_text().replace(" 1\n", " 5\n", 1))
        (include / "cudnn_gone.h").write_text("")
        (include / "cudnn.h").write_text('#include "cudnn_version.h"\n#include "cudnn_absent.h"\n')
        self.assertIn("error: a header of cuDNN includes another one that is not there\n", self.text()[1])
        (include / "cudnn.h").write_text('#include "cudnn_version.h"\n#include "cudnn_ops.h"\n')
        self.assertEqual(self.text()[0], 0)

    def test_a_conda_prefix(self):
        """Its libraries lie in lib, and conda-meta says whose they are."""
        prefix = self.root / "venv"
        (prefix / "conda-meta").mkdir()
        (prefix / "conda-meta/libtorch-2.7.1-cuda126.json").write_text(json.dumps(
            {"name": "libtorch", "version": "2.7.1", "files": ["lib/libtorch_cuda.so"]}))
        for file in (*(self.site / WHEEL).iterdir(), self.beside / "libtorch_cuda.so"):
            shutil.copy(file, prefix / "lib")
        shutil.rmtree(self.site)
        status, out = self.doctor()
        self.assertEqual(status, 0)
        self.assertIn(f"\nusers of cuDNN in {prefix}\n"
                      "  libtorch 2.7.1   libtorch_cuda.so   9.5.1 for CUDA 12, whole   lib\n", out)

    def test_many_files(self):
        """Bounded: of 100,000 files only the libraries that a RECORD lists are opened."""
        before = self.cost(self.tree)
        many = self.site / "big"
        names = [f"big/f{number // 1000}/m{number}.py" for number in range(MANY)]
        for folder in range(WALKED // 1000):
            (many / f"f{folder}").mkdir(parents=True)
        for name in names[:WALKED]:
            os.mknod(f"{self.site}/{name}")
        info = self.record("big", "1.0", [])
        (info / "RECORD").write_text("".join(f"{name},sha256=x,0\n" for name in names))
        self.assertEqual(self.tree()["libraries"], 2)
        self.assertLess(self.cost(self.tree), before + 1)

        # No record: the folder is searched, up to a limit, and that is said.
        (info / "RECORD").write_text("")
        place = self.tree()
        self.assertEqual((place["limit"], place["libraries"]), ("files", 2))
        self.assertEqual(len(place["users"]), 1)
        self.assertIn("\n  not all was looked at (too many files): 2 shared libraries read\n", self.doctor()[1])
        self.assertLess(self.cost(self.tree), before + 1)

    @staticmethod
    def cost(action):
        """Seconds of CPU that a command takes."""
        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        action()
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime

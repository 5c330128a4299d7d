# SPDX-License-Identifier: BSD-3-Clause
"""run: a Python program is checked by what its packages would load, and nothing is imported for that."""

import json
import os
import shutil
import sys
import unittest
import zipfile

from checked_program import call, messages
from fake_packages import NUMBER, PACKAGE, WHEEL, ids_of, make_library, record
from started_python import StartedPython
from support.loader_cache import has_in_loader_cache
from support.output import relative_output


class RunPython(StartedPython):
    def test_a_sound_one_is_started_without_a_word(self):
        self.assertEqual(self.app(), self.started)
        self.assertEqual(self.app("--python", "torch"), self.started)
        self.assertEqual(self.app("--python=torch.nn"), self.started)

    def test_it_is_refused(self):
        (self.site / "pip").mkdir()  # half of one
        metadata = self.site / "torch-2.7.1.dist-info/METADATA"
        metadata.write_text(metadata.read_text().replace("==9.5.1.17", "==9.6.0.74"))
        self.assertEqual(self.app(), (78, "", f"""\
cudnn-checked: refused: torch 2.7.1: libtorch_cuda.so requires cuDNN 9.6.0 and would run on cuDNN 9.5.1
  requires:    9.6.0   nvidia-cudnn-cu12==9.6.0.74 of torch 2.7.1
  would load:  9.5.1   <site>/torch/lib/../../{WHEEL}/libcudnn_graph.so.9   chosen by RUNPATH of \
<site>/torch/lib/../../{WHEEL}/libcudnn.so.9
  used by:     torch 2.7.1   <site>/torch/lib/libtorch_cuda.so
  An older minor release of cuDNN may lack functions that the program calls.
  fix: with pip or uv, neither of which is here: install nvidia-cudnn-cu12==9.6.0.74 in <site>
  [cudnn-older]
  override: CUDNN_CHECKED=warn
"""))

    def test_an_older_patch_than_required(self):
        """One finding of every command, and no refusal."""
        metadata = self.site / "torch-2.7.1.dist-info/METADATA"
        metadata.write_text(metadata.read_text().replace("==9.5.1.17", "==9.5.2.3"))
        told = f"""\
 libtorch_cuda.so requires cuDNN 9.5.2 and would run on cuDNN 9.5.1
  requires:    9.5.2   nvidia-cudnn-cu12==9.5.2.3 of torch 2.7.1
  would load:  9.5.1   <site>/torch/lib/../../{WHEEL}/libcudnn_graph.so.9   chosen by RUNPATH of \
<site>/torch/lib/../../{WHEEL}/libcudnn.so.9
"""
        status, out, err = self.app()
        self.assertEqual((status, out), self.started[:2])
        self.assertTrue(err.startswith("cudnn-checked: warning: torch 2.7.1:" + told), err)
        for words, begin in ((("doctor", self.venv), "warning:"),
                             (("verify", self.site / "torch/lib/libtorch_cuda.so"), "cudnn-checked: warning:")):
            status, out, _ = call(*words, home=self.root)
            out = relative_output(out, site=self.site, root=self.root)
            self.assertEqual((status, [names for names, _ in messages(out) if "stamp" not in names]),
                             (0, ["[requirement-unmet]"]), out)
            self.assertIn(begin + told, out)

    def test_a_package_that_opens_its_cudnn_by_a_path(self):
        """It gets that one, also where the process has another one of that name."""
        self.second_package()
        for name, build_id in ids_of("9.6.0.74", "12").items():
            make_library(self.site / "onnx/cudnn" / name, "-Wl,-rpath,$ORIGIN", "-Wl,--build-id=0x" + build_id)
        (self.venv / "bin/python").symlink_to("python3")  # whose purelib it asks for
        library = self.site / "cudnn/_compiled_module.so"
        names = self.root / "names.c"
        names.write_text('const char name[] = "libcudnn.so";\n')
        make_library(library, names)
        self.record("nvidia_cudnn_frontend", "1.32.0", [library])
        status, _, err = self.app("--python", "onnx,cudnn")
        self.assertEqual(status, 78, err)
        self.assertEqual(err.splitlines()[0], "cudnn-checked: refused: nvidia-cudnn-frontend 1.32.0: there are two "
                         "cuDNNs in this process: 9.6.0 for CUDA 11 or 12 and 9.5.1 for CUDA 11 or 12")

    @unittest.skipIf(has_in_loader_cache("libcudnn.so.9"), "this machine's ld.so.cache leads to a cuDNN")
    def test_what_is_opened_by_name_was_lost(self):
        """The package of what is opened knows that it lacks it: none is found elsewhere."""
        cublas, library = self.site / "nvidia/cublas/lib/libcublas.so.12", self.site / "acme/libacme.so"
        frontend = self.site / "cudnn/_compiled_module.so"
        make_library(cublas)
        make_library(library, cublas, "-Wl,-rpath,$ORIGIN/../nvidia/cublas/lib")
        make_library(frontend)
        for package in (library, frontend):
            (package.parent / "__init__.py").write_text("")
        self.record("acme", "1.0", [library], f"{PACKAGE}=={NUMBER}")
        self.record("nvidia-cudnn-frontend", "1.14.0", [frontend])
        self.assertEqual(self.app("--python", "acme,cudnn"), self.started)
        (self.site / WHEEL / "libcudnn.so.9").unlink()
        text = f"""\
{PACKAGE} lacks a library that its record lists
  listed:   libcudnn.so.9   <site>/nvidia_cudnn_cu12-{NUMBER}.dist-info/RECORD
  found:    no such file   <site>/{WHEEL}
  used by:  acme 1.0   <site>/acme/libacme.so
  An interrupted installation, or the removal of another package with the same folder, causes this; the package manager still lists the files.
"""
        for name, module in (("acme 1.0", "acme"), ("nvidia-cudnn-frontend 1.14.0", "cudnn")):
            status, out, err = self.app("--python", module)
            self.assertEqual((status, out), (78, ""), err)
            self.assertTrue(err.startswith(f"cudnn-checked: refused: {name}: {PACKAGE} lacks a library"), err)
            status, out, _ = call("verify", "--python", module, self.interpreter, home=self.root)
            self.assertEqual((status, out.splitlines()[0]), (
                1, f"cudnn-checked: refused: {PACKAGE} lacks a library that its record lists"), out)
            self.assertEqual(self.from_path(modules=module)[0], 78)
        self.assertEqual(self.app("--python", "acme")[2].partition(": acme 1.0: ")[2].partition("  fix: ")[0], text)

    def test_the_escapes(self):
        self.break_torch()
        status, out, err = self.app(CUDNN_CHECKED="warn")
        self.assertEqual((status, out), self.started[:2])
        self.assertTrue(err.startswith("cudnn-checked: warning: torch 2.7.1: "), err)
        self.assertTrue(err.endswith("  continues: CUDNN_CHECKED=warn\n"), err)
        self.assertEqual(self.app(CUDNN_CHECKED="off"), self.started)

    def test_the_report(self):
        file = self.root / "report.json"
        self.assertEqual(self.app(CUDNN_CHECKED_REPORT=file), self.started)
        self.assertEqual(json.loads(file.read_text())["verdict"], "ok")
        self.break_torch()
        status, out, _ = self.app("--json", CUDNN_CHECKED_REPORT=file)
        self.assertEqual((status, json.loads(out)["findings"][0]["name"]), (78, "library-corrupt"))
        self.assertEqual(json.loads(file.read_text()), json.loads(out))

    def test_another_package_is_right(self):
        self.second_package()
        self.assertEqual(self.app(), self.started)
        self.break_torch()
        status, out, err = self.app()
        self.assertEqual((status, out), self.started[:2])
        self.assertTrue(err.startswith("cudnn-checked: warning: torch 2.7.1: a library of cuDNN is damaged"), err)
        self.assertTrue(err.endswith("""\
  continues: onnx 1.2 has a right cuDNN, and which package the program imports is not known
  to refuse it, name what is imported: cudnn-checked run --python MODULE
"""), err)
        self.assertEqual(self.app("--python", "onnx"), self.started)
        # What is imported first brings the cuDNN of both.
        self.assertEqual(self.app("--python", "onnx,torch"), self.started)
        for modules in ("torch", "torch,onnx"):
            status, out, err = self.app("--python", modules)
            self.assertEqual((status, out), (78, ""))
            self.assertTrue(err.startswith("cudnn-checked: refused: torch 2.7.1"), err)

    def test_what_a_module_requires_counts(self):
        """As jax, which has no such library of its own: its plugin is an extra that is called after it."""
        (self.site / "jaxy").mkdir()
        init = self.site / "jaxy/__init__.py"
        init.write_text("")
        self.record("jaxy", "0.9", [init], "jaxy-cuda12-plugin; extra == 'cuda12'", "onnx; extra == 'export'")
        library = self.site / "jaxy_plugins/libplugin.so"
        make_library(library, self.site / WHEEL / "libcudnn.so.9", "-Wl,-rpath,$ORIGIN/../" + WHEEL)
        self.record("jaxy-cuda12-plugin", "0.9", [library])
        self.second_package()
        (self.site / "onnx/cudnn/libcudnn_ops.so.9").write_bytes(b"")
        self.assertEqual(self.app("--python", "jaxy"), self.started)
        self.break_torch()
        status, _, err = self.app("--python", "jaxy,torch")
        self.assertEqual(status, 78)
        self.assertTrue(err.startswith("cudnn-checked: refused: jaxy-cuda12-plugin 0.9, torch 2.7.1: "), err)
        self.assertEqual(err.count("[library-corrupt]"), 1)
        status, _, err = self.app("--python", "jaxy")
        self.assertEqual(status, 78)
        self.assertTrue(err.startswith("cudnn-checked: refused: jaxy-cuda12-plugin 0.9: "), err)

    def test_every_way_to_start_it(self):
        self.break_torch()
        (self.venv / "bin/python3.99").symlink_to("python3")
        direct = self.script("direct", f"#!{self.interpreter} -u\n")
        by_env = self.script("by-env", "#!/usr/bin/env -S python3 -u\n")
        by_sh = self.script("by-sh", f"#!/bin/sh\n'''exec' \"{self.interpreter}\" \"$0\" \"$@\"\n' '''\n")
        path = f"{self.venv}/bin:{os.environ['PATH']}"
        for words in ([self.interpreter, "-m", "app"], [self.interpreter, "-u", "-X", "utf8", "-c", "pass"],
                      ["python3", "app.py"], ["python3.99", "app.py"], [self.interpreter, "-"], [self.interpreter],
                      [direct], [by_env], [by_sh], ["direct", "a"]):
            status, out, err = self.run_it("--", *words, PATH=path)
            self.assertEqual((status, out, err[:36]), (78, "", "cudnn-checked: refused: torch 2.7.1:"), words)
        shutil.rmtree(self.site / "torch")
        count = len([*self.site.glob("*.dist-info")])
        for script in (direct, by_env, by_sh):
            status, out, err = self.run_it("--", script, PATH=path)
            self.assertEqual((status, out), (7, f"started {script}\n"))
            self.assertEqual(err, "cudnn-checked: note: no package of <root>/venv/bin/python3 is known to use cuDNN "
                                  f"({count} looked at), so none was checked\n")

    def test_modules_that_pythonpath_brings(self):
        other = self.root / "modules"
        shutil.copytree(self.site, other)
        self.break_torch(other)
        status, _, err = self.app(PYTHONPATH=other)
        self.assertEqual(status, 78)
        self.assertIn("<root>/modules/torch/lib/libtorch_cuda.so", err)
        # That of the environment is hidden by it, but not where PYTHONPATH does not count.
        self.assertNotIn("<site>", err)
        self.assertEqual(self.run_it("--", self.interpreter, "-E", "app.py", "--json", PYTHONPATH=other), self.started)
        # Without metadata, as in a module of a cluster.
        for info in other.glob("*.dist-info"):
            shutil.rmtree(info)
        status, _, err = self.app(PYTHONPATH=other)
        self.assertEqual((status, err[:38]), (78, "cudnn-checked: refused: libtorch_cuda."))

    def test_a_module_in_an_archive(self):
        archive = self.root / "app.zip"
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("zipped/__init__.py", "")
            file.writestr("single.py", "")
        for name in ("zipped", "single", "zipped.part"):
            words = f"cudnn-checked: unknown: {name} is in the archive '<root>/app.zip': what it would load was not looked at\n"
            self.assertEqual(self.app("--python", name, PYTHONPATH=archive), (*self.started[:2], words))
        self.break_torch()
        status, _, err = self.app("--python", "zipped,torch", PYTHONPATH=archive)
        self.assertEqual((status, [line[:24] for line in err.splitlines()[:2]]), (
            78, ["cudnn-checked: unknown: ", "cudnn-checked: refused: "]))

    def test_packages_beside_the_script(self):
        target = self.root / "target"
        shutil.copytree(self.site, target)
        shutil.copy(self.root / "app.py", target)
        self.break_torch(target)
        self.assertEqual(self.run_it("--", self.interpreter, target / "app.py")[0], 78)
        self.assertEqual(self.run_it("--", self.interpreter, "-I", target / "app.py")[0], 7)

    def from_path(self, *options, modules="torch", path=(), **environment):
        words = [word for directory in (*path, self.site) for word in ("--from", directory)]
        return self.run_it(*options, "--python", modules, *words, **environment)

    def test_a_python_that_runs_asks_before_it_imports(self):
        """As `run` judges: nothing is started, so its own notes are left out."""
        self.assertEqual(self.from_path(), (0, "", ""))
        self.assertEqual(self.from_path(modules="torch.nn", path=[self.root / "absent"]), (0, "", ""))
        init = self.site / "plain/__init__.py"
        init.parent.mkdir()
        init.write_text("")
        self.record("plain", "1.0", [init])
        self.assertEqual(self.from_path(modules="plain"), (0, "", ""))
        self.break_torch()
        refused = self.app("--python", "torch")
        self.assertEqual(self.from_path(), refused)
        self.assertEqual(refused[0], 78)
        self.assertEqual(self.from_path(CUDNN_CHECKED="off"), (0, "", ""))
        self.assertEqual(self.from_path(CUDNN_CHECKED="warn"), (0, "", self.app("--python", "torch", CUDNN_CHECKED="warn")[2]))
        self.assertEqual(self.from_path(CUDNN_CHECKED="of"), self.app(CUDNN_CHECKED="of"))
        file = self.root / "report.json"
        status, out, _ = self.from_path("--json", CUDNN_CHECKED_REPORT=file)
        self.assertEqual((status, json.loads(out)["verdict"]), (78, "refused"))
        self.assertEqual(json.loads(file.read_text()), json.loads(out))
        # The first directory of sys.path that has a module gives it.
        other = self.root / "modules"
        shutil.copytree(self.made, other)
        self.assertEqual(self.from_path(path=[other])[0], 0)
        self.assertEqual(self.run_it("--python", "torch", "--from", self.site, "--from", other)[0], 78)

    def overlay(self):
        """A folder of PYTHONPATH with a package of a cuDNN of its own, which is an older one."""
        other = self.root / "overlay"
        for name, build_id in ids_of("9.1.0.70", "12").items():
            make_library(other / WHEEL / name, "-Wl,-rpath,$ORIGIN", "-Wl,--build-id=0x" + build_id)
        for name in ("libcublasLt.so.12", "libnvrtc.so.12"):
            make_library(other / WHEEL / name)
        library = other / "beta/lib/libbeta.so"
        make_library(library, other / WHEEL / "libcudnn.so.9", "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../../" + WHEEL)
        (other / "beta/__init__.py").write_text("")
        self.beta = record(other, "beta", "1.0", [library])
        return other

    def test_what_is_imported_first_decides(self):
        """A name that is in memory is not searched for again."""
        other = self.overlay()
        status, out, err = self.app("--python", "beta,torch", PYTHONPATH=other)
        self.assertEqual((status, out, err.split("  fix: ")[0]), (78, "", f"""\
cudnn-checked: refused: torch 2.7.1: libtorch_cuda.so requires cuDNN 9.5.1 and would run on cuDNN 9.1.0
  requires:    9.5.1   nvidia-cudnn-cu12==9.5.1.17 of torch 2.7.1
  would load:  9.1.0   <root>/overlay/beta/lib/../../{WHEEL}/libcudnn_graph.so.9   chosen by RUNPATH of \
<root>/overlay/beta/lib/../../{WHEEL}/libcudnn.so.9
  used by:     torch 2.7.1   <site>/torch/lib/libtorch_cuda.so
  An older minor release of cuDNN may lack functions that the program calls.
"""))
        for modules in ("torch,beta", "torch", "beta"):
            self.assertEqual(self.app("--python", modules, PYTHONPATH=other), self.started)
        # Where nothing is named, the order is not known.
        self.assertEqual(self.app(PYTHONPATH=other), self.started)

    def test_what_an_import_does_not_load_decides_nothing(self):
        """As a provider of ONNX Runtime: the extension module of its package opens it when it is used."""
        other = self.overlay()
        (self.root / "module.c").write_text("void PyInit__C(void) {}\n")
        for needs, status in (((), 7), ([other / "beta/lib/libbeta.so"], 78)):
            module = other / "beta/_C.abi3.so"
            make_library(module, self.root / "module.c", *needs, "-Wl,-rpath,$ORIGIN/lib")
            shutil.rmtree(self.beta)
            record(other, "beta", "1.0", [other / "beta/lib/libbeta.so", module])
            self.assertEqual(self.app("--python", "beta,torch", PYTHONPATH=other)[0], status)

    def test_a_plugin_that_is_not_used(self):
        """As a provider of ONNX Runtime for TensorRT, which is not installed: whatever else it lacks, doctor says nothing."""
        for name in ("libnvinfer.so.10", "libcufft.so.11"):
            make_library(self.root / "stubs" / name)
        library = self.site / "torch/lib/libtorch_trt.so"
        run_path = "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../../" + WHEEL
        shutil.rmtree(self.site / "torch-2.7.1.dist-info")
        for needed, status in ((("libcufft.so.11",), 78), (("libnvinfer.so.10", "libcufft.so.11"), 7)):
            make_library(library, self.site / WHEEL / "libcudnn.so.9", *(self.root / "stubs" / name for name in needed),
                         run_path)
            self.record("torch", "2.7.1", sorted((self.site / "torch/lib").iterdir()))
            self.assertEqual(self.app("--python", "torch")[0], status)
            self.assertEqual(call("doctor", self.venv, home=self.root)[0], 1 if status == 78 else 0)
            shutil.rmtree(self.site / "torch-2.7.1.dist-info")

    def test_a_missing_driver_hides_nothing(self):
        stub = self.root / "stubs/libcuda.so.1"
        make_library(stub)
        for name in ("libtorch_cuda.so", "libtorch_python.so"):
            library = self.site / "torch/lib" / name
            make_library(library, self.site / WHEEL / "libcudnn.so.9", stub,
                         "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../../" + WHEEL)
        self.assertEqual(self.app("--python", "torch"), self.started)
        (self.site / WHEEL / "libcudnn_graph.so.9").unlink()
        for run in (self.app("--python", "torch"), self.from_path()):
            self.assertEqual((run[0], [names for names, _ in messages(run[2])]), (78, ["[library-missing]"]), run[2])
        status, out, _ = call("verify", library, home=self.root)
        self.assertEqual((status, [names for names, _ in messages(out)]), (
            1, ["[driver-missing]", "[library-missing]", "[not-stamped]"]), out)

    def test_usage(self):
        for words, error in (
                (["--python", "tach", "--", self.interpreter, "app.py"],
                 "run: <root>/venv/bin/python3: there is no module tach"),
                (["--python", "a-b", "--", self.interpreter], "run: --python a-b: not the name of a module"),
                (["--python", "torch", "--", "sh"], "run: --python: sh starts no Python"),
                (["--python"], "run: --python needs a module, for example --python torch"),
                (["--from"], "run: --from needs a directory of sys.path"),
                (["--from", self.site], "run: --from needs --python, for example --python torch"),
                (["--python", "torch", "--from", self.site, "--", "sh"], "run: --from or a program, not both"),
                (["--python", "torch", "--from", self.site, "--pid", "1x"], "run: --pid 1x: not the number of a process"),
                (["--pid", "1", "--", "sh"], "run: --pid is for --from"),
                (["--python", "tach", "--from", self.site], "run: --from: there is no module tach")):
            self.assertEqual(self.run_it(*words), (2, "", f"cudnn-checked: error: {error}\n"))

    def test_verify_finds_a_program_as_a_shell_does(self):
        status, out, _ = call("verify", "python3", home=self.root, PATH=f"/nowhere:{self.venv}/bin")
        name = os.path.basename(os.path.realpath(sys.executable))
        self.assertEqual((status, out.split("\n")[0]), (
            3, f"cudnn-checked: unknown: nothing is known of a cuDNN of {name}, so none was checked"))
        status, _, err = call("verify", "absent-program", home=self.root)
        self.assertEqual((status, err), (2, "cudnn-checked: error: verify: absent-program: no such file\n"))
        # A file of the working directory comes first.
        (self.root / "python3").write_bytes(b"")
        status, _, err = call("verify", "python3", home=self.root, PATH=f"{self.venv}/bin")
        self.assertEqual((status, err), (2, "cudnn-checked: error: verify: python3: an empty file\n"))

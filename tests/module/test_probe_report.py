# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNChecked_PROBE_REPORT: what the probe proved on the machine where the program will run."""

import hashlib
import json
import os
import shutil
import unittest
from unittest import mock

from support import simulated_sdk, status_lines, tools, warnings
from support.environment import REPOSITORY, put_compiler
from support.proving import ProvingTest
from support.schema import check_json

CROSS = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=x86_64"]

END = """\
  {because}
  fix: cmake -U CuDNNChecked_PROBE_REPORT <scratch>/app-build
   or: copy <scratch>/app-build/CuDNNChecked/cudnn_checked_target_judge and <scratch>/app-build/CuDNNChecked/cudnn_checked_probe to where the program will run, and \
start it there as: ./cudnn_checked_target_judge configure judge report=report.json{components}
{probe}  [bad-input]
"""
OTHER = "What it proved does not apply to the cuDNN that is used here."
PROBE = "   or: run there, with the directory of this cuDNN: cudnn-checked probe --json DIRECTORY > report.json\n"


def end(components="", because=OTHER):
    """What stands below the facts."""
    return END.format(components=components, because=because, probe="" if components else PROBE)


class ProbeReport(ProvingTest):
    """One build tree a test: the probe is built once, and the reports are edited."""

    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_75;sm_87"}

    def setUp(self):
        super().setUp()
        self.report = self.scratch / "report.json"

    def probed(self, *arguments):
        """Builds the probe as a cross build does, and runs a copy of it as on the target."""
        self.assertEqual(self.proved(*CROSS)["LEVEL"], "LINKED")
        target = self.scratch / "target"
        target.mkdir()
        for program in ("cudnn_checked_target_judge", "cudnn_checked_probe"):
            shutil.copy2(self.app.path(f"CuDNNChecked/{program}"), target)
        path = f"{self.sdk.library_directory}:{self.sdk.driver_directory}"
        done = self.app.run(target / "cudnn_checked_target_judge", "configure", "judge", f"report={self.report}", *arguments,
                            environment={"LD_LIBRARY_PATH": path})
        self.assertEqual(done.status, 0, done.output)
        tree = json.loads(self.report.read_text())
        check_json(tree, "report")
        return tree

    def taken(self, *arguments, **options):
        return self.proved(*CROSS, f"-DCuDNNChecked_PROBE_REPORT={self.report}", *arguments,
                           environment={"LD_LIBRARY_PATH": ""}, **options)

    def not_taken(self, *arguments, **options):
        return self.refused(*CROSS, f"-DCuDNNChecked_PROBE_REPORT={self.report}", *arguments,
                            environment={"LD_LIBRARY_PATH": ""}, **options)

    def test_level_architectures_and_versions_are_the_reports(self):
        written = self.probed()
        result = self.taken()
        self.assertEqual(result["LEVEL"], "RAN")
        self.assertEqual(result["ARCHITECTURES"], "75;87")
        self.assertEqual(result["LIBRARY_VERSION"], "9.14.0")
        self.assertEqual(result["DRIVER_VERSION"], written["cuda"]["driver"])
        self.assertEqual(result["CUDART_VERSION"], written["cudnn"]["library"]["cudart"])
        self.assertEqual(result["REPORT"], str(self.report))
        self.assertEqual(status_lines(self.output), [
            "cuDNN 9.14.0 · CUDA 13.0 · sm_75 sm_87, convolution verified; taken from report "
            f"{self.report}"])
        self.assertFalse(self.app.path("CuDNNChecked/all/report.json").exists())
        with self.subTest("a relative path is below the project"):
            shutil.copy2(self.report, self.app.source / "target.json")
            self.assertEqual(self.taken("-DCuDNNChecked_PROBE_REPORT=target.json")["REPORT"],
                             str(self.app.source / "target.json"))
        with self.subTest("an emulator does not come before it"):
            self.taken("-DCMAKE_CROSSCOMPILING_EMULATOR=/usr/bin/false")
        with self.subTest("its warnings are said"):
            written["verdict"] = "warning"
            written["findings"] = [{"name": "arch-above-cudnn", "severity": "warning",
                                    "summary": "the GPU is new"}]
            self.report.write_text(json.dumps(written))
            self.taken()
            self.assertEqual(self.relative("".join(warnings(self.output))), """\
cudnn_checked: warning: findings of report <scratch>/report.json
  warning: the GPU is new [arch-above-cudnn]
""")
        with self.subTest("another report is judged again"):
            written["cudnn"]["header"]["version"] = "9.13.0"
            self.report.write_text(json.dumps(written))
            self.assertIn("its header is of another release", self.not_taken())

    def test_without_a_gpu_on_the_target(self):
        written = self.probed("require=loaded")
        self.assertEqual(written["level"], "loaded")
        self.assertEqual(self.taken()["LEVEL"], "LOADED")
        self.assertEqual(status_lines(self.output), [
            f"cuDNN 9.14.0 · CUDA 13.0 · loaded; taken from report {self.report}"])
        self.assertEqual(self.not_taken("-DCuDNNChecked_REQUIRE=RAN"), """\
cudnn_checked: refused: the report of the probe cannot be used: it proves less than is required
  here:    RAN   CuDNNChecked_REQUIRE
  report:  level loaded   <scratch>/report.json
""" + end(because="It is a report of this cuDNN, and more was not proved there."))

    def changed(self, written, *path, to):
        """The message where the report says another thing in one place."""
        other = json.loads(json.dumps(written))
        part = other
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = to
        self.report.write_text(json.dumps(other))
        text = self.not_taken()
        self.assertTrue(text.endswith(end()), text)
        return text[:-len(end())]

    def test_a_report_that_does_not_fit(self):
        written = self.probed()
        head = "cudnn_checked: refused: the report of the probe cannot be used: "
        report = "<scratch>/report.json\n"
        lib = "<scratch>/sdk/lib"
        graph = next(f for f in written["cudnn"]["files"] if f["role"] == "graph")
        index = written["cudnn"]["files"].index(graph)
        without_graph = [f for f in written["cudnn"]["files"] if f["role"] != "graph"]
        finding = {"name": "wrong-numbers", "severity": "error", "summary": "wrong; all of it"}
        for path, value, said in [
                (["schema"], 2, f"its schema is not known\n  here:    schema 1\n"
                                f"  report:  schema 2   {report}"),
                (["program"], "app", f"it is not the probe's\n  report:  of app   {report}"),
                (["stage"], "cudnnGetVersion", "it was not finished\n"
                 f"  report:  stopped at cudnnGetVersion   {report}"),
                (["verdict"], "", f"it is incomplete\n  report:  verdict \"\", level \"ran\"   {report}"),
                (["cudnn", "header", "version"], "9.13.0",
                 "its header is of another release\n"
                 "  here:    9.14.0   <scratch>/sdk/include/cudnn_version.h\n"
                 f"  report:  9.13.0   {report}"),
                (["cudnn", "library", "version"], "9.13.0",
                 "its library is of another release\n"
                 f"  here:    9.14.0   {lib}/libcudnn.so.9\n  report:  9.13.0   {report}"),
                (["cuda", "toolkit"], "12.9", "its CUDA is of another major release\n"
                 f"  here:    13.0   {lib}/libcudart.so.13\n  report:  12.9   {report}"),
                (["components"], ["cnn", "adv"], "it is about other components\n"
                 f"  here:    all of them   COMPONENTS\n  report:  adv, cnn   {report}"),
                (["cudnn", "files", index, "build_id"], "00ff",
                 "its graph library is another file\n"
                 f"  here:    build id {graph['build_id']}   {lib}/libcudnn_graph.so.9\n"
                 f"  report:  build id 00ff   {report}"),
                (["cudnn", "files"], without_graph, "it lacks a library\n"
                 f"  here:    graph   {lib}/libcudnn_graph.so.9\n  report:  no graph   {report}")]:
            with self.subTest(path=path):
                self.assertEqual(self.changed(written, *path, to=value), head + said)
        with self.subTest("refused"):
            self.assertEqual(self.changed({**written, "findings": [finding]}, "verdict",
                                          to="refused"),
                             f"{head}it refuses\n  report:  wrong; all of it [wrong-numbers]   {report}")
        with self.subTest("no JSON"):
            self.report.write_text("<html>")
            self.assertEqual(self.not_taken(), f"{head}it is not a report\n"
                             f"  report:  not JSON with a schema   {report}" + end())
        with self.subTest("a report of doctor --json"):
            self.report.write_text('{"schema": 1, "installs": []}')
            self.assertEqual(self.not_taken(), f"{head}it is not the probe's\n  report:  of a command that proves "
                             f"nothing, such as doctor   {report}" + end())
        with self.subTest("components"):
            self.report.write_text(json.dumps(written))
            self.assertEqual(self.not_taken(request="REQUIRED;COMPONENTS;ops;cnn"), f"""\
{head}it is about other components
  here:    cnn, ops   COMPONENTS
  report:  all of them   {report}""" + end(" components=cnn,ops"))
        with self.subTest("unknown build ids restrict nothing"):
            for file in written["cudnn"]["files"]:
                file["build_id"] = ""
            self.report.write_text(json.dumps(written))
            self.taken()

    def test_what_is_in_a_report_is_data(self):
        """Its forms stand in tool/configure/report_values.cpp; test_damaged_reports.py has many more."""
        written = self.probed()
        head = "cudnn_checked: refused: the report of the probe cannot be used: "
        report = "<scratch>/report.json\n"
        canary = self.scratch / "canary"
        code = f'580.1]==])\nfile(TOUCH {canary})\nset(y [==[y'
        for path, value, said in [
                (["cuda", "driver"], code, "cuda.driver is not a version\n"
                 f"  report:  580.1'==')?file(TOUCH <scratch>/canary)?set(y '==...   {report}"),
                (["cuda", "driver"], {"a": "b"}, "cuda.driver is not a version\n"
                 f"  report:  {{?  \"a\" : \"b\"?}}   {report}")]:
            with self.subTest(path=path, value=value):
                message = self.changed(written, *path, to=value)
                self.assertFalse(canary.exists())
                # The value is cut at 60 characters, wherever the scratch directory lies.
                start = message.index("580.1") if value is code else len(message)
                self.assertEqual(message[:start], (head + said)[:start])
        with self.subTest("JSON that is nested deeply"):
            self.report.write_text('{"schema": 1, "x": ' + "[" * 5000 + "]" * 5000 + "}")
            self.assertEqual(self.not_taken(), f"{head}it is not a report\n"
                             f"  report:  not JSON of at most 16 levels   {report}"
                             + end())

    def test_a_report_follows_from_what_ran(self):
        written = self.probed()
        head = ("cudnn_checked: refused: the report of the probe cannot be used: it contradicts "
                "itself\n  report:  ")
        report = "   <scratch>/report.json\n"

        def with_number(index, key, value):
            convolutions = json.loads(json.dumps(written["convolutions"]))
            convolutions[index][key] = value
            return convolutions
        for path, value, said in [
                (["convolutions"], [], 'level "ran", and its convolutions prove "loaded"'),
                (["triple", "architectures"], ["sm_90"],
                 'architectures "90", and its convolutions ran on "75, 87"'),
                (["devices"], [], "convolutions.0.device is none of its devices"),
                (["convolutions"], with_number(1, "element_error", 0.5),
                 'convolutions.1.status is "ok", and its error is above the tolerance'),
                (["convolutions"], with_number(0, "status", "CUDNN_STATUS_NOT_SUPPORTED"),
                 'convolutions.0.status is "CUDNN_STATUS_NOT_SUPPORTED", and it is not refused'),
                (["verdict"], "warning",
                 'verdict "warning", and the worst of its findings makes it "ok"')]:
            with self.subTest(path=path, said=said):
                self.assertEqual(self.changed(written, *path, to=value), head + said + report)

    def test_a_program_that_does_not_say_what_it_proves(self):
        """Neither a status alone nor a file alone is an answer."""
        self.probed()
        self.taken()
        work = self.app.path("CuDNNChecked")
        proof = work / "all/taken.proof"
        whole = proof.read_text()
        for kept in (work / "all/result.txt", *work.glob("answer-*")):
            kept.unlink()
        program = shutil.copy2(work / "cudnn_checked_configure", self.scratch / "configure")
        lines = whole.replace("proof_verdict=ok\n", "proof_verdict=refused\n").rpartition("whole=")[0]
        accepted, cut, refused = (self.write(name, text) for name, text in (
            ("accepted", whole), ("cut", whole[:-2] + "\n"),
            ("refused", f"{lines}whole={hashlib.md5(lines.encode()).hexdigest()}\n")))
        for script, status in (("exit 0", 0), ("exit 1", 1), ("echo no", 0), ("echo no; exit 3", 3), (f"cp {cut} {proof}", 0),
                               (f"cp {refused} {proof}", 0), (f"cp {accepted} {proof}; exit 1", 1)):
            with self.subTest(script=script):
                self.replace_program("configure", f'[ "$2" = proof ] || exec {program} "$@"\n{script}\n')
                self.assertEqual(self.not_taken(), f"""\
cudnn_checked: refused: the report of the probe cannot be used: it cannot be checked here
  report:  <scratch>/app-build/CuDNNChecked/cudnn_checked_configure ended with: {status}   <scratch>/report.json
  No program of this machine can tell whether it is of the cuDNN that is used here.
  fix: cmake -U CuDNNChecked_PROBE_REPORT <scratch>/app-build
  [bad-input]
""")

    def test_a_report_that_is_not_there(self):
        self.assertEqual(self.refused("-DCuDNNChecked_PROBE_REPORT=nowhere.json"), """\
cudnn_checked: refused: CuDNNChecked_PROBE_REPORT does not name a file
  value:       nowhere.json   CuDNNChecked_PROBE_REPORT
  looked for:  <scratch>/app/nowhere.json
  fix: cmake -U CuDNNChecked_PROBE_REPORT <scratch>/app-build
   or: name the report that the probe wrote where the program will run
  [bad-input]
""")

    def test_a_report_that_is_too_long(self):
        """A sparse file, of which not one byte is read."""
        report = self.scratch / "long.json"
        with open(report, "wb") as file:
            file.truncate(3 << 30)
        self.assertEqual(self.refused(f"-DCuDNNChecked_PROBE_REPORT={report}"), """\
cudnn_checked: refused: CuDNNChecked_PROBE_REPORT names a file of more than 16 MiB, which is no report
  value:   <scratch>/long.json   CuDNNChecked_PROBE_REPORT
  length:  3221225472   bytes of <scratch>/long.json
  fix: cmake -U CuDNNChecked_PROBE_REPORT <scratch>/app-build
   or: name the report that the probe wrote where the program will run
  [bad-input]
""")


@unittest.skipUnless(shutil.which("aarch64-linux-gnu-g++"), "no aarch64-linux-gnu-g++ on PATH")
class ForAnotherMachine(ProvingTest):
    """A real cross build for aarch64, and, with qemu-aarch64, its probe on that machine."""

    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_87"}
    arguments = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64"]

    def setUp(self):
        compilers = {"CXX": "aarch64-linux-gnu-g++", "CC": "aarch64-linux-gnu-gcc"}
        patch = mock.patch.dict(os.environ, compilers)
        patch.start()
        self.addCleanup(patch.stop)
        super().setUp()
        host = self.write("host/x").parent
        put_compiler(host / "c++", next(filter(None, map(shutil.which, ["c++", "g++", "clang++"]))))
        # Programs of this machine are compiled with what is on PATH.
        self.host = {"PATH": f"{host}:{tools()}"}

    def emulator(self):
        program = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
        if not program:
            self.skipTest("no qemu-aarch64 on PATH")
        return [program, "-L", "/usr/aarch64-linux-gnu"]

    def test_linked_then_proved_on_the_target(self):
        result = self.proved(*self.arguments)
        self.assertEqual(result["LEVEL"], "LINKED")
        self.assertEqual(status_lines(self.output), [
            "cuDNN 9.14.0 · CUDA 13.0, linked only; nothing was run: cross-compiling without "
            "CMAKE_CROSSCOMPILING_EMULATOR [not-verified]"])
        report = self.scratch / "report.json"
        path = f"{self.sdk.library_directory}:{self.sdk.driver_directory}"
        done = self.app.run(*self.emulator(), "-E", f"LD_LIBRARY_PATH={path}",
                            self.app.path("CuDNNChecked/cudnn_checked_target_judge"), "configure", "judge", f"report={report}",
                            *(f"start={word}" for word in self.emulator()))
        self.assertEqual(done.status, 0, done.output)
        taken = (*self.arguments, f"-DCuDNNChecked_PROBE_REPORT={report}")
        result = self.proved(*taken, environment=self.host)
        self.assertEqual((result["LEVEL"], result["ARCHITECTURES"]), ("RAN", "87"))
        self.assertTrue(all(f["build_id"] for f in json.loads(report.read_text())["cudnn"]["files"]))

        with self.subTest("libraries of the same release, built for this machine"):
            with mock.patch.dict(os.environ):
                del os.environ["CXX"], os.environ["CC"]
                native = simulated_sdk(**self.sdk_options)
            shutil.rmtree(self.sdk.library_directory)
            shutil.copytree(native.library_directory, self.sdk.library_directory, symlinks=True)
            text = self.refused(*taken, environment=self.host)
            self.assertIn("<scratch>/sdk/lib/libcudnn.so is for x86_64, and this build is for "
                          "aarch64\n", text)
            self.assertIn("[wrong-machine]\n", text)

    def test_its_files_are_judged_without_an_emulator(self):
        """By a program of this machine, which the compiler on PATH makes."""
        self.sdk.library().write_bytes(b"")
        text = self.refused(*self.arguments, environment=self.host)
        self.assertIn("cudnn_checked: refused: a library of cuDNN is damaged: libcudnn.so.9\n", text)

    def test_a_report_that_cannot_be_checked(self):
        """The configure program checks it, a program of this machine: each reason why there is none, or no answer."""
        report = self.write("report.json", "{}")
        for part in ["give_configure", "keep_configure"]:
            patch = mock.patch(f"support.consumer.{part}")
            patch.start()
            self.addCleanup(patch.stop)
        compiler = self.write("broken/c++")
        program = "<scratch>/app-build/CuDNNChecked/cudnn_checked_configure"
        failed = f"<scratch>/broken/c++ cannot compile {REPOSITORY}/tool/configure/linux/configure.cpp: 1"
        none = "no C++ compiler for programs that this machine runs"
        for script, said, why in [
                (None, none, f"  no program says more: {none}\n"),
                ("exit 1", failed, f"  no program says more: {failed}\n"
                                   "  all of it: <scratch>/app-build/CuDNNChecked/build_judge.log\n"),
                ('while [ "$1" != -o ]; do shift; done; printf "#!/bin/sh\nexit 3" > "$2"; command -p chmod +x "$2"',
                 f"{program} ended with: 3", "")]:
            with self.subTest(said):
                if script:
                    compiler.write_text(f"#!/bin/sh\n{script}\n")
                    compiler.chmod(0o755)
                else:
                    compiler.unlink()
                text = self.refused(*self.arguments, f"-DCuDNNChecked_PROBE_REPORT={report}",
                                    environment={"PATH": f"{compiler.parent}:{tools()}"})
                self.assertEqual(text, f"""\
cudnn_checked: refused: the report of the probe cannot be used: it cannot be checked here: {said}
{why}""")

    def test_loaded_by_an_emulator(self):
        emulator = ";".join(self.emulator())
        result = self.proved(*self.arguments, f"-DCMAKE_CROSSCOMPILING_EMULATOR={emulator}")
        self.assertEqual(result["LEVEL"], "LOADED")

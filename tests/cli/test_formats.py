# SPDX-License-Identifier: BSD-3-Clause
"""--format: what doctor, verify, probe and fleet write for other programs, read as these read it."""

import json
import os
import subprocess

from checked_program import CalledTest, CheckedProgram
from support import ScratchTest, simulated_sdk
from support.command_line import cudnn_checked_program
from support.environment import RELEASE, clean_environment
from support.formats import (Command, check_junit, check_metrics, read_junit, read_metrics, read_workflow)
from test_probe import ProbeTest
from test_reports import OLD, ReportsTest

LIBRARY = "<scratch>/sdk/lib/libcudnn.so.9"


def results(text):
    """{case: what it is, and the finding behind that}."""
    return {case.name: (case.result, case.type) for case in read_junit(text)}


def found(text):
    """{(subject, finding, severity): count} of the metrics."""
    return {(labels["subject"], labels["name"], labels["severity"]): value
            for (metric, frozen), value in read_metrics(text).items() if metric == "cudnn_checked_finding"
            for labels in [dict(frozen)]}


NO_FAULT = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="cudnn-checked doctor" tests="3" failures="0" errors="0" time="0">
  <testsuite name="<scratch>/sdk/lib/libcudnn.so.9" tests="2" failures="0" errors="0" skipped="0" time="0">
    <testcase classname="cudnn-checked.doctor" name="<scratch>/sdk/lib/libcudnn.so.9: files" time="0"/>
    <testcase classname="cudnn-checked.doctor" name="<scratch>/sdk/lib/libcudnn.so.9: CUDA libraries" time="0"/>
  </testsuite>
  <testsuite name="<scratch>/sdk" tests="1" failures="0" errors="0" skipped="0" time="0">
    <testcase classname="cudnn-checked.doctor" name="<scratch>/sdk: place" time="0"/>
  </testsuite>
</testsuites>
"""
METRICS = """\
# HELP cudnn_checked_info The release of cudnn-checked that wrote this.
# TYPE cudnn_checked_info gauge
cudnn_checked_info{{command="doctor",version="<release>"}} 1
# HELP cudnn_checked_status The exit status of the command.
# TYPE cudnn_checked_status gauge
cudnn_checked_status{{command="doctor"}} {errors}
# HELP cudnn_checked_up 1: the subject was checked. 0: it could not be checked.
# TYPE cudnn_checked_up gauge
cudnn_checked_up{{command="doctor",subject="<scratch>/sdk"}} 1
cudnn_checked_up{{command="doctor",subject="<scratch>/sdk/lib/libcudnn.so.9"}} 1
# HELP cudnn_checked_findings How many findings of a severity a subject has.
# TYPE cudnn_checked_findings gauge
cudnn_checked_findings{{command="doctor",subject="<scratch>/sdk",severity="error"}} 0
cudnn_checked_findings{{command="doctor",subject="<scratch>/sdk",severity="note"}} 0
cudnn_checked_findings{{command="doctor",subject="<scratch>/sdk",severity="unknown"}} 0
cudnn_checked_findings{{command="doctor",subject="<scratch>/sdk",severity="warning"}} 0
cudnn_checked_findings{{command="doctor",subject="<scratch>/sdk/lib/libcudnn.so.9",severity="error"}} {errors}
cudnn_checked_findings{{command="doctor",subject="<scratch>/sdk/lib/libcudnn.so.9",severity="note"}} 0
cudnn_checked_findings{{command="doctor",subject="<scratch>/sdk/lib/libcudnn.so.9",severity="unknown"}} 0
cudnn_checked_findings{{command="doctor",subject="<scratch>/sdk/lib/libcudnn.so.9",severity="warning"}} 0
""".replace("<release>", RELEASE)
CORRUPT = """\
# HELP cudnn_checked_finding How many findings of a name a subject has.
# TYPE cudnn_checked_finding gauge
cudnn_checked_finding{command="doctor",subject="<scratch>/sdk/lib/libcudnn.so.9",name="library-corrupt",severity="error"} 1
"""


class OfDoctor(CalledTest):
    def setUp(self):
        super().setUp()
        self.own = self.sdk(cudnn="9.14.0", cuda="13.0")
        self.own.add_cuda_libraries(self.own.library_directory)

    def damage(self):
        self.own.library("ops").resolve().write_bytes(b"")

    def doctor(self, name):
        return self.called("doctor", "--format", name, self.own.prefix)

    def message(self):
        """As doctor prints it without --format, with a line break behind it."""
        return self.called("doctor", self.own.prefix)[1].split("\n\n")[1] + "\n"

    def test_junit_of_a_sound_cudnn(self):
        self.assertEqual(self.doctor("junit"), (0, NO_FAULT, ""))
        check_junit(self.doctor("junit")[1])

    def test_junit_of_a_broken_cudnn(self):
        self.damage()
        message = self.message()
        summary = "a library of cuDNN is damaged: libcudnn_ops.so.9.14.0"
        self.assertTrue(message.startswith(f"error: {summary}\n  expected:"), message)
        self.assertTrue(message.endswith("\n  [library-corrupt]\n"), message)
        failed = f"""\
 time="0">
      <failure type="library-corrupt" message="{summary}">{message.replace('"', "&quot;")}</failure>
    </testcase>
"""
        expected = NO_FAULT.replace(": files\" time=\"0\"/>\n", ": files\"" + failed).replace(
            'tests="3" failures="0"', 'tests="3" failures="1"').replace('tests="2" failures="0"', 'tests="2" failures="1"')
        self.assertEqual(self.doctor("junit"), (1, expected, ""))
        check_junit(expected)

    def test_github(self):
        self.assertEqual(self.doctor("github"), (0, f"cudnn-checked: ok: {LIBRARY}\n"
                                                    "cudnn-checked: ok: <scratch>/sdk\n", ""))
        self.damage()
        message = self.message()
        escaped = message.removesuffix("\n").replace("\n", "%0A")
        status, out, err = self.doctor("github")
        self.assertEqual((status, out, err), (1, f"""\
::error title=cudnn-checked%3A library-corrupt::{LIBRARY}%0A{escaped}
cudnn-checked: refused: {LIBRARY}
cudnn-checked: ok: <scratch>/sdk
""", ""))
        self.assertEqual(read_workflow(out)[0], [
            Command("error", "cudnn-checked: library-corrupt", f"{LIBRARY}\n{message}".removesuffix("\n"))])

    def test_prometheus(self):
        self.assertEqual(self.doctor("prometheus"), (0, METRICS.format(errors=0), ""))
        self.damage()
        self.assertEqual(self.doctor("prometheus"), (1, METRICS.format(errors=1) + CORRUPT, ""))
        self.assertEqual(self.doctor("prometheus"), self.doctor("prometheus"))
        check_metrics(METRICS.format(errors=1) + CORRUPT)

    def test_strict(self):
        older = self.sdk("older", cudnn="9.13.1")
        for words, status, result, level in [((), 0, "passed", "warning"), (("--strict",), 1, "failure", "error")]:
            arguments = ("doctor", self.own.prefix, *words)
            answer, out, _ = self.called(*arguments, "--format=junit", LD_PRELOAD=older.library())
            self.assertEqual((answer, {kind for kind, _ in results(out).values()} - {"passed"}),
                             (status, {result} - {"passed"}))
            _, out, _ = self.called(*arguments, "--format=github", LD_PRELOAD=older.library())
            self.assertEqual([(one.name, one.title) for one in read_workflow(out)[0]],
                             [(level, "cudnn-checked: loader-override")])
            _, out, _ = self.called(*arguments, "--format=prometheus", LD_PRELOAD=older.library())
            self.assertEqual({(name, weight): count for (_, name, weight), count in found(out).items()},
                             {("loader-override", "warning"): 1})

    def test_text_and_json_are_what_is_there_without_it(self):
        for arguments in [("doctor", self.own.prefix), ("doctor", "absent"), ("verify", "absent")]:
            self.assertEqual(self.called(*arguments, "--format", "text"), self.called(*arguments))
            self.assertEqual(self.called(*arguments, "--format=json"), self.called(*arguments, "--json"))

    def test_the_machine(self):
        self.own.add_cuda_libraries(self.own.library_directory)
        machine = {"LD_LIBRARY_PATH": f"{self.own.library_directory}:{self.own.driver_directory}",
                   "SIMULATED_GPUS": "sm_90"}
        names = ("place", "files", "CUDA libraries", "program", "driver", "GPUs")
        sound = results(self.called("doctor", "--format", "junit", **machine)[1])
        for name in names:
            self.assertEqual(sound[f"this machine: {name}"], ("passed", None), sound)
        del machine["LD_LIBRARY_PATH"]
        without = results(self.called("doctor", "--format", "junit", **machine)[1])
        self.assertEqual(without["this machine: driver"], ("passed", None))
        self.assertNotIn("this machine: GPUs", without)


class OfProbe(ProbeTest):
    options = {"cudnn": "9.14.0", "gpus": "sm_75"}

    def results(self, *arguments, **more):
        status, out, _ = self.probe("--format", "junit", *arguments, **more)
        check = {name.removeprefix("<sdk>/lib/libcudnn.so.9: "): value for name, value in results(out).items()}
        return status, check, out

    def test_right_numbers(self):
        passed = ("passed", None)
        self.assertEqual(self.results(self.sdk.prefix)[:2], (0, {
            "files": passed, "CUDA libraries": passed, "driver": passed, "GPUs": passed, "numbers": passed}))

    def test_nothing_was_computed(self):
        passed = ("passed", None)
        why = "no convolution was run: no NVIDIA driver here"
        said = f"""\
{{weight}}: {why}
  proved by running:  ran
  reached:            loaded
  Whether this cuDNN computes right numbers was not verified on this machine.
  fix: nothing; to verify it, do the same on a machine with a GPU
  [not-verified]
"""
        status, cases, out = self.results(self.sdk.prefix, driver=False)
        self.assertEqual((status, cases), (3, {"files": passed, "CUDA libraries": passed,
                                               "numbers": ("skipped", "not-verified")}))
        unknown = said.format(weight="unknown")
        self.assertIn(f'<skipped type="not-verified" message="{why}">{unknown}</skipped>', out)
        status, cases, out = self.results("--require", "ran", self.sdk.prefix, driver=False)
        self.assertEqual((status, cases["numbers"]), (1, ("failure", "not-verified")))
        self.assertIn(f'<failure type="not-verified" message="{why}">{said.format(weight="error")}</failure>', out)
        self.assertEqual(self.results("--require", "loaded", self.sdk.prefix, driver=False)[:2],
                         (0, {"files": passed, "CUDA libraries": passed, "probe": passed}))
        _, out, _ = self.probe("--format", "prometheus", self.sdk.prefix, driver=False)
        self.assertEqual(found(out), {("<sdk>/lib/libcudnn.so.9", "not-verified", "unknown"): 1})
        _, out, _ = self.probe("--format", "github", self.sdk.prefix, driver=False)
        self.assertEqual(out, "::warning title=cudnn-checked%3A not-verified::<sdk>/lib/libcudnn.so.9%0A"
                              + unknown.strip().replace("\n", "%0A")
                              + "\ncudnn-checked: unknown: <sdk>/lib/libcudnn.so.9\n")

    def test_one_that_crashes(self):
        status, cases, out = self.results(self.sdk.prefix, SIMULATED_FAULT="crash:cudnnGetVersion")
        self.assertEqual((status, cases), (1, {"probe": ("failure", "probe-crashed")}), out)


class OfVerify(CheckedProgram):
    def verified(self, name, *arguments, **more):
        status, out, err = self.checked("verify", "--format", name, *arguments, **more)
        self.assertEqual(err, "")
        return status, out

    def test_a_program(self):
        status, out = self.verified("junit", self.app_path)
        passed = ("passed", None)
        app = "<shared>/app-build/app"
        names = [name.removeprefix(app + ": ") for name in results(out)]
        self.assertEqual((status, set(results(out).values()), names), (0, {passed}, [
            "place", "files", "CUDA libraries", "program", "driver", "GPUs"]))
        status, out = self.verified("junit", "--no-gpu", self.app_path)
        self.assertEqual([name.removeprefix(app + ": ") for name in results(out)],
                         ["place", "files", "CUDA libraries", "program"])
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0")
        status, out = self.verified("junit", self.app_path, libraries=[older.library_directory])
        self.assertEqual((status, results(out)[f"{app}: program"]), (1, ("failure", "cudnn-older")))
        self.assertEqual(self.verified("github", self.app_path), (0, f"cudnn-checked: ok: {app}\n"))

    def test_several_of_which_one_is_not_there(self):
        status, out = self.verified("junit", self.app_path, "/bin/sh", "absent")
        cases = results(out)
        self.assertEqual(status, 2)
        self.assertEqual(cases["/bin/sh: program"], ("skipped", "not-stamped"))
        self.assertEqual(cases["absent: checked"], ("error", "not-checked"))
        self.assertIn('<error type="not-checked" message="verify: absent: no such file"></error>', out)
        self.assertNotIn("/bin/sh: files", cases)
        check_junit(out)
        status, out = self.verified("prometheus", self.app_path, "/bin/sh", "absent", "absent")
        metrics = {(metric, dict(labels).get("subject")): value for (metric, labels), value in
                   read_metrics(out).items() if metric in ("cudnn_checked_up", "cudnn_checked_status")}
        self.assertEqual(metrics, {("cudnn_checked_status", None): 2, ("cudnn_checked_up", "absent"): 0,
                                   ("cudnn_checked_up", "/bin/sh"): 1,
                                   ("cudnn_checked_up", "<shared>/app-build/app"): 1})
        check_metrics(out)
        status, out = self.verified("github", self.app_path, "absent")
        self.assertEqual((status, out), (2, """\
::error title=cudnn-checked::verify: absent: no such file
cudnn-checked: ok: <shared>/app-build/app
cudnn-checked: not checked: absent
"""))


class OfFleet(ReportsTest):
    def test_each_machine_is_a_case(self):
        self.put("r/node1.json")
        self.put("r/node2.json", **OLD)
        (self.scratch / "r/node3.json").write_text("")
        status, out, err = self.called("fleet", "--format", "junit", "--expect", "node[1-4]", "r")
        self.assertEqual((status, err), (1, ""))
        self.assertEqual(results(out), {
            "node1: report": ("passed", None), "node2: report": ("failure", "driver-too-old"),
            "node3: checked": ("error", "not-checked"), "node4: checked": ("error", "not-checked")})
        check_junit(out)
        _, out, _ = self.called("fleet", "--format", "github", "--expect", "node[1-4]", "r")
        self.assertEqual(out, """\
::error title=cudnn-checked%3A driver-too-old::node2%0Adriver-too-old
::error title=cudnn-checked::node3: an empty file
::error title=cudnn-checked::node4: no report
cudnn-checked: ok: node1
cudnn-checked: refused: node2
cudnn-checked: not checked: node3
cudnn-checked: not checked: node4
""")
        _, out, _ = self.called("fleet", "--format", "prometheus", "--expect", "5", "r")
        self.assertEqual(found(out), {("node2", "driver-too-old", "error"): 1})
        check_metrics(out)


class Wrong(CalledTest):
    def test_words(self):
        for arguments, words in [
                (["doctor", "--format", "jnit"], "doctor: --format jnit: not text, json, junit, github or prometheus; "
                                                 "did you mean junit?"),
                (["probe", "--format", "xml"], "probe: --format xml: not text, json, junit, github or prometheus"),
                (["doctor", "--format"], "doctor: --format needs a format: text, json, junit, github or prometheus"),
                (["verify", "--json", "--format", "junit", "app"], "verify: --json or --format junit, not both"),
                (["doctor", "--paste", "--format", "github"], "doctor: --paste or --format github, not both"),
                (["inspect", "--format", "junit", "app"], "unknown option --format")]:
            status, out, err = self.called(*arguments)
            self.assertEqual((status, err), (2, f"cudnn-checked: error: {words}\n"))
            if "--json" in arguments:
                self.assertEqual(json.loads(out)["error"], words)

    def test_an_error_has_the_form_that_was_asked_for(self):
        words = "doctor: absent: no such directory"
        for name, expected in [
                ("github", f"::error title=cudnn-checked::{words}\n"),
                ("junit", f"""\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="cudnn-checked doctor" tests="1" failures="0" errors="1" time="0">
  <testsuite name="cudnn-checked doctor" tests="1" failures="0" errors="1" skipped="0" time="0">
    <testcase classname="cudnn-checked.doctor" name="checked" time="0">
      <error type="not-checked" message="{words}"></error>
    </testcase>
  </testsuite>
</testsuites>
"""),
                ("prometheus", """\
# HELP cudnn_checked_info The release of cudnn-checked that wrote this.
# TYPE cudnn_checked_info gauge
cudnn_checked_info{command="doctor",version="<release>"} 1
# HELP cudnn_checked_status The exit status of the command.
# TYPE cudnn_checked_status gauge
cudnn_checked_status{command="doctor"} 2
# HELP cudnn_checked_up 1: the subject was checked. 0: it could not be checked.
# TYPE cudnn_checked_up gauge
cudnn_checked_up{command="doctor",subject=""} 0
""".replace("<release>", RELEASE))]:
            self.assertEqual(self.called("doctor", "--format", name, "absent"),
                             (2, expected, f"cudnn-checked: error: {words}\n"))


class Hostile(ScratchTest):
    """A path with what each of the forms gives a meaning to."""

    NAME = os.fsdecode("a\n::error title=x::forged\r\n##[add-mask]b %0A%3A,]]>&lt;<x a='\"'>\\n\\\" # TYPE x\x1b[2J"
                       "\u2028\u202e\ufffe\uffff".encode() + b"\xff\xc0\xaf\x85\xed\xa0\x80")

    def setUp(self):
        super().setUp()
        place = self.scratch / self.NAME
        self.sdk = simulated_sdk(cudnn="9.14.0", cuda="13.0").copy(place)
        self.sdk.library("ops").resolve().write_bytes(b"")

    def written(self, *arguments):
        done = subprocess.run([os.fsencode(str(word)) for word in (cudnn_checked_program(), *arguments)],
                              cwd=self.scratch, env=clean_environment(self.scratch), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60)
        return done.stdout.decode()

    def commands(self):
        return [("doctor", self.sdk.prefix), ("probe", self.sdk.prefix), ("verify", self.sdk.prefix / "absent"),
                ("verify", self.sdk.library("graph"), self.sdk.prefix / "absent"), ("doctor", self.sdk.prefix / "absent"),
                ("fleet", "--expect", self.NAME + ",n1", "--", self.NAME), ("fleet", self.sdk.prefix)]

    def test_junit(self):
        for command in self.commands():
            out = self.written(command[0], "--format=junit", *command[1:])
            cases = read_junit(out)
            self.assertTrue(cases, (command, out))
            self.assertEqual([case for case in cases if "\n" in case.name + case.suite + (case.message or "")], [])
            self.assertIn("forged", out)

    def test_github(self):
        for command in self.commands():
            commands, lines = read_workflow(self.written(command[0], "--format=github", *command[1:]))
            self.assertTrue(commands, command)
            for one in commands:
                self.assertTrue(one.title.startswith("cudnn-checked"), one)
                self.assertIn(one.name, ("error", "warning", "notice"))
            for line in lines:
                self.assertTrue(line.startswith("cudnn-checked: "), line)

    def test_prometheus(self):
        for command in self.commands():
            out = self.written(command[0], "--format=prometheus", *command[1:])
            names = {metric for metric, _ in read_metrics(out)}
            self.assertIn("cudnn_checked_up", names)
            self.assertTrue(all(name.startswith("cudnn_checked_") for name in names), out)

    def test_by_the_tools_of_the_field(self):
        for command in self.commands():
            check_junit(self.written(command[0], "--format=junit", *command[1:]))
        for command in self.commands():
            check_metrics(self.written(command[0], "--format=prometheus", *command[1:]))

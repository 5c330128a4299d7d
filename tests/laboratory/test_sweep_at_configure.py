# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNChecked_SWEEP: every engine of cuDNN is part of the proof."""

import json
import re
import shutil
import subprocess

from support import ProcessLog, clean_environment, stamps, status_lines, warnings
from support.command_line import cudnn_checked_program
from support.proving import ProvingTest
from support.schema import check_json

# What CMake itself starts when it generates.
GENERATORS = {"ninja", "ninja-build", "make", "gmake"}
RAN = (r"cuDNN 9\.19\.0 · CUDA 13\.0 · sm_90, convolution verified \(graph; error fp(32|16) [^)]*\); "
       r"(\d+) plans of \d+ problems swept in [\d.]+ s")
# Offered first by heuristic A, in any SDK.
FIRST = "engine-wrong:70:fwd:nchw,engine-wrong:70:fwd:nhwc"
KINDS = ("graph/fp32/nchw", "graph/fp16/nchw", "graph/fp32/nhwc", "graph/fp16/nhwc", "graph/fp32",
         "graph/fp16")


def masked(text):
    """A message without the numbers that depend on how far a sweep came."""
    text = re.sub(r"(?m)^(  computed: +)\S.*\S   fwd (fp32) (n\S+) \S.*$", r"\1<error>   fwd \2 \3 <shape>",
                  text)
    text = text.replace("FALLBACK, number 2 ", "FALLBACK, number 3 ")  # some have no engine 1
    text = re.sub(r"(?m)^  in common: .*\n", "", text)
    text = re.sub(r"(?m)^(  tolerance: +)\S+", r"\1<bound>", text)
    text = re.sub(r"\d+ of \d+ problems +\d+ wrong of \d+ plans", "N of N problems   N wrong of N plans", text)
    text = re.sub(r"right on \d+ of these \d+ problems", "right on N of these N problems", text)
    return re.sub(r"(?m)(\S)   +", r"\1   ", text)


# Seconds in which a loaded machine starts the workers and computes the first plans.
SHORT = 3


class Sweep(ProvingTest):
    sdk_options = {"cudnn": "9.19.0", "gpus": "sm_90"}
    turn = 0

    def options(self, seconds, *arguments):
        """Each call asks for another convolution: the probe and the sweep run again."""
        self.turn += 1
        return (f"-DCuDNNChecked_SWEEP={seconds}",
                f"-DCuDNNChecked_CONVOLUTIONS={KINDS[self.turn % len(KINDS)]}", *arguments)

    def line(self):
        return [line for line in status_lines(self.output) if line.startswith("cuDNN ")][0]

    def report(self):
        return json.loads(self.app.path("CuDNNChecked/all/report.json").read_text())

    def own_program(self, script, interpreter="/bin/sh"):
        self.replace_program("sweep", script, interpreter)

    def test_right_engines(self):
        results = self.proved(*self.options(SHORT))
        self.assertEqual(results["LEVEL"], "RAN")
        self.assertRegex(self.line(), f"^{RAN}$")
        self.assertEqual(warnings(self.output), [])
        report = self.report()
        check_json(report, "report")
        self.assertEqual(report["verdict"], "ok")
        sweep = report["sweep"]
        plans = re.match(RAN, self.line()).group(2)
        self.assertEqual((sweep["asked"], sweep["verdict"], sweep["rows"], sweep["why_not"]),
                         (SHORT, "ok", [], ""))
        self.assertEqual(sweep["counts"]["plans"], int(plans))
        self.assertEqual(sweep["request"]["seed"], "1")
        stamp = self.app.path("CuDNNChecked/include/cudnn_checked/stamp.h").read_text()
        self.assertIn(f"#define CUDNN_CHECKED_SWEPT_SECONDS {SHORT}\n", stamp)
        self.assertIn(f"#define CUDNN_CHECKED_SWEPT_PLANS {plans}\n", stamp)
        self.check_warm()

    def check_warm(self):
        line, program = self.line(), self.app.path("CuDNNChecked/cudnn_checked_sweep")
        built = program.stat().st_mtime_ns
        log = ProcessLog(self.scratch / "log")
        self.proved(environment=log.environment)  # what is preloaded belongs to the proof
        # Where the program with all verbs is known, it judges as well.
        started = [name.replace("_configure", "_judge") for name in log.programs if name.startswith("cudnn_checked")]
        self.assertEqual(started[:4],
                         ["cudnn_checked_judge", "cudnn_checked_probe", "cudnn_checked_judge", "cudnn_checked_sweep"])
        line = self.line()
        log = ProcessLog(self.scratch / "log")
        self.proved(environment=log.environment)
        self.assertEqual(set(log.programs) - GENERATORS, set())
        self.assertEqual(self.line(), line)
        self.proved("-DCuDNNChecked_SWEEP=2", environment=log.environment)
        self.assertIn("cudnn_checked_sweep", log.programs)
        self.assertEqual(self.report()["sweep"]["asked"], 2)
        self.assertEqual(program.stat().st_mtime_ns, built)
        self.proved("-DCuDNNChecked_SWEEP=0")
        self.assertNotIn("swept", self.output)
        self.assertNotIn("sweep", self.report())

    def test_each_gpu_that_computed_for_the_probe(self):
        alike = {"SIMULATED_GPUS": "sm_90,sm_90,sm_90,sm_80"}
        self.proved(*self.options(SHORT), "-DCuDNNChecked_DEVICES=all", environment=alike)
        self.assertRegex(self.line(), r"; \d+ plans of \d+ problems swept in [\d.]+ s on 3 GPUs$")
        report = self.report()
        check_json(report, "report")
        self.assertEqual([gpu["device"] for gpu in report["sweep"]["gpus"]], [0, 1, 2])
        # The probe computes with other engines.
        text = self.refused(*self.options(4), "-DCuDNNChecked_DEVICES=all", environment={
            **alike, "SIMULATED_FAULT": ",".join(f"engine-wrong:{engine}:gpu=1" for engine in (0, 1, 2, 57, 60, 71, 72))})
        self.assertIn("cudnn_checked: refused: GPU 1 computes wrong numbers: ", text)
        self.assertIn("\n  fix: export CUDA_VISIBLE_DEVICES=GPU-a0", text)

    def test_wrong_engines(self):
        self.proved(*self.options(SHORT), environment={"SIMULATED_FAULT": "engine-wrong:72:fwd"})
        self.assertEqual(warnings(self.output), [])  # by its index only: a note
        note = self.report()["findings"][-1]
        self.assertEqual((note["name"], note["severity"]), ("wrong-engine", "note"))

        self.proved(*self.options(SHORT), environment={"SIMULATED_FAULT": "engine-wrong:71:fwd:fp32:nchw"})
        self.assertRegex(self.line(), f"^{RAN}$")
        self.assertEqual(masked(self.relative("".join(warnings(self.output)))), """\
cudnn_checked: warning: engine 71 of cuDNN 9.19.0 computes wrong forward convolutions on this GPU, sm_90
  tolerance:   <bound>   of what a sum can be, against a float64 reference
  computed:   <error>   fwd fp32 nchw <shape>
  plan:   eng71
  offered by:  FALLBACK, number 3   autotuners run it, ordinary calls take another
  fp32 nchw:   N of N problems   N wrong of N plans, row 1
  shown by:   other engines   right on N of these N problems
  GPU:   sm_90   Simulated GPU sm_90
  A program that takes this engine gets wrong numbers, or ends.
  fix: cudnn-checked sweep <scratch>/sdk/lib --seed 1 --errata errata.json
   or: report it to NVIDIA, with the program that this prints: cudnn-checked sweep \
<scratch>/app-build/CuDNNChecked/all/sweep.json --reproduce 1
  [wrong-engine]
""")
        self.assertEqual(self.report()["sweep"]["rows"][0]["engine"], 71)
        self.check_reproduction(71)

        text = self.refused(*self.options(SHORT), environment={"SIMULATED_FAULT": FIRST})
        self.assertEqual(text.splitlines()[0], "cudnn_checked: refused: engine 70 of cuDNN 9.19.0 "
                         "computes wrong forward convolutions on this GPU, sm_90")
        self.assertRegex(text, r"\n  offered by:  heuristic A, first +ordinary calls take it\n")
        self.assertTrue(text.endswith("""\
  fix: take another release of cuDNN
   or: leave the sweep out: CuDNNChecked_SWEEP=0
   or: report it to NVIDIA, with the program that this prints: cudnn-checked sweep \
<scratch>/app-build/CuDNNChecked/all/sweep.json --reproduce 1
  [wrong-engine]
"""), text)
        self.check_reproduction(70)
        # Only success is remembered.
        self.proved()

    def check_reproduction(self, engine):
        """What is kept of the sweep is a report of the command: row 1 of it is this engine."""
        done = subprocess.run([cudnn_checked_program(), "sweep", self.app.path("CuDNNChecked/all/sweep.json"),
                               "--reproduce", "1"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f" plan eng{engine}, offered by ", done.stdout.splitlines()[2])

    def test_a_sweep_that_does_not_end_well(self):
        self.proved(*self.options(1))
        facts = """\
  asked for:  1 s   CuDNNChecked_SWEEP
  cuDNN:      9.19.0   <scratch>/sdk/lib/libcudnn.so.9
  program:    <scratch>/app-build/CuDNNChecked/cudnn_checked_sweep
"""
        end = """\
  fix: check whether the GPU answers: nvidia-smi
   or: cmake -U CuDNNChecked_SWEEP <scratch>/app-build
"""
        lost = "  What it found until then is lost; each engine computes in a process of its own.\n"
        self.own_program("echo it says this >&2\nkill -SEGV $$\n")
        self.assertEqual(self.refused(*self.options(1)), (
            "cudnn_checked: refused: the sweep of all engines crashed with SIGSEGV\n" + facts + lost
            + end + "  [probe-crashed]\n  | it says this\n"))
        self.own_program("exit 7\n")
        self.assertEqual(self.refused(*self.options(1)), (
            "cudnn_checked: refused: the sweep of all engines ended with status 7\n" + facts + lost
            + end + "  [probe-crashed]\n"))
        self.own_program("echo 'cudnn_checked_sweep: error: cannot write x' >&2\nexit 2\n")
        self.assertEqual(self.refused(*self.options(1)), (
            "cudnn_checked: refused: the sweep of all engines cannot read or write its report\n"
            + facts + lost + end
            + "  [probe-crashed]\n  | cudnn_checked_sweep: error: cannot write x\n"))
        self.own_program("", interpreter=self.scratch / "no-shell")
        self.assertEqual(self.refused(*self.options(1)), (
            "cudnn_checked: refused: the sweep of all engines could not be started\n"
            "  ended with:  No such file or directory\n"
            "  asked for:   1 s   CuDNNChecked_SWEEP\n"
            "  cuDNN:       9.19.0   <scratch>/sdk/lib/libcudnn.so.9\n"
            "  program:     <scratch>/app-build/CuDNNChecked/cudnn_checked_sweep\n"
            + lost + end + "  [probe-crashed]\n"))
        self.own_program("exec /bin/sleep 100\n")
        self.assertEqual(self.refused(*self.options(1), "-DCuDNNChecked_PROBE_TIMEOUT=1.5"), (
            "cudnn_checked: refused: the sweep of all engines did not end within 3 s\n"
            "  limit:      3 s   CuDNNChecked_SWEEP + CuDNNChecked_PROBE_TIMEOUT\n" + facts
            + "  It ends by itself, a few seconds after the time that is asked for.\n" + end
            + "  [probe-timeout]\n"))

    def test_nothing_to_sweep(self):
        without = {"SIMULATED_GPUS": ""}
        self.proved("-DCuDNNChecked_SWEEP=1", environment=without)
        self.assertEqual(self.line(), "cuDNN 9.19.0 · CUDA 13.0 · loaded, no convolution was run: "
                                      "no GPU here; not swept: the proof ended at LOADED")
        self.assertEqual(self.report()["sweep"], {"asked": 1})
        check_json(self.report(), "report")
        self.assertFalse(self.app.path("CuDNNChecked/cudnn_checked_sweep").exists())
        self.assertIn("[", self.refused("-DCuDNNChecked_REQUIRE=RAN", environment=without))
        self.proved("-DCuDNNChecked_REQUIRE=LOCATED")
        self.assertEqual(self.line(), "cuDNN 9.19.0 · CUDA 13.0, located only; nothing was run: "
                         "CuDNNChecked_REQUIRE=LOCATED [not-verified]")

    def test_a_gpu_that_computes_for_the_probe_alone(self):
        self.proved(*self.options(SHORT))
        program = self.app.path("CuDNNChecked/cudnn_checked_sweep")
        shutil.copy(program, self.scratch / "sweep")
        self.own_program(f"SIMULATED_GPUS= exec {self.scratch}/sweep \"$@\"\n")
        self.proved(*self.options(SHORT))
        self.assertRegex(self.line(), "; not swept: there is no GPU that CUDA can use$")
        self.assertEqual(self.relative("".join(warnings(self.output))), """\
cudnn_checked: unknown: no engine was swept
  sweep:  there is no GPU that CUDA can use   <scratch>/sdk/lib/libcudnn.so.9
  CuDNNChecked_SWEEP asks for it, and the probe could compute.
  fix: check whether the GPU has memory left for other processes: nvidia-smi
  [not-verified]
""")
        check_json(self.report(), "report")
        sweep = self.report()["sweep"]
        self.assertEqual((sweep["asked"], sweep["verdict"], sweep["why_not"]),
                         (SHORT, "unknown", "there is no GPU that CUDA can use"))
        stamp = self.app.path("CuDNNChecked/include/cudnn_checked/stamp.h").read_text()
        self.assertIn("#define CUDNN_CHECKED_SWEPT_PLANS 0\n", stamp)

        self.check_arguments(self.scratch / "sweep", self.app.path("CuDNNChecked/all/report.json"))

    def check_arguments(self, program, report):
        no_probe = self.write("no_probe.json", "{}")
        for arguments, words in [([], "report=FILE [probed=FILE] [sweep=FILE]"),
                                 (["seconds=1"], "report=FILE [probed=FILE] [sweep=FILE]"),
                                 ([f"report={no_probe}"], f"{no_probe} is no report of a probe that computed and that "
                                                          "asks for a sweep"),
                                 (["report=/none/x", f"probed={report}"], "cannot write /none/x: No such file or directory")]:
            done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.STDOUT, env=clean_environment(self.scratch))
            self.assertEqual((done.returncode, done.stdout), (2, f"cudnn_checked_sweep: error: {words}\n"))

    def test_the_stamp_of_a_program(self):
        self.app.write("main.cpp", "int main() {}\n")
        self.app.write("after.cmake", "add_executable(app main.cpp)\ntarget_link_libraries(app PRIVATE CuDNNChecked::guard)\n"
                       "cudnn_checked_guard(app)\n")
        self.proved(*self.options(SHORT))
        done = self.app.build()
        self.assertEqual(done.status, 0, done.output)
        plans = self.report()["sweep"]["counts"]["plans"]
        self.assertEqual(stamps(self.app.path("app"))[0]["swept"], {"seconds": SHORT, "plans": plans})
        shown = subprocess.run([cudnn_checked_program(), "inspect", self.app.path("app")], text=True,
                               env=clean_environment(self.scratch), stdout=subprocess.PIPE, check=True).stdout
        self.assertIn(f"  swept seconds:            {SHORT}\n  swept plans:              {plans}\n", shown)

    def test_reports_of_another_machine(self):
        self.proved(*self.options(SHORT))
        plans = self.report()["sweep"]["counts"]["plans"]
        report = self.write("report.json", json.dumps(self.report()))
        taken = f"-DCuDNNChecked_PROBE_REPORT={report}"
        self.proved(taken)
        self.assertEqual(self.relative(self.line()),
                         "cuDNN 9.19.0 · CUDA 13.0 · sm_90, convolution verified; taken from report "
                         f"<scratch>/report.json; {plans} plans swept in {SHORT} s")
        end = """\
  What it proved does not apply to the cuDNN that is used here.
  fix: cmake -U CuDNNChecked_PROBE_REPORT <scratch>/app-build
   or: copy <scratch>/app-build/CuDNNChecked/cudnn_checked_judge, \
<scratch>/app-build/CuDNNChecked/cudnn_checked_probe and <scratch>/app-build/CuDNNChecked/cudnn_checked_sweep to \
where the program will run, and start it there as: ./cudnn_checked_judge configure judge report=report.json sweep=4 && ./cudnn_checked_sweep report=report.json
  [bad-input]
"""
        self.assertEqual(self.refused(taken, "-DCuDNNChecked_SWEEP=4").replace("d_configure", "d_judge"), """\
cudnn_checked: refused: the report of the probe cannot be used: its sweep was shorter than is asked for
  here:    4 s   CuDNNChecked_SWEEP
  report:  3 s   <scratch>/report.json
""" + end)
        for sweep in ({"asked": 4}, None):
            tree = self.report() | {"sweep": sweep}
            if sweep is None:
                del tree["sweep"]
            report.write_text(json.dumps(tree))
            self.assertEqual(self.refused(taken, "-DCuDNNChecked_SWEEP=4").replace("d_configure", "d_judge"), """\
cudnn_checked: refused: the report of the probe cannot be used: it has no sweep
  here:    4 s   CuDNNChecked_SWEEP
  report:  not swept   <scratch>/report.json
""" + end)

    def test_values(self):
        for value in ("-1", "2.5", "1e3", "ON", "sixty", "007", "100000"):
            with self.subTest(value=value):
                self.assertEqual(self.refused(f"-DCuDNNChecked_SWEEP={value}"), f"""\
cudnn_checked: refused: CuDNNChecked_SWEEP is not a whole number of seconds
  value:     {value}   CuDNNChecked_SWEEP
  possible:  0 (no sweep) to 99999
  fix: cmake -D CuDNNChecked_SWEEP=60 <scratch>/app-build
   or: cmake -U CuDNNChecked_SWEEP <scratch>/app-build
  [bad-input]
""")

    def test_a_program_that_does_not_compile(self):
        # The probe is compiled without optimization.  The compiler ends at once where a header is missing.
        header = self.write("no_sweep.h", "#ifdef __OPTIMIZE__\n#include \"not_here.h\"\n#endif\n")
        self.app.write("before.cmake", f'set(CMAKE_CXX_FLAGS "-include {header}")')
        text = re.sub(r"(compiler:\s+)\S+ \S+   \S+", r"\1<compiler>",
                      self.refused("-DCuDNNChecked_SWEEP=1"))
        text, _, lines = text.partition("  | ")
        self.assertEqual(text, """\
cudnn_checked: refused: the program that sweeps all engines does not compile
  asked for:  1 s   CuDNNChecked_SWEEP
  compiler:   <compiler>
  all of it:  <scratch>/app-build/CuDNNChecked/build_sweep.log
  It needs neither CUDA nor cuDNN: the cause is the compiler, its flags or its headers.
  fix: cmake -U CuDNNChecked_SWEEP <scratch>/app-build
   or: correct the errors below
  [probe-not-compiled]
""")
        self.assertIn("fatal error: not_here.h: No such file or directory", lines)

# SPDX-License-Identifier: BSD-3-Clause
"""What a library prints, leaves running or hangs in at configure time is bounded, before main() as well."""

import os
import resource
import subprocess
import time

from support import compiler
from support.environment import REPOSITORY
from support.processes import processes, wait_for
from support.proving import ProvingTest

LIBRARY = """
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
static void in_probe();
__attribute__((constructor)) static void begin() {
  // Not in the compiler, and not in a probe that somebody starts by hand.
  if (std::strcmp(program_invocation_short_name, "cudnn_checked_probe") == 0) in_probe();
}
"""
FLOOD = LIBRARY + """
static void in_probe() {
  static char line[4096];
  std::memset(line, 'x', sizeof line - 1);
  line[sizeof line - 1] = '\\n';
  for (long i = 0; i != COUNT; ++i) (void)!write(i % 2 + 1, line, sizeof line);
  const char last[] = "the last line\\n";
  (void)!write(2, last, sizeof last - 1);
  END
}
"""
# It writes to the file of the probe's facts, whose number it happens to use, wherever cuDNN computes.
SCRIBBLE = LIBRARY + """
#include <dlfcn.h>
static void scribble() { (void)!write(3, "scribble", 8); }
static void in_probe() {
  scribble();
  std::atexit(scribble);
}
extern "C" std::size_t cudnnGetVersion() {
  scribble();
  return reinterpret_cast<std::size_t (*)()>(dlsym(RTLD_NEXT, "cudnnGetVersion"))();
}
extern "C" int cudnnBackendExecute(void* handle, void* plan, void* pack) {
  scribble();
  return reinterpret_cast<int (*)(void*, void*, void*)>(dlsym(RTLD_NEXT, "cudnnBackendExecute"))(handle, plan, pack);
}
"""
# It ends the process with words that are the probe's last.
LAST_WORD = LIBRARY + """
static void in_probe() {
  (void)!write(3, "end\\n", 4);
  _exit(0);
}
"""
# The same, in a call of the probe.
LAST_WORD_IN_CALL = LIBRARY + """
static void in_probe() {}
extern "C" int cudnnCreate(void*) {
  (void)!write(3, "end\\n", 4);
  _exit(0);
}
"""
DAEMON = LIBRARY + """
static void in_probe() {
  if (fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  for (;;) sleep(1000);
}
"""

# Each array that leaves a GPU begins with numbers that are none, in single and in half precision.
NOT_A_NUMBER = LIBRARY + """
#include <dlfcn.h>
static void in_probe() {}
extern "C" int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  const int status = reinterpret_cast<int (*)(void*, const void*, std::size_t, int)>(dlsym(RTLD_NEXT, "cudaMemcpy"))(to, from, bytes, kind);
  if (kind == 2) std::memcpy(to, "\\xc0\\x7f\\xc0\\x7f\\xc0\\x7f\\xc0\\x7f", 8);
  return status;
}
"""
# What starts the program ends while it asks to end with that.
ORPHANED = """
#include <csignal>
#include <cstdio>
#include <unistd.h>
#include "prove/run_program.h"
static bool loses_parent;
extern "C" int prctl(int, ...) {
  const pid_t parent = getppid();
  if (loses_parent) kill(parent, SIGKILL);
  while (loses_parent && getppid() == parent) usleep(1000);
  return 0;
}
int main(int count, char**) {
  loses_parent = count > 1;
  cudnn_checked::prove::end_with_starter();
  std::puts("goes on");
}
"""


class Supervised(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": ""}

    def library(self, text, count=-1, end="abort();"):
        source = self.write("library.cpp", text.replace("COUNT", str(count)).replace("END", end))
        library = self.scratch / "library.so"
        done = self.app.run(compiler(), "-shared", "-fPIC", "-o", library, source)
        self.assertEqual(done.status, 0, done.output)
        return {"LD_PRELOAD": library}

    def probes(self):
        return [words for words in processes().values() if words[0].startswith(os.fsencode(self.scratch))]

    def most_memory(self):
        """Of all processes of this test so far, in KiB."""
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss

    def test_a_library_that_prints_for_ever(self):
        # What compilers take of a proof and of a refusal is in "before".
        self.proved()
        self.refused(environment=self.library(FLOOD, 1))
        before = self.most_memory()
        text = self.refused("-DCuDNNChecked_PROBE_TIMEOUT=3", environment=self.library(FLOOD))
        self.assertLess(self.most_memory() - before, 64 << 10)
        head, _, quoted = text.partition("  [probe-timeout]\n")
        self.assertEqual(head, """\
cudnn_checked: refused: the probe did not finish within 3 s
  limit:   3 s   CuDNNChecked_PROBE_TIMEOUT
  during:  loading the libraries
  cuDNN:   9.14.0   <scratch>/sdk/lib/libcudnn.so.9
  CUDA:    13.0   <scratch>/sdk/lib/libcudart.so.13
  probe:   <scratch>/app-build/CuDNNChecked/cudnn_checked_probe
  A program that uses this cuDNN may hang in the same call.
  fix: cmake -D CuDNNChecked_PROBE_TIMEOUT=600 <scratch>/app-build
   or: check whether the GPU answers: nvidia-smi
""")
        self.assertRegex(quoted, r"\A  \| \(\d{7,} bytes before this are left out\)\n(  \| x+\n)+\Z")
        self.assertLess(len(quoted), 21000)
        self.assertEqual(wait_for(lambda: not self.probes()), True)

    def test_numbers_that_are_none_are_counted(self):
        text = self.refused(environment={**self.library(NOT_A_NUMBER), "SIMULATED_GPUS": "sm_75"})
        self.assertIn("cudnn_checked: refused: cuDNN computes wrong numbers: ", text)
        self.assertRegex(text, r"\n  computed:   [24] elements are NaN or infinite   legacy/fp32/nchw, .* on GPU 0\n"
                               r"(  also:       [24] elements are NaN or infinite   .*\n)+")
        self.assertNotIn("relative error", text)

    def test_what_starts_the_judge_ends_before_it_can_ask(self):
        source = self.write("orphaned.cpp", ORPHANED)
        program = self.scratch / "orphaned"
        tool = REPOSITORY / "tool"
        done = self.app.run(compiler(), "-std=c++17", "-I", tool, source, tool / "prove/linux/end.cpp", "-o", program)
        self.assertEqual(done.status, 0, done.output)
        for word, printed in (("", "goes on\n"), ("lost", "")):
            starter = subprocess.run(["sh", "-c", f"'{program}' {word}; true"], stdout=subprocess.PIPE, text=True,
                                     check=False)
            self.assertEqual(starter.stdout, printed, word)

    def test_much_and_then_an_end(self):
        """100 MB, of which the last lines are kept and the rest is counted, to the byte."""
        text = self.refused(environment=self.library(FLOOD, 25600))
        self.assertIn("refused: the probe crashed with SIGABRT\n", text)
        quoted = text.partition("  [probe-crashed]\n")[2].splitlines()
        self.assertEqual(quoted[-1], "  | the last line")
        kept = sum(len(line) - len("  | ") + 1 for line in quoted[1:])
        self.assertEqual(quoted[0], f"  | ({25600 * 4096 + len('the last line') + 1 - kept} bytes before this are left "
                                    "out)")

    def test_what_is_printed_and_all_is_well(self):
        """It is none of the probe's own words."""
        result = self.proved(environment=self.library(FLOOD, 100, ""))
        self.assertEqual(result["LEVEL"], "LOADED")
        self.assertIn("\n-- cuDNN 9.14.0 · CUDA 13.0 · loaded, no convolution was run: no GPU here\n", self.output)
        self.assertNotIn("xxx", self.output)

    def test_what_is_written_among_the_facts(self):
        gpu = {"SIMULATED_GPUS": "sm_90"}
        text = self.refused(environment={**gpu, **self.library(SCRIBBLE), "SIMULATED_FAULT": "wrong:graph"})
        self.assertIn("[wrong-numbers]", text)
        self.assertEqual(self.proved(environment={**gpu, **self.library(SCRIBBLE)})["LEVEL"], "RAN")
        self.assertIn("\n-- cuDNN 9.14.0 · CUDA 13.0 · sm_90, convolution verified (legacy, graph; ", self.output)

    def test_an_end_before_the_beginning(self):
        text = self.refused(environment=self.library(LAST_WORD))
        self.assertIn("refused: the probe ended with status 0, and its report gives no reason\n", text)
        self.assertIn("  during:  loading the libraries\n", text)
        text = self.refused(environment={"SIMULATED_GPUS": "sm_90", **self.library(LAST_WORD_IN_CALL)})
        self.assertIn("refused: the probe ended with status 0, and its report gives no reason\n", text)
        self.assertIn("  during:  cudnnCreate on GPU 0\n", text)

    def test_a_daemon_that_keeps_the_outputs_open(self):
        self.proved()  # compiled, so that the time is that of the run
        begin = time.monotonic()
        self.proved("-DCuDNNChecked_PROBE_TIMEOUT=1000", environment=self.library(DAEMON))
        self.assertLess(time.monotonic() - begin, 200)
        self.assertEqual(wait_for(lambda: not self.probes()), True, self.probes())

    def test_the_programs_alone(self):
        """As they are copied to another machine; and the probe as in a debugger, where its lines are printed."""
        self.proved()
        probe = self.app.path("CuDNNChecked/cudnn_checked_probe")
        # Where the program with all verbs is known, nothing is compiled that has some of them alone.
        judge = next(filter(os.path.exists, map(self.app.path, ("CuDNNChecked/cudnn_checked_judge",
                                                                "CuDNNChecked/cudnn_checked_configure"))))
        report = self.scratch / "report.json"
        environment = {**os.environ, **{k: str(v) for k, v in self.sdk.environment.items()}}
        done = subprocess.run([judge, "configure", "judge", f"report={report}"], capture_output=True, text=True, env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith("cuDNN 9.14.0 "), done.stdout)
        self.assertFalse((self.scratch / "report.json.end").exists())
        done = subprocess.run([probe], capture_output=True, text=True, env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0].split("\t")[0:2], ["probe", "format=1"])
        self.assertIn("step\tpart=0\twhat=cudnnGetVersion", lines)
        self.assertEqual(lines[-1], "end")
        done = subprocess.run([probe, "report=x"], capture_output=True, text=True, env=environment)
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (2, "", "cudnn_checked_probe: error: unknown argument 'report=x'\n"))

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""cudnn-checked sweep on the simulated SDK: what can be asked, how it ends, and what it leaves behind."""

import json
import os
import re
import signal
import subprocess
import time
import unittest

from of_product import call
from support import ScratchTest, relative_output, simulated_sdk
from support.command_line import cudnn_checked_program
from support.environment import clean_environment, compiler
from support.bare_install import empty_library
from support.processes import processes, wait_for
from support.terminal import fork_on_terminal, open_terminal, read_until_closed

SDK = {"cudnn": "9.19.0"}
OPERATIONS = ("fwd, dgrad, wgrad, conv-bias, matmul, attention/forward, attention/backward, layer-norm/forward, "
              "layer-norm/backward, rms-norm/forward, rms-norm/backward, rnn/forward, rnn/backward, lstm/forward, "
              "lstm/backward, gru/forward, gru/backward, batch-norm/inference, batch-norm/forward, batch-norm/backward, softmax/forward, "
              "softmax/backward, pooling/forward, pooling/backward, conv-backward/data, "
              "conv-backward/filter, conv-backward/bias, conv-activation, activation/forward, "
              "activation/backward, tensor/add, tensor/op, tensor/reduce, tensor/transform, lrn/forward, "
              "lrn/backward, spatial-grid/forward, spatial-grid/backward, spatial-sampler/forward, "
              "spatial-sampler/backward")


def workers_of(process):
    """The numbers of its workers that run: the last argument of each is the process that started it."""
    command = [b"--sweep-worker", str(process).encode()]
    return [number for number, words in processes().items() if words[1:3] == command]


class SweepTest(ScratchTest):
    def setUp(self):
        super().setUp()
        self.sdk = simulated_sdk(**SDK)

    def environment(self, gpus="sm_90", driver=True, **more):
        libraries = {"LD_LIBRARY_PATH": self.sdk.driver_directory} if driver else {}
        return {"SIMULATED_GPUS": gpus, **libraries, **more}

    def swept(self, *arguments, directory=None, **more):
        status, out, err = call("sweep", directory or self.sdk.prefix, *arguments, home=self.scratch,
                                **self.environment(**more))
        places = {"scratch": self.scratch, "sdk": self.sdk.prefix}
        return status, relative_output(out, **places), relative_output(err, **places)

    def started(self, *arguments, **more):
        process = subprocess.Popen([str(cudnn_checked_program()), "sweep", str(self.sdk.prefix), *arguments],
                                   cwd=self.scratch, env=clean_environment(self.scratch, **self.environment(**more)),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.assertTrue(wait_for(lambda: len(workers_of(process.pid)) == 2), "two workers have started")
        time.sleep(0.3)
        return process

    def assert_nothing_left(self, process, seconds=3):
        self.assertTrue(wait_for(lambda: workers_of(process) == [], seconds), "its workers have ended")
        self.assertEqual(sorted(path.name for path in self.scratch.iterdir()), [])


class Arguments(SweepTest):
    CASES = [
        *((["--seconds", value], f"--seconds {value}: not a number of seconds from 0.1 to 86400")
          for value in ("0", "-1", "abc", "1e9", "86401", "1.", ".5", "1,5")),
        (["--seconds", "1", "--seconds", "0"], "--seconds 0: not a number of seconds from 0.1 to 86400"),
        (["--seconds", ""], "--seconds needs a number of seconds"),
        (["--seconds"], "--seconds needs a number of seconds"),
        (["--plan-timeout", "0"], "--plan-timeout 0: not a number of seconds from 0.1 to 3600"),
        (["--plan-timeout"], "--plan-timeout needs a number of seconds"),
        (["--operations", "fwdd"], f"--operations fwdd: fwdd is none of them; did you mean fwd? ({OPERATIONS})"),
        (["--operations", "fwd,"], f"--operations fwd,: a word is missing ({OPERATIONS})"),
        (["--operations", "attention,matmul,at"], f"--operations attention,matmul,at: at is none of them ({OPERATIONS})"),
        (["--operations", "attention", "--types", "fp32"], "--types fp32: --operations attention has no problem of it"),
        (["--types", "e4m3"],
         "--types e4m3: convolutions, which are swept without --operations, have no problem of it"),
        (["--operations"], "--operations needs a list, for example --operations fwd,dgrad"),
        (["--types", "fp64"], "--types fp64: fp64 is none of them (fp32, fp16, bf16, e4m3)"),
        (["--types", "fp16,fp23"], "--types fp16,fp23: fp23 is none of them; did you mean fp32? (fp32, fp16, bf16, e4m3)"),
        (["--types"], "--types needs a list, for example --types fp32,fp16"),
        *((["--seed", value], f"--seed {value}: not a number from 0 to 18446744073709551615")
          for value in ("-1", "18446744073709551616", "0x1")),
        (["--seed"], "--seed needs a number"),
        (["--workers", "0"], "--workers 0: not a number from 1 to 256"),
        (["--workers", "257"], "--workers 257: not a number from 1 to 256"),
        (["--workers"], "--workers needs a number of processes"),
        *((["--device", value], f"--device {value}: not all, nor numbers from 0 to 1023") for value in ("-1", "0,", "0,1024")),
        (["--device"], "--device needs the number of a GPU, several, or all"),
        (["more"], "one argument too many: more"),
    ]

    def test_wrong_ones(self):
        for arguments, words in self.CASES:
            self.assertEqual(self.swept(*arguments), (2, "", f"cudnn-checked: error: sweep: {words}\n"), arguments)
        self.assertEqual(self.swept("--sed", "1"), (
            2, "", "cudnn-checked: error: unknown option --sed; did you mean --seed?\n"))

    def test_directories_without_a_cudnn(self):
        self.assertEqual(self.swept(directory=self.scratch / "absent"), (
            2, "", "cudnn-checked: error: sweep: <scratch>/absent: no such directory\n"))
        (self.scratch / "empty").mkdir()
        self.assertEqual(self.swept(directory=self.scratch / "empty"), (
            3, "", "cudnn-checked: error: sweep: <scratch>/empty: no cuDNN in it\n"))

    def test_a_choice_of_cudnns_is_told(self):
        for name in ("a", "b"):
            (self.scratch / name).symlink_to(self.sdk.library_directory)
        self.sdk.copy(self.scratch / "venv/lib/python3.12/site-packages/nvidia/cudnn")
        self.sdk.copy(self.scratch / "venv/lib/python3.11/site-packages/nvidia/cudnn")
        status, out, err = self.swept("--seconds", "0.1", directory=self.scratch / "venv", driver=False)
        self.assertEqual(status, 3, out)
        self.assertRegex(err, r"\Acudnn-checked: note: sweep: there are 2 cuDNNs; this is the one of <scratch>/venv/\S+; "
                              r"name the directory of another: <scratch>/venv/\S+\n\Z")

    def test_what_is_asked_is_what_is_computed(self):
        status, out, err = self.swept("--json", "--seconds", "0.7", "--operations", "wgrad,fwd,wgrad", "--types", "bf16",
                                      "--seed", "18446744073709551615", "--workers", "1", "--plan-timeout", "7.5")
        self.assertEqual((status, err), (0, ""))
        report = json.loads(out)
        self.assertEqual(report["request"] | {"library": "", "worker_bytes": 0}, {
            "library": "", "seconds": 0.7, "operations": ["wgrad", "fwd"], "types": ["bf16"],
            "seed": "18446744073709551615", "devices": [0], "workers": 1, "plan_seconds": 7.5, "worker_bytes": 0,
            "errata": "", "random": False, "listed": ""})
        self.assertEqual(report["request"]["library"], "<sdk>/lib/libcudnn.so.9")
        names = [one["problem"].split()[:2] for one in report["problems"]]
        self.assertGreater(len(names), 1)
        self.assertLessEqual({tuple(name) for name in names}, {("wgrad", "bf16"), ("fwd", "bf16")})

    def test_the_same_seed_gives_the_same_problems(self):
        least = 0
        for seconds in ("0.7", "7"):  # the second on a machine that has no time
            lists = []
            for _ in range(2):
                report = json.loads(self.swept("--json", "--seconds", seconds, "--seed", "3", "--operations", "fwd")[1])
                lists.append([one["problem"] for one in report["problems"]])
            least = min(map(len, lists))
            if least > 2:
                break
        self.assertGreater(least, 2)
        self.assertEqual(lists[0][:least], lists[1][:least])


class NothingComputed(SweepTest):
    def assert_why(self, why, *arguments, **more):
        status, out, err = self.swept("--seconds", "5", *arguments, **more)
        self.assertEqual((status, out, err), (3, f"cudnn-checked: unknown: nothing was computed: {why}\n", ""))
        status, out, err = self.swept("--json", "--seconds", "5", *arguments, **more)
        report = json.loads(out)
        self.assertEqual((status, err, report["verdict"], report["why_not"]), (3, "", "unknown", why))
        status, out, err = self.swept("--reproduce", "1", "--seconds", "5", *arguments, **more)
        self.assertEqual((status, out, err), (3, "", f"cudnn-checked: error: sweep: nothing was computed: {why}\n"))

    def test_no_gpu(self):
        self.assert_why("there is no GPU that CUDA can use", gpus="")

    def test_hidden_gpus(self):
        for value in "", "7":
            self.assert_why(f"there is no GPU that CUDA can use: CUDA_VISIBLE_DEVICES={value}", CUDA_VISIBLE_DEVICES=value)

    def test_a_library_that_cannot_be_opened(self):
        """The loader's own words for one of another machine are that there is no such file."""
        directory = self.scratch / "of another"
        directory.mkdir()
        library = bytearray(self.sdk.library().read_bytes())
        library[18:20] = (183).to_bytes(2, "little")  # aarch64
        (directory / "libcudnn.so.9").write_bytes(library)
        self.assert_why("<scratch>/of another/libcudnn.so.9: cannot open shared object file: No such file or directory; "
                        "to learn more type: cudnn-checked probe '<scratch>/of another'", directory=directory)

    def test_no_driver(self):
        self.assert_why("no NVIDIA driver can be used: libcuda.so.1: cannot open shared object file: No such file or "
                        "directory", driver=False)

    def test_libraries_that_lack_functions(self):
        driver = empty_library(self.scratch / "driver/libcuda.so.1")
        self.assert_why("no NVIDIA driver can be used: libcuda.so.1 lacks the function cuDriverGetVersion", driver=False,
                        LD_LIBRARY_PATH=driver.parent)
        sdk = self.sdk.copy(self.scratch / "sdk")
        empty_library(sdk.library().resolve())
        self.assert_why("<scratch>/sdk/lib/libcudnn.so.9: it lacks the function cudnnGetVersion; to learn more type: "
                        "cudnn-checked probe <scratch>/sdk/lib", directory=sdk.prefix)

    def test_another_gpu(self):
        self.assert_why("there is no GPU 5: CUDA counts 1, from 0", "--device", "5")

    def test_a_library_that_ends_the_process(self):
        sdk = self.sdk.copy(self.scratch / "sdk")
        source = self.write("ends.c", "#include <signal.h>\n"
                            "__attribute__((constructor)) static void end(void) { raise(SIGBUS); }\n")
        subprocess.run([compiler(), "-x", "c", "-shared", "-fPIC", "-Wl,-soname,libcudnn.so.9", source, "-o",
                        sdk.library().resolve()], check=True)
        self.assert_why("a process ended by SIGBUS before it could compute", directory=sdk.prefix)

    def test_a_library_that_was_cut(self):
        """It is not opened."""
        sdk = self.sdk.copy(self.scratch / "sdk")
        real = sdk.library().resolve()
        content = real.read_bytes()
        real.unlink()
        real.write_bytes(content[:len(content) // 2])
        self.assertEqual(self.swept("--seconds", "5", directory=sdk.prefix), (
            1, "", "cudnn-checked: error: sweep: a library of cuDNN is damaged: <scratch>/sdk/lib/libcudnn.so.9: "
            f"{len(content) // 2} bytes of {len(content)}; cudnn-checked doctor <scratch>/sdk/lib says more\n"))


class Time(SweepTest):
    def test_it_ends_in_time(self):
        begin = time.monotonic()
        status, out, err = self.swept("--seconds", "1")
        self.assertLess(time.monotonic() - begin, 3.5)
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out, r"cudnn-checked: ok: \d+ plans, none failed\n\Z")

    def test_a_plan_that_hangs_for_ever_does_not(self):
        begin = time.monotonic()
        status, out, err = self.swept("--seconds", "1.5", "--plan-timeout", "0.3", "--operations", "fwd",
                                      SIMULATED_FAULT="engine-hang:72:fwd")
        self.assertLess(time.monotonic() - begin, 4)
        self.assertEqual((status, err), (0, ""))
        self.assertIn(" hung", out)

    def test_what_is_offered_first_decides(self):
        for fault, status, last in [("engine-wrong:70:fwd", 1, "refused: 1 engine failed: 1 error, 0 warnings"),
                                    ("engine-wrong:71:fwd", 0, "warning: 1 engine failed: 0 errors, 1 warning"),
                                    ("engine-wrong:72:fwd", 0, "ok: 1 engine failed: 0 errors, 0 warnings, 1 note")]:
            told = self.swept("--seconds", "1", "--operations", "fwd", "--types", "fp32", SIMULATED_FAULT=fault)
            self.assertEqual((told[0], told[1].splitlines()[-1], told[2]), (status, "cudnn-checked: " + last, ""))


class Interrupted(SweepTest):
    def test_ctrl_c_ends_it_with_what_is_known(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for seconds in (0, 1, 3, 9):  # a loaded machine takes longer until the first plan
                process = self.started("--seconds", "50", "--workers", "2")
                time.sleep(seconds)
                process.send_signal(number)
                out, err = process.communicate(timeout=20)
                if process.returncode != 3:
                    break
            self.assertEqual((process.returncode, err), (0, ""))
            self.assertRegex(out, r"\n  interrupted: +what was known by then is reported\n")
            self.assertRegex(out, r"cudnn-checked: ok: \d+ plans, none failed\n\Z")
            self.assert_nothing_left(process.pid, 0)

    def test_a_second_one_ends_it_at_once(self):
        process = self.started("--seconds", "50", "--workers", "2", "--operations", "fwd",
                               SIMULATED_FAULT="engine-hang:70:fwd,engine-hang:38:fwd")
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=5)
        self.assertEqual((process.returncode, out, err), (-signal.SIGINT, "", ""))
        self.assert_nothing_left(process.pid, 0)

    def test_on_a_terminal_it_goes_to_the_workers_through_this_process_alone(self):
        environment = clean_environment(self.scratch, **self.environment(), TERM="xterm", COLUMNS="100")
        process, master = fork_on_terminal()
        if process == 0:
            os.chdir(self.scratch)
            os.execve(cudnn_checked_program(), ["cudnn-checked", "sweep", str(self.sdk.prefix), "--seconds", "50",
                                                "--workers", "2"], environment)
        sent = b""
        while b"plans (" not in sent:
            sent += os.read(master, 65536)
        os.write(master, b"\x03")
        sent += read_until_closed(master)
        self.assertEqual(os.waitpid(process, 0)[1], 0)
        text = sent.decode().replace("\r\n", "\n")
        self.assertRegex(text, r"\rsweep: [\d]+ problems?, \d+ plans \(\d+ a second\), 0 failed; \d+ s left\x1b\[K")
        shown, result = text.rsplit("\r\x1b[K", 1)
        self.assertIn("interrupted:", result)
        self.assertNotIn("died", result)
        self.assertEqual(re.sub(r"\r[^\r]*", "", shown.replace("^C", "")), "")

    def test_killed_with_its_workers(self):
        process = self.started("--seconds", "50", "--workers", "2")
        process.kill()
        process.communicate(timeout=5)
        self.assert_nothing_left(process.pid)

    def test_a_worker_that_hangs_dies_with_it(self):
        process = self.started("--seconds", "50", "--workers", "2", "--operations", "fwd",
                               SIMULATED_FAULT="engine-hang:70:fwd,engine-hang:38:fwd")
        process.kill()
        process.communicate(timeout=5)
        self.assert_nothing_left(process.pid)

    def test_a_worker_that_is_killed_is_replaced(self):
        process = self.started("--seconds", "2", "--workers", "2")
        first = workers_of(process.pid)
        for worker in first:
            os.kill(worker, signal.SIGKILL)
        self.assertTrue(wait_for(lambda: len(set(workers_of(process.pid)) - set(first)) == 2))
        out, err = process.communicate(timeout=20)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertRegex(out, r"cudnn-checked: ok: \d+ plans, none failed\n\Z")
        self.assert_nothing_left(process.pid, 0)

    def test_lost_contexts_leave_nothing(self):
        process = self.started("--seconds", "2", "--workers", "2", "--operations", "fwd",
                               SIMULATED_FAULT="engine-lost:72:fwd,engine-abort:71:fwd")
        out, err = process.communicate(timeout=20)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertIn(" died", out)
        self.assert_nothing_left(process.pid, 0)


class Shown(SweepTest):
    """What is shown on a terminal meanwhile."""

    def shown(self, *arguments, **more):
        environment = clean_environment(self.scratch, **self.environment(**more), TERM="xterm", COLUMNS="100")
        master, slave = open_terminal()
        with subprocess.Popen([cudnn_checked_program(), "sweep", self.sdk.prefix, *arguments], cwd=self.scratch,
                              env=environment, stderr=slave, stdout=subprocess.DEVNULL):
            os.close(slave)
            return re.findall(r"\r([^\r\x1b]+)\x1b\[K", read_until_closed(master).decode())

    def test_the_last_plans(self):
        lines = self.shown("--seconds", "1", "--operations", "fwd", SIMULATED_FAULT="engine-hang:72:fwd")
        self.assertRegex(lines[-1], r"\Asweep: \d+ problems?, \d+ plans \(\d+ a second\), \d+ failed; "
                                    r"waiting for the last ones\Z")

    def test_the_second_run(self):
        lines = self.shown("--seconds", "1", "--operations", "fwd", "--types", "fp32", "--errata", "rules.json",
                           SIMULATED_FAULT="engine-wrong:72:fwd,engine-slow:70")
        self.assertIn("sweep: under the errata file", lines)
        self.assertRegex(lines[-1], r"\Asweep: under the errata file: \d+ problems?, \d+ plans?\Z")

    def test_what_failed_once_more(self):
        lines = self.shown("--random", "--seconds", "4", "--operations", "fwd", "--types", "fp32",
                           SIMULATED_FAULT="engine-wrong:70:fwd")
        self.assertIn("sweep: smaller problems", lines)
        for line in lines[lines.index("sweep: smaller problems"):]:
            if line.startswith("sweep: smaller problems:"):  # not where the run is a short one
                self.assertRegex(line, r"\A[^:]+: [^:]+: \d+ problems?, \d+ plans?\Z")
            else:
                self.assertEqual(line, "sweep: smaller problems")

    def test_until_the_first_plan(self):
        for function, line in {"cudnnCreate": "sweep: starting; 1 s left",
                               "cudnnBackendCreateDescriptor": "sweep: 1 process started; 1 s left"}.items():
            shown = self.shown("--seconds", "1", "--workers", "1", SIMULATED_FAULT=f"hang:{function}")
            self.assertEqual(shown[0], line)


class Worker(SweepTest):
    def test_it_does_not_start_for_another_parent(self):
        for parent in ("1", "0", "word", ""):
            done = subprocess.run([str(cudnn_checked_program()), "--sweep-worker", parent], timeout=10,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual((done.returncode, done.stdout), (2, b""))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: BSD-3-Clause
"""examples/fleet: the scripts on stand-ins of srun, mpirun and kubectl that print as the real ones do, and on a real
Slurm and Open MPI where they are installed."""

import json
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import textwrap
import unittest

from support import REPOSITORY, ScratchTest, clean_environment, simulated_sdk
from support.command_line import cudnn_checked_program
from support.environment import RELEASE
from support.one_machine_slurm import SYSTEM, OneMachineSlurm

EXAMPLE = REPOSITORY / "examples" / "fleet"

# What a machine does instead of `verify`; its name is in $MACHINE, $SLURMD_NODENAME or what `hostname` prints.
VERIFY = """\
#!/bin/sh
[ "$1" = verify ] || exec {program} "$@"
[ "$*" = "verify --json ./my app" ] || {{ echo "arguments: $*"; exit 2; }}
name=${{SLURMD_NODENAME:-${{MACHINE:-$(hostname)}}}}
case $name in
  *1) cat {folder}/refused.json; exit 1 ;;
  *2) head -c 2000 {folder}/ok.json; kill -9 $$ ;;
  *3) sleep 60 ;;
  *5) echo "no such program" >&2; exit 2 ;;
esac
cat {folder}/ok.json
"""

# srun --label: a number before each line, and lines that are broken after 1024 bytes.
SRUN = """\
#!{python}
import os, subprocess, sys
arguments = sys.argv[1:]
start = arguments.index("sh")
options = arguments[:start]
assert {{"--label", "--no-kill", "--kill-on-bad-exit=0", "--ntasks-per-node=1"}} <= set(options), options
assert "--ntasks=" + os.environ["SLURM_JOB_NUM_NODES"] in options, options
assert "--wait=" + str(int(os.environ["TIME_LIMIT"]) + 30) in options, options
streams = []
for number in range(int(os.environ["SLURM_JOB_NUM_NODES"])):
    if number == 4: continue
    done = subprocess.run(arguments[start:], capture_output=True,
                          env=dict(os.environ, SLURMD_NODENAME=f"node00{{number}}"))
    lines = []
    for line in done.stdout.decode().splitlines():
        lines += [line[i:i + 1024] for i in range(0, len(line), 1024)] or [""]
    streams.append([f" {{number}}: {{line}}\\n" for line in lines])
while any(streams):
    for stream in streams:
        for line in stream[:3]: sys.stdout.write(line)
        del stream[:3]
print("srun: error: node004: task 4: Killed", file=sys.stderr)
sys.exit(137)
"""

# mpirun --tag-output: pieces that end anywhere, a tag before each piece and behind each line break.
MPIRUN = """\
#!{python}
import os, re, subprocess, sys
arguments = sys.argv[1:]
start = arguments.index("sh")
assert arguments[:start] == ["--tag-output", "-np", "7"], arguments
streams = []
for rank in range(7):
    done = subprocess.run(arguments[start:], capture_output=True, env=dict(os.environ, MACHINE=str(rank)))
    if done.returncode != 0: sys.exit("mpirun ends every rank")
    text = done.stdout.decode()
    streams.append([text[i:i + 97] for i in range(0, len(text), 97)])
while any(streams):
    for rank, stream in enumerate(streams):
        tag = "{tag}".replace("RANK", str(rank))
        for piece in stream[:1]: sys.stdout.write(tag + re.sub("\\n(?=.)", "\\n" + tag, piece, flags=re.S))
        del stream[:1]
"""

KUBECTL = """\
#!/bin/sh
case "$1 $2" in
  "get job") [ "$3" = verify-app ] && printf 5 ;;
  "get pods") printf 'verify-app-0-x node0\\nverify-app-1-x node1\\nverify-app-2-x node2\\nverify-app-3-x \\n'
    printf 'verify-app-4-x node0\\n' ;;
  "logs verify-app-0-x" | "logs verify-app-4-x") cat ok.json ;;
  "logs verify-app-1-x") cat refused.json ;;
  "logs verify-app-2-x") echo "no report of sh: 1: cudnn-checked: not found" ;;
  *) echo "kubectl: $*" >&2; exit 1 ;;
esac
"""

SHARED = "cuDNN 9.14.0 · CUDA 13.0 · driver 580.65.06"


def report(**changes):
    """A report as verify prints it, with a line of more than 1024 bytes and a text that is no ASCII."""
    tree = {"schema": 1, "package": RELEASE, "program": "app", "verdict": "ok",
            "triple": {"cudnn": "9.14.0", "cuda": "13.0", "architectures": []},
            "cuda": {"kernel_module": "580.65.06", "driver": ""},
            "devices": [{"uuid": "", "name": "NVIDIA H100", "architecture": "sm_90"}],
            "findings": [{"name": "wrong", "severity": "note", "fix": "/opt/ä: [1,2]<x>: " * 200}]}
    return json.dumps({**tree, **changes}, indent=2, ensure_ascii=False) + "\n"


class FleetExample(ScratchTest):
    def setUp(self):
        super().setUp()
        older = [{"name": "cudnn-older", "severity": "error"}]
        self.write("ok.json", report())
        self.write("refused.json", report(verdict="refused", findings=older))
        self.program("cudnn-checked", VERIFY, program=cudnn_checked_program(), folder=self.scratch)

    def program(self, name, text, **words):
        path = self.write(f"bin/{name}", text.format(python=sys.executable, **words) if words else text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def start(self, *command, path="", **environment):
        search = ":".join(filter(None, [str(self.scratch / "bin"), path, SYSTEM]))
        return subprocess.run([str(word) for word in command], cwd=self.scratch, text=True, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=clean_environment(self.scratch, PATH=search, TIME_LIMIT="2", **environment))

    def assert_starts(self, expected, status, *command, **environment):
        done = self.start(*command, **environment)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (status, expected, ""))


class Slurm(FleetExample):
    def test_stand_in(self):
        self.program("srun", SRUN, label="")
        command = ["sh", EXAMPLE / "slurm.sh", "./my app", "reports", "--mem=1G"]
        allocation = {"SLURM_JOB_NUM_NODES": "7", "SLURM_JOB_NODELIST": "node[000-006]"}
        self.assert_starts(f"""\
  machines   verdict      which
  2          ok           node[000,006]
                          {SHARED}
                          GPUs sm_90 NVIDIA H100
  1          refused      node001
                          findings cudnn-older
  2          unreadable   node[003,005]
                          an empty file
  1          unreadable   node002
                          it ends in the middle
  1          missing      node004
                          no report

6 reports in 4 groups, 1 refused, 3 unreadable, 1 missing
""", 1, *command, **allocation)
        self.assertEqual(json.loads((self.scratch / "reports/node006.json").read_text()),
                         json.loads(report()))
        self.assertEqual((self.scratch / "reports/errors.txt").read_text(),
                         "srun: error: node004: task 4: Killed\n")
        with self.subTest("reports of an earlier run are not counted"):
            done = self.start(*command, **allocation)
            self.assertEqual((done.returncode != 0, done.stdout), (True, ""))
            self.assertRegex(done.stderr, "^mkdir: .*reports.*: File exists\n$")

    def test_real(self):
        """Four slurmd on this machine are four nodes; the second has another environment."""
        cluster = OneMachineSlurm(self)
        expected = f"""\
  machines   verdict      which
  1          ok           node000
                          {SHARED}
                          GPUs sm_90 NVIDIA H100
  1          refused      node001
                          findings cudnn-older
  1          unreadable   node002
                          it ends in the middle
  1          unreadable   node003
                          an empty file

4 reports in 4 groups, 1 refused, 2 unreadable
"""
        done = self.start("salloc", "-Q", "--nodes=4", "sh", EXAMPLE / "slurm.sh", "./my app", "reports",
                          SLURM_CONF=cluster.configuration)
        self.assertEqual((done.returncode, done.stdout), (1, expected), done.stderr)
        self.assertEqual(json.loads((self.scratch / "reports/node000.json").read_text()),
                         json.loads(report()))


class SlurmHealth(FleetExample):
    SCONTROL = "#!/bin/sh\nprintf '%s\\n' \"$@\" >> scontrol.txt\n"

    def setUp(self):
        super().setUp()
        self.sdk = simulated_sdk(cudnn="9.14.0", gpus="sm_75")
        self.program("scontrol", self.SCONTROL)

    def drained(self, status, **environment):
        """What scontrol was told."""
        done = self.start("sh", EXAMPLE / "slurm_health.sh", SLURMD_NODENAME="node017", **environment)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (status, "", ""))
        told = self.scratch / "scontrol.txt"
        return told.read_text().splitlines() if told.exists() else []

    def test_sound(self):
        self.assertEqual(self.drained(0, CUDNN=str(self.sdk.prefix), SIMULATED_GPUS="sm_75",
                                      LD_LIBRARY_PATH=str(self.sdk.driver_directory)), [])

    def test_a_node_that_lost_its_driver(self):
        self.assertEqual(self.drained(0, CUDNN=str(self.sdk.prefix)), [
            "update", "NodeName=node017", "State=DRAIN", "Reason=cudnn-checked: refused: --require ran: cuDNN 9.14.0 · loaded, "
            "no convolution was run: no NVIDIA driver here"])

    def test_what_says_nothing_of_the_node(self):
        self.assertEqual(self.drained(2, CUDNN="absent"), [])
        (self.scratch / "bin/cudnn-checked").unlink()
        self.assertEqual(self.drained(127, CUDNN=str(self.sdk.prefix)), [])


class Mpi(FleetExample):
    def test_stand_in(self):
        """Seven ranks on machines of one name; Open MPI 4 and 5 write their tags in two ways."""
        self.program("hostname", "#!/bin/sh\necho here\n")
        for number, tag in enumerate(["[1,RANK]<stdout>:", "[prterun-a@1,RANK]<stdout>: "]):
            self.program("mpirun", MPIRUN, tag=tag)
            self.assert_starts(f"""\
  machines   verdict      which
  3          ok           here,here.[4,6]
                          {SHARED}
                          GPUs sm_90 NVIDIA H100
  1          refused      here.1
                          findings cudnn-older
  2          unreadable   here.[3,5]
                          an empty file
  1          unreadable   here.2
                          it ends in the middle

7 reports in 4 groups, 1 refused, 3 unreadable
""", 1, "sh", EXAMPLE / "mpi.sh", "./my app", f"reports{number}", "7", "-np", "7")
            self.assertEqual(json.loads((self.scratch / f"reports{number}/here.6.json").read_text()),
                             json.loads(report()))

    def test_no_machine(self):
        self.program("mpirun", "#!/bin/sh\necho 'mpirun: no such host' >&2\nexit 1\n")
        self.assert_starts("""\
  machines   verdict   which
  3          missing   n[1-3]
                       no report

0 reports in 0 groups, 3 missing
""", 3, "sh", EXAMPLE / "mpi.sh", "./my app", "reports", "n[1-3]")
        self.assertEqual((self.scratch / "reports/errors.txt").read_text(), "mpirun: no such host\n")

    def test_real(self):
        """Twelve ranks on this machine."""
        mpirun = shutil.which("mpirun")
        if mpirun is None:
            raise unittest.SkipTest("not installed: mpirun")
        self.write("names/hostname", "#!/bin/sh\necho gpu$((OMPI_COMM_WORLD_RANK * 10))\n").chmod(0o755)
        allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        # It asks for an ssh that it does not start on one machine.
        allowed.update(dict.fromkeys(("OMPI_MCA_plm_rsh_agent", "PRTE_MCA_plm_ssh_agent"), shutil.which("false")))
        done = self.start("sh", EXAMPLE / "mpi.sh", "./my app", "reports", "gpu[0,10,20,30,40,50,60,70,80,90,100,110]",
                          "--oversubscribe", "-np", "12", path=f"{self.scratch}/names:{pathlib.Path(mpirun).parent}",
                          **allowed)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"""\
  machines   verdict   which
  12         ok        gpu[0,10,20,30,40,50,60,70,80,90,100,110]
                       {SHARED}
                       GPUs sm_90 NVIDIA H100

12 reports in 1 group
""", ""), (self.scratch / "reports/errors.txt").read_text())
        for path in (self.scratch / "reports").glob("*.json"):
            self.assertEqual(json.loads(path.read_text()), json.loads(report()))


class Kubernetes(FleetExample):
    TEXT = (EXAMPLE / "kubernetes.yaml").read_text(encoding="utf-8")

    def container(self, name, index, **environment):
        """The container's command, in the environment that its Job gives it."""
        block = re.search(r"(?m)^ +- \|\n((?: {14}.*\n)+)", self.TEXT)[1]
        words = {"APP": "./my app", "REPORTS": str(self.scratch / "volume"), "NODE_NAME": name,
                 "MACHINE": name, "JOB_COMPLETION_INDEX": str(index), **environment}
        block = block.replace("timeout -k 5 60", "timeout -k 5 2")
        return self.start("sh", "-c", textwrap.dedent(block), **words)

    def test_the_log_is_the_report(self):
        for name, expected in [("a0", report()), ("a1", (self.scratch / "refused.json").read_text()),
                               ("a2", report().encode()[:2000].decode("utf-8", "ignore") + "\n"),
                               ("a5", f"no report of cudnn-checked {RELEASE}\n")]:
            done = self.container(name, 0)
            # A shell may say "Killed" on standard error.
            self.assertEqual((done.returncode, done.stdout), (0, expected), name)
        self.assertFalse((self.scratch / "volume").exists())

    def test_no_command_line_in_the_image(self):
        (self.scratch / "bin/cudnn-checked").unlink()
        done = self.container("a0", 0)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, "^no report of .*cudnn-checked: .*not found\n$")

    def test_a_volume(self):
        (self.scratch / "volume").mkdir()
        for index, name in enumerate(["a0", "a1", "a0"]):
            self.assertEqual(self.container(name, index).returncode, 0)
        self.assertEqual(sorted(path.name for path in (self.scratch / "volume").iterdir()),
                         ["a0.2.json", "a0.json", "a1.json"])

    def test_the_logs_of_a_job(self):
        self.program("kubectl", KUBECTL)
        self.assert_starts(f"""\
  machines   verdict      which
  2          ok           node0,node0.verify-app-4-x
                          {SHARED}
                          GPUs sm_90 NVIDIA H100
  1          refused      node1
                          findings cudnn-older
  1          unreadable   node2
                          not JSON: not a JSON value at byte 0
  1          missing      no report; with names in --expect they are listed

4 reports in 3 groups, 1 refused, 1 unreadable, 1 missing
""", 1, "sh", EXAMPLE / "kubernetes_logs.sh", "verify-app", "reports")

    def test_the_job(self):
        """What the Job API documents: batch/v1, JobSpec and PodSpec."""
        try:
            import yaml
        except ImportError:
            raise unittest.SkipTest("python3-yaml is not installed")
        job = yaml.safe_load(self.TEXT)
        self.assertEqual((job["apiVersion"], job["kind"]), ("batch/v1", "Job"))
        spec = job["spec"]
        self.assertEqual(set(spec), {"completionMode", "completions", "parallelism", "backoffLimit",
                                     "activeDeadlineSeconds", "ttlSecondsAfterFinished", "template"})
        self.assertEqual((spec["completionMode"], spec["completions"]), ("Indexed", spec["parallelism"]))
        pod = spec["template"]["spec"]
        self.assertEqual(pod["restartPolicy"], "Never")
        terms = pod["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
        self.assertEqual(terms, [{"labelSelector": {"matchLabels": spec["template"]["metadata"]["labels"]},
                                  "topologyKey": "kubernetes.io/hostname"}])
        container, = pod["containers"]
        self.assertEqual(container["securityContext"], {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]}})
        self.assertTrue(pod["securityContext"]["runAsNonRoot"])
        for word in ("privileged", "hostPath", "hostNetwork", "hostPID"):
            self.assertNotIn(word, self.TEXT)
        self.assertEqual([one["name"] for one in container["env"]], ["APP", "REPORTS", "NODE_NAME"])
        self.assertEqual(container["env"][2]["valueFrom"], {"fieldRef": {"fieldPath": "spec.nodeName"}})
        self.assertTrue(all(isinstance(value, str) for value in container["resources"]["limits"].values()))

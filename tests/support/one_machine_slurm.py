# SPDX-License-Identifier: BSD-3-Clause
"""A Slurm of four nodes on this machine."""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
import unittest

from support.environment import clean_environment

SYSTEM = "/usr/sbin:/usr/bin:/sbin:/bin"


class OneMachineSlurm:
    """munged, slurmctld and four slurmd below the scratch directory; ended with the test."""

    def __init__(self, test):
        self.folder = test.scratch / "slurm"
        self.configuration = self.folder / "slurm.conf"
        self.processes = []
        programs = ["munged", "slurmctld", "slurmd", "salloc", "srun", "sinfo"]
        absent = [name for name in programs if shutil.which(name, path=SYSTEM) is None]
        if absent:
            raise unittest.SkipTest(f"not installed: {', '.join(absent)}")
        if os.getuid() != 0:
            raise unittest.SkipTest("slurmd is started as root only")
        test.addCleanup(self.stop)
        self.environment = clean_environment(test.scratch, PATH=SYSTEM, SLURM_CONF=self.configuration)
        self.write_configuration()
        self.spawn("munged", "--foreground", "--force", *self.munge_files())
        self.spawn("slurmctld", "-D", "-f", self.configuration)
        for number in range(4):
            self.spawn("slurmd", "-D", "-f", self.configuration, "-N", f"node{number:03}")
        self.wait_for_nodes()

    def munge_files(self):
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o600)
        names = {"key-file": "munge.key", "socket": "munge.socket", "pid-file": "munge.pid",
                 "log-file": "munge.log", "seed-file": "munge.seed"}
        return [f"--{option}={self.folder}/{name}" for option, name in names.items()]

    def write_configuration(self):
        for name in ("", "state", "spool"):
            (self.folder / name).mkdir(exist_ok=True)
        ports = []
        for _ in range(5):
            with socket.socket() as one:
                one.bind(("127.0.0.1", 0))
                ports.append(one.getsockname()[1])
        host = socket.gethostname().split(".")[0]
        nodes = "".join(f"NodeName=node{i:03} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[i + 1]} CPUs=1 "
                        "RealMemory=10\n" for i in range(4))
        self.configuration.write_text(f"""\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge.socket
CredType=cred/munge
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool/%n
SlurmdPidFile={self.folder}/spool/%n.pid
SlurmctldPidFile={self.folder}/slurmctld.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
{nodes}PartitionName=all Nodes=ALL Default=YES State=UP
""")

    def spawn(self, *command):
        with open(self.folder / f"{command[0]}.txt", "ab") as log:
            self.processes.append(subprocess.Popen([str(word) for word in command], stdout=log, stderr=log,
                                                   stdin=subprocess.DEVNULL, env=self.environment))

    def wait_for_nodes(self):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            done = subprocess.run(["sinfo", "-h", "-o", "%D %t"], env=self.environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if done.stdout == "4 idle\n":
                return
            time.sleep(0.2)
        logs = "".join(path.read_text() for path in self.folder.glob("*.txt"))
        raise unittest.SkipTest(f"this Slurm does not start here: {logs[-500:]}")

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.stop_steps()

    def stop_steps(self):
        """A slurmstepd is no child of ours, and outlives a slurmctld to which it wants to report."""
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                is_ours = str(self.folder).encode() in pathlib.Path("/proc", name, "environ").read_bytes()
            except OSError:
                continue
            if is_ours and int(name) != os.getpid():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(name), signal.SIGKILL)

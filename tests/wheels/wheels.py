# SPDX-License-Identifier: BSD-3-Clause
"""Fresh environments with real wheels of cuDNN: configured by one option, started without variables."""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from home_cache import HOME_CACHE  # noqa: E402

CMAKE = os.environ.get("CMAKE", "cmake")
# Lets what it starts see no toolkit: ld.so.cache then has entries for files that are not there.
HIDE = ('for d in /usr/local/cuda*; do [ -L "$d" ] || [ ! -d "$d" ] || mount -t tmpfs none "$d"; done; '
        'exec "$@"')


@dataclasses.dataclass(frozen=True)
class Row:
    """One environment: how it is made, and with which requirements."""

    name: str
    requirements: tuple
    cuda: int
    layout: str = "venv"


ROWS = (
    Row("8.9.7 cu12", ("nvidia-cudnn-cu12==8.9.7.29",), 12),
    Row("9.10.2 cu12", ("nvidia-cudnn-cu12==9.10.2.21",), 12),
    Row("9.14.0 cu13", ("nvidia-cudnn-cu13==9.14.0.64",), 13),
    Row("9.14.0 cu13, NVRTC 13.0", ("nvidia-cudnn-cu13==9.14.0.64", "nvidia-cuda-nvrtc==13.0.88"), 13),
    Row("9.26.0 cu13", ("nvidia-cudnn-cu13==9.26.0.51",), 13),
    Row("9.26.0 cu13, NVRTC 13.0", ("nvidia-cudnn-cu13==9.26.0.51", "nvidia-cuda-nvrtc==13.0.88"), 13),
    Row("newest cu13", ("nvidia-cudnn-cu13",), 13),
    Row("jit 9.14.0 cu12", ("nvidia-cudnn-jit-cu12==9.14.0.64",), 12),
    Row("jit 9.14.0 cu13", ("nvidia-cudnn-jit-cu13==9.14.0.64",), 13),
    Row("jit newest cu12", ("nvidia-cudnn-jit-cu12",), 12),
    Row("jit newest cu13", ("nvidia-cudnn-jit-cu13",), 13),
    Row("jit 9.14.0 cu13, nothing else", ("--no-deps", "nvidia-cudnn-jit-cu13==9.14.0.64"), 13),
    Row("jit 9.14.0 cu12, uv venv", ("nvidia-cudnn-jit-cu12==9.14.0.64",), 12, "uv"),
    Row("jit 9.14.0 cu13, uv venv of links", ("nvidia-cudnn-jit-cu13==9.14.0.64",), 13, "uv-links"),
    Row("jit 9.14.0 cu13, uv --target", ("nvidia-cudnn-jit-cu13==9.14.0.64",), 13, "uv-target"),
    Row("jit 9.14.0 cu12, pip --target", ("nvidia-cudnn-jit-cu12==9.14.0.64",), 12, "pip-target"),
    Row("jit 9.14.0 cu13, user site", ("nvidia-cudnn-jit-cu13==9.14.0.64",), 13, "user"),
)


class Failed(Exception):
    """A row that is not as it should be; the text says where."""


class Attempt:
    """One row in a folder that is deleted at the end of a `with`."""

    def __init__(self, row, folder, tools):
        self.row, self.folder, self.tools = row, pathlib.Path(folder), tools
        self.root = self.folder / ("home/.local" if row.layout == "user" else "environment")

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "home").mkdir(parents=True)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def environment(self, hidden=False):
        kept = {name: value for name, value in os.environ.items()
                if name not in ("LD_LIBRARY_PATH", "VIRTUAL_ENV")
                and not (hidden and re.match("CUDA|CUDNN|NVCC", name))}
        path = [d for d in kept["PATH"].split(":") if not (hidden and pathlib.Path(d, "nvcc").exists())]
        kept.update(PATH=":".join([*path, str(self.tools / "bin")]), HOME=str(self.folder / "home"),
                    CCACHE_DIR=str(self.folder.parent / "ccache"),
                    UV_CACHE_DIR=str(self.folder / "uv"), PIP_NO_CACHE_DIR="1",
                    PIP_BREAK_SYSTEM_PACKAGES="1", PIP_ROOT_USER_ACTION="ignore",
                    PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_QUIET="1", UV_QUIET="1", PIP_NO_COMPILE="1")
        if self.row.layout == "uv-links":
            kept["UV_LINK_MODE"] = "symlink"
        return kept

    def run(self, *command, hidden=False, shell=False):
        if hidden:
            command = ("unshare", "-rm", "sh", "-c", HIDE, "sh", *command)
        return subprocess.run(command[0] if shell else [str(word) for word in command], shell=shell,
                              env=self.environment(hidden), text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=self.folder)

    def must(self, *command, **options):
        done = self.run(*command, **options)
        if done.returncode != 0:
            raise Failed(f"{command}\n{done.stdout}")
        return done.stdout

    def install(self):
        root, layout, wanted = self.root, self.row.layout, self.row.requirements
        if layout == "venv":
            self.must(sys.executable, "-m", "venv", root)
            self.must(root / "bin" / "python", "-m", "pip", "install", *wanted)
        elif layout in ("uv", "uv-links"):
            self.must("uv", "venv", root)
            self.must("uv", "pip", "install", "--python", root, *wanted)
        elif layout == "uv-target":
            self.must("uv", "pip", "install", "--target", root, *wanted)
        elif layout == "pip-target":
            self.must(sys.executable, "-m", "pip", "install", "--target", root, *wanted)
        else:
            self.must(sys.executable, "-m", "pip", "install", "--user", *wanted)

    def configure(self, build, hidden):
        launcher = shutil.which("ccache")
        known = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"] if launcher else []
        return self.run(CMAKE, "-S", HERE / "app", "-B", self.folder / build, *known,
                        f"-DCuDNNChecked_ROOT={self.root}", hidden=hidden)

    def mend(self):
        """Configures without a toolkit, which must be refused, and runs the command of the message."""
        done = self.configure("first", hidden=True)
        fix = re.search(r"^ +fix: (.*)$", done.stdout, re.M)
        if done.returncode == 0 or "[headers-missing]" not in done.stdout or not fix:
            raise Failed("not refused as headers-missing:\n" + done.stdout)
        self.must(fix[1], shell=True)
        return fix[1].replace(str(self.folder) + "/", "")

    def proved(self, build, hidden):
        """Configures, builds and starts; returns what is seen: level, and where CUDA's files are from."""
        done = self.configure(build, hidden)
        line = re.search(r"^-- (cuDNN .*)$", done.stdout, re.M)
        level = re.search(r"^-- level: (.*)$", done.stdout, re.M)
        if done.returncode != 0 or "Warning" in done.stdout or not line or level[1] not in ("LOADED", "RAN"):
            raise Failed(done.stdout)
        self.must(CMAKE, "--build", self.folder / build, hidden=hidden)
        graph = "libcudnn_ops_infer.so.8" if line[1].startswith("cuDNN 8") else "libcudnn_graph.so.9"
        pairs = [graph, f"libnvrtc.so.{self.row.cuda}"]
        if "jit" not in self.row.name:
            asker = graph if graph.endswith("8") else "libcudnn_engines_precompiled.so.9"
            pairs += [asker, f"libcublasLt.so.{self.row.cuda}"]
        output = self.must(self.folder / build / "app", *pairs, hidden=hidden)
        opened = dict(re.findall(r"^opened (\S+) (\S+)$", output, re.M))
        own = os.path.realpath(self.folder)
        inside = all(os.path.realpath(opened.get(name, "/")).startswith(own) for name in pairs[1::2])
        if not inside or "compiled 0\n" not in output:
            raise Failed("started without variables, it takes:\n" + output)
        dynamic = self.must("readelf", "-d", self.folder / build / "app")
        linked = [n for n in ("nvrtc", "nvrtc-builtins", "cublasLt") if f"[lib{n}.so." in dynamic]
        return line[1].split(", ")[0], "linked: " + ", ".join(linked) if linked else "by cuDNN's run path"


def toolkit_of_this_machine():
    found = sorted(pathlib.Path("/usr/local").glob("cuda-*/include/cuda_runtime_api.h"))
    return found[-1].parents[1].name.replace("cuda-", "toolkit ") if found else "no toolkit"


def check(words):
    for word in words:
        if not any(word in row.name for row in ROWS):
            sys.exit("\n    ".join([f'dev: error: no row has "{word}" in its name\n  The rows:', *(row.name for row in ROWS)]))


def main(words):
    folder = HOME_CACHE / "wheels"
    tools = folder / "tools"
    subprocess.run([sys.executable, "-m", "venv", tools], check=True)
    subprocess.run([tools / "bin" / "python", "-m", "pip", "-q", "install", "uv"], check=True)
    for name in ("python", "python3", "pip", "pip3"):
        (tools / "bin" / name).unlink(missing_ok=True)
    present = toolkit_of_this_machine()
    print(f"| wheels | installed by the fix | {present} | NVRTC, cuBLAS | hidden | NVRTC, cuBLAS |")
    print("|---|---|---|---|---|---|")
    failed = 0
    for row in ROWS:
        if words and not any(word in row.name for word in words):
            continue
        with Attempt(row, folder / "row", tools) as attempt:
            try:
                attempt.install()
                cells = [f"`{attempt.mend()}`"]
                for build, hidden in (("present", False), ("hidden", True)):
                    cells += attempt.proved(build, hidden)
            except Failed as error:
                failed += 1
                cells = ["**failed**"]
                print(f"{row.name}: {error}", file=sys.stderr)
        print(f"| {row.name} | {' | '.join(cells)} |", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(check(sys.argv[2:]) if sys.argv[1:2] == ["--check"] else main(sys.argv[1:]))

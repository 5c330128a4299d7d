# SPDX-License-Identifier: BSD-3-Clause
"""The Python module where programs have several processes, other titles, and modules in archives."""

import pathlib
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from test_check import CHECK, REFUSED, WHEEL, Module  # noqa: E402

# Each line is what a worker's refusal is in the process that asked for the work.
IN_POOLS = """\
import concurrent.futures, copy, multiprocessing, pickle, sys
import cudnn_checked
def describe(wrong):
    return (type(wrong).__name__, str(wrong).splitlines()[0][:40], (wrong.report or {}).get("verdict"))
def caught(work):
    try:
        work()
    except cudnn_checked.Refused as wrong:
        return describe(wrong)
if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        print(caught(lambda: pool.submit(cudnn_checked.check, "torch").result(40)))
    with multiprocessing.Pool(1) as pool:
        print(caught(lambda: pool.apply_async(cudnn_checked.check, ("torch",)).get(40)))
    try:
        cudnn_checked.check("torch")
    except cudnn_checked.Refused as wrong:
        for other in (copy.copy(wrong), copy.deepcopy(wrong), pickle.loads(pickle.dumps(wrong))):
            print(describe(other), str(other) == str(wrong), other.report == wrong.report)
"""

# What setproctitle does (PS_USE_CLOBBER_ARGV): the title is written over the arguments and the
# variables, and the rest is filled with zeros.
TITLE = """\
import ctypes
fields = open("/proc/self/stat").read().rpartition(")")[2].split()
begin, end = int(fields[45]), int(fields[48])  # proc(5): arg_start, env_end
title = b"ray::worker(a=1)"
ctypes.memset(begin, 0, end - begin)
ctypes.memmove(begin, title * LENGTH, len(title) * LENGTH)
"""


class Processes(Module):
    def break_it(self):
        (self.site / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")

    def test_pools(self):
        """An exception that cannot be pickled breaks one, and lets the other wait for ever."""
        self.break_it()
        (self.root / "pools.py").write_text(IN_POOLS)
        first = "('Refused', 'cudnn-checked: refused: torch 2.7.1: a l', 'refused')"
        for method in ("fork", "spawn"):
            status, out, err = self.started("pools.py", method)
            self.assertEqual((status, out.splitlines()), (0, [first] * 2 + [first + " True True"] * 3), err)

    def test_a_process_with_another_title(self):
        """The variables of its start are not to be read then; those that Python has are the process's own."""
        front = self.root / "front"
        self.put_in(front)
        for length in (1, 40):
            code = TITLE.replace("LENGTH", str(length)) + CHECK
            self.assertEqual(self.started("-c", code, "torch")[:2], (0, "sound\n1 started; False\n"))
            self.assertEqual(self.started("-c", code, "torch", LD_LIBRARY_PATH=front)[1], REFUSED)

    def put_in(self, directory):
        """A graph library of another release: whoever takes it is refused."""
        kept = self.site / WHEEL / "libcudnn_graph.so.9"
        content = kept.read_bytes()
        self.put(kept.name, "9.14.0.64")
        directory.mkdir()
        kept.rename(directory / kept.name)
        kept.write_bytes(content)
        kept.chmod(0o755)

    def test_a_module_in_an_archive(self):
        archive = self.root / "app.zip"
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("zipped/__init__.py", "")
            file.writestr("single.py", "")
        self.path.insert(0, archive)
        for name in ("zipped", "single", "zipped.part"):
            words = f"cudnn-checked: unknown: {name} is in the archive '{archive}': what it would load was not looked at\n"
            self.assertEqual(self.check(name), (0, "sound\n0 started; False\n", words))
            self.assertEqual(self.check(name, CUDNN_CHECKED="off"), (0, "sound\n0 started; False\n", ""))
        # What it is asked about besides is answered.
        status, out, err = self.check("zipped", "torch")
        self.assertEqual((status, out), (0, "sound\n1 started; False\n"))
        self.assertIn("zipped is in the archive", err)
        self.break_it()
        self.assertEqual(self.check("zipped", "torch")[1], REFUSED)

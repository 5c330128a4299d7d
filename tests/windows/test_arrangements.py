# SPDX-License-Identifier: BSD-3-Clause
"""Which DLLs core says that Windows takes, against those that wine's loader took."""

import json
import ntpath
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import wine
from dll_arrangements import ARRANGEMENTS, Arrangement
from dll_places import FAKE_ROLES, RELEASES, Place, files_of, name_of, windows_path

AT_LEAST = 40
NOT_FOUND = 126  # ERROR_MOD_NOT_FOUND
BAD_FORMAT = 193  # ERROR_BAD_EXE_FORMAT
# LoadLibrary's errors for what has the name and is no DLL; BAD_FORMAT for the rest.
ERRORS = {"a directory": 5}  # ERROR_ACCESS_DENIED
# Where a wine ends its search with BAD_FORMAT at such a DLL, its answer is not Windows': core passes over a DLL for another
# machine, as it is written of STATUS_IMAGE_MACHINE_TYPE_MISMATCH (MS-ERREF) and as ReactOS does for Windows since 6.2
# (LdrpMapDllSearchPath: until a file for this machine is found; if none is, the format is invalid).  wine makes no section of a file for a machine
# that it does not support (server/mapping.c, get_image_info): 8.0 supports 32 bits, Debian's 10.0 for 64 bits alone does
# not.  What Windows on x64 does with a DLL for ARM64 was not seen.
OTHER_MACHINES = ("32-bit", "arm64")
# What NVIDIA's DLLs import: without it they are not found either.
NEEDS = {name_of(role): needed for role, needed in (
    ("ops", ("graph",)), ("cnn", ("graph", "ops")), ("adv", ("graph", "ops")), ("heuristic", ("graph",)),
    ("engines_precompiled", ("graph",)), ("engines_runtime_compiled", ("graph",)), ("engines_tensor_ir", ("graph",)))}
STEPS = ("load:cudnn64_9.dll", "version", "graph", "ops", "cnn", "adv")


class Said:
    """Lines of `calls`."""

    def __init__(self, done):
        self.path, self.modules, self.errors = "", {}, {}
        for line in done.output.splitlines():
            what, _, rest = line.partition(" ")
            if what == "path":
                self.path = rest
            elif what == "module":
                self.modules.setdefault(ntpath.basename(rest).lower(), []).append(rest)
            elif what == "failed":
                name, number = rest.rsplit(" ", 1)
                self.errors[name] = int(number)


class Compared:
    """`ends_at`: those of OTHER_MACHINES at which this wine ends its search."""

    def __init__(self, arrangement, windows, tools, root, ends_at=()):
        self.arrangement, self.windows, self.root, self.ends_at = arrangement, windows, root, ends_at
        self.place = place = Place(root, tools)
        self.cwd = place.folder(arrangement.cwd)
        for tool in (tools.calls, tools.linked, tools.predict):
            shutil.copyfile(tool, place.folder("bin") / tool.name)
        arrangement.make(place)
        self.path = ";".join(re.sub(r"\{([^{}]+)\}", self._folder, entry) for entry in arrangement.path)

    def _folder(self, match):
        """{P0}; {P0/} with forward slashes, {P0^} in upper case, {P0-drive} without the drive."""
        name, how = re.fullmatch(r"(.*?)(/|\^|-drive|)", match[1]).groups()
        path = windows_path(self.root / name)
        return {"": path, "/": path.replace("\\", "/"), "^": path.upper(), "-drive": path[2:]}[how]

    def _start(self, program, *arguments):
        return self.windows.start([self.root / "bin" / program, *arguments], self.cwd, self.path)

    def _first(self):
        return [windows_path(self.root / file) for file in self.arrangement.first]

    def _predicted(self):
        """Name to (taken, missing or refused; path; reason; state)."""
        arguments = ["--here", *self._first()] if self.arrangement.first else [windows_path(self.root / "bin/calls.exe")]
        done = self._start("predict.exe", *arguments)
        if done.status != 0:
            raise AssertionError(f"predict: {done.status} {done.errors}")
        lines = [line.split("\t") for line in done.output.splitlines()]
        return {name: rest for name, *rest in lines}

    def _plain(self, path):
        """An absolute path in lower case, by which two spellings of one are equal."""
        path = path.replace("/", "\\")
        if path.startswith("\\\\?\\"):
            path = path[4:]
        # Microsoft, "File path formats on Windows systems": a single period at the end of a part is removed.
        parts = ntpath.normpath(ntpath.join(windows_path(self.cwd), path)).lower().split("\\")
        return "\\".join(part[:-1] if re.fullmatch(r".*[^.]\.", part) else part for part in parts)

    def compare(self, report):
        """`report`: what verify says, too."""
        predicted = self._predicted()
        first = [f"load:{path}" for path in self._first()]
        names = list(predicted)
        if not self.arrangement.real:
            names += [name_of(role) for role in FAKE_ROLES if name_of(role) not in predicted]
        asked = Said(self._start("calls.exe", *first, *STEPS, *(f"load:{name}" for name in names)))
        # Where cuDNN has ended the process, the others are asked for in another one.
        rest = [name for name in names if name not in asked.modules and name not in asked.errors]
        if rest:
            again = Said(self._start("calls.exe", *first, *(f"load:{name}" for name in rest)))
            asked.modules.update({name: m for name, m in again.modules.items() if name not in asked.modules})
            asked.errors.update(again.errors)
            asked.path = asked.path or again.path
        if not asked.path.startswith(self.path):
            raise AssertionError(f"PATH is {asked.path}")
        wrong = [self._wrong(name, predicted, asked) for name in names]
        return [text for text in wrong if text] + self._wrong_start(predicted) + (
            self._wrong_report(predicted) if report else [])

    def _wrong(self, name, predicted, asked):
        if name not in predicted:  # nobody asks, because there is no shim
            return ""
        state, path, by, why = predicted[name]
        real, error = asked.modules.get(name, []), asked.errors.get(name)
        if real:
            chosen = (by == "SetDllDirectory") == (self.root / "named" in pathlib.Path(path[2:]).parents)
            if state == "taken" and len(real) == 1 and self._plain(real[0]) == self._plain(path) and chosen:
                return ""
            return f"{name}: loaded {real}; predicted {state} {path} ({why}, {by})"
        if state == "taken":
            lacks = self.arrangement.real and any(
                predicted[needed][0] != "taken" or self._is_unlike_windows(needed) for needed in map(name_of, NEEDS.get(name, ())))
            if error == NOT_FOUND and lacks:
                return ""
        elif error == (NOT_FOUND if state == "missing" else ERRORS.get(why, BAD_FORMAT)):
            return ""
        if error == BAD_FORMAT and self._is_unlike_windows(name):
            return ""
        return f"{name}: error {error}; predicted {state} {path} ({why}, {by})"

    def _is_unlike_windows(self, name):
        return not self.place.states.get(name, set()).isdisjoint(self.ends_at)

    def search_ends(self):
        """The first DLL of the arrangement ends the search."""
        asked = Said(self._start("calls.exe", f"load:{name_of('ops')}"))
        return asked.errors.get(name_of("ops")) == BAD_FORMAT

    def _wrong_start(self, predicted):
        if not self.arrangement.linked:
            return []
        done = self._start("linked.exe")
        started = "\nmodule " in done.output
        taken = predicted[name_of("shim")][0] == "taken"
        if started == taken or (taken and self._is_unlike_windows(name_of("shim"))):
            return []
        return [f"the program that is linked: status {done.status}; predicted {predicted[name_of('shim')]}"]

    def _wrong_report(self, predicted):
        """`verify` names the same files, with the same reasons."""
        program = wine.build_for_windows() / "tool" / "cli" / "cudnn-checked.exe"
        if self.arrangement.first or not program.exists():
            return []
        done = self.windows.start([program, "verify", windows_path(self.root / "bin" / "linked.exe"), "--no-gpu",
                                   "--json"], self.cwd, self.path)
        try:
            files = json.loads(done.output)["cudnn"]["files"]
        except ValueError:
            return [f"verify: status {done.status}: {done.output} {done.errors}"]
        said = {file["name"].lower(): [file["path"], file["chosen_by"]] for file in files}
        wanted = {name: [path, by] for name, (state, path, by, _) in predicted.items() if state != "missing"}
        return [f"verify says {name}: {said.get(name)}; predicted {wanted.get(name)}"
                for name in sorted({*said, *wanted}) if said.get(name) != wanted.get(name)]


class AgainstTheLoaderOfWine(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        wine.skip_where_absent()
        folder = tempfile.mkdtemp(prefix="cudnn-checked-windows-")
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        cls.tools = wine.Tools(pathlib.Path(folder))
        cls.windows = wine.Windows()
        cls.addClassCleanup(cls.windows.end, cls.windows.keep([cls.tools.calls, "wait"], folder))

        cls.ends_at = [how for how in OTHER_MACHINES if cls.in_folders(
            Arrangement(how, lambda p, how=how: (p.put("cwd", "ops", how=how), p.put("P0", "ops")), ("{P0}",)),
            Compared.search_ends)]
        print(f"wine ends its search at: {', '.join(cls.ends_at)}")

    @classmethod
    def in_folders(cls, arrangement, ask, **more):
        root = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-dlls-")))
        try:
            return ask(Compared(arrangement, cls.windows, cls.tools, root, **more))
        finally:
            shutil.rmtree(root, ignore_errors=True)

    def put_into_system32(self, roles):
        for role, of in roles.items():
            file = self.windows.system32 / name_of(role)
            self.addCleanup(file.unlink, missing_ok=True)
            shutil.copyfile(self.tools.fake if of == "fake" else files_of(of)[role], file)

    def differences(self, arrangement, report):
        try:
            self.put_into_system32(arrangement.system32)
            return self.in_folders(arrangement, lambda compared: compared.compare(report), ends_at=self.ends_at)
        finally:
            self.doCleanups()

    def test_every_arrangement(self):
        compared = 0
        for number, arrangement in enumerate(ARRANGEMENTS):
            if arrangement.real and not all(files_of(release) for release in RELEASES):
                print(f"not here: {arrangement.name}: NVIDIA's DLLs")
                continue
            with self.subTest(arrangement.name):
                compared += 1
                self.assertEqual(self.differences(arrangement, report=number % 4 == 0), [])
        print(f"{compared} arrangements")
        self.assertGreaterEqual(compared, AT_LEAST)

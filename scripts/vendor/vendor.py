# SPDX-License-Identifier: BSD-3-Clause
"""usage: vendor.py DIRECTORY [--laboratory]

./dev vendor: writes the copy that a project puts into its own tree, all of the find module and all that it compiles in
a few files.  With --laboratory it also has what CuDNNChecked_SWEEP and CuDNNChecked_OPERATIONS compile.
"""

import hashlib
import pathlib
import re
import sys
import tempfile

import modules
from sources import READS_DLLS, Amalgamation

PLATFORMS = ("linux", "windows")
# Which programs read a file of the copy, and the file that it includes.
FILES = {
    "core.h": ({"guard", "core", "configure"}, None),
    "core.cpp": ({"guard", "core", "configure"}, "core.h"),
    "guard.cpp": ({"guard"}, "core.cpp"),
    "configure.cpp": ({"configure"}, "core.cpp"),
}
# Parts that every configure of a guarded program needs; the others are in CuDNNCheckedSearch.cmake.
ALWAYS = ["every_configure/answer", "every_configure/facts", "every_configure/targets",
          "target/arguments", "target/guard", "target/guard_object", "target/guard_objects"]
# Of other files of the copy, or of none.
ELSEWHERE = ["every_configure/package", "package_version", "project_doors", "provider/commands", "provider/compare",
             "provider/inner", "provider/lookups", "provider/named", "provider/names", "provider/nvcc",
             "provider/provide"]
TABLES = ["cudnn_majors", "fused_operations", "library_roles", "search_places"]
SPDX = {"cmake": "# SPDX-License-Identifier: BSD-3-Clause\n", "cpp": "// SPDX-License-Identifier: BSD-3-Clause\n"}


def read(path):
    return path.read_text(encoding="utf-8")


class Copy:
    """The files of a copy, {name: text}, without their first lines."""

    def __init__(self, has_laboratory):
        self.here = pathlib.Path(__file__).resolve().parent
        repository = self.here.parent.parent
        self.tool, self.modules, self.templates = repository / "tool", repository / "cmake", repository / "templates"
        self.has_laboratory = has_laboratory
        version = read(self.modules / "CuDNNChecked/package_version.cmake")
        self.release = re.search(r"set\(\w+ ([0-9.]+)\)", version)[1]
        self.files = {"LICENSE": read(repository / "LICENSE")}
        self._add_sources()
        self._add_modules()
        self._add_project()

    def _add_sources(self):
        whole = Amalgamation(
            {(program, platform): self.tool / program / platform / f"{program}.cpp"
             for program in ("guard", "core", "configure") for platform in (*PLATFORMS, *([READS_DLLS] if program != "guard" else []))},
            ("judge", "repairs", "core"))
        smallest = sorted(FILES, key=lambda name: len(FILES[name][0]))
        parts = {name: set() for name in FILES}
        for path in whole.order:
            parts[next(name for name in smallest if whole.programs_of(path) <= FILES[name][0]
                       and not (name.endswith(".h") and path.suffix == ".cpp"))].add(path)
        known = {None: set()}
        for name, (readers, included) in FILES.items():
            known[name] = set(known[included])
            first = [f'#include "{included}"'] if included else ["#pragma once"]
            if name == "configure.cpp":
                first = ["#ifdef CUDNN_CHECKED_CORE_APART", '#include "core.h"', "#else", *first, "#endif"]
            self._add_source(name, whole.file(parts[name], readers, known[name], first))
        alone = {"probe.cpp": ("laboratory/operations" if self.has_laboratory else "probe") + "/{}/probe.cpp",
                 "stamp.cpp": "guard/{}/stamp_of_target.cpp", "kernel.cu": "probe/kernel/kernel.cu"}
        if self.has_laboratory:
            alone["sweep.cpp"] = "laboratory/sweep/sweep_program.cpp"
            for path in [*(self.tool / "opened/include").iterdir(), self.tool / "opened/cudnn_functions.def"]:
                self.files[f"source/opened/{path.relative_to(self.tool / 'opened')}"] = read(path)
        for name, source in alone.items():
            one = Amalgamation({(name, platform): self.tool / source.format(platform) for platform in PLATFORMS},
                               ("kernel", "fused") if self.has_laboratory else ("kernel",))
            self._add_source(name, one.file(one.order, {name}, set(), []))
        for name in ("guard.h", "guard.hpp"):
            self.files[f"include/cudnn_checked/{name}"] = read(self.tool / "guard/include/cudnn_checked" / name)

    def _add_source(self, name, text):
        self.files[f"source/{name}"] = SPDX["cpp"] + text

    def _part(self, name):
        return modules.code(read(self.modules / f"CuDNNChecked/{name}.cmake"), with_documents=True)

    def _add_modules(self):
        for name in ("CuDNNCheckedConfig", "CuDNNCheckedConfigVersion"):
            self.files[f"cmake/{name}.cmake"] = read(self.modules / f"{name}.cmake")
        find = modules.code(read(self.modules / "FindCuDNNChecked.cmake"), with_documents=True)
        loop = re.compile(r"(?s)  foreach\(_cudnn_checked_part IN ITEMS .*?endforeach\(\)\n")
        always = self._package() + "".join(self._part(name) for name in ALWAYS)
        self._add_module("FindCuDNNChecked", loop.sub(lambda _: always, find))
        provider = modules.inlined(read(self.modules / "CuDNNCheckedProvider.cmake"), self.modules)
        # Without its document, which the installed one has and the reference shows.
        self._add_module("CuDNNCheckedProvider", modules.code(provider))
        self._add_module("CuDNNCheckedSearch", self._search())

    def _add_module(self, name, text):
        self.files[f"cmake/{name}.cmake"] = SPDX["cmake"] + text

    def _search(self):
        rooms = self.modules / "CuDNNChecked"
        names = sorted(str(path.relative_to(rooms).with_suffix("")) for path in rooms.rglob("*.cmake"))
        left_out = [*ALWAYS, *ELSEWHERE] + ([] if self.has_laboratory else ["run/run_sweep"])
        text = ""
        for name in names:
            if "/linux/" in name:
                windows = self._part(name.replace("/linux/", "/windows/"))
                text += f"if(WIN32)\n{windows}else()\n{self._part(name)}endif()\n"
            elif "/windows/" not in name and name not in left_out:
                text += self._part(name)
        return text

    def _package(self):
        rows = {}
        for name in TABLES:
            table = next(self.tool.rglob(f"{name}.def"))
            found = re.findall(r"(?m)^[A-Z_]+\(.*$", read(table))
            rows[name] = "set(rows " + " ".join(f"[[{row}]]" for row in found) + ")"
        texts = {path.stem: f"set(text {modules.bracketed(read(path))})" for path in sorted(self.templates.glob("*.in"))}
        text = modules.code(read(self.here / "package.cmake.in"))
        for name, value in {"release": self.release, "content": self._content(), "parts": "|".join(ALWAYS), "rows": modules.choice("table", rows),
                            "templates": modules.choice("name", texts)}.items():
            text = text.replace(f"@{name}@", value)
        return text

    def _content(self):
        """What the tree says of itself (every_configure/package.cmake), so that both are known to be the same."""
        root = self.tool.parent
        names = [str(path.relative_to(root)) for room in (self.modules, self.templates, self.tool) for path in room.rglob("*")
                 if path.suffix[1:] in ("cmake", "in", "h", "hpp", "inc", "def", "cpp", "cu")]
        names = sorted(name for name in names if not re.match("tool/(cli|data|laboratory)/", name))
        text = "".join(f"{name} {hashlib.md5((root / name).read_bytes()).hexdigest()}\n" for name in names)
        return hashlib.md5(text.encode()).hexdigest()[:8]

    def _add_project(self):
        text = read(self.here / "CMakeLists.txt.in").replace("@release@", self.release)
        text = text.replace("@doors@\n", self._part("project_doors"))
        names = sorted([*self.files, "CMakeLists.txt"])
        self.files["CMakeLists.txt"] = text.replace("@files@", "\n      ".join(names))

    def contents(self):
        """The whole files, {name: bytes}: the first line has the release and the hash of the others."""
        result = {}
        for name, text in self.files.items():
            mark = {"cmake": "# ", "txt": "# ", "LICENSE": ""}.get(name.rpartition(".")[2], "// ")
            digest = hashlib.sha256(text.encode()).hexdigest()
            first = f"{mark}CuDNNChecked {self.release}, SHA-256 of the lines below: {digest}\n"
            result[name] = (first + text).encode()
        return result


def main():
    target = pathlib.Path(sys.argv[1])
    contents = Copy("--laboratory" in sys.argv).contents()
    # Beside its place, and renamed when it is whole: a run that is ended leaves nothing.
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="cudnn_checked.", suffix=".part", dir=target.parent) as partial:
        whole = pathlib.Path(partial) / "copy"
        for name, content in contents.items():
            (whole / name).parent.mkdir(parents=True, exist_ok=True)
            (whole / name).write_bytes(content)
        # An empty directory that has come to be meanwhile is replaced, and nothing else is.
        whole.rename(target)
    print(f"{len(contents)} files, {sum(content.count(10) for content in contents.values())} lines")


if __name__ == "__main__":
    main()

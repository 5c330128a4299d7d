# SPDX-License-Identifier: BSD-3-Clause
"""The find module, the file of an exported project and the command line search in the places of one table, in its
order: situations at random, asked of all three."""

import json
import random
import re

from support import REPOSITORY, bare_cuda, bare_cudnn
from support.command_line import cudnn_checked_program
from support.locating import LocatingTest

TABLE = (REPOSITORY / "tool/core/observe/search_places.def").read_text(encoding="utf-8")
SEARCHED = re.findall(r'(?m)^SEARCHED\((\w+), "(\w+)"\)$', TABLE)
FOLDERS = re.findall(r'(?m)^FOLDER\((\w+), "(.*)"\)$', TABLE)
MACHINE = "-DCMAKE_SYSTEM_PROCESSOR=x86_64"
COUNT = 16
EXPORTING = """
cmake_minimum_required(VERSION 3.22)
project(exporting LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
set(CuDNNChecked_REQUIRE LOCATED)
find_package(CuDNNChecked REQUIRED)
cudnn_checked_export(DESTINATION lib)
"""
IMPORTING = """
cmake_minimum_required(VERSION 3.22)
project(importing LANGUAGES NONE)
set(CMAKE_FIND_PACKAGE_NAME importing)
set(importing_FIND_QUIETLY TRUE)
include("${DEPENDENCY}")
set(location "${importing_NOT_FOUND_MESSAGE}")
if(TARGET CuDNNChecked::cudnn)
  get_target_property(location CuDNNChecked::cudnn IMPORTED_LOCATION)
endif()
file(WRITE "${CMAKE_BINARY_DIR}/location.txt" "${location}")
"""


class Places(LocatingTest):
    def setUp(self):
        super().setUp()
        prefix = bare_cuda(bare_cudnn(self.scratch / "first"))
        exporting = self.consumer("exporting", cmake_lists=EXPORTING)
        done = exporting.configure(f"-DCuDNNChecked_ROOT={prefix}")
        self.assertEqual(done.status, 0, done.output)
        self.importing = self.consumer("importing", cmake_lists=IMPORTING)
        self.dependency = exporting.path("CuDNNCheckedDependency.cmake")

    def lay(self, chance, stage, root):
        """A cuDNN with a runtime below the place; its folder of libraries."""
        wheels = [name for kind, name in FOLDERS if kind == "wheel"]
        if stage == "python":
            root = root / "lib/python3.12/site-packages" / chance.choice(wheels)
        elif stage == "hint" and chance.random() < 0.5:
            root = root / chance.choice(["", "lib/python3.12/site-packages"]) / chance.choice(wheels)
        folder = "lib"
        if stage not in ("include", "python", "conda") and "nvidia" not in root.parts:
            folder = chance.choice([name for kind, name in FOLDERS if kind == "libraries" and "TRIPLET" not in name])
        folder = folder.replace("TARGET", "x86_64-linux")
        include = folder.replace("/lib", "/include") if "targets" in folder else "include"
        bare_cuda(bare_cudnn(root, include=include, lib=folder), include=include, lib=folder)
        return root / folder

    def situation(self, seed):
        """Some of the places with a cuDNN, in the order of the table: [(stage, name, folder of libraries)]."""
        chance = random.Random(seed)
        others = chance.sample(range(len(SEARCHED)), chance.randint(0, 3))
        rows = [SEARCHED[index] for index in sorted({seed % len(SEARCHED), *others})]
        root = self.scratch / str(seed)
        return [(stage, name, self.lay(chance, stage, root / name)) for stage, name in rows], root, chance

    def taken_by_dependency(self, arguments, environment):
        done = self.importing.configure(f"-DDEPENDENCY={self.dependency}", MACHINE, *arguments, environment=environment)
        self.assertEqual(done.status, 0, done.output)
        return self.importing.path("location.txt").read_text()

    def listed_by_doctor(self, environment):
        """Of an environment it asks the Python, and there is none."""
        environment = {name: value for name, value in environment.items() if name != "VIRTUAL_ENV"}
        done = self.app.run(cudnn_checked_program(), "doctor", "--json", environment=environment, merged=False)
        return {install["directory"] for install in json.loads(done.output)["cudnn"]}

    def test_they_agree(self):
        unset = [f"-U{name}" for _, name in SEARCHED]
        for seed in range(COUNT):
            places, root, chance = self.situation(seed)
            environment, arguments = {}, []
            for stage, name, _ in places:
                value = root / name / "include" if stage == "include" else root / name
                if stage in ("hint", "prefixes") and chance.random() < 0.5 and name != "NIXPKGS_CMAKE_PREFIX_PATH":
                    arguments.append(f"-D{name}={value}")
                else:
                    environment[name] = value
            with self.subTest(seed=seed, places=[(stage, name) for stage, name, _ in places]):
                first = str(places[0][2] / "libcudnn.so.9")
                found = self.locate(MACHINE, *unset, *arguments, cuda=False, environment=environment)
                self.assertIsInstance(found, dict, found)
                self.assertEqual(found["location"], first)
                self.assertEqual(self.taken_by_dependency([*unset, *arguments], environment), first)
                expected = {str(folder) for stage, name, folder in places
                            if stage in ("hint", "conda", "cuda") and name in environment}
                self.assertEqual(expected - self.listed_by_doctor(environment), set())

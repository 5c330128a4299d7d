# SPDX-License-Identifier: BSD-3-Clause
"""Conan 2, with a home of its own and no remote: the recipe in both forms, and each way to consume them."""

import itertools
import json

from channel import RELEASE, ChannelTest, copy_sources, from_pypi, variables
from support.wheel import run


class Conan(ChannelTest):
    def conan(self, *arguments):
        return run(self.program, *arguments, cwd=self.scratch, env={
            **variables(self.scratch), "CONAN_HOME": str(self.scratch / "conan")})

    def test_created_and_consumed(self):
        self.program = from_pypi("conan==2.34.0") / "conan"
        self.conan("profile", "detect")
        sources = copy_sources(self.scratch / "sources")
        create = ("create", sources / "packaging/conan", "--no-remote", "-c", "tools.build:jobs=2")
        folders = {}
        for with_cli in (False, True):
            output = self.conan(*create, "-o:a", f"cudnn-checked/*:with_cli={with_cli}", "-f", "json",
                                "--out-file", "graph.json")
            self.assertIn("-- CuDNNChecked is in ", output)
            self.assertEqual(f"\ncudnn-checked {RELEASE}\n" in output, with_cli)
            nodes = json.loads((self.scratch / "graph.json").read_text())["graph"]["nodes"].values()
            node = next(node for node in nodes if node["name"] == "cudnn-checked")
            self.assertEqual(node["info"].get("settings", {}), {"os": "Linux", "arch": node["info"]["settings"]["arch"]}
                             if with_cli else {})
            folders[with_cli] = node["package_folder"]
        self.assertNotEqual(folders[False], folders[True])
        for with_cli, section, generator in itertools.product(
                (False, True), ("requires", "tool_requires"), ("CMakeDeps", "CMakeConfigDeps")):
            with self.subTest(with_cli=with_cli, section=section, generator=generator):
                output = self.scratch / f"{section}-{generator}-{with_cli}"
                self.write("conanfile.txt", f"[{section}]\ncudnn-checked/{RELEASE}\n"
                                            f"[generators]\nCMakeToolchain\n{generator}\n")
                self.conan("install", ".", "--no-remote", "--output-folder", output,
                           "-o:a", f"cudnn-checked/*:with_cli={with_cli}")
                directory = f"{folders[with_cli]}/share/CuDNNChecked/cmake"
                arguments = [f"-DCMAKE_TOOLCHAIN_FILE={output}/conan_toolchain.cmake", "-DCMAKE_BUILD_TYPE=Release"]
                if with_cli == (section == "tool_requires") == (generator == "CMakeConfigDeps"):
                    self.from_nothing_to_a_refusal(
                        directory, *arguments, program=f"{folders[with_cli]}/bin/cudnn-checked" if with_cli else None)
                else:
                    self.assert_found(directory, *arguments)

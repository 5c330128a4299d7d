# SPDX-License-Identifier: BSD-3-Clause
"""The conda packages, built without a channel; an environment of both is unpacked, and found by PATH alone."""

import pathlib
import subprocess
import zipfile

from channel import ChannelTest, copy_sources, from_pypi, installed, variables
from support import REPOSITORY, tools
from support.wheel import run

BUILD = REPOSITORY / "tests/channels/build_conda.py"


class Conda(ChannelTest):
    def unpack(self, package, prefix, part="pkg-"):
        """A .conda is a zip with tars, compressed by zstd: of the files, and with "info-" of what is said about them."""
        with zipfile.ZipFile(package) as archive:
            name = next(name for name in archive.namelist() if name.startswith(part))
            tar = subprocess.run(["zstd", "-d", "-c"], input=archive.read(name), stdout=subprocess.PIPE, check=True).stdout
        # Two packages of one environment have no file in common.
        subprocess.run(["tar", "-x", "-k", "-C", prefix], input=tar, check=True)

    def assert_says_its_licence(self, package):
        said = self.scratch / package.name
        said.mkdir()
        self.unpack(package, said, "info-")
        self.assert_licence(said / "info/licenses/LICENSE")

    def test_built_and_consumed(self):
        installed("conda")
        python = from_pypi("py-rattler-build==0.73.0") / "python"
        sources = copy_sources(self.scratch / "sources")
        # py-rattler-build leaves a folder for each recipe where temporary files lie.
        temporary = self.scratch / "temporary"
        temporary.mkdir()
        output = run(python, BUILD, sources / "packaging/conda/recipe.yaml", self.scratch / "channel", env={
            **variables(self.scratch), "RATTLER_CACHE_DIR": str(self.scratch / "rattler"), "TMPDIR": str(temporary)})
        cmake, program = [pathlib.Path(line) for line in output.splitlines() if line.endswith(".conda")]
        self.assertEqual((cmake.parent.name, program.parent.name), ("noarch", "linux-64"))
        for package in (cmake, program):
            print(f"\n{package.name}: {package.stat().st_size} bytes")
            self.assert_says_its_licence(package)
        prefix = self.scratch / "environment"
        prefix.mkdir()
        directory = prefix / "share/CuDNNChecked/cmake"
        self.unpack(cmake, prefix)
        with self.subTest("the CMake package alone"):
            self.from_nothing_to_a_refusal(directory, f"-DCMAKE_PREFIX_PATH={prefix}")
        self.unpack(program, prefix)
        with self.subTest("an active environment, and nothing named"):
            self.from_nothing_to_a_refusal(directory, program=prefix / "bin/cudnn-checked",
                                           environment={"PATH": f"{prefix}/bin:{tools()}", "CONDA_PREFIX": prefix})

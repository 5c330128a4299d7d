# SPDX-License-Identifier: BSD-3-Clause
"""usage: build_conda.py RECIPE OUTPUT

Builds and tests the packages of a recipe without a channel: packages of the names that the recipe requires
stand for CMake and the compilers of this machine.  Prints a path for each package.
"""

import sys

from rattler_build import EnvironmentIsolation, Stage0Recipe, ToolConfiguration, VariantConfig

STAND_INS = ("cmake", "ninja", "gcc_linux-64", "gxx_linux-64", "sysroot_linux-64")
VARIANTS = """
c_compiler: [gcc]
cxx_compiler: [gxx]
c_stdlib: [sysroot]
"""


def build(recipe, output):
    tools = ToolConfiguration(test_strategy="native")
    for rendered in recipe.render(VariantConfig.from_yaml(VARIANTS)):
        result = rendered.run_build(tool_config=tools, output_dir=output, channels=[output],
                                    env_isolation=EnvironmentIsolation.NONE)
        yield from result.packages


def main(path, output):
    for name in STAND_INS:
        recipe = Stage0Recipe.from_dict({"package": {"name": name, "version": "99"}, "build": {"noarch": "generic"}})
        list(build(recipe, output))
    for package in build(Stage0Recipe.from_file(path), output):
        print(package)


main(*sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What other people's compilers compile as one file includes each source file that it needs once.

With a compiler as argument: the sweep has no warning, and no file-local name twice; what the configure program includes
compiles alone as well, as in a build that is not a unity build; a guard includes no function that it does not reach, as g++ sees it
(clang is silent about what is included).
"""

import pathlib
import re
import subprocess
import sys

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tool"
# What of the sweep only the command line does: two reports side by side, errata files, programs that
# reproduce; reports as text, and read.
ONLY_THERE = ("!laboratory/sweep/compare/*.cpp", "!laboratory/sweep/disk/*.cpp", "!laboratory/sweep/errata/*.cpp",
              "!laboratory/sweep/reproduce/*.cpp", "!laboratory/sweep/report/read_record.cpp", "!laboratory/sweep/report/report_text.cpp",
              "!laboratory/sweep/text/table.cpp",
              "!laboratory/sweep/problems/listed_algorithms.cpp", "!laboratory/sweep/problems/random_call.cpp",
              "!laboratory/sweep/problems/random_problem.cpp",
              "!laboratory/sweep/shrink/*.cpp", "!laboratory/sweep/work/algorithm_plans.cpp", "!laboratory/sweep/work/legacy_plans.cpp",
              "!laboratory/sweep/work/network_plans.cpp")
# What of core no program has on the other platform: that one's files, and which of them is which release.
OF_LINUX = ("!core/elf/[!e]*.cpp", "!core/elf/elf_file.cpp", "!core/linux/*.cpp", "!core/catalogue/elf_table.cpp")
# Where Linux looks at DLLs: the files are those of Windows, the machine is that of Linux.
OF_DLLS_ON_LINUX = ("!core/windows_from_linux/*.cpp",)
NOT_FOR_DLLS = ("!core/elf/[!e]*.cpp", "!core/elf/elf_file.cpp", "!core/catalogue/elf_table.cpp",
                *(f"!core/linux/{name}.cpp" for name in (
                    "core", "for_programs", "glibc_rules", "glibc_tokens", "linux_catalogue", "linux_dependencies", "linux_library",
                    "linux_library_outside", "linux_mapped", "linux_outside_words", "linux_spelling", "linux_words")),
                *(f"!core/windows/{name}.cpp" for name in (
                    "core", "for_programs", "program_arguments", "replace_file", "wide_text", "windows_gpus", "windows_mapped",
                    "windows_outside", "windows_process", "windows_python", "windows_python_places", "windows_shell_words",
                    "windows_system", "write_all")))
OF_IMPORT_LIBRARY = {"linux": tuple(f"core/pe/pe_{part}.cpp" for part in ("image", "symbols", "tables")), "windows": ()}
OF_CONFIGURE = ("bundle/*.cpp", "repair/*.cpp", "configure/*.cpp", "prove/*.cpp", "spawn/*.cpp", "!repair/told_fixes.cpp",
                "!spawn/linux/ended_child.cpp", "!spawn/windows/run_here.cpp")
# What the command line alone asks: programs from outside, and a machine with several cuDNNs.
OF_COMMANDS = ("!core/judge/survey/*.cpp", "!core/judge/outside/*.cpp", "!core/check/outside_check.cpp",
               "!core/library/data_names.cpp", "!core/library/stamp_note.cpp", "!core/elf/data_names.cpp", "!core/elf/stamp_note.cpp",
               "!core/json/json_tree_writer.cpp", "!core/report/report_tree.cpp", "!core/linux/gpu_hardware.cpp", "!core/linux/linux_start_words.cpp",
               "!core/windows/windows_notes.cpp", "!core/windows/windows_start_words.cpp")
# A program at its start: a guard's alone.  What the loader makes of it, a guard on Linux leaves to the command line.
OF_A_START = ("core/judge/judge_start.cpp", "core/judge/rules/loader_rules.cpp", "core/judge/rules/other_build.cpp",
              "core/judge/rules/start_rules.cpp", "core/loader/program_start.cpp")
OF_GUARD = ("core/catalogue/function_homes.cpp", "core/check/program_check.cpp", "core/check/tried_fixes.cpp", "core/judge/judge_program.cpp",
            "core/judge/rules/called_rules.cpp", "core/judge/rules/version_rules.cpp", "core/model/stamp.cpp",
            "core/observe/called_functions.cpp", "core/report/report.cpp")
OF_STARTS = tuple(f"!{name}" for name in (*OF_A_START, *OF_GUARD, "core/for_guard.cpp", "core/windows/for_guard.cpp"))
OF_WINDOWS = ("!core/pe/*.cpp", "!core/windows/*.cpp", "!core/catalogue/dll_table.cpp")
# What is compiled for each guarded target, beside the guard.
OF_A_TARGET = ("!guard/linux/stamp_of_target.cpp", "!guard/windows/stamp_of_target.cpp")
OF_PROBE = {
    "linux": ("convolution/*.cpp", "probe/*.cpp", "probe/linux/*.cpp"),
    "windows": ("convolution/*.cpp", "probe/*.cpp", "probe/windows/*.cpp"),
}
PROGRAMS = {
    "core/linux/core.cpp": ("core/**/*.cpp", *OF_COMMANDS, *OF_STARTS, *OF_WINDOWS, *OF_DLLS_ON_LINUX),
    # Device code is in ELF files, on every platform.
    "core/windows/core.cpp": ("core/**/*.cpp", *OF_COMMANDS, *OF_STARTS, *OF_LINUX, *OF_DLLS_ON_LINUX),
    "core/windows_from_linux/core.cpp": ("core/**/*.cpp", *OF_COMMANDS, *OF_STARTS, *NOT_FOR_DLLS),
    "guard/linux/guard.cpp": ("core/linux/for_programs.cpp", "core/for_guard.cpp", "guard/*.cpp", "guard/linux/*.cpp", *OF_A_TARGET),
    "guard/windows/guard.cpp": ("core/windows/for_programs.cpp", "core/windows/for_guard.cpp", "guard/*.cpp", "guard/windows/*.cpp", *OF_A_TARGET),
    **{f"configure/{platform}/configure.cpp": (f"core/{platform}/core.cpp", *(f"{room}/{platform}/*.cpp" for room in (
        "bundle", "repair", "configure", "prove", "spawn")), *OF_IMPORT_LIBRARY[platform], *OF_CONFIGURE) for platform in ("linux", "windows")},
    "configure/windows_from_linux/configure.cpp": (
        "core/windows_from_linux/core.cpp", "configure/windows_from_linux/*.cpp", "bundle/linux/*.cpp", "spawn/linux/*.cpp", "prove/linux/end.cpp",
        "prove/windows/mapped_name.cpp", "repair/linux/place.cpp", "repair/windows/library_image.cpp", "repair/windows/wheel_layout.cpp",
        *OF_CONFIGURE),
    "probe/linux/probe.cpp": OF_PROBE["linux"],
    "probe/windows/probe.cpp": OF_PROBE["windows"],
    **{f"laboratory/operations/{platform}/probe.cpp": (*OF_PROBE[platform], "!laboratory/fused/no_problem.cpp",
                                                       "laboratory/fused/*.cpp", "laboratory/legacy/*.cpp",
                                                       "laboratory/operations/*.cpp", "laboratory/recurrent/*.cpp")
       for platform in ("linux", "windows")},
    "laboratory/sweep/sweep_program.cpp": ("core/json/json_tree_writer.cpp", "core/report/report_tree.cpp", "laboratory/fused/compare.cpp", "laboratory/fused/graph_builder.cpp", "laboratory/fused/no_problem.cpp",
                                "laboratory/fused/problem_table.cpp", "prove/report_file.cpp", "convolution/*.cpp", "opened/*.cpp", "opened/linux/*.cpp",
                                "spawn/linux/spawn.cpp", "laboratory/recurrent/network.cpp", "laboratory/sweep/no_algorithms.cpp",
                                "laboratory/sweep/*/*.cpp", *ONLY_THERE),
}


def files(pattern):
    return {str(path.relative_to(TOOL)) for path in TOOL.glob(pattern)}


def included_by(program):
    """What a program includes, and what that includes."""
    text = (TOOL / program).read_text(encoding="utf-8")
    names = [str(((TOOL / program).parent / name).resolve().relative_to(TOOL))
             for name in re.findall(r'^#include "(.*\.cpp)"$', text, re.MULTILINE)]
    return [inner for name in names for inner in (name, *included_by(name))]


def unreached():
    """Functions that are a part of a guard and that nothing in it calls."""
    whole = subprocess.run([sys.argv[1], "-std=c++17", "-E", f"-I{TOOL / 'guard/include'}", TOOL / "guard/linux/guard.cpp"],
                           stdout=subprocess.PIPE, text=True, check=True).stdout
    whole = re.sub(r"(?m)^ *#pragma .* diagnostic ignored .*$", "", whole)
    done = subprocess.run([sys.argv[1], "-std=c++17", "-S", "-Wunused-function", "-x", "c++-cpp-output", "-", "-o", "/dev/null"],
                          input=whole, stderr=subprocess.PIPE, text=True, check=True)
    return re.findall(r"(?m)^.*/(tool/.*defined but not used).*$", done.stderr)


def compiled(sources, *more):
    done = subprocess.run(
        [sys.argv[1], "-std=c++17", "-fsyntax-only", f"-I{TOOL / 'opened' / 'include'}", f"-I{TOOL}",
         '-DCUDNN_CHECKED_PACKAGE_VERSION="0"', *more, *(TOOL / source for source in sources)],
        stderr=subprocess.PIPE, text=True, check=False)
    return [done.stderr[:4000]] if done.returncode != 0 else []


wrong = []
for program, patterns in PROGRAMS.items():
    included = included_by(program)
    expected = set().union(*(files(p) for p in patterns if p[0] != "!")) - {program}
    expected = expected.union(*(included_by(p) for p in patterns if p[0] != "!" and p.endswith(("/core.cpp", "/for_guard.cpp", "/for_programs.cpp"))))
    expected -= set().union(*(files(p[1:]) for p in patterns if p[0] == "!"))
    wrong += [f"{program} does not include {name}" for name in sorted(expected - set(included))]
    wrong += [f"{program} includes {name} twice or for nothing" for name in sorted(set(included))
              if name not in expected or included.count(name) > 1]
if not wrong and len(sys.argv) > 1:
    wrong = compiled(["laboratory/sweep/sweep_program.cpp"], "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")
    wrong += unreached()
    wrong += compiled(sorted(files("bundle/*.cpp") | files("repair/*.cpp") | files("configure/*.cpp")))
sys.exit("\n".join(wrong) or 0)

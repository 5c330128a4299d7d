# SPDX-License-Identifier: BSD-3-Clause
"""run: verify, then the program in our place; 78 where it is refused."""

import json

from checked_program import CheckedProgram

LIBRARY = "<shared>/sdk/lib"
OLDER = f"""\
  built with:   9.14.0   stamp of app
  would load:   9.13.1   <scratch>/other/lib/libcudnn_graph.so.9.13.1   chosen by LD_LIBRARY_PATH[0]
  shim:         9.13.1   <scratch>/other/lib/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]
  passed over:  9.14.0   {LIBRARY}/libcudnn.so.9   chosen by RUNPATH of <shared>/app-build/app
  An older minor release of cuDNN may lack functions that the program calls.
  fix: export LD_LIBRARY_PATH={LIBRARY}:$LD_LIBRARY_PATH
  [cudnn-older]
"""


class Run(CheckedProgram):
    main = """
#include <cudnn.h>
#include <cstdio>
#include <cstdlib>
int main(int count, char** arguments) {
  for (int i = 0; i < count; ++i) std::printf("[%s]", arguments[i]);
  std::printf(" %zu %s\\n", cudnnGetVersion(), std::getenv("FOR_APP"));
  return 7;
}
"""

    def older(self):
        return self.other_sdk(cudnn="9.13.1", cuda="13.0").library_directory

    def test_arguments_environment_and_status_are_the_programs_own(self):
        words = ["--json", "-h", "--", "a b", ""]
        status, out, err = self.checked("run", "--", self.app_path, *words, FOR_APP="yes")
        self.assertEqual((status, out, err), (
            7, "[<shared>/app-build/app][--json][-h][--][a b][] 91400 yes\n", ""))
        self.assertEqual(self.checked("run", self.app_path, "--json")[1],
                         "[<shared>/app-build/app][--json] 91400 (null)\n")

    def test_found_on_path(self):
        status, out, err = self.checked("run", "app", PATH=f"/nowhere:{self.app_path.parent}")
        self.assertEqual((status, out, err), (7, "[app] 91400 (null)\n", ""))

    def test_refused(self):
        self.assertEqual(self.checked("run", "--", self.app_path, libraries=[self.older()]), (78, "", (
            "cudnn-checked: refused: this program was built with cuDNN 9.14.0 and would run on cuDNN "
            "9.13.1\n" + OLDER + "  override: CUDNN_CHECKED=warn\n")))

    def test_refused_with_json_and_report(self):
        file = self.scratch / "report.json"
        status, out, _ = self.checked("run", "--json", "--", self.app_path, libraries=[self.older()],
                                      CUDNN_CHECKED_REPORT=file)
        self.assertEqual(status, 78)
        self.assertEqual(json.loads(out)["verdict"], "refused")
        self.assertEqual(json.loads(self.relative(file.read_text())), json.loads(out))

    def test_warn_is_said_once(self):
        status, out, err = self.checked("run", "--", self.app_path, libraries=[self.older()],
                                        CUDNN_CHECKED="warn")
        self.assertEqual((status, out), (7, "[<shared>/app-build/app] 91301 (null)\n"))
        self.assertEqual(err, "cudnn_checked: warning: this program was built with cuDNN 9.14.0 and would "
                              "run on cuDNN 9.13.1\n" + OLDER + "  continues: CUDNN_CHECKED=warn\n")

    def test_off_is_silent(self):
        self.assertEqual(self.checked("run", "--", self.app_path, libraries=[self.older()],
                                      CUDNN_CHECKED="off"),
                         (7, "[<shared>/app-build/app] 91301 (null)\n", ""))

    def test_a_mode_that_does_not_exist(self):
        status, out, err = self.checked("run", "--", self.app_path, CUDNN_CHECKED="no")
        self.assertEqual((status, out), (78, ""))
        self.assertIn("CUDNN_CHECKED=no: not a mode\n", err)

    def test_before_the_guard_could_speak(self):
        front = self.scratch / "front"
        front.mkdir()
        (front / "libcudnn.so.9").write_bytes(b"")
        status, out, err = self.checked("run", "--", self.app_path, libraries=[front])
        self.assertEqual((status, out), (78, ""))
        self.assertTrue(err.startswith(
            "cudnn-checked: refused: a library of cuDNN is damaged: libcudnn.so.9\n"), err)
        status, out, err = self.checked("run", "--", self.app_path, libraries=[front],
                                        CUDNN_CHECKED="warn")
        self.assertEqual((status, out), (127, ""))
        self.assertIn("  continues: CUDNN_CHECKED=warn\n", err)
        self.assertIn("file too short", err)

    def test_what_cannot_be_judged_is_started(self):
        script = self.scratch / "script"
        script.write_text("#!/bin/sh\necho started; exit 5\n")
        script.chmod(0o755)
        self.assertEqual(self.checked("run", script), (5, "started\n", (
            "cudnn-checked: note: <scratch>/script: not an ELF file; for a script, check the program that runs it; "
            "nothing was checked\n")))
        self.assertEqual(self.checked("run", script, CUDNN_CHECKED="off"), (5, "started\n", ""))

    def test_usage(self):
        for arguments, words in [
            (["run"], "run: which program? cudnn-checked run -- APP ARGS..."),
            (["run", "--"], "run: which program? cudnn-checked run -- APP ARGS..."),
            (["run", "absent-program"], "run: absent-program: not found on PATH"),
            (["run", self.scratch / "absent"], "run: <scratch>/absent: No such file or directory"),
            (["run", "--jsno", "app"], "unknown option --jsno; did you mean --json?"),
        ]:
            self.assertEqual(self.checked(*arguments), (2, "", f"cudnn-checked: error: {words}\n"))

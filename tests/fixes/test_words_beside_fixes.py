# SPDX-License-Identifier: BSD-3-Clause
"""What a message names beside its fix: the word that was meant, an example, the override, the modes."""

import re

from breaking import OLDER, library_path, variable
from broken_programs import APP, VERIFY, Programs

# What was typed, and the word in it that the message corrects.
MISTYPED = (
    ("cudnn-checked doctr ../venv", "doctr"),
    ("cudnn-checked verfy ../app/app", "verfy"),
    ("cudnn-checked help verfy", "verfy"),
    ("cudnn-checked verify --jsn ../app/app", "--jsn"),
    ("cudnn-checked --jsn doctor ../venv", "--jsn"),
    ("cudnn-checked doctor --jason ../venv", "--jason"),
    ("cudnn-checked verify --no-gpus ../app/app", "--no-gpus"),
    ("cudnn-checked explain cudnn-oldr", "cudnn-oldr"),
    ("cudnn-checked explain mixed-sublibrarys", "mixed-sublibrarys"),
)


class Words(Programs):
    def test_what_was_meant(self):
        world = self.make_world()
        for typed, wrong in MISTYPED:
            with self.subTest(typed):
                status, output = world.sh(typed)
                meant = re.search(r"; did you mean (\S+)\?$", output, re.M)
                self.assertTrue(status == 2 and meant, output)
                status, output = world.sh(typed.replace(wrong, meant.group(1)))
                self.assertEqual(status, 0, output)

    def test_an_example(self):
        world = self.make_world()
        status, output = world.sh(f"{VERIFY} --as sm_8")
        example = re.search(r"; for example (--as \S+)$", output, re.M)
        self.assertTrue(status == 2 and example, output)
        self.assertEqual(world.sh(f"{VERIFY} {example.group(1)}")[0], 0)

    def test_the_override(self):
        world = self.make_world()
        library_path(OLDER)(world)
        status, output = world.sh(APP)
        override = re.search(r"^  override: (\S+)$", output, re.M)
        self.assertTrue(status == 78 and override, output)
        status, output = world.sh(f"{override.group(1)} {APP}")
        self.assertEqual((status, output.splitlines()[-1]), (0, "main runs on 91400"), output)

    def test_the_modes(self):
        world = self.make_world()
        variable("CUDNN_CHECKED", "ofl")(world)
        status, output = world.sh(APP)
        modes = re.findall(r"^  (CUDNN_CHECKED=\w+) ", output, re.M)
        self.assertTrue(status == 78 and len(modes) == 3, output)
        for mode in modes:
            self.assertEqual(world.sh(f"{mode} {APP}")[0], 0, mode)

    def test_explain_of_every_name_in_brackets(self):
        world = self.make_world()
        library_path(OLDER)(world)
        for name in re.findall(r"^  \[(\S+)\]$", world.sh(APP)[1], re.M):
            self.assertEqual(world.sh(f"cudnn-checked explain {name}")[0], 0)

# SPDX-License-Identifier: BSD-3-Clause
"""explain FILE: what the loader takes, the places of its search, and why another file is passed over."""

import json
import shutil
import subprocess

from checked_program import CalledTest, compiled

CALLS = 'extern "C" unsigned long cudnnGetVersion();\nint main() { return cudnnGetVersion() == 0; }\n'


class FileTest(CalledTest):
    def setUp(self):
        super().setUp()
        self.lib = self.sdk(cudnn="9.14.0", cuda="13.0").library_directory
        self.shim = self.lib / "libcudnn.so.9"

    def called(self, *arguments, libraries=(), **environment):
        if libraries:
            environment["LD_LIBRARY_PATH"] = ":".join(map(str, libraries))
        return super().called("explain", *arguments, **environment)

    def parts(self, *arguments, **more):
        """Title, sentences and fixes of an answer; its rows and its search as dictionary and list."""
        status, out, err = self.called(*arguments, **more)
        self.assertEqual((status, err), (0, ""))
        head, _, search = out.partition("  search:\n")
        lines = head.splitlines()
        rows = dict(line.strip().split(":", 1) for line in lines[1:] if ":   " in line)
        rows = {key: value.strip() for key, value in rows.items()}
        sentences = [line.strip() for line in lines[1:] if line.endswith(".") and ":   " not in line]
        steps = [line.split("   ") for line in search.splitlines() if line.startswith("    ")]
        steps = [[cell.strip() for cell in step if cell.strip()] for step in steps]
        fixes = [line.strip() for line in search.splitlines() if line.startswith("  fix:")]
        return lines[0], rows, sentences, steps, fixes

    def places(self, steps, count):
        """Those of LD_LIBRARY_PATH and run paths: what follows is this machine's own."""
        return [step for step in steps if step[0] not in ("ld.so.cache", "default path")][:count]


class Taken(FileTest):
    def test_by_an_entry_of_ld_library_path(self):
        title, rows, sentences, steps, fixes = self.parts(self.shim, libraries=["/absent", self.lib])
        self.assertEqual(title, "<scratch>/sdk/lib/libcudnn.so.9: taken by the loader")
        self.assertEqual(rows["role"], "shim")
        self.assertEqual(rows["name"], "libcudnn.so.9")
        self.assertEqual(rows["asked for by"], "a program without a run path")
        self.assertEqual(rows["taken"], "<scratch>/sdk/lib/libcudnn.so.9   9.14.0   chosen by LD_LIBRARY_PATH[1]")
        self.assertEqual((sentences, fixes), ([], []))
        self.assertEqual(self.places(steps, 2), [["LD_LIBRARY_PATH[0]", "/absent", "no such directory"],
                                                 ["LD_LIBRARY_PATH[1]", "<scratch>/sdk/lib", "taken"]])
        self.assertIn("not reached", steps[-1][-1])

    def test_a_name(self):
        title, rows, _, steps, _ = self.parts("libcudnn.so.9", libraries=[self.lib])
        self.assertEqual(title, "libcudnn.so.9: what the loader takes for that name")
        self.assertEqual(rows["taken"], "<scratch>/sdk/lib/libcudnn.so.9   9.14.0   chosen by LD_LIBRARY_PATH[0]")
        self.assertEqual(self.places(steps, 1), [["LD_LIBRARY_PATH[0]", "<scratch>/sdk/lib", "taken"]])

    def test_a_sub_library_is_asked_for_by_cudnn(self):
        title, rows, _, steps, _ = self.parts("libcudnn_graph.so.9", libraries=[self.lib])
        self.assertEqual(title, "libcudnn_graph.so.9: what the loader takes for that name")
        self.assertEqual(rows["asked for by"], "<scratch>/sdk/lib/libcudnn.so.9")
        self.assertEqual(self.places(steps, 2)[1], ["RUNPATH", "<scratch>/sdk/lib", "not reached: a library"])

    def test_nothing(self):
        title, rows, _, steps, _ = self.parts("libcudnn.so.77", libraries=[self.lib])
        self.assertEqual(title, "libcudnn.so.77: the loader finds no file for that name")
        self.assertEqual(rows["taken"], "nothing")
        self.assertEqual({step[-1] for step in steps}, {"nothing"})

    def test_a_file_that_ends_the_search(self):
        (self.scratch / "empty").mkdir()
        (self.scratch / "empty/libcudnn.so.9").touch()
        title, rows, _, steps, _ = self.parts("libcudnn.so.9", libraries=[self.scratch / "empty", self.lib])
        self.assertEqual(title, "libcudnn.so.9: the loader ends its search, with an error")
        self.assertEqual(self.places(steps, 2), [
            ["LD_LIBRARY_PATH[0]", "<scratch>/empty", "ends the search: an empty file"],
            ["LD_LIBRARY_PATH[1]", "<scratch>/sdk/lib", "not reached: a library"]])

    def test_json(self):
        status, out, _ = self.called("--json", self.shim, libraries=[self.lib])
        tree = json.loads(out)
        self.assertEqual(status, 0)
        self.assertEqual(list(tree), ["schema", "package", "file", "summary", "library", "name", "asked_for_by",
                                      "taken", "is_taken", "why_not", "search", "fixes"])
        self.assertEqual((tree["summary"], tree["is_taken"], tree["why_not"], tree["fixes"]),
                         ("taken by the loader", True, "", []))
        self.assertEqual(tree["taken"], {"path": "<scratch>/sdk/lib/libcudnn.so.9", "release": "9.14.0",
                                         "chosen_by": "LD_LIBRARY_PATH[0]", "state": "whole"})
        self.assertEqual(tree["search"][0], {
            "place": "LD_LIBRARY_PATH[0]", "directory": "<scratch>/sdk/lib",
            "path": "<scratch>/sdk/lib/libcudnn.so.9", "there": "a library", "outcome": "taken"})


class NotTaken(FileTest):
    def other(self, name="other"):
        return self.sdk(name, cudnn="9.19.0", cuda="13.0").library_directory

    def test_an_earlier_entry_wins(self):
        other = self.other()
        title, rows, sentences, _, fixes = self.parts(self.shim, libraries=[other, self.lib])
        self.assertEqual(title, "<scratch>/sdk/lib/libcudnn.so.9: not taken by the loader")
        self.assertEqual(rows["taken"], "<scratch>/other/lib/libcudnn.so.9   9.19.0   chosen by LD_LIBRARY_PATH[0]")
        self.assertEqual(sentences, ["LD_LIBRARY_PATH[0] comes before LD_LIBRARY_PATH[1], in which it lies."])
        self.assertEqual(fixes, ["fix: export LD_LIBRARY_PATH=<scratch>/sdk/lib:$LD_LIBRARY_PATH"])

    def test_the_command_helps(self):
        other = self.other()
        _, _, _, _, fixes = self.parts(self.shim, libraries=[other])
        typed = fixes[0].replace("fix: ", "").replace("<scratch>", str(self.scratch))
        printed = subprocess.run(["sh", "-c", typed + '; printf %s "$LD_LIBRARY_PATH"'], check=True, text=True,
                                 env={"LD_LIBRARY_PATH": str(other)}, stdout=subprocess.PIPE).stdout
        self.assertEqual(self.parts(self.shim, libraries=printed.split(":"))[0],
                         "<scratch>/sdk/lib/libcudnn.so.9: taken by the loader")

    def test_on_no_place_of_the_search(self):
        _, _, sentences, _, fixes = self.parts(self.shim, libraries=[self.other()])
        self.assertEqual(sentences, ["No place of the search has its directory, and LD_LIBRARY_PATH[0] has "
                                     "another file."])
        self.assertEqual(len(fixes), 1)

    def test_its_directory_has_no_such_name(self):
        (self.scratch / "bare").mkdir()
        shutil.copy(self.shim, self.scratch / "bare/libcudnn.so.9.14.0")
        _, _, sentences, steps, fixes = self.parts(self.scratch / "bare/libcudnn.so.9.14.0",
                                                   libraries=[self.scratch / "bare", self.lib])
        self.assertEqual(sentences, ["Its directory is searched (LD_LIBRARY_PATH[0]), and has no file of the name "
                                     "libcudnn.so.9."])
        self.assertEqual(self.places(steps, 1), [["LD_LIBRARY_PATH[0]", "<scratch>/bare", "nothing"]])
        self.assertEqual(fixes, [])

    def test_the_name_leads_to_another(self):
        (self.scratch / "two").mkdir()
        shutil.copy(self.shim, self.scratch / "two/libcudnn.so.9.14.0")
        shutil.copy(self.other() / "libcudnn.so.9", self.scratch / "two/libcudnn.so.9.19.0")
        (self.scratch / "two/libcudnn.so.9").symlink_to("libcudnn.so.9.19.0")
        _, _, sentences, _, _ = self.parts(self.scratch / "two/libcudnn.so.9.14.0", libraries=[self.scratch / "two"])
        self.assertEqual(sentences, ["Its directory is searched (LD_LIBRARY_PATH[0]), and the name libcudnn.so.9 "
                                     "leads to another file there: <scratch>/two/libcudnn.so.9.19.0."])

    def test_another_machine_a_damaged_one_and_a_broken_link(self):
        for name in ["machine", "link", "cut"]:
            (self.scratch / name).mkdir()
        data = bytearray(self.shim.read_bytes())
        data[18] = 0xB7
        (self.scratch / "machine/libcudnn.so.9").write_bytes(data)
        (self.scratch / "link/libcudnn.so.9").symlink_to("/absent/libcudnn.so.9")
        (self.scratch / "cut/libcudnn.so.9").write_bytes(b"")
        path = [self.scratch / "machine", self.scratch / "link", self.lib]
        _, rows, sentences, steps, _ = self.parts(self.scratch / "machine/libcudnn.so.9", libraries=path)
        self.assertEqual((rows["machine"], sentences), ("aarch64", ["It is passed over: a file for aarch64."]))
        self.assertEqual(self.places(steps, 3), [
            ["LD_LIBRARY_PATH[0]", "<scratch>/machine", "a file for aarch64"],
            ["LD_LIBRARY_PATH[1]", "<scratch>/link", "a link that leads to no file"],
            ["LD_LIBRARY_PATH[2]", "<scratch>/sdk/lib", "taken"]])
        self.assertEqual(self.parts(self.scratch / "cut/libcudnn.so.9", libraries=path)[2],
                         ["It cannot be loaded: it is an empty file."])
        # No machine has another one of that name, and no variable mends this one.
        (self.scratch / "machine/libcudnn.so.7").write_bytes(data.replace(b"libcudnn.so.9\0", b"libcudnn.so.7\0"))
        self.assertEqual(self.parts(self.scratch / "machine/libcudnn.so.7")[4], [])
        self.assertEqual(self.called("link/libcudnn.so.9"), (
            2, "", "cudnn-checked: error: explain: link/libcudnn.so.9: a link that leads to no file\n"))

    def test_its_shim_was_opened_through_a_link(self):
        (self.scratch / "link").mkdir()
        (self.scratch / "link/libcudnn.so.9").symlink_to(self.shim)
        _, rows, sentences, _, _ = self.parts(self.lib / "libcudnn_graph.so.9", libraries=[self.scratch / "link"])
        self.assertEqual(rows["asked for by"], "<scratch>/link/libcudnn.so.9")
        self.assertEqual(sentences, ["The loader does not look there: libcudnn.so.9 was opened through a link in "
                                     "<scratch>/link; $ORIGIN is the link's directory."])

    def test_a_copy_that_a_package_has_renamed(self):
        shutil.copy(self.shim, self.scratch / "libcudnn-74a4c495.so.9.1.0")
        _, _, sentences, _, fixes = self.parts("./libcudnn-74a4c495.so.9.1.0", libraries=[self.lib])
        self.assertEqual(sentences, ["Its package has renamed it: only libraries of that package ask for "
                                     "libcudnn-74a4c495.so.9.1.0."])
        self.assertEqual(fixes, [])


class Programs(FileTest):
    def program(self, *arguments):
        return compiled(self.scratch / "app", CALLS, self.shim, "-Wl,--allow-shlib-undefined", *arguments)

    def test_each_library_of_the_set(self):
        app = self.program(f"-Wl,-rpath,{self.lib}")
        status, out, err = self.called(app)
        self.assertEqual((status, err), (0, ""))
        lines = out.splitlines()
        self.assertEqual(lines[0], "<scratch>/app: the cuDNN that it takes")
        rows = [[cell.strip() for cell in line.split("   ") if cell.strip()] for line in lines[1:]
                if line.startswith("  libcudnn")]
        self.assertEqual(rows[0], ["libcudnn.so.9", "9.14.0", "<scratch>/sdk/lib/libcudnn.so.9",
                                   "chosen by RUNPATH of app"])
        self.assertEqual(len(rows), 8)
        self.assertIn("  search for libcudnn.so.9, which <scratch>/app asks for:", lines)
        self.assertEqual(lines[-1], f"  check: cudnn-checked verify {app}".replace(str(self.scratch), "<scratch>"))
        _, out, _ = self.called("--json", app)
        tree = json.loads(out)
        self.assertEqual([library["name"] for library in tree["libraries"]], [row[0] for row in rows])
        self.assertEqual(tree["search"][0]["outcome"], "taken")

    def test_why_this_file_for_that_program(self):
        app = self.program(f"-Wl,-rpath,{self.lib}")
        other = self.sdk("other", cudnn="9.19.0", cuda="13.0").library_directory
        title, rows, _, steps, _ = self.parts("--for", app, "libcudnn.so.9")
        self.assertEqual(title, "libcudnn.so.9: what the loader takes for that name")
        self.assertEqual(rows["asked for by"], "<scratch>/app")
        self.assertEqual(steps[0], ["RUNPATH", "<scratch>/sdk/lib", "taken"])
        title, rows, sentences, _, _ = self.parts("--for", app, self.shim, libraries=[other])
        self.assertEqual(title, "<scratch>/sdk/lib/libcudnn.so.9: not taken by the loader")
        self.assertEqual(sentences, ["LD_LIBRARY_PATH[0] comes before RUNPATH of <scratch>/app, in which it lies."])

    def test_what_cannot_be_explained(self):
        for arguments, status, words in [
                (["./absent"], 2, "./absent: no such file"),
                (["/bin/sh"], 3, "/bin/sh: it is not linked with cuDNN; verify shows what it opens by name"),
                (["--for", "absent", "libcudnn.so.9"], 2, "absent: no such file"),
                (["app.txt"], 2, "app.txt: neither a program nor a library; the errors in a log: cudnn-checked explain --text app.txt"),
                (["."], 2, ".: a directory"),
                (["--for"], 2, "--for needs a program"),
                (["--for", "app"], 2,
                 "--for needs a library: cudnn-checked explain --for APP libcudnn.so.9")]:
            (self.scratch / "app.txt").write_text("text")
            self.assertEqual(self.called(*arguments), (status, "", f"cudnn-checked: error: explain: {words}\n"))

    def test_a_finding_comes_before_a_file(self):
        shutil.copy(self.program(), self.scratch / "cudnn-older")
        self.assertTrue(self.called("cudnn-older")[1].startswith("cudnn-older:\n\nError.\n"))
        self.assertTrue(self.called("./cudnn-older", libraries=[self.lib])[1].startswith(
            "./cudnn-older: the cuDNN that it takes\n"))

    def test_another_loader(self):
        app = self.program()
        status, out, err = self.called(app, LD_AUDIT="/absent/audit.so")
        self.assertEqual((status, out, err.splitlines()[-1]), (
            3, "", "cudnn-checked: error: explain: <scratch>/app: the search of its loader is not known: "
                   "LD_AUDIT=/absent/audit.so"))

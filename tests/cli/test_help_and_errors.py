# SPDX-License-Identifier: BSD-3-Clause
"""Help, mistyped words, errors, lost output, colours, and what is installed of them.

The help texts are in expected/; with CUDNN_CHECKED_WRITE_EXPECTED=1 they are written anew.
"""

import fcntl
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import termios
import unittest

from checked_program import CalledTest, call
from support.command_line import cudnn_checked_program
from support.environment import RELEASE, clean_environment
from support.findings import findings
from support.terminal import open_terminal, read_until_closed

EXPECTED = pathlib.Path(__file__).resolve().parent / "expected"
COMMANDS = ["doctor", "probe", "verify", "run", "bundle", "pkg-config", "guard-object", "inspect", "explain", "diff",
            "fleet", "sweep", "help"]
FULL = "cudnn-checked: error: standard output: No space left on device\n"


class WordsTest(CalledTest):
    def assert_expected(self, name, text):
        path = EXPECTED / name
        if os.environ.get("CUDNN_CHECKED_WRITE_EXPECTED"):
            path.write_text(text, encoding="utf-8")
        self.assertEqual(text, path.read_text(encoding="utf-8"))

    def started(self, *arguments, **more):
        return subprocess.run([str(cudnn_checked_program()), *arguments], cwd=self.scratch, timeout=60,
                              env=clean_environment(self.scratch), stderr=subprocess.PIPE, text=True,
                              **more)


class Help(WordsTest):
    def printed(self, *arguments, **environment):
        return call(*arguments, home=self.scratch, **environment)

    def test_of_the_program(self):
        status, out, err = self.printed("--help")
        self.assertEqual((status, err), (0, ""))
        self.assert_expected("help.txt", out)
        for arguments in [["-h"], ["help"]]:
            self.assertEqual(self.printed(*arguments), (0, out, ""))
        self.assertEqual(re.findall(r"(?m)^  ([a-z-]+) .*$", out.split("options:")[0]), COMMANDS)
        self.assertEqual(self.printed("--version"), (0, f"cudnn-checked {RELEASE}\n", ""))

    def test_of_each_command(self):
        for name in COMMANDS:
            status, out, err = self.printed(name, "--help")
            self.assertEqual((status, err), (0, ""))
            self.assert_expected(f"help_{name}.txt", out)
            for arguments in [[name, "-h"], ["help", name], ["--help", name]]:
                self.assertEqual(self.printed(*arguments), (0, out, ""))

    def test_no_line_is_wider_than_the_terminal(self):
        for columns in [40, 60, 80, 100]:
            for name in ["--help", *COMMANDS]:
                out = self.printed(name, "--help", COLUMNS=columns)[1]
                prose = re.sub(r"(?m)(^usage: .*|^  \$ .*|^  cudnn-checked: .*)$", "", out)
                self.assertLessEqual(max(map(len, prose.splitlines())), columns, prose)
        self.assertEqual(self.printed("--help", COLUMNS="wide")[1], self.printed("--help")[1])


class AsJson(WordsTest):
    """--json: standard output is JSON whatever is asked for."""

    def tree(self, *arguments):
        status, out, err = call(*arguments, "--json", home=self.scratch)
        self.assertEqual((status, err), (0, ""), arguments)
        return json.loads(out)

    def test_of_the_program(self):
        tree = self.tree("--help")
        for arguments in [["-h"], ["help"]]:
            self.assertEqual(self.tree(*arguments), tree)
        self.assertEqual([row["name"] for row in tree["commands"]], COMMANDS)
        self.assertEqual(tree["commands"][-1],
                         {"name": "help", "arguments": "[COMMAND]", "summary": "the help of a command"})
        self.assertEqual(tree["options"][0],
                         {"name": "--version", "value": "", "text": "the release of this program"})
        self.assertEqual(tree["statuses"][-1],
                         {"status": "78", "text": "only from run: the program was not started"})
        self.assertEqual(tree["variables"][-1], {"name": "COLUMNS", "text": "the width of help texts"})
        self.assertEqual(self.tree("--version"), {"schema": 1, "package": RELEASE})

    def test_of_each_command(self):
        for name in COMMANDS:
            tree = self.tree("help", name)
            for arguments in [[name, "-h"], [name, "--help"]]:
                self.assertEqual(self.tree(*arguments), tree)
            text = re.sub(r"\s+", " ", call(name, "--help", home=self.scratch)[1])
            sentences = [tree["description"], *(row["text"] for row in tree["options"] + tree["statuses"]),
                         *(row["what"] for row in tree["not_looked_at"]), tree["example"]]
            for sentence in sentences:
                self.assertIn(re.sub(r"\s+", " ", sentence), text)
            self.assertIn(f" {tree['command']['arguments']}", text)

    def test_of_what_is_installed(self):
        for kind in ("man", "bash", "zsh", "fish", "findings"):
            self.assertEqual(self.tree("--generate", kind), {
                "schema": 1, "package": RELEASE, "kind": kind, "text": call("--generate", kind, home=self.scratch)[1]})

    def test_a_command_without_arguments(self):
        for name in COMMANDS:
            json.loads(self.called(name, "--json")[1])


class Mistyped(WordsTest):
    CASES = [
        ([], "no command; cudnn-checked --help lists them"),
        (["verfiy", "app"], "unknown command verfiy; did you mean verify?"),
        (["dcotor"], "unknown command dcotor; did you mean doctor?"),
        (["something"], "unknown command something"),
        (["version"], "unknown command version; did you mean --version?"),
        (["help", "verfiy"], "unknown command verfiy; did you mean verify?"),
        (["verify", "--jsn", "app"], "unknown option --jsn; did you mean --json?"),
        (["--verson"], "unknown option --verson; did you mean --version?"),
        (["doctor", "--quite-another"], "unknown option --quite-another"),
        (["doctor", "verify"], "doctor: one argument too many: verify"),
        (["explain", "no-device", "b"], "explain: one argument too many: b"),
        (["verify"], "verify: which file? cudnn-checked verify APP..."),
        (["inspect"], "inspect: which file? cudnn-checked inspect FILE|DIR"),
        (["bundle"], "bundle: which directory? cudnn-checked bundle DIR"),
        (["pkg-config"], "pkg-config: which directory? cudnn-checked pkg-config DIR"),
        (["run"], "run: which program? cudnn-checked run -- APP ARGS..."),
        (["explain", "cudnn-oldr"],
         "explain: there is no finding or word cudnn-oldr; did you mean cudnn-older?"),
        (["explain", "quite-another"], "explain: there is no finding or word quite-another; cudnn-checked explain lists the findings"),
        (["verify", "absent"], "verify: absent: no such file"),
        (["inspect", "absent"], "inspect: absent: no such file"),
        (["run", "absent"], "run: absent: not found on PATH"),
        (["doctro"], "unknown command doctro; did you mean doctor?"),
        (["doctor", "--HASH"], "unknown option --HASH; did you mean --hash?"),
        (["doctor", "--format", "Junti"],
         "doctor: --format Junti: not text, json, junit, github or prometheus; did you mean junit?"),
        (["probe", "--require", "Rna"], "probe: --require Rna: neither ran nor loaded; did you mean ran?"),
        (["--generate", "Fihs"], "--generate: man, bash, zsh, fish, findings or words, not Fihs; did you mean fish?"),
        (["--generate", "html"], "--generate: man, bash, zsh, fish, findings or words, not html"),
    ]

    def test_upper_and_lower_case_of_a_value_are_one(self):
        self.assertEqual(self.called("--generate", "FISH"), self.called("--generate", "fish"))
        self.assertEqual(self.called("probe", "--require", "LOADED", "absent")[2],
                         "cudnn-checked: error: probe: absent: no such directory\n")
        self.assertEqual(self.called("verify", "--format", "JSON", "absent")[1],
                         self.called("verify", "--json", "absent")[1])

    def test_text(self):
        for arguments, words in self.CASES:
            self.assertEqual(self.called(*arguments), (2, "", f"cudnn-checked: error: {words}\n"))

    def test_json(self):
        for arguments, words in self.CASES:
            status, out, err = self.called("--json", *arguments)
            self.assertEqual((status, err), (2, f"cudnn-checked: error: {words}\n"))
            self.assertEqual(json.loads(out), {"schema": 1, "package": RELEASE, "error": words,
                                               "status": 2})

    def test_behind_the_double_dash_it_is_the_programs(self):
        self.assertEqual(self.called("run", "--", "absent", "--json"),
                         (2, "", "cudnn-checked: error: run: absent: not found on PATH\n"))


class LostOutput(WordsTest):
    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_a_full_disk(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for arguments in [["doctor"], ["doctor", "--json"], ["--help"], ["--version"], ["explain"],
                              ["explain", "no-device"], ["--generate", "man"]]:
                done = self.started(*arguments, stdout=full)
                self.assertEqual((done.returncode, done.stderr), (2, FULL), arguments)

    def test_closed(self):
        command = f"'{cudnn_checked_program()}' \"$@\" >&-"
        for arguments in [["doctor"], ["explain", "--json"], ["--help"]]:
            done = subprocess.run(["sh", "-c", command, "sh", *arguments], stderr=subprocess.PIPE,
                                  env=clean_environment(self.scratch), text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (
                2, "cudnn-checked: error: standard output: Bad file descriptor\n"))

    def test_an_error_is_never_lost_with_status_0(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.started("--json", "verify", "absent", stdout=full)
            self.assertEqual((done.returncode, done.stderr), (
                2, "cudnn-checked: error: verify: absent: no such file\n" + FULL))


class Colours(WordsTest):
    def on_a_terminal(self, *arguments, columns=60, **environment):
        """What a terminal of that width is sent."""
        master, slave = open_terminal()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        done = subprocess.Popen([str(cudnn_checked_program()), *arguments], stdout=slave, stderr=slave,
                                env=clean_environment(self.scratch, **environment), cwd=self.scratch)
        os.close(slave)
        out = read_until_closed(master)
        done.wait(timeout=60)
        return out.decode().replace("\r\n", "\n")

    def test_only_on_a_terminal_that_has_them(self):
        plain = "cudnn-checked: error: verify: absent: no such file\n"
        red = plain.replace("error:", "\x1b[1;31merror:\x1b[0m")
        for text, environment in [(red, {"TERM": "xterm"}), (plain, {"TERM": "dumb"}),
                                  (plain, {"TERM": ""}), (plain, {"TERM": "xterm", "NO_COLOR": "1"}),
                                  (red, {"TERM": "xterm", "NO_COLOR": ""}),
                                  (red, {"TERM": "dumb", "CLICOLOR_FORCE": "1"}),
                                  (plain, {"CLICOLOR_FORCE": "0"}),
                                  (plain, {"NO_COLOR": "1", "CLICOLOR_FORCE": "1"})]:
            self.assertEqual(self.on_a_terminal("verify", "absent", **environment), text)
        self.assertEqual(self.called("verify", "absent", TERM="xterm")[2], plain)
        self.assertEqual(self.called("verify", "absent", CLICOLOR_FORCE="1")[2], red)

    def test_the_width_of_the_terminal(self):
        self.assertEqual(self.on_a_terminal("--help", columns=60),
                         call("--help", home=self.scratch, COLUMNS="60")[1])
        out = self.on_a_terminal("doctor", columns=50)
        for line in out.splitlines():
            if re.match(r"  [A-Z].*[^:]$", line) and "  " not in line[2:]:
                self.assertLessEqual(len(line), 50, out)

    def test_json_has_none(self):
        out = self.called("doctor", "--json", CLICOLOR_FORCE="1")[1]
        self.assertNotIn("\x1b", out)
        json.loads(out)


class CMakePackage(WordsTest):
    """--cmakedir: the CMake package that was installed with the program."""

    def asked(self, program, *options):
        done = subprocess.run([str(program), *(options or ["--cmakedir"])], cwd=self.scratch, timeout=60, text=True,
                              env=clean_environment(self.scratch), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stdout, done.stderr

    def test_in_a_prefix_and_in_that_of_vcpkg(self):
        config = self.write("a prefix/share/CuDNNChecked/cmake/CuDNNCheckedConfig.cmake")
        for folder in ("bin", "tools/cudnn-checked"):
            program = self.scratch / "a prefix" / folder / "cudnn-checked"
            program.parent.mkdir(parents=True)
            shutil.copy(cudnn_checked_program(), program)
            link = self.scratch / f"link-in-{program.parent.name}"
            link.symlink_to(program)
            for started in (program, link):
                self.assertEqual(self.asked(started), (0, f"{config.parent}\n", ""))
                self.assertEqual(self.asked(started, "--provider"),
                                 (0, f"{config.parent}/CuDNNCheckedProvider.cmake\n", ""))
                tree = json.loads(self.asked(started, "--cmakedir", "--json")[1])
                self.assertEqual(tree, {"schema": 1, "package": RELEASE, "path": str(config.parent)})
                tree = json.loads(self.asked(started, "--provider", "--json")[1])
                self.assertEqual(tree["path"], f"{config.parent}/CuDNNCheckedProvider.cmake")
        config.unlink()
        self.assertEqual(self.asked(program), (2, "", (
            f"cudnn-checked: error: --cmakedir: no CMake package is installed with {program}: there is no "
            f"{self.scratch}/a prefix/tools/share/CuDNNChecked/cmake, "
            f"{self.scratch}/a prefix/share/CuDNNChecked/cmake\n")))


class Installed(WordsTest):
    def setUp(self):
        super().setUp()
        self.files = {}
        for kind in ("man", "bash", "zsh", "fish"):
            status, text, err = self.called("--generate", kind)
            self.assertEqual((status, err), (0, ""))
            self.files[kind] = self.write(f"generated.{kind}", text)

    def test_each_command_and_option_is_in_each(self):
        for kind, command, option in [("man", ".SS cudnn\\-checked {}", ".B \\-\\-{}"), ("bash", " {}) ", "--{}"),
                                      ("zsh", "'{}:", "'--{}"), ("fish", " -a {} ", " -l {} ")]:
            text = self.files[kind].read_text(encoding="utf-8")
            for name in COMMANDS:
                self.assertIn(command.format(name), text, kind)
                of_help = (EXPECTED / f"help_{name}.txt").read_text(encoding="utf-8")
                for word in re.findall(r"(?m)^  (?:-h, )?--([a-z-]+)", of_help):
                    escaped = word.replace("-", "\\-") if kind == "man" else word
                    self.assertIn(option.format(escaped), text, kind)

    def test_the_names_of_findings(self):
        self.assertEqual(self.called("--generate", "findings")[1].split(), [row.name for row in findings()])

    def completed(self, *words):
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cudnn_checked\n'
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        environment = clean_environment(self.scratch)
        environment["PATH"] = f"{pathlib.Path(cudnn_checked_program()).parent}:{environment['PATH']}"
        done = subprocess.run([shutil.which("bash"), "-c", script, "bash", self.files["bash"],
                               "cudnn-checked", *words], env=environment, cwd=self.scratch,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        return done.stdout.split()

    @unittest.skipUnless(shutil.which("bash"), "there is no bash")
    def test_bash_completes(self):
        (self.scratch / "application").touch()
        (self.scratch / "directory").mkdir()
        for words, completed in [(["ver"], ["verify"]), (["--ver"], ["--version"]),
                                 (["verify", "--js"], ["--json"]), (["verify", "app"], ["application"]),
                                 (["verify", "--no"], ["--no-gpu"]), (["verify", "--p"], ["--pid", "--python"]),
                                 (["--json", "inspect", "app"], ["application"]),
                                 (["explain", "cudnn-ol"], ["cudnn-older"]),
                                 (["help", "do"], ["doctor"]), (["doctor", "direct"], ["directory"]),
                                 # A word rather than a file, and a file where there is no such word.
                                 (["explain", "shi"], ["shim"]), (["explain", "app"], ["application"]),
                                 (["explain", "--text", "app"], ["application"]),
                                 (["probe", "--require", ""], ["ran", "loaded"]),
                                 (["probe", "--require", "lo"], ["loaded"]), (["probe", "--require", "app"], []),
                                 (["doctor", "--format", "ju"], ["junit"]), (["doctor", "--format", "=", "ju"], ["junit"]),
                                 (["doctor", "--format", "="], ["text", "json", "junit", "github", "prometheus"]),
                                 (["sweep", "--types", "fp"], ["fp32", "fp16"]),
                                 (["sweep", "--types", "fp32,b"], ["fp32,bf16"]),
                                 (["probe", "--operations", "conv-bias,att"], ["conv-bias,attention"]),
                                 (["guard-object", "--policy", "ex"], ["exact"]), (["sweep", "--seed", "app"], []),
                                 (["sweep", "--errata", "app"], ["application"])]:
            self.assertEqual(self.completed(*words), completed, words)

    def test_the_values_are_those_of_the_options(self):
        for option, values in [("require", "ran loaded"), ("format", "text json junit github prometheus"),
                               ("types", "fp32 fp16 bf16 e4m3"), ("gpu", "required optional")]:
            for kind in ("bash", "zsh", "fish"):
                lines = [line for line in self.files[kind].read_text(encoding="utf-8").splitlines()
                         if f"--{option}" in line or f"-l {option} " in line]
                self.assertTrue(any(values in line for line in lines), (kind, option))

    def test_the_words_for_completions(self):
        words = self.called("--generate", "words")[1].split()
        self.assertEqual(words[:len(findings())], [row.name for row in findings()])
        self.assertTrue({"shim", "loaded", "driver"} <= set(words))
        self.assertEqual(len(words), len(set(words)))

    def test_the_other_shells_read_theirs(self):
        for shell, option in [("zsh", "-n"), ("fish", "--no-execute")]:
            if not shutil.which(shell):
                continue
            done = subprocess.run([shutil.which(shell), option, self.files[shell]], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (0, ""))

    @unittest.skipUnless(shutil.which("fish"), "there is no fish")
    def test_fish_completes_the_file_of_an_option(self):
        (self.scratch / "application").touch()
        done = subprocess.run([shutil.which("fish"), "-N", "-c", f'source {self.files["fish"]}; '
                               'complete -C "cudnn-checked sweep --errata app"'], cwd=self.scratch,
                              env=clean_environment(self.scratch), stdout=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.stdout, "application\n")

    @unittest.skipUnless(shutil.which("fish"), "there is no fish")
    def test_fish_completes_values(self):
        for line, expected in [("probe --require r", ["ran"]), ("doctor --format=ju", ["--format=junit"]),
                               ("sweep --types fp32,b", ["fp32,bf16"])]:
            done = subprocess.run([shutil.which("fish"), "-N", "-c", f'source {self.files["fish"]}; '
                                   f'complete -C "cudnn-checked {line}"'], cwd=self.scratch,
                                  env=clean_environment(self.scratch), stdout=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual([row.partition("\t")[0] for row in done.stdout.splitlines()], expected)

    @unittest.skipUnless(shutil.which("groff"), "there is no groff")
    def test_the_man_page_has_no_warning(self):
        done = subprocess.run([shutil.which("groff"), "-man", "-ww", "-z", self.files["man"]],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

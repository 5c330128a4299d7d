# SPDX-License-Identifier: BSD-3-Clause
"""fleet: many machines' reports as one table, and machines without one."""

import json
import resource
import subprocess
import sys

from checked_program import CheckedProgram
from test_reports import OLD, ReportsTest, report

HEADING = "  machines   verdict   which\n"
FACTS = """\
                       cuDNN 9.14.0 · CUDA 13.0 · driver 580.65.06
                       GPUs 8 x sm_90 NVIDIA H100
"""


def cpu_seconds(run):
    """What `run` returns, the processor time of the processes that it starts, and their memory in KiB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return result, seconds, after.ru_maxrss


class FleetTest(ReportsTest):
    def put_nodes(self, *numbers, folder="r", **what):
        for number in numbers:
            self.put(f"{folder}/node{number:03}.json", **what)

    def assert_table(self, expected, *arguments, status=0, folder="r"):
        self.assertEqual(self.called("fleet", *arguments, folder), (status, HEADING + expected, ""))


class Fleet(FleetTest):
    def test_equal_machines(self):
        self.put_nodes(0, 1, 2)
        table = "  3          ok        node[000-002]\n" + FACTS + "\n3 reports in 1 group\n"
        self.assert_table(table)
        names = [f"r/node00{number}.json" for number in range(3)]
        self.assertEqual(self.called("fleet", *names, names[0]), (0, HEADING + table, ""))

    def test_the_odd_ones(self):
        self.put_nodes(*range(0, 7), *range(9, 12))
        self.put_nodes(7, 8, **OLD)
        self.put("r/cpu.json", verdict="warning", gpus=(), findings=[("arch-jit-only", "warning")])
        self.put("r/mixed.json", verdict="unknown", driver="", gpus=["sm_90", "sm_90", "sm_86"])
        (self.scratch / "r/notes.txt").write_text("no report")
        self.assert_table("""\
  10         ok        node[000-006,009-011]
""" + FACTS + """\
  2          refused   node[007-008]
                       driver 470.57.02, not 580.65.06
                       findings driver-too-old
  1          warning   cpu
                       GPUs none, not 8 x sm_90 NVIDIA H100
                       findings arch-jit-only
  1          unknown   mixed
                       driver none, not 580.65.06
                       GPUs 2 x sm_90 NVIDIA H100, sm_86 NVIDIA H100, not 8 x
                       sm_90 NVIDIA H100

14 reports in 4 groups, 2 refused, 1 unknown, 1 warning
""", status=1)

    def test_most_have_a_finding(self):
        self.put_nodes(1, 2, **OLD)
        self.put_nodes(3)
        self.assert_table("""\
  2          refused   node[001-002]
                       cuDNN 9.14.0 · CUDA 13.0 · driver 470.57.02
                       GPUs 8 x sm_90 NVIDIA H100 · findings driver-too-old
  1          ok        node003
                       driver 580.65.06, not 470.57.02
                       findings none, not driver-too-old

3 reports in 2 groups, 2 refused
""", status=1)

    def test_of_two_groups_of_one_size_the_sound_one_is_first(self):
        self.put_nodes(1, **OLD)
        self.put_nodes(2)
        self.assertIn("  1          ok        node002\n                       cuDNN 9.14.0",
                      self.called("fleet", "r")[1])

    def test_lines_fit_the_terminal(self):
        self.put_nodes(*range(0, 200, 2))
        self.put_nodes(1, **OLD)
        (self.scratch / "r/node003.json").write_text("")
        for columns in (60, 80, 100):
            out = self.called("fleet", "r", COLUMNS=str(columns))[1]
            self.assertLessEqual(max(map(len, out.splitlines())), columns)
        self.assertEqual(self.called("fleet", "r", COLUMNS="60")[1], """\
  machines   verdict      which
  100        ok           node[000,002,004,006,008,010,012,
                          014,016,018,020,022,024,026,028,
                          030,032,034,036,038,040,042,044,
                          046,048,050,052,054,056,058,060,
                          062,064,066,068,070,072,074,076,
                          078,
                          and 60 more: --json has them all
                          cuDNN 9.14.0 · CUDA 13.0
                          driver 580.65.06
                          GPUs 8 x sm_90 NVIDIA H100
  1          refused      node001
                          driver 470.57.02, not 580.65.06
                          findings driver-too-old
  1          unreadable   node003
                          an empty file

102 reports in 3 groups, 1 refused, 1 unreadable
""")

    def test_what_is_no_report(self):
        """What a machine leaves that died while it wrote, and what is no machine's report."""
        self.put_nodes(0)
        whole = json.dumps(report())
        for name, text in [("cut1", whole[:700]), ("cut2", whole[:701]), ("empty", ""), ("text", "text"),
                           ("list", "[]")]:
            (self.scratch / f"r/{name}.json").write_text(text)
        (self.scratch / "r/part").mkdir()
        (self.scratch / "r/.half.json").write_text("{")
        for name, command in [("app", ["verify", "--json", "/no/app"]), ("doctor", ["doctor", "--json"])]:
            (self.scratch / f"r/{name}.json").write_text(self.called(*command)[1])
        self.assertEqual(self.called("fleet", "r"), (2, """\
  machines   verdict      which
  1          ok           node000
                          cuDNN 9.14.0 · CUDA 13.0 · driver 580.65.06
                          GPUs 8 x sm_90 NVIDIA H100
  2          unreadable   cut[1-2]
                          it ends in the middle
  1          unreadable   app
                          verify: /no/app: no such file
  1          unreadable   doctor
                          not a report of a program or a probe
  1          unreadable   empty
                          an empty file
  1          unreadable   list
                          not a report of schema 1
  1          unreadable   text
                          not JSON: not a JSON value at byte 0

8 reports in 7 groups, 7 unreadable
""", ""))

    def test_a_verdict_that_is_none(self):
        self.put_nodes(0)
        for name, verdict in [("a", "Refused"), ("b", "banana"), ("c", 1), ("d", "")]:
            self.put(f"r/{name}.json", verdict=verdict)
        self.assertEqual(self.called("fleet", "r"), (2, """\
  machines   verdict      which
  1          ok           node000
                          cuDNN 9.14.0 · CUDA 13.0 · driver 580.65.06
                          GPUs 8 x sm_90 NVIDIA H100
  1          unreadable   a
                          its verdict is Refused, and can be ok, unknown,
                          warning or refused
  1          unreadable   b
                          its verdict is banana, and can be ok, unknown, warning
                          or refused
  1          unreadable   c
                          its verdict is 1, and can be ok, unknown, warning or
                          refused
  1          unreadable   d
                          not a report of a program or a probe

5 reports in 5 groups, 4 unreadable
""", ""))

    def test_names_cannot_forge_lines(self):
        self.put_nodes(0)
        self.put("r/a\n\x1b[31mb.json")
        self.assertIn("  2          ok        a\\x0a\\x1b[31mb,node000\n", self.called("fleet", "r")[1])

    def test_the_status(self):
        self.put("ok.json")
        self.put("unknown.json", verdict="unknown")
        self.put("refused.json", verdict="refused")
        for arguments, status in [(["ok.json"], 0), (["ok.json", "unknown.json"], 3),
                                  (["unknown.json", "absent"], 2), (["absent", "refused.json"], 1),
                                  (["--expect", "1", "ok.json"], 0),
                                  (["--expect", "2", "ok.json"], 3),
                                  (["--expect", "3", "ok.json", "absent"], 2),
                                  (["--expect", "3", "refused.json"], 1)]:
            self.assertEqual(self.called("fleet", *arguments)[0], status, arguments)

    def test_no_report(self):
        (self.scratch / "empty").mkdir()
        self.put_nodes(0)
        for arguments in (["empty"], ["r", "empty"]):
            self.assertEqual(self.called("fleet", *arguments), (
                2, "", "cudnn-checked: error: fleet: there is no *.json in empty\n"))
        self.assertEqual(self.called("fleet"), (
            2, "", "cudnn-checked: error: fleet: which reports? cudnn-checked fleet REPORT|DIR...\n"))

    def test_json(self):
        self.put_nodes(0, 1)
        self.put_nodes(2, **OLD)
        (self.scratch / "r/cut.json").write_text("{")
        status, out, err = self.called("fleet", "--json", "--expect", "node[000-003]", "r")
        tree = json.loads(out)
        self.assertEqual((status, err, list(tree)), (1, "", [
            "schema", "package", "count", "groups", "repeated", "expected", "missing", "missing_names",
            "more", "unexpected"]))
        self.assertEqual(
            [tree[key] for key in ("count", "repeated", "expected", "missing", "missing_names", "more",
                                   "unexpected")],
            [4, [], "node[000-003]", 1, ["node003"], 0, ["cut"]])
        self.assertEqual(tree["groups"][1:], [
            {"count": 1, "verdict": "refused", "cudnn": "9.14.0", "cuda": "13.0", "driver": "470.57.02",
             "gpus": "8 x sm_90 NVIDIA H100", "findings": "driver-too-old", "reason": "",
             "differs": ["verdict", "driver", "findings"], "reports": ["r/node002.json"]},
            {"count": 1, "verdict": "unreadable", "cudnn": "", "cuda": "", "driver": "", "gpus": "",
             "findings": "", "reason": "it ends in the middle", "differs": [],
             "reports": ["r/cut.json"]}])


class Expected(FleetTest):
    """A machine that died or hangs wrote no report."""

    def test_names(self):
        self.put_nodes(0, 1, 3)
        self.assert_table("""\
  3          ok        node[000-001,003]
""" + FACTS + """\
  3          missing   login,node[002,004]
                       no report

3 reports in 1 group, 3 missing
""", "--expect", "node[000-004],login", status=3)

    def test_a_number(self):
        self.put_nodes(0, 1, 3)
        self.assert_table("""\
  3          ok        node[000-001,003]
""" + FACTS + """\
  2          missing   no report; with names in --expect they are listed

3 reports in 1 group, 2 missing
""", "--expect", "5", status=3)

    def test_none_at_all(self):
        (self.scratch / "r").mkdir()
        self.assert_table("""\
  3          missing   n[1-3]
                       no report

0 reports in 0 groups, 3 missing
""", "--expect", "n[1-3]", status=3)

    def test_more_than_expected(self):
        self.put_nodes(0, 1, 3)
        whole = "  3          ok        node[000-001,003]\n" + FACTS
        self.assert_table(whole + "\nnot in --expect: node[001,003]\n3 reports in 1 group\n",
                          "--expect", "node000")
        self.assert_table(whole + "\n1 more than --expect says\n3 reports in 1 group\n", "--expect", "2")
        self.assert_table(whole + "\n3 reports in 1 group\n", "--expect", "3")

    def test_one_that_cannot_be_read_is_not_missing(self):
        self.put_nodes(0)
        (self.scratch / "r/node001.json").write_text("")
        out = self.called("fleet", "--expect", "node[000-001]", "r")[1]
        self.assertEqual(out.splitlines()[-1], "2 reports in 2 groups, 1 unreadable")

    def test_what_is_no_list(self):
        self.put_nodes(0)
        for given in ("node[0-", "a b", "1.5,", "99999999999", "-5", "a,-b", "--"):
            self.assertEqual(self.called("fleet", "--expect", given, "r"), (
                2, "", f"cudnn-checked: error: fleet: --expect {given}: neither a number nor names as "
                       "node[000-007],login1\n"))
        needs = ("cudnn-checked: error: fleet: --expect needs a number or names, for example --expect "
                 "node[000-511]\n")
        for arguments in (["--expect", "", "r"], ["r", "--expect"]):
            self.assertEqual(self.called("fleet", *arguments), (2, "", needs), arguments)


class Repeated(FleetTest):
    def test_two_reports_of_one_name(self):
        self.put_nodes(0, 1, folder="a")
        self.put_nodes(1, folder="b", **OLD)
        status, out, _ = self.called("fleet", "--expect", "3", "a", "b")
        self.assertEqual((status, out.split("\n\n")[1]), (1, """\
2 reports of one machine: a/node001.json, b/node001.json
3 reports in 2 groups, 1 refused, 1 missing
"""))

    def test_two_reports_of_one_gpu(self):
        for name in ("node0.0", "node0.1", "node1.2"):
            self.put(f"r/{name}.json")
        one = json.loads((self.scratch / "r/node0.0.json").read_text())
        (self.scratch / "r/node0.1.json").write_text(json.dumps(one))
        uuid = one["devices"][0]["uuid"]
        self.assertEqual(self.called("fleet", "r")[1].split("\n\n")[1], f"""\
2 reports of one machine (GPU {uuid}): r/node0.0.json, r/node0.1.json
3 reports in 1 group
""")
        tree = json.loads(self.called("fleet", "--json", "r")[1])
        self.assertEqual(tree["repeated"], [
            {"gpu": uuid, "reports": ["r/node0.0.json", "r/node0.1.json"]}])

    def test_many(self):
        for folder in ("a", "b"):
            self.put_nodes(*range(10), folder=folder)
        out = self.called("fleet", "a", "b")[1].split("\n\n")[1].splitlines()
        self.assertEqual((len(out), out[-2:]), (
            10, ["and 2 more machines with several reports", "20 reports in 1 group"]))


class Large(ReportsTest):
    def test_ten_thousand(self):
        """One screen; the time is compared with what Python needs to parse the files; memory is given back."""
        (self.scratch / "r").mkdir()
        for number in range(10000):
            text = json.dumps(report(**(OLD if number % 2500 == 17 else {})), indent=2)
            (self.scratch / f"r/node{number:05}.json").write_text(text)
        (status, out, _), seconds, memory = cpu_seconds(lambda: self.called("fleet", "r"))
        self.assertEqual((status, out), (1, HEADING + """\
  9996       ok        node[00000-00016,00018-02516,02518-05016,05018-07516,
                       07518-09999]
""" + FACTS + """\
  4          refused   node[00017,02517,05017,07517]
                       driver 470.57.02, not 580.65.06
                       findings driver-too-old

10000 reports in 2 groups, 4 refused
"""))
        self.assertLess(memory, 100_000, "KiB")
        program = "import glob, json\nfor name in glob.glob('r/*.json'):\n  json.load(open(name))"
        _, python, _ = cpu_seconds(lambda: subprocess.run([sys.executable, "-c", program],
                                                          cwd=self.scratch, check=True))
        self.assertLess(seconds, 4 * python)


class RealReports(CheckedProgram):
    def test_of_verify(self):
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0").library_directory
        paths = []
        for name, libraries in [("a", []), ("b", [older])]:
            path = self.scratch / f"{name}.json"
            path.write_text(self.checked("verify", "--json", self.app_path, libraries=libraries)[1])
            paths.append(path)
        status, out, _ = self.checked("fleet", *paths)
        self.assertEqual((status, out.splitlines()[-1]), (1, "2 reports in 2 groups, 1 refused"))
        self.assertRegex(out, r"(?m)^  1 +refused +b$\n +cuDNN 9\.13\.1, not 9\.14\.0\n +findings cudnn-older$")

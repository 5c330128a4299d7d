# SPDX-License-Identifier: BSD-3-Clause
"""What core predicts of the loader, against what the loader of this machine really mapped (LD_AUDIT)."""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

import isolation
from arrangements import ARRANGEMENTS
from oracle import ORDERS, PLACES, Owners, listen, merged, place_of_file
from places import NotHere, link
from programs import programs
from support.environment import built

OBSERVER = built("tests/support/observe_cudnn")
DAMAGED = ("empty", "not_elf", "foreign", "unreadable")
MISSING = {"state": "missing", "path": "", "chosen_by": ""}
AT_LEAST = 50


class Compared:
    """One arrangement, asked of both; `differences` is empty where they agree."""

    def __init__(self, arrangement, made, root):
        self.root, self.differences, self.opened = root, [], {}
        self.arrangement, self.made = arrangement, made
        self.place = arrangement.arrange(root, made.cuda_with_driver)
        self.variables = arrangement.environment(self.place)
        self.cwd = root / arrangement.cwd
        self.program = root / "bin" / "calls"
        link(made.calls(arrangement.link), self.program)
        self.program.chmod(0o755)
        self.cache = arrangement.ld_so_cache(root, self.place)
        self.predicted = self._predict()

    def _predict(self):
        done = isolation.run([OBSERVER, self.program], self.variables, self.cwd, self.cache, merged=False)
        if done.status != 0:
            raise AssertionError(f"{OBSERVER.name}: {done.status}\n{done.output}{done.errors}")
        return json.loads(done.output)

    def _prediction(self, first):
        """Role to files: where calls come in an unlucky order there can be two of one role."""
        files = {}
        for f in self.predicted["files"]:
            files.setdefault(f["role"], []).append(f)
        for order in self.predicted["orders"]:
            if order["first_call"] == first:
                for role in {f["role"] for f in order["files"]}:
                    files[role] = [f for f in order["files"] if f["role"] == role]
        return files

    def compare(self):
        for first, processes in ORDERS.items():
            told = [listen(self.made, self.program, calls, self.variables, self.cwd, self.cache)
                    for calls in processes]
            answers, died_at = merged(told)
            answers = {role: a for role, a in answers.items() if not self._is_rightly_missing(first, role, a)}
            self.opened[first] = {role: a.opened for role, a in answers.items() if a.opened}
            for role, answer in answers.items():
                wrong = self._wrong(role, answer, self._prediction(first).get(role, [MISSING]), died_at)
                if not wrong and first == "graph":
                    wrong = self._wrongly_explained(role, answer)
                if wrong:
                    self.differences.append(f"{first} first, {role}: {wrong}")
        return self.differences

    def _is_rightly_missing(self, first, role, answer):
        """The loader opened files and gave each up again: it lacks a symbol that another release has."""
        gave_up = answer.opened and not set(answer.opened) & set(answer.kept)
        return gave_up and self._prediction(first).get(role, [MISSING])[0]["state"] == "missing"

    def _same(self, real, predicted):
        """Of one folder and name, or two hard links of one file: sets of one release share theirs."""
        where = place_of_file(predicted, self.cwd)
        real = place_of_file(real, self.cwd)
        return real == where or os.path.samefile(real, where)

    def _wrong(self, role, answer, predicted, died_at):
        if not answer.asked and not answer.opened:
            return ""
        state, path = predicted[0]["state"], predicted[0]["path"]
        if died_at and answer.last_tried and answer.last_tried[0] == died_at and not answer.opened:
            if state == "truncated" and self._same(died_at, path):
                return ""
            return f"the loader died of {died_at}; predicted {state} {path}"
        if not answer.opened:
            # Refused by the loader: another machine's, or no library at all.
            if state in ("missing", *DAMAGED):
                return ""
            # A NEEDED entry of a foreign file, which found nothing: cuDNN gave that file up, and died.
            if answer.aborted:
                return ""
            return f"the loader took none; predicted {state} {path}"
        # A foreign file without the symbols that others want of it is given up, and the next name
        # asked for; the prediction, which reads no symbols, ends at the first.
        real = answer.kept if answer.opened[0] in answer.kept else answer.opened[:1]
        # Where cuDNN ended the process, the later calls of that order were not made.
        for wanted in predicted[:1] if answer.aborted else predicted:
            if wanted["state"] in DAMAGED or not any(self._same(r, wanted["path"]) for r in real
                                                     if wanted["path"]):
                return f"the loader took {real}; predicted {wanted['state']} {wanted['path']}"
        for one in real:
            if not any(self._same(one, wanted["path"]) for wanted in predicted):
                return f"the loader took {one}, which was not predicted"
        return ""

    def _wrongly_explained(self, role, answer):
        """The reason is predicted for one order only: in others the same file may have another."""
        if not answer.opened or answer.place not in PLACES:
            return ""
        predicted = self._prediction("graph")[role][0]
        if place_of_file(answer.opened[0], self.cwd) != place_of_file(predicted["path"], self.cwd):
            return ""  # two names of one file
        if predicted["chosen_by"].startswith(PLACES[answer.place]):
            return ""
        return f"the loader chose it by {answer.place}; predicted {predicted['chosen_by']}"


class AgainstTheRealLoader(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        reason = isolation.why_not_isolated()
        if not OBSERVER.exists():
            reason = "the test tool observe_cudnn is not built"
        if reason:
            raise unittest.SkipTest(reason)
        try:
            cls.made = programs()
            cls.owners = Owners()
        except NotHere as why:
            raise unittest.SkipTest(str(why))

    def compared(self, arrangement):
        root = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-loader-")))
        self.addCleanup(shutil.rmtree, root, ignore_errors=True)
        done = Compared(arrangement, self.made, root)
        done.compare()
        return done

    def check_what_was_written_down(self, done):
        """The truth of arrangements.py against the files that were mapped."""
        mapped = {path for roles in done.opened.values() for paths in roles.values() for path in paths}
        releases = {self.owners.release(os.path.join(done.cwd, path)) for path in mapped} - {None}
        a = done.arrangement
        said = "mixed-sublibraries" in a.finds | a.warns or "loader-override" in a.warns
        if len(releases) > 1 and not said and not a.completed_elsewhere:
            return f"mapped are {sorted(releases)}: {done.opened}"
        if "mixed-sublibraries" in a.finds and len(releases) == 1:
            return f"mapped is only {sorted(releases)}"
        return ""

    def test_every_arrangement(self):
        compared = 0
        for arrangement in ARRANGEMENTS:
            with self.subTest(arrangement.name):
                try:
                    done = self.compared(arrangement)
                except NotHere as why:
                    print(f"not here: {arrangement.name}: {why}")
                    continue
                compared += 1
                self.assertEqual(done.differences, [])
                self.assertEqual(self.check_what_was_written_down(done), "")
        print(f"{compared} arrangements")
        self.assertGreaterEqual(compared, AT_LEAST)

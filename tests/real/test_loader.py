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
from programs import built, programs

OBSERVER = built("tests/support/observe_cudnn")
DAMAGED = ("empty", "not_elf", "foreign", "unreadable")
AT_LEAST = 50


class Compared:
    """One arrangement, asked of both; `differences` is empty where they agree."""

    def __init__(self, arrangement, made, root):
        self.root, self.differences, self.releases = root, [], {}
        self.arrangement, self.made = arrangement, made
        self.place = arrangement.arrange(root, made.cuda_with_driver)
        self.variables = arrangement.environment(self.place)
        self.cwd = root / arrangement.cwd
        self.program = root / "bin" / "calls"
        link(made.calls(arrangement.link), self.program)
        self.program.chmod(0o755)
        self.cache = self._cache()
        self.predicted = self._predict()

    def _cache(self):
        if not isolation.cache_can_be_chosen():
            if self.arrangement.cache:
                raise NotHere("ld.so.cache cannot be chosen here (no user namespaces)")
            return None
        return isolation.make_cache(self.root, [self.place.folder(f) for f in self.arrangement.cache])

    def _predict(self):
        done = isolation.run([OBSERVER, self.program], self.variables, self.cwd, self.cache, merged=False)
        if done.status != 0:
            raise AssertionError(f"{OBSERVER.name}: {done.status}\n{done.output}{done.errors}")
        return json.loads(done.output)

    def _prediction(self, first):
        files = {f["role"]: f for f in self.predicted["files"]}
        for order in self.predicted["orders"]:
            if order["first_call"] == first:
                files.update({f["role"]: f for f in order["files"]})
        return files

    def compare(self):
        for first, processes in ORDERS.items():
            told = [listen(self.made, self.program, calls, self.variables, self.cwd, self.cache)
                    for calls in processes]
            answers, died_at = merged(told)
            self.releases[first] = {role: a.opened[0] for role, a in answers.items() if a.opened}
            for role, answer in answers.items():
                wrong = self._wrong(role, answer, self._prediction(first).get(role), died_at)
                if wrong:
                    self.differences.append(f"{first} first, {role}: {wrong}")
        return self.differences

    def _wrong(self, role, answer, predicted, died_at):
        if not answer.asked and not answer.opened:
            return ""
        state = predicted["state"] if predicted else "missing"
        path = predicted["path"] if predicted else ""
        where = place_of_file(path, self.cwd) if path else ""
        if died_at and answer.last_tried and answer.last_tried[0] == died_at and not answer.opened:
            if state == "truncated" and where == place_of_file(died_at, self.cwd):
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
        real = place_of_file(answer.opened[0], self.cwd)
        if state in DAMAGED:
            # It refused that one, and a later name led to another file.
            return f"the loader took {real}; predicted {state} {path}"
        if not path:
            return f"the loader took {real}; predicted none"
        if real != where and not os.path.samefile(real, where):
            return f"the loader took {real}; predicted {path}"
        if real == where and answer.place in PLACES and not predicted["chosen_by"].startswith(
                PLACES[answer.place] + PLACES["orig"][:2]):
            return f"the loader chose it by {answer.place}; predicted {predicted['chosen_by']}"
        return ""


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
        mapped = {path for files in done.releases.values() for path in files.values()}
        releases = {self.owners.release(os.path.join(done.cwd, path)) for path in mapped} - {None}
        a = done.arrangement
        said = "mixed-sublibraries" in a.finds | a.warns or "loader-override" in a.warns
        if len(releases) > 1 and not said and not a.completed_elsewhere:
            return f"mapped are {sorted(releases)}: {done.releases}"
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


if __name__ == "__main__":
    unittest.main()

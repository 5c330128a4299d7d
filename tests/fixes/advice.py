# SPDX-License-Identifier: BSD-3-Clause
"""What comes of the fixes in many arrangements: ./dev advice [--count N] [--seed S] [--jobs N] [--verbose]

One line for each fix that does not mend or that harms: seed, environments, breaks, check and its findings, fix, outcome.
"""

import argparse
import collections
import concurrent.futures
import functools
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [folder for folder in (str(HERE), str(HERE.parent)) if folder not in sys.path]

from random_breaks import BREAKS
from random_environments import programs
from support.environment import tools
from trial import outcomes_of


def percent(part, whole):
    return f"{part} of {whole}" + (f" ({100 * part / whole:.1f} %)" if whole else "")


class Figures:
    """What came of the seeds."""

    def __init__(self):
        self.outcomes, self.alarms, self.seeds = [], collections.Counter(), 0

    def add(self, outcomes, alarms):
        self.seeds += 1
        self.outcomes += outcomes
        for check, findings in alarms:
            for name, severity in findings:
                self.alarms[f"{re.sub(r' .*', '', check.replace('cudnn-checked ', ''))}: {severity} {name}"] += 1

    def of(self, *results):
        return [o for o in self.outcomes if o.result in results]

    @property
    def messages(self):
        return [o for o in self.outcomes if o.check]

    @property
    def commands(self):
        return [o for o in self.outcomes if o.has_command]

    @property
    def green(self):
        return [o for o in self.commands if o.tried == "green"]

    @property
    def mended(self):
        return self.of("mended")

    @property
    def harmed(self):
        return [o for o in self.outcomes if o.harm]

    def table(self):
        yield f"{'kind of break':46} {'alone':>24}   {'all':>24}"
        yield f"{'':46} " + "   ".join([f"{'messages':>8} {'cmd':>4} {'mended':>6} {'harm':>4}"] * 2)
        for name in BREAKS:
            rows = [[o for o in self.messages if name in o.breaks and (not alone or len(o.breaks) == 1)]
                    for alone in (True, False)]
            yield f"{name:46} " + "   ".join(
                f"{len(r):8} {sum(o.has_command for o in r):4} {sum(o.result == 'mended' for o in r):6} "
                f"{sum(bool(o.harm) for o in r):4}" for r in rows)

    def text(self):
        broken = {o.seed for o in self.messages}
        yield f"seeds: {self.seeds}; refused or warned of: {len(broken)}, by {len(self.messages)} different first fixes"
        yield f"not seen: {len(self.of('not seen'))}; breaks nothing: {len(self.of('breaks nothing'))}"
        yield f"has a command: {percent(len(self.commands), len(self.messages))}"
        yield f"mended, of those with a command: {percent(len(self.mended), len(self.commands))}"
        yield f"everything green, of those: {percent(sum(o.all_green for o in self.commands), len(self.commands))}"
        yield f"marked green: {len(self.green)}; of these mended: " \
              f"{percent(sum(o.result == 'mended' for o in self.green), len(self.green))}"
        yield f"harmed: {percent(len(self.harmed), len(self.commands))}"
        kinds = collections.Counter(h.split(":")[0] for o in self.harmed for h in o.harm)
        yield "  " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
        yield f"alarms in sound arrangements: {dict(self.alarms.most_common())}"
        yield ""
        yield from self.table()


def line_of(o):
    harm = f"; HARMED: {'; '.join(o.harm)}" if o.harm else ""
    broken = ", ".join(f"{name}: {words}" for name, words in o.breaks.items())
    return f"{o.seed} | {o.words} | {broken} | {o.check} [{o.findings}] | {o.fix} | {o.result}{harm}"


def try_seeds(seeds, jobs=1):
    """The outcomes of each seed, in their order."""
    tools()
    programs()
    with tempfile.TemporaryDirectory(prefix="cudnn-checked-advice-") as folder:
        one = functools.partial(outcomes_of, os.path.realpath(folder))
        if jobs == 1:
            yield from map(one, seeds)
            return
        with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
            yield from pool.map(one, seeds, chunksize=4)


def main(arguments):
    parser = argparse.ArgumentParser(description="The first fixes of broken arrangements, typed by sh.")
    parser.add_argument("--count", type=int, default=2000, help="how many seeds (2000)")
    parser.add_argument("--seed", type=int, default=1, help="the first one (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true", help="with what was printed")
    given = parser.parse_args(arguments)
    figures = Figures()
    for outcomes, alarms in try_seeds(range(given.seed, given.seed + given.count), given.jobs):
        figures.add(outcomes, alarms)
        for o in outcomes:
            if o.harm or o.result not in ("mended", "breaks nothing"):
                print(line_of(o), flush=True)
            if given.verbose:
                print(o.output, flush=True)
    print("\n".join(figures.text()))
    failed = figures.harmed or any(o.result != "mended" for o in figures.green)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# SPDX-License-Identifier: BSD-3-Clause
"""What the provider adds to the configure of a real project, in processor time: the same project without it, with an
installed one and with that of the source tree, in turn, each in a new build tree and once more in it."""

import pathlib
import resource
import statistics
import sys
import tempfile

from project_table import PROJECTS
from projects import PROVIDER, REPOSITORY, Attempt, prepared

TIMES = 3


def processor_time(attempt, tree, site, guard):
    """Of one configure with all that it starts, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = attempt.configure(tree, site, guard)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.status:
        raise SystemExit(done.output)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(checkouts, name):
    [project] = [one for one in PROJECTS if one.folder == name]
    of_the_tree = REPOSITORY / "cmake" / "CuDNNCheckedProvider.cmake"
    ways = {"without": None, "source tree": of_the_tree}
    if pathlib.Path(PROVIDER) != of_the_tree:
        ways["prefix"] = PROVIDER
    times = {}
    with tempfile.TemporaryDirectory(prefix="cudnn-checked-time-") as scratch:
        work = pathlib.Path(scratch)
        site = prepared(work, ["sound"])["sound"]
        attempt = Attempt(project, checkouts, work)
        for number in range(TIMES):
            for way, provider in ways.items():
                attempt.provider = provider
                for state in ("cold", "warm"):
                    taken = processor_time(attempt, f"{way}-{number}", site, "ALL" if provider else "")
                    times.setdefault((way, state), []).append(taken)
    return {key: statistics.median(seconds) for key, seconds in times.items()}


def main():
    name = sys.argv[2] if len(sys.argv) > 2 else "cudnn-frontend"
    times = measured(pathlib.Path(sys.argv[1]).resolve(), name)
    print(f"| {name} | processor time, cold | warm | ratio, cold | warm |\n|---|---|---|---|---|")
    for way in dict.fromkeys(way for way, _ in times):
        cold, warm = times[way, "cold"], times[way, "warm"]
        ratios = f"{cold / times['without', 'cold']:.2f} | {warm / times['without', 'warm']:.2f}"
        print(f"| {way} | {cold:.2f} s | {warm:.2f} s | {ratios} |")


if __name__ == "__main__":
    main()

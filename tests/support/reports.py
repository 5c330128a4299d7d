# SPDX-License-Identifier: BSD-3-Clause
"""Reports of the probe, whole and damaged, and what the find module makes of them."""

import json
import pathlib
import random
import re
import subprocess

from support.consumer import cmake_program
from support.environment import RELEASE, REPOSITORY, built, clean_environment

FILES = ["", "_graph", "_ops", "_cnn", "_adv", "_engines_precompiled", "_engines_runtime_compiled",
         "_heuristic"]
VERSION = re.compile(r"([0-9]+(\.[0-9]+){0,3})?")

# Each with the path of a file that exists only where the text was executed.
CODE = [
    '580.1]==])\nfile(TOUCH {canary})\nset(y [==[y',
    '1")\nfile(TOUCH {canary})\nset(y "y',
    '1)\nfile(TOUCH {canary})\n#', ';file(TOUCH {canary})', '${{x}}', '$ENV{{HOME}}', '@HOME@',
    '$<1:{canary}>', '[[', ']]', ']==]', '[=[', '\\', '\\;', '\\"', '"', "a\nb", "a\x1b[31m", "a\0b",
    "9.14.0\0", "9.14.0\nx", "9.14.0;x", "sm_75;sm_90", "\ufeff9.14.0", "unknown", "", "-1", "1e999", "*/",
]


def sound_report():
    """What the probe writes on a machine with two GPUs, with fewer convolutions."""
    def convolution(device, api, kind):
        return {"api": api, "type": kind, "layout": "nchw", "shape": "1x32x16x16 * 32x32x3x3",
                "math": "fma", "engine": 0, "device": device, "status": "ok", "status_number": 0,
                "relative_error": 2.9e-07, "element_error": 2.1e-07, "tolerance": 6.8e-05,
                "milliseconds": 1.4}
    files = [{"name": f"libcudnn{name}.so.9", "role": name[1:] or "shim",
              "path": f"/sdk/lib/libcudnn{name}.so.9", "version": "9.14.0",
              "chosen_by": "LD_LIBRARY_PATH[0]", "mapped": True, "build_id": "00ff", "package": ""}
             for name in FILES]
    return {
        "schema": 1, "package": RELEASE, "program": "", "verdict": "warning", "level": "ran",
        "triple": {"cudnn": "9.14.0", "cuda": "13.0", "architectures": ["sm_75", "sm_87"]},
        "cudnn": {"header": {"version": "9.14.0", "path": "/sdk/include/cudnn_version.h"},
                  "library": {"version": "9.14.0", "path": "/sdk/lib/libcudnn.so.9", "cudart": "13.0",
                              "max_device": 1210},
                  "files": files, "checks": []},
        "components": [], "needs": [name[1:] for name in FILES[1:]],
        "cuda": {"toolkit": "13.0", "runtime": "13.0", "driver": "13.0", "kernel_module": ""},
        "devices": [{"index": i, "uuid": f"GPU-{i}", "name": "GPU", "architecture": sm}
                    for i, sm in enumerate(["sm_75", "sm_87"])],
        "convolutions": [convolution(device, *kind) for device in (0, 1)
                         for kind in (("legacy", "fp32"), ("graph", "fp16"))],
        "operations": [{"operation": "attention/backward", "type": "fp16", "problem": "2x4x192x64, causal",
                        "output": "dQ", "engine": 6, "device": device, "status": "ok", "status_number": 0,
                        "relative_error": None, "element_error": 0.5, "tolerance": 4, "milliseconds": 0.25}
                       for device in (0, 1)],
        "kernel": {"compiler": "nvcc 13.0.88", "headers": "13.0", "compiled": ["75-real"], "runs": [
            {"device": 0, "code": "sm_75", "shape": "1x1", "status": "ok", "status_number": 0,
             "relative_error": 1e-07, "element_error": 1e-07, "tolerance": 1e-05, "milliseconds": 1,
             "cudnn_difference": None}]},
        "skipped": [],
        "findings": [{"name": "loader-override", "severity": "warning", "summary": "a variable decides",
                      "expected": "", "found": "", "where": "", "because": "", "fix": "",
                      "fixes": [], "evidence": []}],
        "escape": None,
    }


def places(tree, path=()):
    """The paths of all values of a tree, in their order."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in items:
        yield path + (key,)
        if isinstance(value, (dict, list)):
            yield from places(value, path + (key,))


def at(tree, path):
    for key in path:
        tree = tree[key]
    return tree


def _changed_value(chance, tree, code):
    path = chance.choice(list(places(tree)))
    parent = at(tree, path[:-1])
    kind = chance.randrange(4)
    if kind == 0:
        parent[path[-1]] = chance.choice(code)
    elif kind == 1:
        parent[path[-1]] = chance.choice([None, True, 0, -1, 7, 1e300, 9.14, [], {}, {"a": "b"}, ["x"]])
    elif kind == 2:
        other = chance.choice(list(places(tree)))
        parent[path[-1]] = json.loads(json.dumps(at(tree, other)))
    elif isinstance(parent, dict):
        value = parent.pop(path[-1])
        parent[chance.choice([path[-1] + "x", "level", "verdict", "stage", "status"])] = value
    else:
        del parent[path[-1]]


def _changed_bytes(chance, data):
    data = bytearray(data)
    kind = chance.randrange(5)
    place = chance.randrange(len(data))
    if kind == 0:
        data[place] ^= 1 << chance.randrange(8)
    elif kind == 1:
        data[place] = chance.randrange(256)
    elif kind == 2:
        del data[place:]
    elif kind == 3:
        del data[place:place + chance.randrange(1, 200)]
    else:
        piece = data[place:place + chance.randrange(1, 200)]
        other = chance.randrange(len(data))
        data[other:other] = piece
    return bytes(data)


def damaged_reports(seed, count, canary):
    """The same reports for the same seed: each damaged in one or two ways."""
    chance = random.Random(seed)
    code = [text.format(canary=canary) for text in CODE]
    for _ in range(count):
        tree = sound_report()
        kind = chance.randrange(10)
        if kind < 6:
            for _ in range(1 + (kind == 0)):
                _changed_value(chance, tree, code)
        data = json.dumps(tree, indent=chance.choice([None, 2])).encode()
        if kind >= 6:
            data = _changed_bytes(chance, data)
        if kind == 9:
            data = chance.choice([b"\xef\xbb\xbf" + data, data.replace(b" ", b"\r\n"), data + data,
                                  b"//" + data, data.replace(b'"ran"', b'"ran", "level": "linked"')])
        yield data


def take_reports(reports, folder):
    """What became of each (bytes) in the find module's own function: None where it was refused, else
    the results by name."""
    folder = pathlib.Path(folder)
    place = folder / "place"
    (place / "lib").mkdir(parents=True, exist_ok=True)
    for name in FILES:
        (place / "lib" / f"libcudnn{name}.so.9").touch()
    for number, data in enumerate(reports):
        (folder / f"{number}.json").write_bytes(data)
    done = subprocess.run(
        [cmake_program(), "-D", f"PACKAGE={REPOSITORY}", "-D", f"FOLDER={folder}",
         "-D", f"PLACE={place}", "-D", f"CONFIGURE={built('tests/support/configure_program')}", "-P", str(REPOSITORY / "tests/fuzz/take_reports.cmake")],
        env=clean_environment(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0 or done.stdout:
        raise AssertionError(f"status {done.returncode}\n" + done.stdout.decode("utf-8", "replace"))
    answers = []
    for number, _ in enumerate(reports):
        lines = (folder / f"{number}.json.txt").read_bytes().decode().split("\n")
        answers.append(dict(line.split("=", 1) for line in lines[1:] if "=" in line)
                       if lines[0] == "taken" else None)
        if lines[0] not in ("taken", "refused") or (lines[0] == "refused" and lines[1] == ""):
            raise AssertionError(f"{number}.json: {lines}")
    return answers


def why_not_sound(taken, report, file):
    """What is wrong with results that were taken from a damaged sound_report(); empty where nothing."""
    sound = {"proved_level": "ran", "proved_verdict": "warning", "proved_library_version": "9.14.0",
             "proved_architectures": "75;87", "proved_report": str(file),
             "proved_line": "cuDNN 9.14.0 · CUDA 13.0 · sm_75 sm_87, convolution verified; taken from "
                            f"report {file}"}
    # A damaged report may lack its operations, and proves none then.
    proved = taken["proved_operations"]
    if proved:
        sound["proved_line"] = sound["proved_line"].replace("verified;", f"verified, operations verified ({proved});")
    wrong = [f"{key}={taken.get(key)}" for key, value in sound.items() if taken.get(key) != value]
    if proved not in ("", "attention/backward"):
        wrong.append(f"operations={proved}")
    for key in ["cudart_version", "toolkit", "runtime", "driver"]:
        if not VERSION.fullmatch(taken["proved_" + key]):
            wrong.append(f"{key}={taken['proved_' + key]}")
    if not re.fullmatch(r"[A-Za-z0-9_;-]*", taken["proved_needs"]):
        wrong.append("needs")
    try:
        json.loads(report.decode("utf-8-sig"), strict=False)
    except ValueError as error:
        wrong.append(f"not JSON: {error}")
    return ", ".join(wrong)


def check_damaged_reports(seed, count, folder):
    """Gives damaged reports to the find module; returns how many were taken.  Raises AssertionError where one
    was taken that proves something else, or where anything was executed or written elsewhere."""
    folder = pathlib.Path(folder)
    work = folder / "work"
    work.mkdir()
    canary = folder / "canary"
    reports = [json.dumps(sound_report()).encode(), *damaged_reports(seed, count, canary)]
    answers = take_reports(reports, work)
    if answers[0] is None:
        raise AssertionError("a sound report was refused:\n" + (work / "0.json.txt").read_text())
    for number, (report, taken) in enumerate(zip(reports, answers)):
        wrong = taken and why_not_sound(taken, report, work / f"{number}.json")
        if wrong:
            raise AssertionError(f"{work}/{number}.json of seed {seed} was taken: {wrong}")
    beside = [p.name for p in folder.iterdir()] + [p.name for p in work.iterdir()
                                                   if p.suffix not in (".json", ".txt", ".proof")]
    if sorted(beside) != ["place", "work"]:
        raise AssertionError(f"something was executed or written: {sorted(beside)}")
    return sum(taken is not None for taken in answers)

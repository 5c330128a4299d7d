#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What cuDNN does with one library of another release, role by role.

usage: foreign_members.py CUDNN_CHECKED FOLDER...

A FOLDER is a cuDNN, named by its release ("9.22.0-jit"), or a single library, named "ROLE@RELEASE".  In each
cuDNN one member is replaced by that of another one, or, if the cuDNN lacks it, another one's is made reachable
by LD_LIBRARY_PATH.  PyTorch computes 12 convolutions over each, and `cudnn-checked probe` those of its own.
Prints the table of docs/measurements.md.  Needs an NVIDIA GPU, PyTorch, and no cuDNN where the loader looks.
"""
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import sys
import tempfile

import gpu_machine

JIT_ROLES = ("shim", "graph", "engines_runtime_compiled")


def role_of(path):
    found = re.fullmatch(r"libcudnn(?:_(\w+))?\.so\.9", path.name)
    return (found[1] or "shim") if found else None


def members_of(folder):
    return {role_of(path): path.resolve() for path in pathlib.Path(folder).glob("libcudnn*.so.9")
            if role_of(path)}


def name_of(role):
    return "libcudnn.so.9" if role == "shim" else f"libcudnn_{role}.so.9"


def sets_of(folders):
    sets, single = {}, {}
    for folder in map(pathlib.Path, folders):
        role, at, release = folder.name.partition("@")
        if at:
            single[role, release] = folder.resolve()
            continue
        sets[folder.name] = whole = members_of(folder)
        if not folder.name.endswith("-jit"):
            sets[f"{folder.name}-jit"] = {each: whole[each] for each in JIT_ROLES}
    return sets, single


def arrangements(sets, single):
    """Yields (set, role, the other's name, the other's file)."""
    others = [(role, name, path) for name, files in sets.items() for role, path in files.items()
              if not (name.endswith("-jit") and name[:-4] in sets)]
    others += [(role, name, path) for (role, name), path in single.items()]
    for of, files in sets.items():
        yield of, None, None, None
        for role, name, path in others:
            if name != of and files.get(role) != path:
                yield of, role, name, path
        for name in sets:
            if of.endswith("-jit") and not name.endswith("-jit"):
                yield of, "all that it lacks", name, sets[name]


def compute():
    """PyTorch's 12 convolutions, in a process of their own."""
    import torch  # pylint: disable=import-outside-toplevel
    torch.manual_seed(1)
    done = {"right": 0, "wrong": 0, "raised": 0, "said": []}
    shapes = ((32, 32, 3, 16), (16, 32, 1, 7), (64, 64, 3, 14))
    for (inputs, outputs, kernel, size), dtype, layout in itertools.product(
            shapes, (torch.float16, torch.float32), (torch.contiguous_format, torch.channels_last)):
        x = torch.randn(4, inputs, size, size, device="cuda", dtype=dtype).to(memory_format=layout)
        w = torch.randn(outputs, inputs, kernel, kernel, device="cuda",
                        dtype=dtype).to(memory_format=layout)
        with torch.backends.cudnn.flags(enabled=False):
            expected = torch.nn.functional.conv2d(x.float(), w.float(), padding=kernel // 2)
        try:
            got = torch.nn.functional.conv2d(x, w, padding=kernel // 2).float()
        except RuntimeError as exception:
            done["raised"] += 1
            words = re.findall(r"CUDNN_STATUS_\w+|unable to find an engine", str(exception))
            done["said"] = sorted(set(done["said"]) | set(words[-1:] or [str(exception)[:60]]))
            continue
        error = ((got - expected).norm() / expected.norm()).item()
        done["right" if error <= 2e-2 else "wrong"] += 1
    print(json.dumps(done))


def json_of(result):
    try:
        return json.loads(result.stdout)
    except ValueError:
        text = (result.stderr.strip().splitlines() or [""])[-1][:80]
        return {"died": f"{result.returncode} {text}"}


def loaded(folder, path):
    """What the loader did with a file (ld.so(8), LD_DEBUG): it stays, it was closed again, or neither."""
    text = "".join(log.read_text(errors="replace") for log in pathlib.Path(folder).glob("log.*"))
    stays = max(text.rfind(f"calling init: {path}\n"), text.rfind(f"calling init: {path} "))
    if stays < 0:
        return "not loaded"
    # At its end a process closes everything: that is behind the last file that is opened.
    closed = text.find(f"calling fini: {path} ", stays)
    return "closed again" if 0 <= closed < text.rfind("calling init: ") else "loaded"


def row(command, sets, of, role, name, path):
    with tempfile.TemporaryDirectory() as folder:
        own, stray = pathlib.Path(folder, "own"), pathlib.Path(folder, "stray")
        own.mkdir()
        stray.mkdir()
        for each, file in sets[of].items():
            (own / name_of(each)).symlink_to(path if each == role else file)
        if role is not None and role not in sets[of]:
            for each, file in (path if isinstance(path, dict) else {role: path}).items():
                (stray / name_of(each)).symlink_to(file)
        file = (own if role in sets[of] else stray) / name_of(role) if role else own
        search = gpu_machine.in_front(f"{own}:{stray}")
        pytorch = json_of(gpu_machine.run(
            [sys.executable, __file__, "--compute"], LD_LIBRARY_PATH=search, LD_DEBUG="files",
            LD_DEBUG_OUTPUT=os.path.join(folder, "log")))
        probe = json_of(gpu_machine.run([command, "probe", "--json", str(own)],
                                        LD_LIBRARY_PATH=search))
        state = loaded(folder, file) if role else ""
    return {"set": of, "role": role, "of": name, "pytorch": pytorch, "loaded": state,
            "probe": {"verdict": probe.get("verdict", probe.get("died")),
                      "level": probe.get("level"),
                      "findings": sorted({f["name"] for f in probe.get("findings", ())
                                          if f["severity"] != "note"}),
                      "convolutions": [[c[k] for k in ("api", "type", "layout", "engine", "status")]
                                       for c in probe.get("convolutions", ())]}}


def cell(done):
    if "died" in done:
        return f"ended: {done['died']}"
    text = f"{done['right']} right, {done['wrong']} wrong, {done['raised']} raised"
    return text + (f" ({', '.join(done['said'])})" if done["said"] else "")


def main(arguments):
    if arguments == ["--compute"]:
        return compute()
    sets, single = sets_of(arguments[1:])
    print("| set | member | of | the loader | PyTorch, 12 convolutions | probe |\n|---|---|---|---|---|---|")
    rows = []
    # Each compiles kernels, on one core.
    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 2) - 2)) as pool:
        for r in pool.map(lambda a: row(arguments[0], sets, *a), arrangements(sets, single)):
            rows.append(r)
            print(f"| {r['set']} | {r['role'] or 'its own'} | {r['of'] or ''} | "
                  f"{r['loaded']} | {cell(r['pytorch'])} | "
                  f"{', '.join(r['probe']['findings']) or r['probe']['verdict']} |", flush=True)
            gpu_machine.keep("foreign-members.json", json.dumps(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# SPDX-License-Identifier: BSD-3-Clause
"""Ways in which DLLs of cuDNN lie about, for test_arrangements.py.

What is true of an arrangement is not written down: the loader says it.
"""

import dataclasses
import random
import typing

from dll_places import FAKE_ROLES, Place

SEED = 20260
RANDOM = 24
NON_ASCII = ("Zoë", "КуДНН", "深度学习")
DAMAGES = ("cut", "empty", "zero", "text", "folder", "32-bit", "arm64")


@dataclasses.dataclass
class Arrangement:
    name: str
    make: typing.Callable[[Place], None]
    # Entries of PATH; {P0} is the folder of that name.
    path: tuple = ()
    # DLLs of NVIDIA's are in it.
    real: bool = False
    # DLLs that the program loads by their paths first; a folder is given to SetDllDirectory.
    first: tuple = ()
    # The program imports cudnn64_9.dll.
    linked: bool = False
    # What of cuDNN is in system32: role and release, or "fake".
    system32: dict = dataclasses.field(default_factory=dict)
    cwd: str = "cwd"


def sets(**folders):
    """folder=release, or (release, changes)."""
    def make(place):
        for folder, of in folders.items():
            place.set(folder, *((of,) if isinstance(of, str) else of[:1]), **({} if isinstance(of, str) else of[1]))
    return make


def split(of, **folders):
    """folder=roles."""
    def make(place):
        for folder, roles in folders.items():
            place.set(folder, of, only=roles)
    return make


def with_release(of, **changes):
    return (of, changes)


def of_real_dlls():
    """With NVIDIA's files."""
    everything_else = ("cnn", "adv", "engines_precompiled", "engines_runtime_compiled", "heuristic")

    def real(name, make, path=(), **more):
        return Arrangement("real: " + name, make, path, real=True, **more)

    yield real("9.10 beside the program", sets(bin="9.10"), linked=True)
    yield real("9.10 in the working directory", sets(cwd="9.10"))
    yield real("9.10 in PATH", sets(P0="9.10"), ("{P0}",), linked=True)
    yield real("9.28 in the fourth entry of PATH", sets(P3="9.28"), ("{P0}", "{P1}", "{P2}", "{P3}"))
    yield real("9.28 beside the program", sets(bin="9.28"))
    yield real("9.28 in the working directory, 9.10 in PATH", sets(cwd="9.28", P0="9.10"), ("{P0}",), linked=True)
    yield real("9.10 before 9.28 in PATH", sets(P0="9.10", P1="9.28"), ("{P0}", "{P1}"))
    yield real("9.28 before 9.10 in PATH", sets(P0="9.28", P1="9.10"), ("{P0}", "{P1}"))
    yield real("9.10 split over four places", split("9.10", bin=("shim",), cwd=("graph",), P0=("ops",),
                                                    P1=everything_else), ("{P0}", "{P1}"))
    yield real("the shim of 9.28 beside the program, 9.10 in PATH",
               lambda p: (p.set("bin", "9.28", only=("shim",)), p.set("P0", "9.10")), ("{P0}",))
    yield real("9.10 with the ops of 9.28", sets(bin=with_release("9.10", ops="9.28")))
    yield real("9.10 with the graph of 9.28", sets(P0=with_release("9.10", graph="9.28")), ("{P0}",))
    yield real("9.28 with the cnn of 9.10", sets(P0=with_release("9.28", cnn="9.10")), ("{P0}",))
    yield real("9.10 in PATH without adv, 9.28 behind it", sets(P0=with_release("9.10", adv="gone"), P1="9.28"),
               ("{P0}", "{P1}"))
    for role in ("graph", "ops", "cnn", "heuristic"):
        yield real(f"9.10 without {role}", sets(bin=with_release("9.10", **{role: "gone"})))
    for role, how in (("ops", "empty"), ("cnn", "text"), ("adv", "folder"), ("graph", "32-bit"), ("ops", "zero"),
                      ("cnn", "cut"), ("graph", "cut")):
        yield real(f"9.10, {role}: {how}", sets(bin=with_release("9.10", **{role: how})))
    yield real("9.10, ops of 32 bits before it", lambda p: (p.put("cwd", "ops", how="32-bit"), p.set("P0", "9.10")),
               ("{P0}",))
    yield real("the graph of 9.28 in system32 before 9.10 in PATH", sets(P0="9.10"), ("{P0}",),
               system32={"graph": "9.28"})
    yield real("the shim of 9.28 in system32, behind 9.10 beside the program", sets(bin="9.10"),
               system32={"shim": "9.28"}, linked=True)
    yield real("the ops of 9.28 loaded by its path before 9.10 asks", sets(bin="9.10", else_="9.28"),
               first=("else_/cudnn_ops64_9.dll",))


def places():
    """One fake set, or several."""
    yield Arrangement("beside the program and everywhere else", sets(bin="fake", cwd="fake", P0="fake"), ("{P0}",))
    yield Arrangement("in the working directory and in PATH", sets(cwd="fake", P0="fake"), ("{P0}",), linked=True)
    yield Arrangement("nowhere", lambda p: None)
    yield Arrangement("nowhere, and linked", lambda p: None, linked=True)
    yield Arrangement("the working directory is that of the program", sets(bin="fake"), cwd="bin")
    for role in ("shim", "ops"):
        yield Arrangement(f"{role} in system32, before the working directory", sets(cwd="fake", P0="fake"), ("{P0}",),
                          system32={role: "fake"})
        yield Arrangement(f"{role} in system32, behind the program's directory", sets(bin="fake"), system32={role: "fake"})
    yield Arrangement("in a directory below the program's", sets(**{"bin/lib": "fake"}))


def spellings():
    """What an entry of PATH may look like."""
    one = sets(P0="fake")
    for name, path in (
            ("a backslash at its end", ("{P0}\\",)), ("two backslashes at its end", ("{P0}\\\\",)),
            ("quotes", ('"{P0}"',)), ("half of it in quotes", ('Z:"{P0}"',)), ("a quote at its start", ('"{P0}',)),
            ("blanks around it", (" {P0} ",)), ("a blank behind it", ("{P0} ",)), ("a point behind it", ("{P0}.",)),
            ("forward slashes", ("{P0/}",)), ("forward slashes, one at its end", ("{P0/}/",)),
            ("an empty entry before it", ("", "{P0}")), ("empty entries around it", ("", "", "{P0}", "")),
            ("a missing directory before it", ("Z:\\nowhere", "{P0}")), ("a missing drive before it", ("Q:\\a", "{P0}")),
            ("a file before it", ("{bin}\\calls.exe", "{P0}")), ("no path at all before it", ("<>|?*", "{P0}")),
            ("a relative entry", ("..\\P0",)), ("a relative entry with forward slashes", ("../P0",)),
            ("a point", (".", "{P0}")), ("points within", ("{P0}\\..\\P0\\.",)), ("the same twice", ("{P0}", "{P0}")),
            ("upper case", ("{P0^}",)), ("the prefix of long paths", ("\\\\?\\{P0}",)),
            ("a path of the drive", ("{P0-drive}",)), ("a relative path of a drive", ("Z:..\\P0",)),
            ("a variable that is not expanded", ("%P0%", "{P0}")), ("a blank entry", (" ", "{P0}"))):
        yield Arrangement(f"PATH: {name}", one, path)
    yield Arrangement("PATH: an empty entry, the set in the working directory", sets(cwd="fake"), ("", "{P0}"))
    yield Arrangement("PATH: a relative entry, which leads from the working directory",
                      sets(**{"cwd/sub": "fake", "bin/sub": "fake"}), ("sub",))
    for folder in NON_ASCII:
        yield Arrangement(f"PATH: {folder}", sets(**{folder: "fake"}), ("{" + folder + "}",))
    yield Arrangement("a working directory that is not ASCII", sets(**{NON_ASCII[1]: "fake"}), cwd=NON_ASCII[1])
    yield Arrangement("PATH: a semicolon in quotes", sets(**{"a;b": "fake", "P0": "fake"}), ('"{a;b}"', "{P0}"))
    yield Arrangement("PATH: a semicolon in quotes, and nothing behind it", sets(**{"a;b": "fake"}), ('"{a;b}"',))
    deep = "/".join(["a" * 60] * 4)
    yield Arrangement("PATH: a path of more than 260 characters", sets(**{deep: "fake", "P0": "fake"}),
                      ("{" + deep + "}", "{P0}"))
    yield Arrangement("PATH of 200 entries", one, (*(f"Z:\\nowhere\\{i}" for i in range(200)), "{P0}"))


def damaged():
    """Something that has the name and is no DLL for this program, in front of a whole set or of none."""
    for how in DAMAGES:
        yield Arrangement(f"ops: {how}, nothing behind it", sets(bin=with_release("fake", ops=how)))
        yield Arrangement(f"ops: {how}, a whole one in PATH", sets(bin=with_release("fake", ops=how), P0="fake"),
                          ("{P0}",))
        yield Arrangement(f"shim: {how}, linked", sets(P0=with_release("fake", shim=how)), ("{P0}",), linked=True)
    yield Arrangement("upper-case names", lambda p: [p.put("P0", role, how="upper") for role in FAKE_ROLES], ("{P0}",))
    yield Arrangement("32-bit set in the working directory, whole in PATH",
                      sets(cwd=with_release("fake", **{r: "32-bit" for r in FAKE_ROLES}), P0="fake"), ("{P0}",),
                      linked=True)


def loaded_before():
    """A DLL that is in the process when cuDNN asks for its name."""
    for role in ("graph", "ops"):
        name = f"cudnn_{role}64_9.dll"
        yield Arrangement(f"{role} loaded by its path first", sets(bin="fake", else_="fake"), first=(f"else_/{name}",))
        yield Arrangement(f"{role} loaded by its path first, in upper case",
                          lambda p, role=role: (p.set("bin"), p.put("else_", role, how="upper")),
                          first=(f"else_/{name.upper()}",))
        yield Arrangement(f"{role} loaded under another name first",
                          lambda p, role=role: (p.set("bin"), p.put("else_", role, name="cudnn_my.dll")),
                          first=("else_/cudnn_my.dll",))
    yield Arrangement("the shim loaded by its path first", sets(P0="fake", else_="fake"), ("{P0}",),
                      first=("else_/cudnn64_9.dll",))


def named():
    """SetDllDirectory."""
    yield Arrangement("SetDllDirectory, and nothing else", sets(named="fake"), first=("named",))
    yield Arrangement("SetDllDirectory before the working directory and PATH", sets(named="fake", cwd="fake", P0="fake"),
                      ("{P0}",), first=("named",))
    yield Arrangement("SetDllDirectory behind the program's directory", sets(named="fake", bin="fake"), first=("named",))
    yield Arrangement("SetDllDirectory of an empty folder, the set in the working directory",
                      lambda p: (p.folder("named"), p.set("cwd")), first=("named",))
    yield Arrangement("SetDllDirectory of an empty folder, the set in PATH",
                      lambda p: (p.folder("named"), p.set("cwd"), p.set("P0")), ("{P0}",), first=("named",))
    for role in ("shim", "ops"):
        yield Arrangement(f"SetDllDirectory before system32: {role}", sets(named="fake"), first=("named",),
                          system32={role: "fake"})
        yield Arrangement(f"SetDllDirectory without {role}, which is in PATH",
                          sets(named=with_release("fake", **{role: "gone"}), P0="fake"), ("{P0}",), first=("named",))
    yield Arrangement("SetDllDirectory, ops of 32 bits", sets(named=with_release("fake", ops="32-bit"), P0="fake"), ("{P0}",),
                      first=("named",))


def decorated(chance, folder):
    entry = chance.choice(("{%s}", "{%s}", "{%s}\\", "{%s/}", "..\\%s", '"{%s}"', "{%s^}")) % folder
    return chance.choice(((entry,), (entry,), (entry, entry), ("", entry), ("Z:\\nowhere", entry)))


def random_ones(count=RANDOM, seed=SEED):
    for i in range(count):
        chance = random.Random(seed + i)
        folders = ["P0", "P1", chance.choice(NON_ASCII), "P3"]
        files = {}
        for role in FAKE_ROLES:
            for folder in chance.sample(["bin", "cwd", *folders], chance.randint(0, 4)):
                files[folder, role] = chance.choice(("", "", "", "upper", *DAMAGES))
        chance.shuffle(folders)
        path = [entry for folder in folders for entry in decorated(chance, folder)]
        system32 = {chance.choice(FAKE_ROLES): "fake"} if chance.random() < 0.2 else {}

        def make(place, files=files):
            for (folder, role), how in files.items():
                place.put(folder, role, how=how)
        yield Arrangement(f"random {seed + i}", make, tuple(path), system32=system32, linked=chance.random() < 0.2)


ARRANGEMENTS = [*places(), *spellings(), *damaged(), *loaded_before(), *named(), *random_ones(), *of_real_dlls()]

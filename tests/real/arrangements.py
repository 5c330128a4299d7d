# SPDX-License-Identifier: BSD-3-Clause
"""Ways in which real cuDNNs lie about on a machine, each with what is true of it.

What is true was written down by hand from the files that are arranged, never from what the tool
says; test_predicted_files.py compares it with the files that the real loader mapped.
"""

import dataclasses
import typing

import isolation
from places import NotHere, Place
from support import this_cpu

ROLES = ("graph", "ops", "cnn", "adv", "engines_precompiled", "engines_runtime_compiled", "heuristic")
MIXED = frozenset({"mixed-sublibraries"})
MISSING = frozenset({"sublibrary-missing"})
CORRUPT = frozenset({"library-corrupt"})
OTHER_MACHINE = frozenset({"wrong-machine"})
NO_SHIM = frozenset({"cudnn-not-found", "library-missing"})
OVERRIDE = frozenset({"loader-override"})
SOUND = frozenset()


@dataclasses.dataclass
class Arrangement:
    """How a program is started: it lies in <root>/bin and its working directory is `cwd`."""

    name: str
    make: typing.Callable[[Place], None]
    # The errors for a program that needs all of cuDNN; cudnn-older follows from `release`.  Where
    # `starts` is False, the loader ends the program, and one of these says why.
    finds: frozenset = SOUND
    warns: frozenset = SOUND
    # Said as well, or instead: where a fault has two right names.
    also: frozenset = SOUND
    # The release that the program would compute with.
    release: str = "9.14.0"
    # How the program is linked to <root>/A/cudnn/lib: "runpath", "rpath" or "none".
    link: str = "runpath"
    # LD_LIBRARY_PATH: {A} is the folder of install A.
    path: typing.Optional[str] = None
    preload: typing.Optional[str] = None
    cwd: str = "."
    # Installs that ld.so.cache leads to.
    cache: tuple = ()
    # False where the loader or a signal ends the program before any of its code runs.
    starts: bool = True
    # Only what a JIT-only set lacks comes from another install: no error until it is mapped.
    completed_elsewhere: bool = False
    # Row of docs/scenarios.md.
    row: str = ""

    def arrange(self, root, cuda):
        place = Place(root, cuda)
        self.make(place)
        return place

    def ld_so_cache(self, root, place):
        """The file that is laid over the machine's; None where that cannot be done and need not."""
        if not isolation.cache_can_be_chosen():
            if self.cache:
                raise NotHere("ld.so.cache cannot be chosen here (no user namespaces)")
            return None
        return isolation.make_cache(root, [place.folder(name) for name in self.cache])

    def environment(self, place):
        folders = {name: place.folder(name) for name in place.installs}
        variables = {}
        if self.path is not None:
            variables["LD_LIBRARY_PATH"] = self.path.format(**folders)
        if self.preload is not None:
            variables["LD_PRELOAD"] = self.preload.format(**folders)
        return variables


def one(of, **changes):
    return lambda place: place.wheel("A", of, **changes)


def two(first, second, kind="wheel", kind_of_second="wheel", only=(), **changes):
    def make(place):
        getattr(place, kind)("A", first)
        getattr(place, kind_of_second)("B", second, only=only, **changes)
    return make


def layouts():
    for of, release in (("9.14", "9.14.0"), ("9.19", "9.19.0"), ("9.28", "9.28.0")):
        yield Arrangement(f"wheel {of}", one(of), release=release, row="N9")
    yield Arrangement("wheel 9.14 by RPATH", one("9.14"), link="rpath", row="N9")
    for layout in ("debian", "tarball"):
        for of, release in (("9.14", "9.14.0"), ("9.19", "9.19.0")):
            yield Arrangement(f"{layout} {of}", lambda p, l=layout, o=of: getattr(p, l)("A", o),
                              release=release, row="N9")
    for of, release in (("jit 9.14", "9.14.0"), ("jit 9.13", "9.13.0"), ("jit 9.27", "9.27.0")):
        yield Arrangement(of, one(of), MISSING, release=release, row="L16 L21")
    yield Arrangement("merged: LD_LIBRARY_PATH leads to links to the same files",
                      lambda p: (p.wheel("A", "9.14"), p.links_to("links", "A")), path="{links}",
                      row="N9")
    yield Arrangement("beside another install that nobody looks into", two("9.14", "9.19"), row="N3")
    yield Arrangement("another install in ld.so.cache", two("9.14", "9.19"), cache=("B",), row="N3")
    yield Arrangement("only ld.so.cache leads to it", one("9.14"), link="none", cache=("A",))
    yield Arrangement("a sub-library of tomorrow", lambda p: (
        p.wheel("A", "9.14"), p.also("A", "heuristic", "9.14", ending="_of_tomorrow.so.9")), row="N10")
    yield Arrangement("cnn of another build", lambda p: (
        p.wheel("A", "9.14"), p.another_build("A", "cnn")), warns=frozenset({"not-of-release"}))
    yield Arrangement("9.19 with the heuristic of 9.14, its build id taken out", lambda p: (
        p.wheel("A", "9.19", heuristic="9.14"), p.another_build("A", "heuristic", without=True)),
        warns=frozenset({"not-of-release"}), release="9.19.0", row="S49")
    yield Arrangement("JIT-only 9.14 of builds that nobody knows", lambda p: (
        p.wheel("A", "jit 9.14"),
        p.another_build("A", "shim", "graph", "engines_runtime_compiled")), MISSING, row="N12")


def foreign_files():
    for role in ROLES:
        yield Arrangement(f"9.14 with the {role} of 9.19", one("9.14", **{role: "9.19"}), MIXED,
                          release="9.19.0" if role == "graph" else "9.14.0", row="L1-L3 L8-L10")
        yield Arrangement(f"9.19 with the {role} of 9.14", one("9.19", **{role: "9.14"}), MIXED,
                          release="9.14.0" if role == "graph" else "9.19.0", row="L1-L3 L8-L10 L25")
    yield Arrangement("9.14 with the shim of 9.19", one("9.14", shim="9.19"), MIXED)
    yield Arrangement("9.19 with the shim of 9.14", one("9.19", shim="9.14"), warns=MIXED,
                      release="9.19.0")
    yield Arrangement("Debian's 9.14 with a bare heuristic of 9.19 under its short name",
                      lambda p: (p.debian("A", "9.14", heuristic="gone"),
                                 p.also("A", "heuristic", "9.19")), MIXED)
    yield Arrangement("a half-finished upgrade to 9.27", one(
        "9.19", shim="jit 9.27", graph="jit 9.27", engines_runtime_compiled="jit 9.27"), MIXED,
        release="9.27.0", row="L28")
    yield Arrangement("the precompiled engines of CUDA 12",
                      one("9.14", engines_precompiled="9.14 cu12"), MIXED, row="L23")
    yield Arrangement("JIT-only 9.14 with the runtime-compiled engines of 9.13",
                      one("jit 9.14", engines_runtime_compiled="jit 9.13"), MIXED | MISSING)
    yield Arrangement("JIT-only 9.14 with precompiled engines and heuristic of 9.19 beside it",
                      one("jit 9.14", engines_precompiled="9.19", heuristic="9.19"), MIXED | MISSING, row="L28")


def damaged_files():
    for role in ROLES:
        yield Arrangement(f"{role} missing", one("9.14", **{role: "gone"}), MISSING, row="L6-L9")
    for role in ("ops", "graph", "engines_precompiled"):
        yield Arrangement(f"{role} cut", one("9.14", **{role: "cut"}), CORRUPT, row="L13")
    for role in ("graph", "ops", "heuristic", "engines_runtime_compiled"):
        yield Arrangement(f"{role} empty", one("9.14", **{role: "empty"}), CORRUPT, row="Q10")
    yield Arrangement("cnn is text", one("9.14", cnn="text"), CORRUPT, row="Q10")
    yield Arrangement("adv is a folder", one("9.14", adv="folder"), CORRUPT, row="Q10")
    yield Arrangement("heuristic of another machine", one("9.14", heuristic="aarch64"), OTHER_MACHINE)
    yield Arrangement("ops of 32 bits", one("9.14", ops="32-bit"), OTHER_MACHINE)
    yield Arrangement("cnn is a link to nowhere", one("9.14", cnn="dangling"), MISSING, row="Q3")
    yield Arrangement("Debian's graph is a link to nowhere",
                      lambda p: p.debian("A", "9.14", graph="dangling"), MISSING, row="Q3")
    for how in ("gone", "empty", "cut", "text", "aarch64", "dangling"):
        yield Arrangement(f"shim {how}", one("9.14", shim=how), starts=False,
                          finds=(OTHER_MACHINE if how == "aarch64" else
                                 CORRUPT if how in ("empty", "cut", "text") else NO_SHIM),
                          row="Q3" if how == "dangling" else "Q10")
    yield Arrangement("8.5 only", one("8.5"), starts=False, finds=frozenset({"cudnn-major"}), row="S6")


def search_paths():
    under = two("9.14", "9.19")
    for name, path in (
            ("B", "{B}"), ("B and A", "{B}:{A}"), ("a slash at its end", "{B}//"),
            ("a semicolon", "/nonexistent;{B}"), ("a missing folder first", "/nonexistent:{B}:{A}"),
            ("a relative folder", "B/cudnn/lib"), ("$ORIGIN", "$ORIGIN/../B/cudnn/lib"),
            ("${ORIGIN}", "${{ORIGIN}}/../B/cudnn/lib")):
        yield Arrangement(f"LD_LIBRARY_PATH with {name}", under, path=path, release="9.19.0", row="N1")
    for name, path in (("A and B", "{A}:{B}"), ("an empty value", ""), ("a folder without cuDNN", "/tmp")):
        yield Arrangement(f"LD_LIBRARY_PATH with {name}", under, path=path)
    for name, path in (("one colon", ":"), ("an empty entry at its end", "/nonexistent:")):
        yield Arrangement(f"LD_LIBRARY_PATH with {name}, started in B", under, path=path,
                          cwd="B/cudnn/lib", release="9.19.0")
    yield Arrangement("an older cuDNN in LD_LIBRARY_PATH", two("9.14", "jit 9.13"), MISSING, path="{B}",
                      release="9.13.0", row="S9")
    for role in ROLES:
        # A foreign graph library looks for its engines beside itself.
        yield Arrangement(f"LD_LIBRARY_PATH with a lone {role} of 9.19", two("9.14", "9.19", only=(role,)),
                          MIXED | MISSING if role == "graph" else MIXED, path="{B}",
                          release="9.19.0" if role == "graph" else "9.14.0", row="L4 S8")
    yield Arrangement("LD_LIBRARY_PATH with a lone graph of 9.19, program with RPATH",
                      two("9.14", "9.19", only=("graph",)), MIXED | MISSING, path="{B}", link="rpath",
                      release="9.19.0", row="L4")
    yield Arrangement("LD_LIBRARY_PATH with a lone heuristic of the same release",
                      two("9.14", "9.14", only=("heuristic",)), path="{B}")
    yield Arrangement("LD_LIBRARY_PATH with an empty lone ops",
                      two("9.14", "9.14", only=("ops",), ops="empty"), CORRUPT, path="{B}")
    yield Arrangement("LD_LIBRARY_PATH with a lone ops of another machine, which the loader skips",
                      two("9.14", "9.14", only=("ops",), ops="aarch64"), path="{B}")


def for_this_cpu(place):
    if not this_cpu.folders():
        raise NotHere("the loader has no folder for this CPU")
    place.wheel("A", "9.14")
    place.also("A", "heuristic", "9.19", subfolder=this_cpu.folders()[0])


def run_paths():
    yield Arrangement("wheel 9.19 by RPATH under LD_LIBRARY_PATH with Debian's 9.14",
                      two("9.19", "9.14", kind_of_second="debian"), MIXED, path="{B}", link="rpath",
                      release="9.14.0", row="L15 L24")
    yield Arrangement("Debian's 9.14 by RPATH under LD_LIBRARY_PATH with wheel 9.19",
                      two("9.14", "9.19", kind="debian"), warns=OVERRIDE,
                      path="{B}", link="rpath", row="L24")
    yield Arrangement("Debian's 9.14 by RUNPATH under LD_LIBRARY_PATH with wheel 9.19",
                      two("9.14", "9.19", kind="debian"), path="{B}", release="9.19.0")
    yield Arrangement("wheel 9.14 by RPATH under LD_LIBRARY_PATH with wheel 9.19",
                      two("9.14", "9.19"), path="{B}", link="rpath", warns=MIXED, release="9.19.0")
    yield Arrangement("wheel 9.14 by RPATH under LD_LIBRARY_PATH with Debian's 9.14",
                      two("9.14", "9.14", kind_of_second="debian"), path="{B}", link="rpath")
    yield Arrangement("wheel 9.27 under LD_LIBRARY_PATH with Debian's 9.14",
                      two("jit 9.27", "9.14", kind_of_second="debian"), MIXED, path="{B}", link="rpath",
                      release="9.27.0", also=MISSING, row="L27")
    yield Arrangement("wheel 9.27 under LD_LIBRARY_PATH with wheel 9.19", two("jit 9.27", "9.19"),
                      MIXED, path="{B}", link="rpath", release="9.27.0", also=MISSING, row="L27")
    yield Arrangement("wheel 9.28 under LD_LIBRARY_PATH with wheel 9.19", two("9.28", "9.19"),
                      MIXED, path="{B}", link="rpath", release="9.28.0", row="L27")
    yield Arrangement("the shim through a link in another folder",
                      lambda p: (p.wheel("A", "9.14"), p.links_to("links", "A", "shim")), MISSING,
                      path="{links}", row="S30")
    yield Arrangement("graph without RUNPATH",
                      lambda p: (p.wheel("A", "9.14"), p.without_run_path("A", "graph")), MISSING, row="S4")
    yield Arrangement("a folder for this CPU with the heuristic of 9.19", for_this_cpu, MIXED)

    def apart(p):
        p.wheel("A", "9.14", only=("graph",))
        p.wheel("B", "9.14", graph="gone")
    yield Arrangement("graph alone in one directory of LD_LIBRARY_PATH, the rest in another", apart,
                      path="{A}:{B}", link="none", row="N17")
    yield Arrangement("graph alone behind the rest of its set", apart, path="{B}:{A}", link="none", row="N17")
    yield Arrangement("graph alone in ld.so.cache, the rest in LD_LIBRARY_PATH", apart, path="{B}",
                      link="none", cache=("A",), row="N17")
    yield Arrangement("graph of another release in front of two halves",
                      lambda p: (apart(p), p.wheel("C", "9.19", only=("graph",))), MIXED,
                      path="{C}:{B}:{A}", link="none", release="9.19.0")
    yield Arrangement("a JIT-only set where a full one is in ld.so.cache", two("jit 9.27", "9.19"),
                      MISSING, cache=("B",), release="9.27.0", also=MIXED, completed_elsewhere=True,
                      row="L19")
    # pytorch#185512 and its like: what the graph library asks for by name, from another release.
    stray = two("jit 9.27", "9.28", only=("engines_tensor_ir",))
    yield Arrangement("a JIT-only set where another release's tensor_ir is in ld.so.cache", stray,
                      MIXED | MISSING, cache=("B",), release="9.27.0", row="S48")
    yield Arrangement("a JIT-only set under LD_LIBRARY_PATH with another release's tensor_ir", stray,
                      MIXED | MISSING, path="{B}", release="9.27.0", row="S48")
    yield Arrangement("9.19, whose graph library asks for no tensor_ir, where 9.28's is in ld.so.cache",
                      two("9.19", "9.28", only=("engines_tensor_ir",)), cache=("B",), release="9.19.0",
                      row="N21")
    yield Arrangement("9.28 without tensor_ir, where the same release's is in ld.so.cache",
                      lambda p: (p.wheel("A", "9.28", engines_tensor_ir="gone"),
                                 p.wheel("B", "9.28", only=("engines_tensor_ir",))),
                      cache=("B",), release="9.28.0", row="N21")
    yield Arrangement("ops missing, another release's in ld.so.cache",
                      lambda p: (p.wheel("A", "9.14", ops="gone"), p.wheel("B", "9.19")), MIXED,
                      cache=("B",), row="L5 S2")
    yield Arrangement("ops missing, the same release's in ld.so.cache",
                      lambda p: (p.wheel("A", "9.14", ops="gone"), p.wheel("B", "9.14")),
                      cache=("B",), row="L5")
    yield Arrangement("9.28 without ext", one("9.28", ext="gone"), release="9.28.0", row="N14")
    yield Arrangement("9.28 without tensor_ir", one("9.28", engines_tensor_ir="gone"), MISSING, release="9.28.0")
    yield Arrangement("a JIT-only set where the tensor_ir of another release is that lacks symbols of it",
                      two("jit 9.20", "9.28", only=("engines_tensor_ir",)), MISSING, path="{B}", release="9.20.0",
                      row="N21")
    for role in ("ops", "heuristic"):
        yield Arrangement(f"LD_PRELOAD of the {role} of 9.19", two("9.14", "9.19"), MIXED,
                          also=OVERRIDE, preload="{B}/libcudnn_" + role + ".so.9", release="9.19.0")
    yield Arrangement("LD_PRELOAD of the shim of 9.19", two("9.14", "9.19"), also=OVERRIDE,
                      preload="{B}/libcudnn.so.9", release="9.19.0", row="S31")
    yield Arrangement("LD_PRELOAD of its own graph", one("9.14"), preload="{A}/libcudnn_graph.so.9")


ARRANGEMENTS = [*layouts(), *foreign_files(), *damaged_files(), *search_paths(), *run_paths()]

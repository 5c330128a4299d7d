# SPDX-License-Identifier: BSD-3-Clause
"""What is said of real cuDNNs, whole; every text stands here once.

<A> and <B> are the folders of the installs, <links> one of symbolic links, <root> the folder of all.
The labels of the facts are put into columns at the end: here three spaces follow each.
"""

import re

MIXED = "  cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.\n"
ENGINES = ("  cuDNN does not report it: depending on the file it aborts, fails later, runs slower or computes "
           "wrong numbers.\n")
OVERRIDE = "  override: CUDNN_CHECKED=warn\n"
UNSET = "  fix: unset LD_LIBRARY_PATH\n   or: export LD_LIBRARY_PATH=<A>\n"
MORE_THAN_ONE = "cudnn_checked: refused: the files of cuDNN are of more than one release\n"
BY_PROGRAM = "chosen by RUNPATH of <root>/bin/app"
BY_SHIM = "chosen by RUNPATH of <A>/libcudnn.so.9"
BY_GRAPH = "chosen by RUNPATH of <A>/libcudnn_graph.so.9"


def usual(role="graph"):
    """A file that is of one release only, and so stands for the rest."""
    return f"  {role}:   9.14.0 for CUDA 13   <A>/libcudnn_{role}.so.9   {BY_SHIM}\n"


def another_release(role, chosen_by, of="9.19.0 for CUDA 13"):
    """9.14.0 with one file of another release in the same folder."""
    return (MORE_THAN_ONE + usual("ops" if role == "graph" else "graph") +
            f"  {role}:   {of}   <A>/libcudnn_{role}.so.9   {chosen_by}\n" + MIXED +
            "  fix: reinstall cuDNN 9.14.0 for CUDA 13 in <A>, so that every file comes from there\n"
            "  [mixed-sublibraries]\n" + OVERRIDE)


def missing(role, found="9.14.0 for CUDA 13   <A>/libcudnn_graph.so.9   " + BY_SHIM):
    return (f"cudnn_checked: refused: a sub-library of cuDNN is missing: libcudnn_{role}.so.9\n"
            f"  needed:   libcudnn_{role}.so.9\n"
            f"  found:   {found}\n" + ENGINES +
            "  fix: reinstall cuDNN 9.14.0 for CUDA 13 in <A>\n"
            "  [sublibrary-missing]\n" + OVERRIDE)


def damaged(role, what, chosen_by):
    return (f"cudnn_checked: refused: a library of cuDNN is damaged: libcudnn_{role}.so.9\n"
            "  expected:   a whole library\n"
            f"  found:   {what}   <A>/libcudnn_{role}.so.9   {chosen_by}\n"
            "  Loading it ends the process with a signal, or cuDNN continues without it.\n"
            "  fix: reinstall cuDNN 9.14.0 for CUDA 13 in <A>\n"
            "  [library-corrupt]\n" + OVERRIDE)


# (row, arrangement, built on): text.  The programs may run without a GPU, so nothing else is said.
REFUSED = {
    ("L1", "9.14 with the graph of 9.19", "9.14"): another_release("graph", BY_SHIM),
    ("L2", "9.14 with the ops of 9.19", "9.14"): another_release("ops", BY_SHIM),
    ("L2", "9.14 with the cnn of 9.19", "9.14"): another_release("cnn", BY_SHIM),
    ("L3", "9.14 with the adv of 9.19", "9.14"): another_release("adv", BY_SHIM),
    ("L8", "9.14 with the engines_precompiled of 9.19", "9.14"):
        another_release("engines_precompiled", BY_GRAPH),
    ("L9 L25", "9.14 with the heuristic of 9.19", "9.14"):
        another_release("heuristic", BY_GRAPH, "9.19.0 for CUDA 12 or 13"),
    ("L10", "9.14 with the engines_runtime_compiled of 9.19", "9.14"):
        another_release("engines_runtime_compiled", BY_GRAPH),
    ("L6", "graph missing", "9.14"):
        missing("graph", "9.14.0 for CUDA 13   <A>/libcudnn.so.9   " + BY_PROGRAM),
    ("L7", "ops missing", "9.14"): missing("ops"),
    ("L7", "cnn missing", "9.14"): missing("cnn"),
    ("L8 S3", "engines_precompiled missing", "9.14"): missing("engines_precompiled"),
    ("L9 L25", "heuristic missing", "9.14"): missing("heuristic"),
    ("L10", "engines_runtime_compiled missing", "9.14"): missing("engines_runtime_compiled"),
    ("L13", "ops cut", "9.14"): damaged("ops", "12586221 bytes of 37758664", BY_SHIM),
    ("Q10", "heuristic empty", "9.14"): damaged("heuristic", "an empty file", BY_GRAPH),
    ("Q10", "cnn is text", "9.14"): damaged("cnn", "not an ELF file", BY_SHIM),
    ("Q10", "adv is a folder", "9.14"): damaged("adv", "a directory", BY_SHIM),
    ("Q10", "heuristic of another machine", "9.14"):
        "cudnn_checked: refused: a library of cuDNN is for another machine: libcudnn_heuristic.so.9\n"
        "  needed:   a file for x86_64\n"
        f"  found:   a file for aarch64   <A>/libcudnn_heuristic.so.9   {BY_GRAPH}\n"
        "  A library can only be linked with, and loaded by, programs for its own machine.\n"
        "  fix: reinstall cuDNN 9.14.0 for CUDA 13 in <A>\n"
        "  [wrong-machine]\n" + OVERRIDE,
    ("Q3", "cnn is a link to nowhere", "9.14"): (
        "cudnn_checked: refused: a sub-library of cuDNN is missing: libcudnn_cnn.so.9\n"
        "  needed:   libcudnn_cnn.so.9\n"
        f"  found:   9.14.0 for CUDA 13   <A>/libcudnn_graph.so.9   {BY_SHIM}\n"
        "  not taken:                        <A>/libcudnn_cnn.so.9   a broken symbolic link\n" + ENGINES +
        "  fix: reinstall cuDNN 9.14.0 for CUDA 13 in <A>\n"
        "   or: repair the link <A>/libcudnn_cnn.so.9\n"
        "  [sublibrary-missing]\n" + OVERRIDE),
    ("L4 S8", "LD_LIBRARY_PATH with a lone ops of 9.19", "9.14"): (
        MORE_THAN_ONE + usual() +
        "  ops:   9.19.0 for CUDA 13   <B>/libcudnn_ops.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        f"  passed over:   9.14.0 for CUDA 13   <A>/libcudnn_ops.so.9   {BY_SHIM}\n" + MIXED + UNSET +
        "  [mixed-sublibraries]\n" + OVERRIDE),
    ("L5 S2", "ops missing, another release's in ld.so.cache", "9.14"): (
        MORE_THAN_ONE + usual() +
        "  ops:   9.19.0 for CUDA 13   <B>/libcudnn_ops.so.9   chosen by ld.so.cache\n" + MIXED +
        "  fix: reinstall cuDNN 9.14.0 for CUDA 13 in <A>, so that every file comes from there\n"
        "  [mixed-sublibraries]\n" + OVERRIDE),
    ("L15 L24", "wheel 9.19 by RPATH under LD_LIBRARY_PATH with Debian's 9.14", "9.14"): (
        MORE_THAN_ONE +
        "  graph:   9.14.0 for CUDA 13   <B>/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        "  shim:   9.19.0 for CUDA 12 or 13   <A>/libcudnn.so.9   chosen by RPATH of <root>/bin/app\n" +
        MIXED + UNSET + "  [mixed-sublibraries]\n" + OVERRIDE),
    ("L15 L14", "wheel 9.19 by RPATH under LD_LIBRARY_PATH with Debian's 9.14", "9.19"): (
        MORE_THAN_ONE +
        "  graph:   9.14.0 for CUDA 13   <B>/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        "  shim:   9.19.0 for CUDA 12 or 13   <A>/libcudnn.so.9   chosen by RPATH of <root>/bin/app\n" +
        MIXED + UNSET + "  [mixed-sublibraries]\n"
        "and: this program was built with cuDNN 9.19.0 and would run on cuDNN 9.14.0\n"
        "  built with:   9.19.0   stamp of optional-rpath\n"
        "  would load:   9.14.0   <B>/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        "  shim:   9.19.0 for CUDA 12 or 13   <A>/libcudnn.so.9   chosen by RPATH of <root>/bin/app\n"
        "  An older minor release of cuDNN may lack functions that the program calls.\n" + UNSET +
        "  [cudnn-older]\n" + OVERRIDE),
    ("L16 L21", "jit 9.14", "9.14"): (
        "cudnn_checked: refused: 5 sub-libraries of cuDNN are missing\n"
        "  needed:   libcudnn_ops.so.9, libcudnn_cnn.so.9, libcudnn_adv.so.9, "
        "libcudnn_engines_precompiled.so.9, libcudnn_heuristic.so.9\n"
        f"  found:   9.14.0 for CUDA 13   <A>/libcudnn_graph.so.9   {BY_SHIM}\n" + ENGINES +
        "  fix: install the full cuDNN package instead of the JIT-only one\n"
        "  [sublibrary-missing]\n" + OVERRIDE),
    ("L23", "the precompiled engines of CUDA 12", "9.14"): (
        "cudnn_checked: refused: the files of cuDNN are of one release for two CUDA majors\n" +
        usual() +
        f"  engines_precompiled:   9.14.0 for CUDA 12   <A>/libcudnn_engines_precompiled.so.9   {BY_GRAPH}\n" +
        MIXED + "  fix: reinstall cuDNN 9.14.0 for CUDA 13 in <A>, so that every file comes from there\n"
        "  [mixed-sublibraries]\n" + OVERRIDE),
    ("L27", "wheel 9.27 under LD_LIBRARY_PATH with wheel 9.19", "jit 9.14"): (
        MORE_THAN_ONE +
        "  graph:   9.27.0 for CUDA 13   <A>/libcudnn_graph.so.9   chosen by RPATH of <A>/libcudnn.so.9\n"
        "  engines_runtime_compiled:   9.19.0 for CUDA 13   <B>/libcudnn_engines_runtime_compiled.so.9"
        "   chosen by LD_LIBRARY_PATH[0]\n"
        "  passed over:   9.27.0 for CUDA 13   <A>/libcudnn_engines_runtime_compiled.so.9"
        f"   {BY_GRAPH}\n" + MIXED + UNSET + "  [mixed-sublibraries]\n" + OVERRIDE),
    ("L28", "a half-finished upgrade to 9.27", "9.14"): (
        MORE_THAN_ONE +
        "  ops:   9.19.0 for CUDA 13   <A>/libcudnn_ops.so.9   chosen by RPATH of <A>/libcudnn.so.9\n"
        f"  shim:   9.27.0 for CUDA 12 or 13   <A>/libcudnn.so.9   {BY_PROGRAM}\n"
        "  graph:   9.27.0 for CUDA 13   <A>/libcudnn_graph.so.9   chosen by RPATH of <A>/libcudnn.so.9\n"
        "  engines_runtime_compiled:   9.27.0 for CUDA 13   <A>/libcudnn_engines_runtime_compiled.so.9"
        f"   {BY_GRAPH}\n" + MIXED +
        "  fix: reinstall cuDNN 9.19.0 for CUDA 13 in <A>, so that every file comes from there\n"
        "  [mixed-sublibraries]\n" + OVERRIDE),
    ("S4", "graph without RUNPATH", "9.14"): (
        "cudnn_checked: refused: 3 sub-libraries of cuDNN are missing\n"
        "  needed:   libcudnn_engines_precompiled.so.9, libcudnn_engines_runtime_compiled.so.9, "
        "libcudnn_heuristic.so.9\n"
        f"  found:   9.14.0 for CUDA 13   <A>/libcudnn_graph.so.9   {BY_SHIM}\n"
        "  not taken:                        <A>/libcudnn_engines_precompiled.so.9   libcudnn_graph.so.9 has no RUNPATH\n" +
        ENGINES + "  fix: export LD_LIBRARY_PATH=<A>\n"
        "  [sublibrary-missing]\n" + OVERRIDE),
    ("S9", "an older cuDNN in LD_LIBRARY_PATH", "jit 9.14"): (
        "cudnn_checked: refused: this program was built with cuDNN 9.14.0 and would run on cuDNN 9.13.0\n"
        "  built with:   9.14.0   stamp of optional-runpath\n"
        "  would load:   9.13.0   <B>/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        "  shim:   9.13.0 for CUDA 12 or 13   <B>/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        f"  passed over:   9.14.0   <A>/libcudnn.so.9   {BY_PROGRAM}\n"
        "  An older minor release of cuDNN may lack functions that the program calls.\n" + UNSET +
        "  [cudnn-older]\n" + OVERRIDE),
    ("S30", "the shim through a link in another folder", "9.14"): (
        "cudnn_checked: refused: 7 sub-libraries of cuDNN are missing\n"
        "  needed:   libcudnn_graph.so.9, libcudnn_ops.so.9, libcudnn_cnn.so.9, libcudnn_adv.so.9, "
        "libcudnn_engines_precompiled.so.9, libcudnn_engines_runtime_compiled.so.9, "
        "libcudnn_heuristic.so.9\n"
        "  found:   9.14.0 for CUDA 12 or 13   <links>/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        "  not taken:                              <A>/libcudnn_graph.so.9   libcudnn.so.9 was opened through a link in <links>; $ORIGIN "
        "is the link's directory\n" + ENGINES + UNSET +
        "  [sublibrary-missing]\n" + OVERRIDE),
}

# A warning, and main() runs.
WARNED = {
    ("L24", "Debian's 9.14 by RPATH under LD_LIBRARY_PATH with wheel 9.19", "9.14"): (
        "cudnn_checked: warning: which files of cuDNN this program gets depends on what it calls first\n"
        "  usually:   9.14.0 for CUDA 13   <A>/libcudnn_graph.so.9.14.0"
        "   chosen by RUNPATH of <A>/libcudnn.so.9\n"
        "  after ops:   9.19.0 for CUDA 13   <B>/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        "  A program that calls functions of ops first gets a mix of two releases.\n" + UNSET +
        "  [loader-override]\nmain runs on 91400\n"),
    ("S31", "LD_PRELOAD of the shim of 9.19", "9.14"): (
        "cudnn_checked: warning: this program uses a cuDNN that its own library search would not find\n"
        "  its own:   9.14.0   <A>/libcudnn.so.9\n"
        "  loaded:   9.19.0 for CUDA 12 or 13   <B>/libcudnn.so.9   chosen by LD_PRELOAD\n"
        "  Which cuDNN it gets depends on what else is in the process.\n"
        "  fix: unset LD_PRELOAD\n"
        "  [loader-override]\nmain runs on 91900\n"),
    ("", "9.19 with the shim of 9.14", "9.14"): (
        "cudnn_checked: warning: the files of cuDNN are of more than one release\n"
        f"  graph:   9.19.0 for CUDA 13   <A>/libcudnn_graph.so.9   {BY_SHIM}\n"
        f"  shim:   9.14.0 for CUDA 12 or 13   <A>/libcudnn.so.9   {BY_PROGRAM}\n" + MIXED +
        "  fix: reinstall cuDNN 9.19.0 for CUDA 13 in <A>, so that every file comes from there\n"
        "  [mixed-sublibraries]\nmain runs on 91900\n"),
}

# Nothing at all but what main() says.
SILENT = {
    ("N1", "LD_LIBRARY_PATH with B", "9.14"): "main runs on 91900\n",
    ("N2", "wheel 9.19", "9.19"): "main runs on 91900\n",
    ("N3", "beside another install that nobody looks into", "9.14"): "main runs on 91400\n",
    ("N3", "another install in ld.so.cache", "9.14"): "main runs on 91400\n",
    ("N9", "wheel 9.14", "9.14"): "main runs on 91400\n",
    ("N9", "debian 9.14", "9.14"): "main runs on 91400\n",
    ("N9", "tarball 9.19", "9.19"): "main runs on 91900\n",
    ("N9", "merged: LD_LIBRARY_PATH leads to links to the same files", "9.14"): "main runs on 91400\n",
    ("N10", "a sub-library of tomorrow", "9.14"): "main runs on 91400\n",
    ("N12", "JIT-only 9.14 of builds that nobody knows", "jit 9.14"): "main runs on 91400\n",
    ("N14", "9.28 without ext", "9.14"): "main runs on 92800\n",
    ("L5", "ops missing, the same release's in ld.so.cache", "9.14"): "main runs on 91400\n",
    ("L16 L21", "jit 9.14", "jit 9.14"): "main runs on 91400\n",
    ("L16", "jit 9.27", "jit 9.14"): "main runs on 92700\n",
    ("L19", "a JIT-only set where a full one is in ld.so.cache", "jit 9.14"): "main runs on 92700\n",
}

TWO_CUDNNS = (
    "cudnn_checked: refused: there are two cuDNNs in this process: 9.14.0 for CUDA 12 or 13 and 9.19.0 "
    "for CUDA 12 or 13\n"
    "  shim:   9.14.0 for CUDA 12 or 13   <A>/libcudnn.so.9   opened by its path\n"
    "  shim:   9.19.0 for CUDA 12 or 13   <B>/libcudnn.so.9   {how}\n"
    "  One of them runs on sub-libraries of the other, or is called with its handles.\n"
    "  fix: let both users of cuDNN load the one in <A>\n"
    "   or: let both users of cuDNN load the one in <B>\n"
    "  [two-cudnns]\n")


def aligned(text):
    """Pads the labels of lines that stand together to one width."""
    lines, first = text.split("\n"), 0
    while first < len(lines):
        together = []
        for line in lines[first:]:
            fact = re.match(r"  ([\w ]+:)   (?=.)", line)
            if not fact:
                break
            together.append(fact)
        width = max((len(fact.group(1)) for fact in together), default=0)
        for at, fact in enumerate(together, first):
            lines[at] = f"  {fact.group(1):<{width}}  {lines[at][fact.end():]}"
        first += max(1, len(together))
    return "\n".join(lines)


REFUSED, WARNED = ({key: aligned(text) for key, text in table.items()} for table in (REFUSED, WARNED))
TWO_CUDNNS = aligned(TWO_CUDNNS)

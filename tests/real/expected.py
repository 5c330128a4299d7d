# SPDX-License-Identifier: BSD-3-Clause
"""What is reported of real cuDNNs: of each message the facts, the first fix and the name.  Its words stand in tests/unit.

<A> and <B> are the folders of the installs, <links> one of symbolic links, <root> the folder of all.
"""

import re

UNSET = "fix: unset LD_LIBRARY_PATH\n"
MIXED = UNSET + "[mixed-sublibraries]\n"
REINSTALL = "fix: reinstall cuDNN 9.14.0 for CUDA 13 in <A>\n"
OF_ONE = "fix: reinstall cuDNN {} for CUDA 13 in <A>, so that every file comes from there\n[mixed-sublibraries]\n"
BY_PROGRAM = "chosen by RUNPATH of <root>/bin/app"
BY_SHIM = "chosen by RUNPATH of <A>/libcudnn.so.9"
BY_GRAPH = "chosen by RUNPATH of <A>/libcudnn_graph.so.9"


def gist(output):
    """The lines of an output that are named above, and those that are no message."""
    lines = re.findall(r"(?m)^(?!cudnn_checked: (?:refused|warning): |and: |  override: |   or: )(?=\S|  \[|  [a-z_ ]+: )(.+\n)", output)
    return "".join(re.sub(r": +", ": ", line.strip(" "), count=1) for line in lines)


def usual(role="graph"):
    """A file that is of one release only, and so stands for the rest."""
    return f"{role}: 9.14.0 for CUDA 13   <A>/libcudnn_{role}.so.9   {BY_SHIM}\n"


def another_release(role, chosen_by, of="9.19.0 for CUDA 13"):
    """9.14.0 with one file of another release in the same folder."""
    return (usual("ops" if role == "graph" else "graph") +
            f"{role}: {of}   <A>/libcudnn_{role}.so.9   {chosen_by}\n" + OF_ONE.format("9.14.0"))


def missing(role, found="9.14.0 for CUDA 13   <A>/libcudnn_graph.so.9   " + BY_SHIM, more=""):
    return f"needed: libcudnn_{role}.so.9\nfound: {found}\n{more}{REINSTALL}[sublibrary-missing]\n"


def damaged(role, what, chosen_by):
    return (f"expected: a whole library\nfound: {what}   <A>/libcudnn_{role}.so.9   {chosen_by}\n{REINSTALL}"
            "[library-corrupt]\n")


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
        "needed: a file for x86_64\n"
        f"found: a file for aarch64   <A>/libcudnn_heuristic.so.9   {BY_GRAPH}\n" + REINSTALL + "[wrong-machine]\n",
    ("Q3", "cnn is a link to nowhere", "9.14"):
        missing("cnn", more="not taken: <A>/libcudnn_cnn.so.9   a broken symbolic link\n"),
    ("L4 S8", "LD_LIBRARY_PATH with a lone ops of 9.19", "9.14"): (
        usual() + "ops: 9.19.0 for CUDA 13   <B>/libcudnn_ops.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        f"passed over: 9.14.0 for CUDA 13   <A>/libcudnn_ops.so.9   {BY_SHIM}\n" + MIXED),
    ("L5 S2", "ops missing, another release's in ld.so.cache", "9.14"): (
        usual() + "ops: 9.19.0 for CUDA 13   <B>/libcudnn_ops.so.9   chosen by ld.so.cache\n" +
        OF_ONE.format("9.14.0")),
    ("L15 L24", "wheel 9.19 by RPATH under LD_LIBRARY_PATH with Debian's 9.14", "9.14"): (
        "graph: 9.14.0 for CUDA 13   <B>/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        "shim: 9.19.0 for CUDA 12 or 13   <A>/libcudnn.so.9   chosen by RPATH of <root>/bin/app\n" + MIXED),
    ("L15 L14", "wheel 9.19 by RPATH under LD_LIBRARY_PATH with Debian's 9.14", "9.19"): (
        "graph: 9.14.0 for CUDA 13   <B>/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        "shim: 9.19.0 for CUDA 12 or 13   <A>/libcudnn.so.9   chosen by RPATH of <root>/bin/app\n" + MIXED +
        "built with: 9.19.0   stamp of optional-rpath\n"
        "would load: 9.14.0   <B>/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        "shim: 9.19.0 for CUDA 12 or 13   <A>/libcudnn.so.9   chosen by RPATH of <root>/bin/app\n[cudnn-older]\n"),
    ("L16 L21", "jit 9.14", "9.14"): (
        "needed: libcudnn_ops.so.9, libcudnn_cnn.so.9, libcudnn_adv.so.9, "
        "libcudnn_engines_precompiled.so.9, libcudnn_heuristic.so.9\n"
        f"found: 9.14.0 for CUDA 13   <A>/libcudnn_graph.so.9   {BY_SHIM}\n"
        "fix: install the full cuDNN package instead of the JIT-only one\n"
        "[sublibrary-missing]\n"),
    ("L23", "the precompiled engines of CUDA 12", "9.14"): (
        usual() + f"engines_precompiled: 9.14.0 for CUDA 12   <A>/libcudnn_engines_precompiled.so.9   {BY_GRAPH}\n" +
        OF_ONE.format("9.14.0")),
    ("L27", "wheel 9.27 under LD_LIBRARY_PATH with wheel 9.19", "jit 9.14"): (
        "graph: 9.27.0 for CUDA 13   <A>/libcudnn_graph.so.9   chosen by RPATH of <A>/libcudnn.so.9\n"
        "engines_runtime_compiled: 9.19.0 for CUDA 13   <B>/libcudnn_engines_runtime_compiled.so.9"
        "   chosen by LD_LIBRARY_PATH[0]\n"
        "passed over: 9.27.0 for CUDA 13   <A>/libcudnn_engines_runtime_compiled.so.9"
        f"   {BY_GRAPH}\n" + MIXED),
    ("L28", "a half-finished upgrade to 9.27", "9.14"): (
        "ops: 9.19.0 for CUDA 13   <A>/libcudnn_ops.so.9   chosen by RPATH of <A>/libcudnn.so.9\n"
        f"shim: 9.27.0 for CUDA 12 or 13   <A>/libcudnn.so.9   {BY_PROGRAM}\n"
        "graph: 9.27.0 for CUDA 13   <A>/libcudnn_graph.so.9   chosen by RPATH of <A>/libcudnn.so.9\n"
        "engines_runtime_compiled: 9.27.0 for CUDA 13   <A>/libcudnn_engines_runtime_compiled.so.9"
        f"   {BY_GRAPH}\n" +
        OF_ONE.format("9.19.0")),
    ("S4", "graph without RUNPATH", "9.14"): (
        "needed: libcudnn_engines_precompiled.so.9, libcudnn_engines_runtime_compiled.so.9, "
        "libcudnn_heuristic.so.9\n"
        f"found: 9.14.0 for CUDA 13   <A>/libcudnn_graph.so.9   {BY_SHIM}\n"
        "not taken: <A>/libcudnn_engines_precompiled.so.9   libcudnn_graph.so.9 has no RUNPATH\n" +
        "fix: export LD_LIBRARY_PATH=<A>\n"
        "[sublibrary-missing]\n"),
    ("S9", "an older cuDNN in LD_LIBRARY_PATH", "jit 9.14"): (
        "built with: 9.14.0   stamp of optional-runpath\n"
        "would load: 9.13.0   <B>/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        "shim: 9.13.0 for CUDA 12 or 13   <B>/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        f"passed over: 9.14.0   <A>/libcudnn.so.9   {BY_PROGRAM}\n" + UNSET + "[cudnn-older]\n"),
    ("S30", "the shim through a link in another folder", "9.14"): (
        "needed: libcudnn_graph.so.9, libcudnn_ops.so.9, libcudnn_cnn.so.9, libcudnn_adv.so.9, "
        "libcudnn_engines_precompiled.so.9, libcudnn_engines_runtime_compiled.so.9, "
        "libcudnn_heuristic.so.9\n"
        "found: 9.14.0 for CUDA 12 or 13   <links>/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        "not taken: <A>/libcudnn_graph.so.9   libcudnn.so.9 was opened through a link in <links>; $ORIGIN "
        "is the link's directory\n" + UNSET + "[sublibrary-missing]\n"),
}

# A warning, and main() runs.
WARNED = {
    ("L24", "Debian's 9.14 by RPATH under LD_LIBRARY_PATH with wheel 9.19", "9.14"): (
        "usually: 9.14.0 for CUDA 13   <A>/libcudnn_graph.so.9.14.0"
        "   chosen by RUNPATH of <A>/libcudnn.so.9\n"
        "after ops: 9.19.0 for CUDA 13   <B>/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]\n" + UNSET + "[loader-override]\nmain runs on 91400\n"),
    ("S31", "LD_PRELOAD of the shim of 9.19", "9.14"): (
        "its own: 9.14.0   <A>/libcudnn.so.9\n"
        "loaded: 9.19.0 for CUDA 12 or 13   <B>/libcudnn.so.9   chosen by LD_PRELOAD\n"
        "fix: unset LD_PRELOAD\n"
        "[loader-override]\nmain runs on 91900\n"),
    ("", "9.19 with the shim of 9.14", "9.14"): (
        f"graph: 9.19.0 for CUDA 13   <A>/libcudnn_graph.so.9   {BY_SHIM}\n"
        f"shim: 9.14.0 for CUDA 12 or 13   <A>/libcudnn.so.9   {BY_PROGRAM}\n" +
        OF_ONE.format("9.19.0") + "main runs on 91900\n"),
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
    "shim: 9.14.0 for CUDA 12 or 13   <A>/libcudnn.so.9   opened by its path\n"
    "shim: 9.19.0 for CUDA 12 or 13   <B>/libcudnn.so.9   {how}\n"
    "fix: let both users of cuDNN load the one in <A>\n"
    "[two-cudnns]\n")

# SPDX-License-Identifier: BSD-3-Clause
"""Types of what cudnn-checked prints as JSON.  packaging/python/make_reports.py has made them of
docs/schema/cudnn-checked.schema.json: this is one file of more than 400 lines because nobody edits it.

    from cudnn_checked.reports import Doctor, Report
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union


class Fact(TypedDict):
    """One fact of a message, with its source."""

    label: str
    """What it is: expected, found, built with."""
    value: str
    """The fact."""
    where: str
    """The file or the variable from which it is known."""


class _WholeFix(TypedDict):
    """What is always there."""

    kind: Literal["command", "advice"]
    """A command is run by sh as it stands; advice is a decision in words."""
    text: str
    """The line."""


class Fix(_WholeFix, total=False):
    """One line of what to do."""

    tried: Literal["green", "unknown"]
    """Of a command of a finding: green if it was tried on a view of the system, on which the same check then found nothing wrong; else unknown."""
    download_megabytes: int
    """What the packages of cuDNN alone that it installs are to download, of 1,000,000 bytes; absent where that is at most 100, or not known."""


class Finding(TypedDict):
    """Something that is wrong, or worth to know."""

    name: str
    """Its name, which cudnn-checked explain explains."""
    severity: Literal["error", "warning", "note", "unknown"]
    """How much it counts."""
    summary: str
    """What is wrong, in one sentence."""
    expected: str
    """What should be there."""
    found: str
    """What is there."""
    where: str
    """The file or the variable in which it was found."""
    because: str
    """What would happen."""
    fix: str
    """All lines of fixes in one text."""
    fixes: List[Fix]
    """What to do, the best first."""
    evidence: List[Fact]
    """All facts of the message, the expected one and the one that was found first."""


class File(TypedDict):
    """A library of cuDNN that is loaded, or would be."""

    name: str
    """The name by which the loader asks for it."""
    role: str
    """shim, graph, ops, cnn and so on."""
    path: str
    """The file."""
    version: str
    """All releases that it can be of; empty if that is not known."""
    chosen_by: str
    """Why the loader takes it: LD_LIBRARY_PATH[2], RUNPATH of a file, ld.so.cache, default path."""
    mapped: bool
    """Whether it is in the memory of the process."""
    build_id: str
    """Its GNU build id in hexadecimal digits."""
    package: str
    """The package whose record names it, with its version and its manager."""


class Device(TypedDict):
    """A GPU."""

    index: int
    """Its number in the process, from 0."""
    uuid: str
    """Its UUID."""
    name: str
    """What the driver calls it."""
    architecture: str
    """sm_90; empty if it is not known."""


class Check(TypedDict):
    """One of cuDNN's own checks."""

    name: str
    """The function."""
    status: int
    """What it returned."""
    status_name: str
    """The name of that status."""


class Convolution(TypedDict):
    """A convolution that was run."""

    api: Literal["legacy", "graph"]
    """The interface of cuDNN."""
    type: str
    """fp32, fp16 and so on."""
    layout: str
    """nchw or nhwc."""
    shape: str
    """Input and filter."""
    math: str
    """How it was allowed to compute."""
    engine: int
    """The number of the engine, or of the algorithm; -1 if it is not known."""
    device: int
    """The index of the GPU."""
    status: str
    """ok, wrong-numbers, or the name of a status."""
    status_number: int
    """The number of the status."""
    relative_error: Union[float, None]
    """||y - r|| / ||r|| against the float64 reference r; null: infinite."""
    element_error: Union[float, None]
    """The largest |y - r| / sum |x*w|; null: infinite."""
    tolerance: float
    """The bound of element_error."""
    milliseconds: float
    """The time that it took."""


class Operation(TypedDict):
    """A run of a fused operation, or of a recurrent network."""

    operation: str
    """Its name: attention/backward."""
    type: str
    """fp32, fp16 and so on."""
    problem: str
    """The sizes, and what else is particular."""
    output: str
    """The result that is farthest from its reference: dQ."""
    engine: int
    """The number of the engine, of a recurrent network that of the algorithm; -1 if it is not known."""
    device: int
    """The index of the GPU."""
    status: str
    """ok, wrong-numbers, or the name of a status."""
    status_number: int
    """The number of the status."""
    relative_error: Union[float, None]
    """||y - r|| / ||r|| against the float64 reference r; null: infinite."""
    element_error: Union[float, None]
    """The largest |y - r| of all outputs, in units of the first-order bound of its element; null: infinite."""
    tolerance: float
    """The bound of element_error."""
    milliseconds: float
    """The time that it took."""


class KernelRun(TypedDict):
    """The probe's kernel on one GPU."""

    device: int
    """The index of the GPU."""
    code: str
    """What of the fatbinary it was: sm_80, compute_75 (PTX)."""
    shape: str
    """Input and filter."""
    status: str
    """ok, wrong-numbers, or the name of a status."""
    status_number: int
    """The number of the status."""
    relative_error: Union[float, None]
    """||y - r|| / ||r|| against the float64 reference r; null: infinite."""
    element_error: Union[float, None]
    """The largest |y - r| / sum |x*w|; null: infinite."""
    tolerance: float
    """The bound of element_error."""
    milliseconds: float
    """The time that it took."""
    cudnn_difference: Union[float, None]
    """The largest |y - z| / sum |x*w| between the kernel's and cuDNN's result; null if cuDNN computed nothing."""


class KernelObject(TypedDict):
    """What was compiled, and how it ran."""

    compiler: str
    """nvcc and its version."""
    headers: str
    """The release of the CUDA headers that it took."""
    compiled: List[str]
    """The code in the probe's fatbinary, as in CMAKE_CUDA_ARCHITECTURES: 75-real, 90-virtual, 86 for both."""
    runs: List[KernelRun]
    """On each GPU, up to the first that failed."""


class ReportTriple(TypedDict):
    """What was verified together."""

    cudnn: str
    """Release of cuDNN."""
    cuda: str
    """CUDA toolkit."""
    architectures: List[str]
    """Architectures on which every convolution was right: sm_90."""


class ReportCudnnHeader(TypedDict):
    """Its header."""

    version: str
    """Its release."""
    path: str
    """The file."""


class ReportCudnnLibrary(TypedDict):
    """Its library."""

    version: str
    """Its release."""
    path: str
    """The shim."""
    cudart: str
    """The CUDA runtime inside cuDNN."""
    max_device: int
    """cudnnGetMaxDeviceVersion; 0 if it was not asked."""


class ReportCudnn(TypedDict):
    """The cuDNN."""

    header: ReportCudnnHeader
    """Its header."""
    library: ReportCudnnLibrary
    """Its library."""
    files: List[File]
    """Its files."""
    checks: List[Check]
    """Its own checks."""


class ReportCuda(TypedDict):
    """CUDA."""

    toolkit: str
    """Its release at configure time."""
    runtime: str
    """The runtime of the process."""
    driver: str
    """The CUDA version of the driver."""
    kernel_module: str
    """The release of the driver's kernel module."""


class _WholeReport(TypedDict):
    """What is always there."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked that wrote the stamp; empty if the stamp cannot be read."""
    program: str
    """The CMake target whose stamp was checked; empty if the probe wrote the report, or if there is no stamp."""
    verdict: Literal["ok", "unknown", "warning", "refused"]
    """The worst of the findings."""
    level: Literal["", "none", "located", "linked", "loaded", "ran"]
    """At configure time what was reached, at start what is stamped."""
    triple: ReportTriple
    """What was verified together."""
    cudnn: ReportCudnn
    """The cuDNN."""
    components: List[str]
    """The COMPONENTS that were asked for; empty for all that the release ships."""
    needs: List[str]
    """The sub-libraries that the program needs."""
    cuda: ReportCuda
    """CUDA."""
    devices: List[Device]
    """The GPUs that the process may see."""
    convolutions: List[Convolution]
    """The convolutions that were run."""
    skipped: List[str]
    """Convolutions and operations that were not run, each with its reason."""
    findings: List[Finding]
    """What was found, the worst first."""
    escape: Union[str, None]
    """The variable that has overridden the check, with its value; null if none has."""


class Report(_WholeReport, total=False):
    """The report of the probe, of a guarded program (CUDNN_CHECKED_REPORT), of verify and of run."""

    stage: str
    """Only in a report that was not finished: the step that was running."""
    operations: List[Operation]
    """Only of the probe, and only if CuDNNChecked_OPERATIONS or --operations asked for them: the fused operations that were run."""
    kernel: Kernel
    """Only of the probe."""
    assumed: str
    """Only with --as and --no-gpu: the machine that is assumed, or that no GPU is checked."""
    root: str
    """Only with --root: the directory of the container's tree."""
    sweep: ReportSweep
    """Only of the probe, and only if CuDNNChecked_SWEEP asked for it."""


class Error(TypedDict):
    """Any command that fails: what it also prints on standard error."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    error: str
    """The message, without cudnn-checked: error:."""
    status: Literal[0, 1, 2, 3, 78]
    """The exit status."""


class VerifyFilesFiles(TypedDict):
    """One file."""

    file: str
    """Its path, as it was given."""
    status: Literal[0, 1, 2, 3, 78]
    """The exit status."""
    error: str
    """Why it could not be checked; empty if it was."""
    report: Union[None, Report]
    """Its report; null if it could not be checked."""


class VerifyFiles(TypedDict):
    """verify of several files."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    status: Literal[0, 1, 2, 3, 78]
    """The exit status."""
    files: List[VerifyFilesFiles]
    """Each file, in the order in which they were given."""


class StampCudnn(TypedDict):
    """The cuDNN that was verified."""

    header: str
    """Release of the header."""
    library: str
    """Release of the library."""
    cudart: str
    """The CUDA runtime inside cuDNN."""


class StampCuda(TypedDict):
    """CUDA at configure time."""

    toolkit: str
    """Its release."""
    runtime: str
    """Release of the runtime."""
    driver: str
    """CUDA version of the driver."""


class StampArchitectures(TypedDict):
    """Compute capabilities."""

    measured: List[str]
    """Of the GPUs on which the convolutions were right."""
    compiled: List[str]
    """For which the program has code: 75-real, 90-virtual, 86 for both."""


class _WholeStamp(TypedDict):
    """What is always there."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    program: str
    """The CMake target."""
    level: Literal["located", "linked", "loaded", "ran"]
    """What was reached at configure time."""
    cudnn: StampCudnn
    """The cuDNN that was verified."""
    cuda: StampCuda
    """CUDA at configure time."""
    architectures: StampArchitectures
    """Compute capabilities."""
    components: List[str]
    """The COMPONENTS that were asked for."""
    sublibraries: List[str]
    """What of cuDNN the target links."""
    operations: List[str]
    """The operations that the guard was told of."""
    policy: str
    """compatible, exact or major."""
    gpu: str
    """required or optional."""


class Stamp(_WholeStamp, total=False):
    """The stamp of a program."""

    proved: List[str]
    """The operations of CuDNNChecked_OPERATIONS that were right on every GPU that computed; absent if there are none."""
    guard: str
    """warn or off, of a build with CuDNNChecked_GUARD; absent if the guard refuses."""


class UnreadableStamp(TypedDict):
    """A stamp that cannot be read."""

    unreadable: str
    """Why."""
    text: str
    """At most its first 1024 bytes."""


class InspectLibraryPackage(TypedDict):
    """The package whose record names it."""

    manager: str
    """wheel, conda, dpkg; empty if there is none."""
    name: str
    """Its name."""
    version: str
    """Its version."""
    record: str
    """The file that names it."""


class InspectLibrary(TypedDict):
    """inspect of a library of cuDNN."""

    schema: Literal[1]
    """The version of this form."""
    file: str
    """The path that was given."""
    role: str
    """shim, graph, ops, cnn and so on."""
    release: str
    """The releases that it can be of, or unknown."""
    identified_by: str
    """build id, version word, file name, package record; empty if nothing identifies it."""
    cuda_majors: List[int]
    """The CUDA majors that it can be for."""
    soname: str
    """Its SONAME."""
    build_id: str
    """Its GNU build id."""
    machine: str
    """The machine that it is for."""
    needed: List[str]
    """Its NEEDED entries."""
    rpath: str
    """Its RPATH."""
    runpath: str
    """Its RUNPATH."""
    package: InspectLibraryPackage
    """The package whose record names it."""
    length: str
    """Both numbers, if its package recorded another length."""
    state: str
    """full length, empty, cut off, and so on."""


class PkgConfig(TypedDict):
    """pkg-config: a cudnn.pc that was written."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """The release of cudnn-checked."""
    file: str
    """The file."""
    cudnn: str
    """The release of that cuDNN."""
    library: str
    """The library that is linked."""
    include: str
    """The directory of its headers."""
    cuda_include: str
    """That of CUDA's headers; empty if none were found."""
    sublibraries: List[str]
    """The libraries that cuDNN opens, of its own directory."""


class GuardObject(TypedDict):
    """guard-object: a guard that was written."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """The release of cudnn-checked."""
    file: str
    """The object, or its source."""
    level: str
    """How far cuDNN was proved: loaded or ran."""
    symbol: str
    """The value of CUDNN_CHECKED_STAMP for sources that include the guard's headers."""
    include: str
    """The directory of these headers."""
    stamp: Stamp
    """The stamp."""


class BundleCopied(TypedDict):
    """One library."""

    name: str
    """Its name in the directory."""
    source: str
    """The file that was copied."""
    link: str
    """Its SONAME, a link to it; empty if that is its name."""


class BundleNotCopied(TypedDict):
    """One library."""

    name: str
    """The name that cuDNN asks for."""
    path: str
    """Where it is here; empty if the loader does not find it."""


class BundleLicenses(TypedDict):
    """One file."""

    source: str
    """The file that was copied."""
    folder: str
    """The folder of licenses that it is in, the name of its package."""


class Bundle(TypedDict):
    """bundle: a copy of a cuDNN."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """The release of cudnn-checked."""
    directory: str
    """Where the copy is."""
    cudnn: str
    """Its release."""
    cuda_major: int
    """The CUDA major that it is for; 0 if it is not known."""
    copied: List[BundleCopied]
    """Each library in it."""
    not_copied: List[BundleNotCopied]
    """Libraries that cuDNN uses and that are not in it."""
    not_in_it: List[str]
    """Libraries of cuDNN that this one asks for and does not have."""
    licenses: List[BundleLicenses]
    """The licenses that were copied."""
    without_license: List[str]
    """Libraries for which no license was found."""
    command: str
    """What makes the program of --for use the copy; empty without it."""


class InspectDirectoryLibrariesPackage(TypedDict):
    """The package whose record names it."""

    manager: str
    """wheel, conda, dpkg; empty if there is none."""
    name: str
    """Its name."""
    version: str
    """Its version."""
    record: str
    """The file that names it."""


class InspectDirectoryLibraries(TypedDict):
    """One library."""

    file: str
    """Its path."""
    role: str
    """shim, graph, ops, cnn and so on."""
    release: str
    """The releases that it can be of, or unknown."""
    identified_by: str
    """build id, version word, file name, package record; empty if nothing identifies it."""
    cuda_majors: List[int]
    """The CUDA majors that it can be for."""
    soname: str
    """Its SONAME."""
    build_id: str
    """Its GNU build id."""
    machine: str
    """The machine that it is for."""
    needed: List[str]
    """Its NEEDED entries."""
    rpath: str
    """Its RPATH."""
    runpath: str
    """Its RUNPATH."""
    package: InspectDirectoryLibrariesPackage
    """The package whose record names it."""
    length: str
    """Both numbers, if its package recorded another length."""
    state: str
    """full length, empty, cut off, and so on."""


class InspectDirectory(TypedDict):
    """inspect of a directory."""

    schema: Literal[1]
    """The version of this form."""
    file: str
    """The path that was given."""
    libraries: List[InspectDirectoryLibraries]
    """Each library of cuDNN in it, each once."""


class InspectProgram(TypedDict):
    """inspect of a stamped program."""

    schema: Literal[1]
    """The version of this form."""
    file: str
    """The path that was given."""
    stamps: List[Union[Stamp, UnreadableStamp, Dict[str, Any]]]
    """Its stamps; several where several stamped archives are linked."""


class NotLookedAt(TypedDict):
    """A row of the table of what commands leave out."""

    name: str
    """Its name in the table: order."""
    what: str
    """What is not looked at."""
    asked: str
    """The command of cudnn-checked that looks at it."""


class HelpOption(TypedDict):
    """An option."""

    name: str
    """As it is typed."""
    value: str
    """What its value is; empty: it takes none."""
    text: str
    """What it does."""


class HelpStatus(TypedDict):
    """An exit status."""

    status: str
    """Its number, or other."""
    text: str
    """What it means."""


class HelpSummary(TypedDict):
    """A command in one line."""

    name: str
    """The command."""
    arguments: str
    """What stands behind it."""
    summary: str
    """What it answers."""


class HelpVariables(TypedDict):
    """A variable."""

    name: str
    """The variable."""
    text: str
    """What it does."""


class Help(TypedDict):
    """help, and --help without a command."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    commands: List[HelpSummary]
    """All commands."""
    options: List[HelpOption]
    """Those without a command, and those of every command."""
    statuses: List[HelpStatus]
    """Of all commands together."""
    variables: List[HelpVariables]
    """The variables of the environment that are read."""


class HelpCommand(TypedDict):
    """help COMMAND, and COMMAND --help."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    command: HelpSummary
    """The command in one line."""
    description: str
    """Paragraphs, with an empty line between them."""
    options: List[HelpOption]
    """Its own, and those of every command."""
    statuses: List[HelpStatus]
    """Its exit statuses."""
    not_looked_at: List[NotLookedAt]
    """What it does not look at by its nature."""
    example: str
    """As on a terminal, a command behind a dollar sign."""


class Version(TypedDict):
    """--version."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""


class Path(TypedDict):
    """--cmakedir and --provider."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    path: str
    """The directory, or the file."""


class Generated(TypedDict):
    """--generate KIND."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    kind: str
    """KIND: man, bash, zsh, fish and others."""
    text: str
    """What is installed."""


class ExplainListFindings(TypedDict):
    """One finding."""

    name: str
    """The name of the finding."""
    severity: Literal["error", "warning", "note", "unknown"]
    """How much it usually counts."""
    why: str
    """Why it matters."""


class ExplainList(TypedDict):
    """explain without a name."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    findings: List[ExplainListFindings]
    """All findings."""


class ExplainFinding(TypedDict):
    """explain NAME."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    name: str
    """The name of the finding."""
    severity: Literal["error", "warning", "note", "unknown"]
    """How much it usually counts."""
    why: str
    """Why it matters."""
    text: str
    """Its entry of findings.md."""


class ExplainWord(TypedDict):
    """explain WORD."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    name: str
    """The word."""
    text: str
    """Its entry of glossary.md."""


class ExplainTextErrorsCauses(TypedDict):
    """What can be behind it."""

    finding: str
    """The name of the finding; empty if there is none."""
    cause: str
    """The cause."""
    sign: str
    """What tells it from the others."""


class ExplainTextErrors(TypedDict):
    """One error, with all lines that say the same."""

    text: str
    """The words."""
    line: int
    """The first line that has them."""
    count: int
    """How many lines have them."""
    kind: Literal["error", "harmless"]
    """Whether anything is wrong."""
    summary: str
    """What it is."""
    causes: List[ExplainTextErrorsCauses]
    """The likely causes."""
    checks: List[str]
    """Commands that find out which it is."""
    fixes: List[Fix]
    """What to do."""
    seen: str
    """Where people have met it."""


class ExplainText(TypedDict):
    """explain --text: the errors in a log."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    file: str
    """The log; - for standard input; empty for an error that was the argument."""
    lines: int
    """How many it has."""
    errors: List[ExplainTextErrors]
    """The errors that are known."""
    left_out: int
    """How many were left out."""


class DiffDifferences(TypedDict):
    """One difference."""

    key: str
    """The path of the key: triple cudnn."""
    a: str
    """Its text in the first report."""
    b: str
    """Its text in the second report."""


class Diff(TypedDict):
    """diff."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    a: str
    """The first report."""
    b: str
    """The second report."""
    differences: List[DiffDifferences]
    """What they do not have in common."""


class FleetGroups(TypedDict):
    """Machines that are equal."""

    count: int
    """How many."""
    verdict: Literal["ok", "unknown", "warning", "refused", "unreadable"]
    """Of their reports; unreadable if a file is no report."""
    cudnn: str
    """Release of cuDNN."""
    cuda: str
    """CUDA toolkit."""
    driver: str
    """The kernel module, else its CUDA version."""
    gpus: str
    """Number, architecture and name."""
    findings: str
    """Names of findings, without notes."""
    reason: str
    """Of unreadable: why."""
    differs: List[str]
    """The keys that differ from the first group."""
    reports: List[str]
    """The files."""


class FleetRepeated(TypedDict):
    """A machine of which there are several reports."""

    gpu: str
    """The UUID of a GPU by which it was recognised."""
    reports: List[str]
    """The files."""


class Fleet(TypedDict):
    """fleet."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    count: int
    """How many reports were read."""
    groups: List[FleetGroups]
    """The largest group first."""
    repeated: List[FleetRepeated]
    """Machines with several reports."""
    expected: str
    """What --expect names."""
    missing: int
    """How many machines have no report."""
    missing_names: List[str]
    """Their names, if they are known."""
    more: int
    """Machines beyond the expected number."""
    unexpected: List[str]
    """Names that are not expected."""


class PackageRecord(TypedDict):
    """A package and its record."""

    name: str
    """Its name."""
    version: str
    """Its version."""
    record: str
    """The file that lists what it has installed."""


class EnvironmentCudnnPackages(TypedDict):
    """A package of cuDNN."""

    name: str
    """Its name."""
    version: str
    """Its version."""
    record: str
    """The file that lists what it has installed."""
    libraries: int
    """How many libraries its record lists."""
    absent: List[str]
    """Libraries that do not exist."""
    absent_headers: List[str]
    """Headers that do not exist."""


class EnvironmentShared(TypedDict):
    """Files of two packages."""

    packages: List[PackageRecord]
    """The two."""
    files: List[str]
    """The files that both have recorded."""


class EnvironmentRequirements(TypedDict):
    """A requirement."""

    package: str
    """The package that requires it."""
    requires: str
    """The requirement."""
    installed: str
    """The version that is installed; empty if none is."""
    met: Literal["yes", "no", "unknown"]
    """Whether it is met."""


class EnvironmentUsersTakes(TypedDict):
    """The cuDNN that the loader takes for it."""

    release: str
    """Its release; empty if it takes none."""
    version: str
    """The same as a number."""
    cuda_major: int
    """The CUDA major; 0 if it is not known."""
    kind: str
    """whole, JIT-only, partial; empty if it takes none."""
    directory: str
    """Where it is."""


class EnvironmentUsers(TypedDict):
    """A library that uses cuDNN."""

    package: str
    """Its package; empty if no record names it."""
    libraries: List[str]
    """The libraries: the one that was checked, and others of which the same was found."""
    needed: List[str]
    """The libraries of cuDNN in its NEEDED entries."""
    opened: str
    """The library that it opens by name."""
    requires: str
    """What its package requires of cuDNN."""
    takes: EnvironmentUsersTakes
    """The cuDNN that the loader takes for it."""
    verdict: Literal["ok", "unknown", "warning", "refused"]
    """The worst of the findings."""
    findings: List[Finding]
    """What is wrong with it."""


class Environment(TypedDict):
    """A site-packages, or the prefix of a conda environment."""

    directory: str
    """The directory."""
    found_by: str
    """What led to it."""
    packages: int
    """How many packages it has."""
    libraries: int
    """How many shared libraries were read."""
    limit: Literal["", "files", "time"]
    """Why not all of it was looked at; empty if it was."""
    cudnn_packages: List[EnvironmentCudnnPackages]
    """Packages whose records list libraries of cuDNN."""
    shared: List[EnvironmentShared]
    """Files that two packages have recorded as their own."""
    requirements: List[EnvironmentRequirements]
    """What packages require of cuDNN."""
    leftovers: List[str]
    """Folders that an interrupted pip has left."""
    users: List[EnvironmentUsers]
    """What uses cuDNN."""


class DoctorCudnnHeader(TypedDict):
    """The header beside it."""

    version: str
    """Its release."""
    path: str
    """The file; empty if there is none."""


class DoctorCudnn(TypedDict):
    """One cuDNN."""

    directory: str
    """Where its libraries are."""
    found_by: List[str]
    """All that leads to it."""
    library: str
    """Its shim."""
    version: str
    """Its release as a number; empty if it is not known."""
    cuda_major: int
    """The CUDA major that it is for; 0 if it is not known."""
    release: str
    """Its release in words."""
    kind: Literal["full", "JIT-only", "partial"]
    """What of a release is there."""
    compared: int
    """How many of its files were compared with the recorded SHA-256; 0 without --hash."""
    header: DoctorCudnnHeader
    """The header beside it."""
    files: List[File]
    """What a program would load that is linked with it."""
    findings: List[Finding]
    """What is wrong with it."""


class DoctorCopies(TypedDict):
    """A copy that a package has renamed for itself."""

    path: str
    """The file."""
    role: str
    """graph, ops and so on."""
    release: str
    """Its release."""
    state: str
    """whole, or what is wrong."""
    asked_by: str
    """The library that asks for it."""


class DoctorByDefault(TypedDict):
    """What a program without a run path gets."""

    path: str
    """The shim; empty if there is none."""
    chosen_by: str
    """Why the loader takes it."""
    files: List[File]
    """All that it would load."""


class DoctorToolkits(TypedDict):
    """A CUDA toolkit."""

    version: str
    """Its release."""
    directory: str
    """Where it is."""
    found_by: str
    """What led to it."""


class DoctorDriver(TypedDict):
    """The driver; empty texts if there is none."""

    path: str
    """libcuda.so.1."""
    chosen_by: str
    """Why the loader takes it."""
    library: str
    """Release of the library."""
    kernel_module: str
    """Release of the kernel module."""
    cuda: str
    """Its CUDA version."""


class _WholeDoctor(TypedDict):
    """What is always there."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    verdict: Literal["ok", "unknown", "warning", "refused"]
    """The worst of the findings."""
    cudnn: List[DoctorCudnn]
    """Every cuDNN."""
    copies: List[DoctorCopies]
    """Renamed copies."""
    environments: List[Environment]
    """Python and conda environments."""
    by_default: DoctorByDefault
    """What a program without a run path gets."""
    toolkits: List[DoctorToolkits]
    """CUDA toolkits."""
    driver: DoctorDriver
    """The driver; empty texts if there is none."""
    devices: List[Device]
    """The GPUs."""
    not_looked_at: List[NotLookedAt]
    """What doctor does not look at by its nature, where it can change the answer."""
    findings: List[Finding]
    """What is wrong with the machine."""


class Doctor(_WholeDoctor, total=False):
    """doctor."""

    root: str
    """Only with --root: the directory; every path is one in it."""


class SearchStep(TypedDict):
    """A place in which the loader looks for a library."""

    place: str
    """LD_LIBRARY_PATH[0], RUNPATH of a file, ld.so.cache and so on."""
    directory: str
    """The directory; empty if the place is none."""
    path: str
    """The file that is there."""
    there: str
    """What is there."""
    outcome: Literal["passed", "taken", "not reached"]
    """What the loader does with it."""


class ExplainFileTaken(TypedDict):
    """What the loader takes for that name."""

    path: str
    """The file; empty if none is taken."""
    chosen_by: str
    """Why the loader takes it."""
    release: str
    """Its release."""
    state: str
    """whole, or what is wrong."""


class _WholeExplainFile(TypedDict):
    """What is always there."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    file: str
    """The path that was given."""
    summary: str
    """What it is, in one sentence."""
    name: str
    """The name by which the loader asks for it."""
    asked_for_by: str
    """Who asks; empty for a program without a run path."""
    taken: ExplainFileTaken
    """What the loader takes for that name."""
    is_taken: bool
    """Whether it is this file."""
    why_not: str
    """Why another one is taken; empty if it is this file."""
    search: List[SearchStep]
    """The places of the search, in its order."""
    fixes: List[Fix]
    """What to do."""


class ExplainFile(_WholeExplainFile, total=False):
    """explain FILE, of a library or of any other file."""

    library: LibraryIdentity
    """Only of a library of cuDNN: what inspect tells of it."""


class LibraryIdentityPackage(TypedDict):
    """The package whose record names it."""

    manager: str
    """wheel, conda, dpkg; empty if there is none."""
    name: str
    """Its name."""
    version: str
    """Its version."""
    record: str
    """The file that names it."""


class LibraryIdentity(TypedDict):
    """What a library of cuDNN is."""

    role: str
    """shim, graph, ops, cnn and so on."""
    release: str
    """The releases that it can be of, or unknown."""
    identified_by: str
    """build id, version word, file name, package record; empty if nothing identifies it."""
    cuda_majors: List[int]
    """The CUDA majors that it can be for."""
    soname: str
    """Its SONAME."""
    build_id: str
    """Its GNU build id."""
    machine: str
    """The machine that it is for."""
    needed: List[str]
    """Its NEEDED entries."""
    rpath: str
    """Its RPATH."""
    runpath: str
    """Its RUNPATH."""
    package: LibraryIdentityPackage
    """The package whose record names it."""
    length: str
    """Both numbers, if its package recorded another length."""
    state: str
    """full length, empty, cut off, and so on."""


class ExplainProgramLibraries(TypedDict):
    """One library of cuDNN."""

    name: str
    """The name by which it is asked for."""
    asked_for_by: str
    """The file that asks for it."""
    path: str
    """The file; empty if none is taken."""
    chosen_by: str
    """Why the loader takes it."""
    release: str
    """Its release."""
    state: str
    """whole, or what is wrong."""


class ExplainProgram(TypedDict):
    """explain FILE, of a program: the cuDNN that it takes."""

    schema: Literal[1]
    """The version of this form."""
    package: str
    """Release of CuDNNChecked."""
    file: str
    """The path that was given."""
    libraries: List[ExplainProgramLibraries]
    """Those that it takes."""
    search: List[SearchStep]
    """The search for the shim."""


class SweepRequest(TypedDict):
    """What was asked of a sweep."""

    library: str
    """Absolute path of libcudnn.so.N."""
    seconds: float
    """Time limit, by the clock."""
    operations: List[SweepOperation]
    """Operations that were computed."""
    types: List[Literal["fp32", "fp16", "bf16", "e4m3"]]
    """Types of the tensors."""
    seed: str
    """Of the random problems; a number of 64 bits."""
    devices: List[int]
    """The GPUs that share the problems."""
    workers: int
    """Processes side by side; 0: as many as the machine carries."""
    plan_seconds: float
    """A plan that takes longer has hung."""
    worker_bytes: int
    """GPU memory that one process allocates."""
    errata: str
    """Text of the errata file whose plans were left out; empty: none."""
    random: bool
    """True where problems were drawn, of no list."""
    listed: str
    """The problems that were computed alone, with ; between them; empty: those of the list, or drawn ones."""


class SweepGpu(TypedDict):
    """One of the GPUs that shared the problems."""

    device: int
    """Its index, as CUDA counts them."""
    uuid: str
    """Its UUID; empty if it did not come to compute."""
    problems: int
    """Problems that were begun on it."""
    why_not: str
    """Why it computed nothing; empty if it did."""
    wrong_alone: int
    """Plans that it computed wrong and another GPU computed right, if it is defective; its results are left out then."""
    example: str
    """One of them; empty if it is not defective."""


class SweepMachine(TypedDict):
    """What computed."""

    cudnn: str
    """Release of cuDNN, from cudnnGetVersion."""
    cudart: str
    """CUDA runtime inside cuDNN."""
    driver: str
    """CUDA version of the driver."""
    gpu: str
    """Name of the GPU."""
    gpu_uuid: str
    """UUID of the GPU."""
    capability: str
    """Compute capability: 9.0."""


class SweepCounts(TypedDict):
    """How much was computed, and what came of it."""

    problems: int
    """Problems that were begun."""
    plans: int
    """Plans that were run."""
    right: int
    """Plans whose every element is right."""
    inexact: int
    """Less exact than the notes of the engine say, within the tolerance of the coarsest arithmetic."""
    wrong: int
    """Elements differ from the reference by more than the tolerance."""
    unwritten: int
    """Elements still hold what was there before."""
    outside: int
    """Bytes beside the output or the workspace were written."""
    changing: int
    """Two executions differ, and the engine does not say that they may."""
    failed: int
    """A call that must succeed for a supported plan returned an error."""
    died: int
    """The process ended, or its CUDA context was lost."""
    hung: int
    """The time limit of a plan was over."""
    unsupported: int
    """Plans that an engine does not support."""
    too_large: int
    """Plans that need more workspace than a process may allocate."""
    skipped: int
    """Plans that no heuristic offers and that are compiled at run time, which takes seconds: most problems leave them out."""
    blocked: int
    """Plans that the errata file leaves out."""
    per_second: int
    """Plans run in a second."""


class SweepOutcomes(TypedDict):
    """Plans of a row, by what came of them."""

    right: int
    """Plans whose every element is right."""
    inexact: int
    """Less exact than the notes of the engine say, within the tolerance of the coarsest arithmetic."""
    wrong: int
    """Elements differ from the reference by more than the tolerance."""
    unwritten: int
    """Elements still hold what was there before."""
    outside: int
    """Bytes beside the output or the workspace were written."""
    changing: int
    """Two executions differ, and the engine does not say that they may."""
    failed: int
    """A call that must succeed for a supported plan returned an error."""
    died: int
    """The process ended, or its CUDA context was lost."""
    hung: int
    """The time limit of a plan was over."""


class SweepExample(TypedDict):
    """The simplest failure of a row."""

    problem: str
    """Operation, type, layout and shape, as in problems."""
    plan: str
    """Engine and knobs: eng72_k2=14."""
    outcome: Literal["wrong", "unwritten", "outside", "changing", "failed", "died", "hung"]
    """What came of it."""
    offers: str
    """Who offers the plan, with the rank: A1 FALLBACK3; empty: nobody."""
    math: str
    """Arithmetic of the engine, on which the tolerance rests."""
    relative_error: Union[float, None]
    """Norm of the difference from the reference, divided by the norm of the reference; null: infinite."""
    element_error: Union[float, None]
    """Largest error of an element, divided by what its sum can be; null: infinite."""
    tolerance: float
    """Bound on element_error."""
    unwritten: int
    """Elements that were not written."""
    elements: int
    """All elements of the output."""
    workspace: int
    """Bytes of workspace."""
    alignment: int
    """What the addresses of the tensors are multiples of; 0: it was not executed."""
    right_with: Literal["none", "zero-workspace", "zero-surroundings"]
    """What the failure goes away with."""
    detail: str
    """The call that failed, the signal, or where outside was written."""


class SweepRow(TypedDict):
    """An engine that failed in an operation, a type and a layout."""

    row: int
    """Its number, from 1, for --reproduce."""
    engine: int
    """Global index of the engine; -1: the heuristics failed. Of a recurrent network 4 times the number of the algorithm, plus that of the math type; of another call of the legacy API the number of its algorithm or mode, of batch norm plus 3 by the functions that end in Ex, else 0."""
    name: str
    """The engine, or the algorithm and the math type, as people read it."""
    operation: SweepOperation
    """What was computed."""
    type: Literal["fp32", "fp16", "bf16", "e4m3"]
    """Type of the tensors; e4m3 (FP8) of fused operations alone."""
    layout: Literal["nchw", "nhwc", "packed"]
    """Layout of the tensors; packed: of a fused operation."""
    severity: Literal["error", "warning", "unknown", "note"]
    """How much it counts."""
    worst: Literal["wrong", "unwritten", "outside", "changing", "failed", "died", "hung"]
    """The worst outcome of its plans."""
    reach: Literal["first", "offered", "by-index"]
    """How likely a program meets a failed plan."""
    offered_by: str
    """Who offers a failed plan, the most likely one."""
    plans: SweepOutcomes
    """Plans by what came of them."""
    problems_computed: int
    """Problems that the engine computed."""
    problems_failed: int
    """Problems in which a plan of it failed."""
    right_elsewhere: int
    """Failed problems in which another engine is right."""
    same_elsewhere: int
    """Failed problems in which no engine is right and another computes the same wrong numbers."""
    narrow: int
    """Failed problems with a dimension of 1, where the layout is ambiguous."""
    unaligned: int
    """Failed plans that are right where all tensors lie at 256 bytes."""
    reads_workspace: int
    """Failed plans that are right with a workspace of zeros."""
    reads_beside: int
    """Failed plans that are right with zeros in the workspace and around the tensors."""
    proof: Literal["by-itself", "by-other-engines", "by-reference-only", "disputed"]
    """What shows that the engine is to blame."""
    knobs_matter: Literal["unknown", "no", "yes"]
    """Whether other settings of its knobs are right where it failed."""
    example: SweepExample
    """The simplest failure."""
    known_as: str
    """Name in the table of known defects; empty: it is in none."""
    known_from: str
    """Where the known defect was seen."""


class SweepInexact(TypedDict):
    """An engine that is less exact in an operation than its notes say."""

    operation: SweepOperation
    """What was computed."""
    engine: int
    """Global index of the engine."""
    plans: int
    """Plans that were inexact."""
    relative_error: float
    """The largest one."""


class SweepProblem(TypedDict):
    """A problem, and what came of each plan."""

    problem: str
    """Operation, type, layout and shape."""
    finished: bool
    """False where the sweep ended before all plans were run."""
    plans: List[List[Union[str, float, bool, None]]]
    """What came of each plan: the columns of plan_columns; of a right plan the first five."""


class _WholeSweep(TypedDict):
    """What is always there."""

    schema: Literal[1]
    """Number of the schema."""
    package: str
    """Release of CuDNNChecked."""
    program: Literal["sweep"]
    """That this is the report of a sweep."""
    verdict: Literal["ok", "unknown", "warning", "refused"]
    """The worst of the findings."""
    request: SweepRequest
    """What was asked."""
    machine: SweepMachine
    """What computed."""
    gpus: List[SweepGpu]
    """The GPUs that shared the problems."""
    seconds: float
    """How long it took, by the clock."""
    interrupted: bool
    """True where a signal ended it; the report has what was known by then."""
    ended_early: str
    """Why it ended before its time, with what was known by then; else empty."""
    why_not: str
    """Why nothing was computed; empty where something was."""
    not_repeated: int
    """Plans that failed at a random problem, and not when it was computed again."""
    not_tried_again: int
    """Plans that failed at a random problem that was not computed again; they are in the rows."""
    counts: SweepCounts
    """How much was computed."""
    rows: List[SweepRow]
    """Engines that failed, the most likely to be met first."""
    inexact: List[SweepInexact]
    """Engines that are less exact than their notes say: no defect."""
    findings: List[Finding]
    """What is wrong, the worst first."""
    performance: SweepPerformance
    """How fast the engines are."""
    left_out: int
    """Problems that the list does not have, because it is bounded."""
    plan_columns: List[str]
    """Names of the values of a plan in problems."""
    problems: List[SweepProblem]
    """Every problem that was begun."""


class Sweep(_WholeSweep, total=False):
    """What sweep prints."""

    errata: SweepErrata
    """What became of the errata file; only with --errata."""


class SweepErrata(TypedDict):
    """An errata file that a sweep has written or found sufficient."""

    file: str
    """Its path, as it was given."""
    error: str
    """Why it was not written; else empty."""
    added: List[ErrataRule]
    """Rules that it has got."""
    kept: int
    """Rules that it had before."""
    blocked: int
    """Plans that need a rule and have one."""
    left: int
    """Plans that need a rule and have none."""
    disputed: int
    """Wrong plans of engines that nothing but the reference contradicts."""
    spared: int
    """Wrong plans that no heuristic offers, of engines that heuristic A offers."""
    right_blocked: int
    """Right plans that are blocked as well."""
    right_blocked_offered: int
    """Of these: offered by a heuristic."""
    right_blocked_of_a: int
    """Of these: offered by heuristic A."""
    right_blocked_first: int
    """Of these: offered by heuristic A first."""
    verification: SweepVerification
    """The second run, under the file."""


class ErrataRule(TypedDict):
    """A rule as cudnn-frontend reads it."""

    rule_id: str
    """Where it comes from; programs do not read it."""
    operation: Literal["ConvFwd", "ConvBwdData", "ConvBwdFilter"]
    """The operation."""
    engine: int
    """Number of the engine."""
    knob: List[str]
    """Parts of a plan's name: k2=14."""
    cudnn_version_start: int
    """CUDNN_VERSION from which it holds."""
    cudnn_version_end: int
    """The first one for which it holds no more."""


class SweepVerification(TypedDict):
    """Problems that plans failed for, computed again under an errata file."""

    verified: bool
    """True where all of it was computed and nothing failed."""
    interrupted: bool
    """True where not all of it was computed."""
    failing_problems: int
    """Problems of the sweep that need rules."""
    problems: int
    """Of these: computed again."""
    blocked: int
    """Plans that were left out."""
    left: int
    """Plans that failed all the same."""


class _WholeReportSweep(TypedDict):
    """What is always there."""

    asked: int
    """Seconds that were asked for."""


class ReportSweep(_WholeReportSweep, total=False):
    """The sweep of all engines that belongs to a proof. Without its other members none was possible."""

    verdict: Literal["ok", "unknown", "warning", "refused"]
    """The worst of its own findings."""
    request: SweepRequest
    """What was asked."""
    machine: SweepMachine
    """What computed."""
    gpus: List[SweepGpu]
    """The GPUs that shared the problems."""
    seconds: float
    """How long it took, by the clock."""
    why_not: str
    """Why nothing was computed; empty where something was."""
    counts: SweepCounts
    """How much was computed."""
    rows: List[SweepRow]
    """Engines that failed, the most likely to be met first."""


class SweepComparison(TypedDict):
    """What cudnn-checked sweep --against prints: two sweeps, at the problems that both computed to the end."""

    schema: Literal[1]
    """Version of this schema."""
    package: str
    """Release of CuDNNChecked."""
    program: Literal["sweep-comparison"]
    """By which it differs from the report of a sweep."""
    verdict: Literal["ok", "refused", "unknown"]
    """refused: an engine got worse; unknown: there was nothing to compare."""
    then: str
    """The earlier report."""
    now: str
    """The later report, or the directory of the cuDNN that was swept."""
    compared: int
    """Problems that both sweeps computed to the end."""
    header: List[SweepDifference]
    """cuDNN, driver, GPU and number of problems, and in what else the sweeps differ."""
    engines: List[SweepEngineChange]
    """Engines that changed, the most important change first."""
    speed: SweepSpeed
    """The fastest right engines."""
    report: Union[None, Sweep]
    """The report of the later sweep, if it was computed by this command; else null."""


class SweepDifference(TypedDict):
    """Something in which two sweeps may differ."""

    key: str
    """What: cudnn, driver, gpu, problems, seed and so on."""
    then: str
    """In the earlier sweep."""
    now: str
    """In the later sweep."""


class SweepTally(TypedDict):
    """An engine in one sweep, counted in problems."""

    problems: int
    """Those that it supports."""
    wrong: int
    """Those with a defect that leaves the process alive."""
    fatal: int
    """Those at which the process ended or hung."""
    worst: str
    """Its worst outcome; unsupported where it supports none."""
    reach: Literal["", "first", "offered", "by-index"]
    """The nearest of its plans with a defect; empty if it has none."""


class SweepEngineChange(TypedDict):
    """What became of an engine, in an operation, a type and a layout."""

    change: Literal["newly-fatal", "newly-wrong", "met-by-more", "still-wrong", "no-longer-fatal", "no-longer-wrong", "newly-supported", "no-longer-supported"]
    """The first three are worse."""
    operation: SweepOperation
    """What was computed."""
    engine: int
    """Its number; -1: the heuristics."""
    type: str
    """fp32, fp16, bf16 or e4m3."""
    layout: str
    """nchw or nhwc; packed: of a fused operation."""
    compared: int
    """Problems of this operation, type and layout that both sweeps computed."""
    problems: int
    """Those at which it changed so."""
    then: SweepTally
    """In the earlier sweep."""
    now: SweepTally
    """In the later sweep."""
    example: str
    """The smallest of those problems."""
    outcome: str
    """The defect there; empty if there is none."""
    relative_error: Union[float, None]
    """Of wrong numbers there, else 0; null: infinite."""


class SweepSpeedGroup(TypedDict):
    """The fastest right engines of an operation, a type and a layout."""

    group: str
    """Which: fwd fp16 nchw; all."""
    problems: int
    """Problems with a right, measured engine in both sweeps."""
    factor: float
    """Time now divided by time then: the median."""


class SweepSpeedChange(TypedDict):
    """A problem whose fastest right engine became slower or faster."""

    problem: str
    """Operation, type, layout and shape."""
    factor: float
    """Time now divided by time then; a time below 5 us counts as 5 us."""
    engine_then: int
    """The fastest one then."""
    engine_now: int
    """The fastest one now."""
    microseconds_then: float
    """Its time then."""
    microseconds_now: float
    """Its time now."""


class SweepFirstChoice(TypedDict):
    """How many times the time of the fastest right engine the first choice of heuristic A takes: the geometric mean."""

    problems: int
    """Problems for which it is right and was measured in both sweeps."""
    then: float
    """In the earlier sweep."""
    now: float
    """In the later sweep."""


class SweepSpeed(TypedDict):
    """The fastest right engines of two sweeps."""

    problems: int
    """Problems with a right, measured engine in both sweeps."""
    groups: List[SweepSpeedGroup]
    """All, then each operation, type and layout."""
    slower: List[SweepSpeedChange]
    """By 1.5 times or more; the largest change first."""
    faster: List[SweepSpeedChange]
    """By 1.5 times or more; the largest change first."""
    lost: List[str]
    """Problems that have no right engine any more."""
    gained: List[str]
    """Problems that had none."""
    first_choice: SweepFirstChoice
    """The first choice of heuristic A."""


class SweepTimedPlan(TypedDict):
    """A plan and its time."""

    plan: str
    """Engine and knobs: eng72_k2=14."""
    microseconds: float
    """Its shortest execution."""


class SweepChoice(TypedDict):
    """A problem for which the first choice of heuristic A is right and much slower than the fastest."""

    problem: str
    """Operation, type, layout and shape."""
    factor: float
    """How many times the time of the fastest."""
    first: SweepTimedPlan
    """What heuristic A offers first."""
    fastest: SweepTimedPlan
    """The fastest plan that is right."""


class SweepPerformance(TypedDict):
    """How fast the right engines are."""

    measured: int
    """Problems of which a right plan was measured."""
    chosen: int
    """Those of them in which the first choice of heuristic A is right and was measured."""
    mean_factor: float
    """Time of the first choice, divided by that of the fastest: the geometric mean."""
    slow: List[SweepChoice]
    """Problems with a first choice that is much slower, the largest factor first."""


Kernel = Union[None, KernelObject]
SweepOperation = Literal["fwd", "dgrad", "wgrad", "conv-bias", "matmul", "attention/forward", "attention/backward", "layer-norm/forward", "layer-norm/backward", "rms-norm/forward", "rms-norm/backward", "rnn/forward", "rnn/backward", "lstm/forward", "lstm/backward", "gru/forward", "gru/backward", "batch-norm/inference", "batch-norm/forward", "batch-norm/backward", "softmax/forward", "softmax/backward", "pooling/forward", "pooling/backward", "conv-backward/data", "conv-backward/filter", "conv-backward/bias", "conv-activation", "activation/forward", "activation/backward", "tensor/add", "tensor/op", "tensor/reduce", "tensor/transform", "lrn/forward", "lrn/backward", "spatial-grid/forward", "spatial-grid/backward", "spatial-sampler/forward", "spatial-sampler/backward"]

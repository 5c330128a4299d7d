// SPDX-License-Identifier: BSD-3-Clause
#include "command_table.h"

#include "build_commands.h"
#include "command_line.h"

namespace cudnn_checked::cli {

#define LEGACY_AND_FUSED_OPERATIONS                                                 \
  "conv-bias matmul attention layer-norm rms-norm rnn lstm gru batch-norm softmax " \
  "pooling conv-backward conv-activation activation tensor lrn spatial-grid spatial-sampler"

static command_entry doctor_entry() {
  return {
      doctor,
      "doctor",
      "[DIR...]",
      argument_kind::directory,
      0,
      1000000,
      "every cuDNN, CUDA toolkit, driver and GPU here; what is wrong; what to type",
      "Lists every cuDNN of this machine: of the loader, of the variables that the CMake module "
      "reads, of the active Python and conda environments, and of CUDA toolkits. Each is checked "
      "as a program linked with it would find it. Then the machine is checked: what the "
      "loader finds, the driver and the GPUs.\n\n"
      "Several cuDNNs on one machine are not an error.\n\n"
      "With DIR only the cuDNNs there are checked: a directory of libraries, the prefix of an "
      "install, a site-packages or a virtual environment.\n\n"
      "--paste prints a report for an issue in Markdown. Frameworks are imported for it, each in a "
      "process of its own, so that it has what they load. With DIR the Python of DIR is started, "
      "which runs code that lies there; nothing is imported from the working directory.",
      {{"--hash", "",
        "read all of each library, and compare it with the SHA-256 that its package recorded",
        &command_line::hash},
       {"--paste", "",
        "Markdown for a bug report; names, home directories and what may be a secret are left out",
        &command_line::paste},
       {"--root", "DIR",
        "look at the root file system in DIR, as of an image: all paths are those in it, nothing "
        "in it is started, and its driver and GPUs are not known",
        &command_line::root, "the directory of a root file system"},
       {"--env", "NAME=VALUE", "a variable that is set there, for --root", &command_line::variables,
        "a variable, for example --env LD_LIBRARY_PATH=/opt/lib"},
       format_option(),
       strict_option()},
      {{"0", "no error; there may be warnings"},
       {"1", "a cuDNN is broken, or the machine has an error"},
       {"2", "wrong usage, or the result could not be written"},
       {"3", "the result is not known, or there is no cuDNN in DIR"}},
      "$ cudnn-checked doctor\n"
      "$ cudnn-checked doctor ~/venv\n"
      "$ cudnn-checked doctor --hash ~/venv\n"
      "$ cudnn-checked doctor --paste > report.md\n"
      "$ CUDNN_ROOT=/opt/cudnn cudnn-checked doctor --json"};
}

static command_entry probe_entry() {
  return {
      probe_cudnn,
      "probe",
      "[DIR]",
      argument_kind::directory,
      0,
      1,
      "does this cuDNN compute right numbers? convolutions on each GPU here",
      "Opens a cuDNN, asks it for its version, and runs the convolutions that the CMake module "
      "runs at configure time. Every element is compared with a float64 reference. It needs "
      "neither headers nor a compiler. A process of its own does it: where cuDNN ends it, or "
      "hangs, that is the result.\n\n"
      "DIR is a directory of libraries, the prefix of an install, a site-packages or a virtual "
      "environment. Without DIR it is the cuDNN that the loader takes for a program without a run "
      "path.\n\n"
      "Without a GPU or a driver cuDNN is only opened. Then it is not known whether its numbers "
      "are right, and the status is 3. --require is for health checks: the status is 0 if that "
      "level was reached, and 1 if it was not.\n\n"
      "The report of --json is the one that CMake reads from CuDNNChecked_PROBE_REPORT.",
      {{"--timeout", "SECONDS", "end it after that time (120)", &command_line::timeout,
        "a number of seconds"},
       {"--operations", "LIST",
        "what else is computed, separated by commas: conv-bias, matmul, attention, layer-norm, "
        "rms-norm, rnn, lstm, gru, batch-norm, softmax, pooling, conv-backward, conv-activation, "
        "activation, tensor, lrn, spatial-grid, spatial-sampler, ctc-loss, dropout, a part such as "
        "attention/forward, or all",
        &command_line::operations, "a list, for example --operations attention,matmul",
        LEGACY_AND_FUSED_OPERATIONS " ctc-loss dropout all"},
       {"--require", "LEVEL", "ran: convolutions were right on a GPU; loaded: cuDNN was opened",
        &command_line::require, "a level: ran or loaded", "ran loaded"},
       format_option(),
       strict_option()},
      {{"0", "its numbers are right, or the level of --require was reached; there may be warnings"},
       {"1",
        "it computes wrong numbers, fails, crashes or hangs, its files are wrong, or the level of "
        "--require was not reached"},
       {"2", "wrong usage, or the result could not be written"},
       {"3", "nothing was computed, the result is not known, or there is no cuDNN in DIR"}},
      "$ cudnn-checked probe ~/venv\n"
      "$ cudnn-checked probe --require ran --timeout 50 ~/venv\n"
      "$ cudnn-checked probe --operations attention/forward,matmul ~/venv\n"
      "$ cudnn-checked probe --json /opt/cudnn > report.json\n"
      "$ cmake -S . -B build -D CuDNNChecked_PROBE_REPORT=$PWD/report.json"};
}

static command_entry verify_entry() {
  return {
      verify,
      "verify",
      "APP...",
      argument_kind::file,
      1,
      1000000,
      "would this program start here? checked without running it",
      "First the loader's search is simulated for each library that the program needs. Then the "
      "stamp of the program is checked as its guard would check it. The file is read, not run.\n\n"
      "APP is a file, or the name of a program on PATH. A program without a stamp, or a shared "
      "library, is checked too: which cuDNN it takes, whether that is whole, and whether it is the "
      "one that its Python package requires.\n\n"
      "A login node and a CI machine have no GPU, or another one than the program will run on: "
      "--no-gpu and --as check the program for where it will run.",
      {{"--no-gpu", "", "check everything but the driver and the GPUs", &command_line::no_gpu},
       {"--as", "MACHINE",
        "check for that machine: its GPUs and driver, for example sm_86,driver=580",
        &command_line::as, "a machine, for example --as sm_86,driver=580.65.06"},
       {"--pid", "PID", "check the process that has this number: what it has in its memory",
        &command_line::pid, "the number of a process"},
       {"--python", "MODULE",
        "check a Python that has imported it: torch, or torch,onnxruntime; APP is its environment "
        "or interpreter, else the active one",
        &command_line::python, "a module, for example --python torch"},
       {"--timeout", "SECONDS", "end the import of --python after that time (120)",
        &command_line::timeout, "a number of seconds"},
       {"--root", "DIR",
        "check a program of a container whose tree is DIR, without its driver and GPUs; with "
        "--python what the packages of a Python there would load, and nothing is imported",
        &command_line::root, "the directory of a container's tree"},
       {"--env", "NAME=VALUE", "a variable that the container sets, for --root",
        &command_line::variables, "a variable, for example --env LD_LIBRARY_PATH=/opt/lib"},
       format_option(),
       strict_option()},
      {{"0", "it would start; there may be warnings"},
       {"1", "it would be refused; of several files, at least one"},
       {"2", "wrong usage, or the result could not be written"},
       {"3", "the result is not known"}},
      "$ cudnn-checked verify --as sm_90,driver=580.65.06 app plugin.so\n"
      "$ cudnn-checked verify app\n"
      "cudnn-checked: ok: app would start here: cuDNN 9.14.0 \xC2\xB7 CUDA 13.0 \xC2\xB7 sm_86"};
}

static command_entry run_entry() {
  return {run,
          "run",
          "-- APP ARGS...",
          argument_kind::file,
          1,
          1,
          "verify, then start it",
          "Does what verify does, and then starts the program in its own place. A refusal goes to "
          "standard error. What follows APP is given to APP, whatever it looks like.\n\n"
          "A Python, or a script whose first line names one, takes its cuDNN from packages: those "
          "of that Python which use cuDNN are checked as they lie, without importing them. It is "
          "refused where none of them would get a right cuDNN, or with --python where one of what "
          "is named would not.\n\n"
          "CUDNN_CHECKED=warn reports a refusal and starts the program; off skips the check. A "
          "file that cannot be checked, for example a script for a shell, is started.",
          {{"--python", "MODULE",
            "check what the program imports, in this order: torch, or torch,onnxruntime",
            &command_line::python, "a module, for example --python torch"},
           {"--from", "DIR",
            "check only, for a Python that runs: what --python names, imported from DIR; once for "
            "each directory of sys.path, and without APP",
            &command_line::imports_from, "a directory of sys.path"},
           {"--pid", "PID",
            "of --from: the number of that Python, for which what it has in its memory counts",
            &command_line::pid, "the number of a process"},
           strict_option()},
          {{"78", "refused: the program was not started"},
           {"0", "of --from: not refused"},
           {"2", "wrong usage, or the program cannot be executed"},
           {"other", "the status of the program"}},
          "$ cudnn-checked run -- app --verbose\n"
          "$ cudnn-checked run --python torch -- python train.py"};
}

static command_entry inspect_entry() {
  return {
      inspect,
      "inspect",
      "FILE|DIR",
      argument_kind::file,
      1,
      1,
      "the stamp of a program, or which cuDNN a library is",
      "Of a stamped program: what it was configured with and compiled for. Of a library of cuDNN: "
      "its role, its release, what identifies it, its package, and whether its length is right. Of "
      "a directory: each library of cuDNN in it. Only headers and tables are read.",
      {},
      {{"0", "the stamp was read, or the library is identified and of its length"},
       {"1", "the library is damaged"},
       {"2", "wrong usage, or the result could not be written"},
       {"3", "the release is not known, the stamp cannot be read, or the file is neither"}},
      "$ cudnn-checked inspect /usr/lib/x86_64-linux-gnu/libcudnn_graph.so.9"};
}

static command_entry explain_entry() {
  return {
      explain,
      "explain",
      "[NAME|FILE]",
      argument_kind::finding,
      0,
      1,
      "what a finding means; why the loader takes a file, or not; what is behind an error",
      "Of a finding, by the name in brackets at the end of a message: its entry in the "
      "documentation, which is part of this program: when it is raised, when it is not, and why it "
      "matters. Without a name all findings are listed. Of a word of the messages, such as shim: "
      "what it "
      "means.\n\n"
      "Of a library of cuDNN: what it is, who installed it, whether the loader takes it, why not, "
      "and each place of the search. Of a name such as libcudnn.so.9: what a program without a run "
      "path gets. Of a program: each library of cuDNN that it takes. A name that is a finding or a "
      "word, and a file, is not the file; ./NAME is.\n\n"
      "With --text the errors in a log are explained, and so is one error that is the argument: "
      "what is behind each, how to tell the causes apart, and the command that finds out here.",
      {{"--for", "APP", "what that program or library gets", &command_line::program, "a program"},
       {"--text", "FILE", "explain the errors in that log; - is standard input", &command_line::log,
        "a file, or - for standard input"}},
      {{"0", "it was explained"},
       {"2", "there is no such finding or file, or the result could not be written"},
       {"3", "the log has no error that is known, or the file is none of cuDNN's"}},
      "$ cudnn-checked explain cudnn-older\n"
      "$ cudnn-checked explain --for app /usr/local/cuda/lib64/libcudnn.so.9\n"
      "$ python train.py 2>&1 | cudnn-checked explain --text -"};
}

static command_entry diff_entry() {
  return {diff,
          "diff",
          "A.json B.json",
          argument_kind::file,
          2,
          2,
          "works there, not here: what differs between two reports",
          "Compares two reports of verify, of a guarded program (CUDNN_CHECKED_REPORT), of the "
          "probe or of doctor, key by key. Times, measured errors and UUIDs are left out.",
          {},
          {{"0", "there is no difference"},
           {"1", "they differ"},
           {"2", "wrong usage, a file that is no report, or the result could not be written"}},
          "$ cudnn-checked verify --json app > here.json\n"
          "$ cudnn-checked diff there.json here.json"};
}

static command_entry fleet_entry() {
  return {fleet,
          "fleet",
          "REPORT|DIR...",
          argument_kind::file,
          1,
          1000000,
          "many machines' reports in one table: groups of equal machines, and the odd ones",
          "Each report is of one machine, whose name is the name of the file. A directory stands "
          "for the *.json in it. Machines with the same verdict, cuDNN, CUDA, driver, GPUs and "
          "findings are one group; the largest group is first, and of each other group it is shown "
          "in what it differs from that.\n\n"
          "A machine that died or hangs writes no report. With --expect it is counted as missing.",
          {{"--expect", "MACHINES",
            "a number of machines, or their names: node[0-511],m1, as in $SLURM_JOB_NODELIST",
            &command_line::expect, "a number or names, for example --expect node[000-511]"},
           format_option()},
          {{"0", "no machine refuses; there may be warnings"},
           {"1", "at least one machine refuses"},
           {"2", "a file is no report, wrong usage, or the result could not be written"},
           {"3", "of at least one machine the result is not known, or a report is missing"}},
          "$ srun --output=reports/%N.json cudnn-checked verify --json app\n"
          "$ cudnn-checked fleet --expect \"$SLURM_JOB_NODELIST\" reports"};
}

static command_entry sweep_entry() {
  return {
      sweep_command,
      "sweep",
      "[DIR|REPORT]",
      argument_kind::file,
      0,
      1,
      "every engine of a cuDNN, proved on this GPU: which are right, which are wrong",
      "Computes convolutions and their gradients with every engine that cuDNN has for them, and "
      "with every plan that its heuristics offer, and compares each element with a reference in "
      "float64. Programs take the plan that is offered first; autotuners run the others. With "
      "--operations fused operations and those of the legacy API too, of a list that ends; the "
      "latter with every algorithm, mode and math type.\n\n"
      "DIR is as for doctor. Without it the cuDNN is the one that the loader finds, or else the "
      "first one that doctor lists.\n\n"
      "Several processes share the GPU, together with at most half of its free memory. A plan that "
      "ends its process, or hangs, is named, and another process goes on behind it. The processes "
      "are started within the time of --seconds; plans that then run have two seconds more. Ctrl-C "
      "ends it with what is known by then, a second Ctrl-C at once.\n\n"
      "REPORT is what an earlier sweep printed with --json: nothing is computed then. With "
      "--against two sweeps are compared, at the problems that both computed: which engines are "
      "newly wrong, no longer wrong, newly or no longer supported, and where the fastest right "
      "engine became slower or faster by more than the times scatter.",
      {{"--seconds", "SECONDS", "how long it takes (60)", &command_line::seconds,
        "a number of seconds"},
       {"--operations", "LIST",
        "some of fwd,dgrad,wgrad (these): forward and the gradients of data and filter; and of "
        "conv-bias, matmul, attention, layer-norm, rms-norm, rnn, lstm, gru, batch-norm, softmax, "
        "pooling, conv-backward, conv-activation, activation, tensor, lrn, spatial-grid, "
        "spatial-sampler",
        &command_line::operations, "a list, for example --operations fwd,dgrad",
        "fwd dgrad wgrad " LEGACY_AND_FUSED_OPERATIONS},
       {"--types", "LIST", "some of fp32,fp16,bf16,e4m3 (fused operations alone)",
        &command_line::types, "a list, for example --types fp32,fp16", "fp32 fp16 bf16 e4m3"},
       {"--seed", "N", "another list of problems (1); the same seed gives the same list",
        &command_line::seed, "a number"},
       {"--random", "",
        "draws problems of all operations, which are in no list, until the time is over; then "
        "looks "
        "for the smallest that still fails, for as long again at most",
        &command_line::random},
       {"--problem", "TEXT", "computes that problem alone, as a report writes it",
        &command_line::problem, "a problem"},
       {"--list", "FILE",
        "computes the problems of a file, one a line; with --random: adds what fails to it",
        &command_line::list, "a file of problems"},
       {"--workers", "N", "processes (as many as there are processors, at most 32)",
        &command_line::workers, "a number of processes"},
       {"--device", "LIST", "the GPUs that share the work, as CUDA counts them: 0,1, or all (0)",
        &command_line::device, "the number of a GPU, several, or all"},
       {"--plan-timeout", "S", "seconds after which a plan that runs hangs (10)",
        &command_line::plan_timeout, "a number of seconds"},
       {"--errata", "FILE",
        "adds rules to an errata file, with which PyTorch and XLA leave out what failed, and "
        "computes that again under them",
        &command_line::errata, "a file, for example --errata errata.json"},
       {"--against", "REPORT",
        "compares with an earlier sweep; the status is that of the comparison",
        &command_line::against, "a report, for example --against sweep.json"},
       {"--reproduce", "N",
        "prints a C++ program that shows the failure of row N, with cuDNN and CUDA alone",
        &command_line::reproduce, "the number of a row"}},
      {{"0",
        "no engine is wrong that programs meet by default; there may be warnings; with --against: "
        "no engine got worse"},
       {"1",
        "the plan that cuDNN offers first is wrong; with --against: an engine is newly wrong, or "
        "more programs meet one that is wrong"},
       {"2", "wrong usage, or the result could not be written"},
       {"3",
        "nothing could be computed, or there is no cuDNN in DIR; with --against: the sweeps have "
        "no problem in common"}},
      "$ cudnn-checked sweep\n"
      "$ cudnn-checked sweep ~/venv --seconds 300 --json > sweep.json\n"
      "$ cudnn-checked sweep /opt/cudnn --operations fwd --types fp16,bf16\n"
      "$ cudnn-checked sweep --operations attention,matmul --seconds 600\n"
      "$ cudnn-checked sweep --random --seed 2 --list found.txt\n"
      "$ cudnn-checked sweep --errata errata.json\n"
      "$ cudnn-checked sweep --against sweep.json"};
}

static command_entry help_entry() {
  return {nullptr,
          "help",
          "[COMMAND]",
          argument_kind::command_name,
          0,
          1,
          "the help of a command",
          "The same as cudnn-checked COMMAND --help.",
          {},
          {{"0", "it was printed"},
           {"2", "there is no such command, or the result could not be written"}},
          "$ cudnn-checked help verify"};
}

const std::vector<command_entry>& command_table() {
  static const std::vector<command_entry> table = {
      doctor_entry(),     probe_entry(),        verify_entry(),  run_entry(),     bundle_entry(),
      pkg_config_entry(), guard_object_entry(), inspect_entry(), explain_entry(), diff_entry(),
      fleet_entry(),      sweep_entry(),        help_entry()};
  return table;
}

const command_entry* find_command(const std::string& name) {
  return find_where(command_table(),
                    [&](const command_entry& entry) { return name == entry.name; });
}

bool takes_path(const option_entry& one) {
  const std::string value = one.value;
  return value == "FILE" || value == "REPORT" || value == "APP" || value == "DIR";
}

}  // namespace cudnn_checked::cli

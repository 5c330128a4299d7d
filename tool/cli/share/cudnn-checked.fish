# SPDX-License-Identifier: BSD-3-Clause
# Generated: cudnn-checked --generate fish
complete -c cudnn-checked -f
complete -c cudnn-checked -l json -d 'the result, or the error, as JSON on standard output'
complete -c cudnn-checked -l help -d 'this text'
complete -c cudnn-checked -n __fish_use_subcommand -l version -d 'the release of this program'
complete -c cudnn-checked -n __fish_use_subcommand -a doctor -d 'every cuDNN, CUDA toolkit, driver and GPU here; what is wrong; what to type'
complete -c cudnn-checked -n '__fish_seen_subcommand_from doctor' -l paste -d 'Markdown for a bug report; names, home directories and tokens are left out'
complete -c cudnn-checked -n '__fish_seen_subcommand_from doctor' -a '(__fish_complete_directories)'
complete -c cudnn-checked -n __fish_use_subcommand -a probe -d 'does this cuDNN compute right numbers? convolutions on each kind of GPU here'
complete -c cudnn-checked -n '__fish_seen_subcommand_from probe' -l timeout -x -d 'end it after that time (120)'
complete -c cudnn-checked -n '__fish_seen_subcommand_from probe' -a '(__fish_complete_directories)'
complete -c cudnn-checked -n __fish_use_subcommand -a verify -d 'would this program start here? checked without running it'
complete -c cudnn-checked -n '__fish_seen_subcommand_from verify' -l no-gpu -d 'check everything but the driver and the GPUs'
complete -c cudnn-checked -n '__fish_seen_subcommand_from verify' -l as -x -d 'check for that machine: its GPUs and driver, for example sm_86,driver=580'
complete -c cudnn-checked -n '__fish_seen_subcommand_from verify' -l pid -x -d 'check the process that has this number: what it has in its memory'
complete -c cudnn-checked -n '__fish_seen_subcommand_from verify' -l python -x -d 'check a Python that has imported it: torch, or torch,onnxruntime; APP is its environment or interpreter, else the active one'
complete -c cudnn-checked -n '__fish_seen_subcommand_from verify' -l timeout -x -d 'end the import of --python after that time (120)'
complete -c cudnn-checked -n '__fish_seen_subcommand_from verify' -l root -r -F -d 'check a program of a container whose tree is DIR, without its driver and GPUs'
complete -c cudnn-checked -n '__fish_seen_subcommand_from verify' -l env -x -d 'a variable that the container sets, for --root'
complete -c cudnn-checked -n '__fish_seen_subcommand_from verify' -F
complete -c cudnn-checked -n __fish_use_subcommand -a run -d 'verify, then start it'
complete -c cudnn-checked -n '__fish_seen_subcommand_from run' -F
complete -c cudnn-checked -n __fish_use_subcommand -a inspect -d 'the stamp of a program, or which cuDNN a library is'
complete -c cudnn-checked -n '__fish_seen_subcommand_from inspect' -F
complete -c cudnn-checked -n __fish_use_subcommand -a explain -d 'what a finding means; why the loader takes a file, or not; what is behind an error'
complete -c cudnn-checked -n '__fish_seen_subcommand_from explain' -l for -r -F -d 'what that program or library gets'
complete -c cudnn-checked -n '__fish_seen_subcommand_from explain' -l text -r -F -d 'explain the errors in that log; - is standard input'
complete -c cudnn-checked -n '__fish_seen_subcommand_from explain' -F -a '(cudnn-checked --generate findings 2>/dev/null)'
complete -c cudnn-checked -n __fish_use_subcommand -a diff -d 'works there, not here: what differs between two reports'
complete -c cudnn-checked -n '__fish_seen_subcommand_from diff' -F
complete -c cudnn-checked -n __fish_use_subcommand -a fleet -d 'many machines\' reports in one table: groups of equal machines, and the odd ones'
complete -c cudnn-checked -n '__fish_seen_subcommand_from fleet' -l expect -x -d 'a number of machines, or their names: node[0-511],m1, as in $SLURM_JOB_NODELIST'
complete -c cudnn-checked -n '__fish_seen_subcommand_from fleet' -F
complete -c cudnn-checked -n __fish_use_subcommand -a sweep -d 'every engine of a cuDNN, proved on this GPU: which are right, which are wrong'
complete -c cudnn-checked -n '__fish_seen_subcommand_from sweep' -l seconds -x -d 'how long it takes (60)'
complete -c cudnn-checked -n '__fish_seen_subcommand_from sweep' -l operations -x -d 'some of fwd,dgrad,wgrad: forward and the gradients of data and filter'
complete -c cudnn-checked -n '__fish_seen_subcommand_from sweep' -l types -x -d 'some of fp32,fp16,bf16'
complete -c cudnn-checked -n '__fish_seen_subcommand_from sweep' -l seed -x -d 'another list of problems (1); the same seed gives the same list'
complete -c cudnn-checked -n '__fish_seen_subcommand_from sweep' -l workers -x -d 'processes (as many as there are processors, at most 32)'
complete -c cudnn-checked -n '__fish_seen_subcommand_from sweep' -l device -x -d 'the number of the GPU, as CUDA counts them (0)'
complete -c cudnn-checked -n '__fish_seen_subcommand_from sweep' -l plan-timeout -x -d 'seconds after which a plan that runs hangs (10)'
complete -c cudnn-checked -n '__fish_seen_subcommand_from sweep' -l errata -r -F -d 'adds rules to an errata file, with which PyTorch and XLA leave out what failed, and computes that again under them'
complete -c cudnn-checked -n '__fish_seen_subcommand_from sweep' -l against -r -F -d 'compares with an earlier sweep; the status is that of the comparison'
complete -c cudnn-checked -n '__fish_seen_subcommand_from sweep' -l plot -r -F -d 'writes a picture as SVG: engines by problems, or with --against what changed'
complete -c cudnn-checked -n '__fish_seen_subcommand_from sweep' -l reproduce -x -d 'prints a C++ program that shows the failure of row N, with cuDNN and CUDA alone'
complete -c cudnn-checked -n '__fish_seen_subcommand_from sweep' -F
complete -c cudnn-checked -n __fish_use_subcommand -a help -d 'the help of a command'
complete -c cudnn-checked -n '__fish_seen_subcommand_from help' -a 'doctor probe verify run inspect explain diff fleet sweep help'

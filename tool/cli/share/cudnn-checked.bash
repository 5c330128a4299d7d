# SPDX-License-Identifier: BSD-3-Clause
# Generated: cudnn-checked --generate bash
_cudnn_checked() {
  local word="${COMP_WORDS[COMP_CWORD]}" command="" options="--json --help" i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == -* ]] || { command="${COMP_WORDS[i]}"; break; }
  done
  local -a from=()
  case "$command" in
    "") options+=" --version doctor probe verify run inspect explain diff fleet sweep help" ;;
    doctor) options+=" --hash --paste"; from=(-d); ;;
    probe) options+=" --timeout --require"; from=(-d); ;;
    verify) options+=" --no-gpu --as --pid --python --timeout --root --env"; from=(-f); ;;
    run) options+=" --python"; from=(-c -f); ;;
    inspect) from=(-f); ;;
    explain) options+=" --for --text"; from=(-f -W "$(cudnn-checked --generate findings 2>/dev/null)"); ;;
    diff) from=(-f); ;;
    fleet) options+=" --expect"; from=(-f); ;;
    sweep) options+=" --seconds --operations --types --seed --workers --device --plan-timeout --errata --against --plot --reproduce"; from=(-f); ;;
    help) from=(-W "doctor probe verify run inspect explain diff fleet sweep help"); ;;
  esac
  if [[ $word == -* || -z $command ]]; then
    from=(-W "$options")
  fi
  ((${#from[@]})) || return
  mapfile -t COMPREPLY < <(compgen "${from[@]}" -- "$word")
}
complete -o filenames -F _cudnn_checked cudnn-checked

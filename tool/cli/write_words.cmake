# SPDX-License-Identifier: BSD-3-Clause
#
# Run at install time: `program` writes its man page and completions into the directory `words`.  Whoever
# installs without building has no program, and none of these.
list(GET program -1 executable)
if(EXISTS "${executable}")
  file(MAKE_DIRECTORY "${words}")
  foreach(
    kind
    IN
    ITEMS man=cudnn-checked.1 bash=cudnn-checked.bash zsh=_cudnn-checked fish=cudnn-checked.fish
  )
    string(REGEX MATCH "^([a-z]+)=(.*)$" kind "${kind}")
    execute_process(
      COMMAND ${program} --generate "${CMAKE_MATCH_1}"
      OUTPUT_FILE "${words}/${CMAKE_MATCH_2}"
      COMMAND_ERROR_IS_FATAL ANY
    )
  endforeach()
endif()

# SPDX-License-Identifier: BSD-3-Clause
#
# Compiles and links the parts of the configure program with a compiler of this machine.

# _cudnn_checked_compile_units(<status> <compiler> <words> <directory> <ending> <parts>
#                               [<definition>...])
#
# Makes <part>.<ending> of each of the parts: core, judge, repairs (tool/configure/program.cpp).
# <status> is 0, or the first that is not.
#
# execute_process starts several commands at the same time, and gives each what the one before it
# prints: Microsoft's compiler prints its errors there.  A shell sends them where all errors go;
# where CMake runs on Windows, the parts are compiled one after the other.
function(
  _cudnn_checked_compile_units
  status
  compiler
  words
  directory
  ending
  parts
)
  set(
    options
    -std=c++17
    -O0
    -g0
    -w
    -pipe
    -c
  )
  if(MSVC)
    set(
      options
      -nologo
      -std:c++17
      -EHsc
      -utf-8
      -Od
      -w
      -c
    )
  endif()
  set(as_errors sh -c "exec \"$@\" >&2" sh)
  set(commands "")
  set(ended "")
  set(said "")
  foreach(part IN LISTS parts)
    _cudnn_checked_source(source configure ${ARGN})
    string(TOUPPER ${part} macro)
    set(macros -DCUDNN_CHECKED_CORE_APART -DCUDNN_CHECKED_${macro}_ALONE)
    if(part STREQUAL "core")
      _cudnn_checked_source(source core ${ARGN})
      set(macros "")
    endif()
    set(output -o ${part}.${ending})
    if(MSVC)
      set(output -Fo${part}.${ending})
    endif()
    set(
      command
      ${CMAKE_CXX_COMPILER_LAUNCHER}
      "${compiler}"
      ${words}
      ${options}
      ${macros}
      ${ARGN}
    )
    if(MSVC AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      list(APPEND output --) # on Linux a path begins like an option
    endif()
    list(APPEND command ${output} "${source}")
    if(CMAKE_HOST_WIN32)
      execute_process(
        COMMAND ${command}
        WORKING_DIRECTORY "${directory}"
        RESULT_VARIABLE status_of_part
        OUTPUT_VARIABLE said_of_part
        ERROR_VARIABLE said_of_part
      )
      list(APPEND ended "${status_of_part}")
      string(APPEND said "${said_of_part}")
    else()
      list(APPEND commands COMMAND ${as_errors} ${command})
    endif()
  endforeach()
  if(commands)
    execute_process(
      ${commands}
      WORKING_DIRECTORY "${directory}"
      RESULTS_VARIABLE ended
      OUTPUT_VARIABLE said
      ERROR_VARIABLE said
    )
  endif()
  if(ended MATCHES "[^0;]")
    _cudnn_checked_put(configure_said "${said}")
    # On a full disk file(WRITE) would end CMake with words of its own.
    set(trial "${directory}/build_judge.log.new")
    file(COPY_FILE "${CMAKE_CURRENT_FUNCTION_LIST_FILE}" "${trial}" RESULT error)
    file(REMOVE "${trial}")
    if(error STREQUAL "0")
      _cudnn_checked_write("${directory}/build_judge.log" "${said}")
    endif()
  endif()
  list(REMOVE_ITEM ended 0)
  list(APPEND ended 0)
  list(GET ended 0 first)
  set(${status} "${first}" PARENT_SCOPE)
endfunction()

# Links these objects to <name>.
function(
  _cudnn_checked_link_units
  status
  compiler
  words
  directory
  name
)
  set(output -o ${name} -ldl)
  if(MSVC)
    set(output -nologo -Fe${name})
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      list(APPEND output -w) # options that are not for the linker, with /WX
    endif()
    # What CMake gives to its linker; of the project's flags only where its others are given.
    set(linked "${CMAKE_CXX_STANDARD_LIBRARIES}")
    if(words)
      string(APPEND linked " ${CMAKE_EXE_LINKER_FLAGS}")
    endif()
    separate_arguments(linked NATIVE_COMMAND "${linked}")
    list(APPEND output -link ${linked})
  elseif(WIN32)
    set(output -o ${name} -static)
  endif()
  execute_process(
    COMMAND "${compiler}" ${words} ${ARGN} ${output}
    WORKING_DIRECTORY "${directory}"
    RESULT_VARIABLE ended
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said
  )
  if(NOT ended STREQUAL "0")
    _cudnn_checked_put(configure_said "${said}")
  endif()
  set(${status} "${ended}" PARENT_SCOPE)
endfunction()

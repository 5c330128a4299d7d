# SPDX-License-Identifier: BSD-3-Clause
#
# The lines of a fix.  A command is one line that a shell runs as it stands, from any directory.
# Where it would need a byte that cannot be typed, the line says in words what to do.  "[", "]"
# and ";" are hidden in it (_cudnn_checked_hidden), so that it is one element of a list.

# _cudnn_checked_command(<result> <word>...)
#
# The command of these words, each quoted for the shell; empty where one cannot be typed.
function(_cudnn_checked_command result)
  set(${result} "" PARENT_SCOPE)
  set(line "")
  math(EXPR last "${ARGC} - 1")
  foreach(index RANGE 1 ${last})
    set(word "${ARGV${index}}")
    set(printed "${word}")
    _cudnn_checked_one_line(printed)
    if(NOT printed STREQUAL word)
      return()
    endif()
    _cudnn_checked_shell_quoted(word "${word}")
    string(APPEND line " ${word}")
  endforeach()
  string(STRIP "${line}" line)
  _cudnn_checked_hidden(line "${line}")
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# One word of a shell command.
function(_cudnn_checked_shell_quoted result word)
  if(word STREQUAL "" OR word MATCHES "[^A-Za-z0-9_./+@%:,=-]")
    string(REPLACE "'" "'\\''" word "${word}")
    set(word "'${word}'")
  endif()
  set(${result} "${word}" PARENT_SCOPE)
endfunction()

# The CMake that runs, by its path where "cmake" is another one.
function(_cudnn_checked_cmake_program result)
  set(cmake "${CMAKE_COMMAND}")
  _cudnn_checked_on_path(found cmake)
  if(found)
    file(REAL_PATH "${found}" real)
    file(REAL_PATH "${CMAKE_COMMAND}" running)
    get_filename_component(prefix "${found}" DIRECTORY)
    get_filename_component(prefix "${prefix}" DIRECTORY)
    # The one of PyPI is started by a script.
    string(FIND "${running}" "${prefix}/lib" position)
    if(real STREQUAL running OR (position EQUAL 0 AND running MATCHES "-packages/cmake/"))
      set(cmake cmake)
    endif()
  endif()
  set(${result} "${cmake}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_cmake_command(<result> <argument>...)
#
# "cmake <argument>... <build directory>", which configures again.
function(_cudnn_checked_cmake_command result)
  _cudnn_checked_cmake_program(cmake)
  set(words "")
  set(arguments "")
  foreach(index RANGE 1 ${ARGC})
    if(index LESS ARGC)
      set(word "${ARGV${index}}")
      string(APPEND arguments " ${word}")
      string(REPLACE ";" "\\;" word "${word}")
      list(APPEND words "${word}")
    endif()
  endforeach()
  _cudnn_checked_command(line "${cmake}" ${words} "${CMAKE_BINARY_DIR}")
  if(line STREQUAL "")
    set(line "in the build directory: cmake${arguments} .")
    _cudnn_checked_one_line(line)
    _cudnn_checked_hidden(line "${line}")
  endif()
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_set_command(<result> <variable> <value>)
#
# Configures again with this value.  Of a variable that the project sets, in words: what is set there
# comes before the cache.
function(_cudnn_checked_set_command result variable value)
  if("${${variable}}" STREQUAL "$CACHE{${variable}}")
    _cudnn_checked_cmake_command(line -D "${variable}=${value}")
  else()
    _cudnn_checked_hidden(line "in CMakeLists.txt: set(${variable} ${value})")
  endif()
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_unset_command(<result> <variable>)
#
# Configures again without the variable, in the cache and in the environment.
function(_cudnn_checked_unset_command result variable)
  if(NOT "${${variable}}" STREQUAL "$CACHE{${variable}}")
    set(line "in CMakeLists.txt: remove what sets ${variable}")
  else()
    set(arguments "")
    if(DEFINED CACHE{${variable}})
      set(arguments -U "${variable}")
    endif()
    _cudnn_checked_cmake_command(line ${arguments})
    if(DEFINED ENV{${variable}})
      set(line "unset ${variable} && ${line}")
    endif()
  endif()
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

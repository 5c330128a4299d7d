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
  # A semicolon of an argument stays one.
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "")
  _cudnn_checked_command(line "${cmake}" ${arg_UNPARSED_ARGUMENTS} "${CMAKE_BINARY_DIR}")
  if(line STREQUAL "")
    list(APPEND arg_UNPARSED_ARGUMENTS .)
    list(JOIN arg_UNPARSED_ARGUMENTS " " arguments)
    set(line "in the build directory: cmake ${arguments}")
    _cudnn_checked_one_line(line)
    _cudnn_checked_hidden(line "${line}")
  endif()
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_set_command(<result> <variable> <value>)
#
# The command that configures again with this value.  If a file of the project sets the variable,
# the line says this in words instead, because that file overrides the cache.
function(_cudnn_checked_set_command result variable value)
  _cudnn_checked_setting_file(file preset ${variable})
  if(preset)
    _cudnn_checked_hidden(line "in ${file}: \"${variable}\": \"${value}\"")
  elseif(file)
    _cudnn_checked_hidden(line "in ${file}: set(${variable} ${value})")
  else()
    _cudnn_checked_cmake_command(line -D "${variable}=${value}")
  endif()
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_unset_command(<result> <variable>)
#
# Configures again without the variable, in the cache and in the environment.
function(_cudnn_checked_unset_command result variable)
  _cudnn_checked_setting_file(file preset ${variable})
  if(file)
    set(line "in ${file}: remove what sets ${variable}")
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

# The file of the project that sets the variable: the toolchain file, a CMakeLists.txt, or presets,
# which set it again with each "cmake --preset".  Empty where none does.
function(_cudnn_checked_setting_file result preset variable)
  set(${result} "" PARENT_SCOPE)
  set(${preset} FALSE PARENT_SCOPE)
  if(NOT "${${variable}}" STREQUAL "$CACHE{${variable}}")
    set(file CMakeLists.txt)
    if(CMAKE_TOOLCHAIN_FILE AND EXISTS "${CMAKE_TOOLCHAIN_FILE}")
      file(STRINGS "${CMAKE_TOOLCHAIN_FILE}" lines REGEX "^[^#]*${variable}")
      if(lines)
        set(file "${CMAKE_TOOLCHAIN_FILE}")
        _cudnn_checked_one_line(file)
      endif()
    endif()
    set(${result} "${file}" PARENT_SCOPE)
    return()
  endif()
  set(value "${${variable}}")
  if(value STREQUAL "")
    set(value "$ENV{${variable}}")
  endif()
  foreach(name IN ITEMS CMakeUserPresets.json CMakePresets.json)
    set(file "${CMAKE_SOURCE_DIR}/${name}")
    if(NOT value STREQUAL "" AND EXISTS "${file}")
      file(READ "${file}" text)
      string(REPLACE "\${sourceDir}" "${CMAKE_SOURCE_DIR}" text "${text}")
      string(FIND "${text}" "\"${variable}\"" there)
      string(FIND "${text}" "\"${value}\"" as_well)
      if(there GREATER_EQUAL 0 AND as_well GREATER_EQUAL 0)
        _cudnn_checked_one_line(file)
        set(${result} "${file}" PARENT_SCOPE)
        set(${preset} TRUE PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

# _cudnn_checked_one_line(<variable>)
#
# The text of the variable without what is no character of a line to a terminal or a reader: control
# characters (C0, DEL, C1), separators of lines, characters without width, marks of direction, and
# bytes that are not UTF-8.  Each byte of these is "\x0a", as in the messages of the tool (one_line
# in tool/core/model/one_line.cpp), so no path begins a line of its own or moves a terminal's
# cursor.
function(_cudnn_checked_one_line variable)
  set(text "${${variable}}")
  if("${text}" MATCHES "^[ -~]*$")
    return()
  endif()
  string(HEX "${text}" rest)
  set(line "")
  set(position 0)
  while(NOT rest STREQUAL "")
    set(hidden FALSE)
    set(digits "")
    foreach(
      form
      IN
      ITEMS
        "([2-6][0-9a-f]|7[0-9a-e])+"
        "(c[2-9a-f]|d[0-9a-f])[89ab][0-9a-f]"
        "(e0[ab]|e[1-9a-cef][89ab]|ed[89])[0-9a-f][89ab][0-9a-f]"
        "(f0[9ab]|f[1-3][89ab]|f48)[0-9a-f][89ab][0-9a-f][89ab][0-9a-f]"
    )
      if(digits STREQUAL "" AND rest MATCHES "^${form}")
        set(digits "${CMAKE_MATCH_0}")
      endif()
    endforeach()
    if(digits STREQUAL "")
      string(SUBSTRING "${rest}" 0 2 digits)
      set(hidden TRUE)
    elseif(digits MATCHES "^(c2[89].|d89c|e2808[bcdef]|e280a[89abcde]|e281a.|efbbbf)$")
      set(hidden TRUE)
    endif()
    string(LENGTH "${digits}" length)
    string(SUBSTRING "${rest}" ${length} -1 rest)
    math(EXPR length "${length} / 2")
    string(SUBSTRING "${text}" ${position} ${length} piece)
    math(EXPR position "${position} + ${length}")
    if(hidden)
      string(REGEX REPLACE "(..)" "\\\\x\\1" piece "${digits}")
    endif()
    string(APPEND line "${piece}")
  endwhile()
  set(${variable} "${line}" PARENT_SCOPE)
endfunction()

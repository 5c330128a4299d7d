# SPDX-License-Identifier: BSD-3-Clause
#
# The configure program: the command `configure` of cudnn-checked (docs/configure.md).  The
# cudnn-checked that is installed with this package is asked, if it was built from the same sources.
# Otherwise the command alone is compiled once for a build tree, with the machine's own compiler,
# because it runs here whatever is built; for Windows with the project's, because it knows the
# platform that it is compiled for.  Where Linux builds for Windows, a program of this machine
# judges DLLs and says what to type here; the other one runs the probe, if there is an emulator.

# What became of it is put down for the run of CMake: configure_program, with all verbs;
# configure_judge, which may lack the repairs; configure_starter; configure_why, why there is none;
# and configure_said, what its compiler printed.

# _cudnn_checked_build_configure(<program> <starter> <why> judge|configure)
#
# The program with all verbs (configure), or for the verbs that need no repairs (judge): that one if
# it exists, otherwise one without the part that only a refusal needs.  <starter> is what it is
# started with: for Windows, the emulator of a cross build.  Where it cannot be compiled, <program>
# is empty, and <why> says why.
function(_cudnn_checked_build_configure program starter why kind)
  _cudnn_checked_get(where configure)
  set(file "${configure_program}")
  set(fact configure_program)
  if(kind STREQUAL "judge")
    set(fact configure_judge)
    if(NOT file)
      set(file "${configure_judge}")
    endif()
  endif()
  if(NOT file AND NOT configure_why)
    _cudnn_checked_known_program(definitions)
    _cudnn_checked_get(configure)
    set(file "${configure_program}")
  endif()
  # A message may be about this directory.
  if(
    NOT file
    AND NOT configure_why
    AND (kind STREQUAL "configure" OR EXISTS "${work_directory}/cudnn_checked.txt")
  )
    _cudnn_checked_compiled_program(file configure_why ${kind} ${definitions})
    _cudnn_checked_put(${fact} "${file}")
    _cudnn_checked_put(configure_why "${configure_why}")
  endif()
  set(${program} "${file}" PARENT_SCOPE)
  set(${starter} "${configure_starter}" PARENT_SCOPE)
  set(${why} "${configure_why}" PARENT_SCOPE)
endfunction()

# Whether files of Windows are looked at by a program of this machine, which is Linux.
function(_cudnn_checked_reads_dlls_here result)
  set(${result} FALSE PARENT_SCOPE)
  if(WIN32 AND CMAKE_CROSSCOMPILING AND NOT CMAKE_HOST_WIN32)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_program_to_ask(<program> <starter> <why> judge|configure)
#
# The same, or where DLLs are looked at here the program of this machine: for what it says to type,
# and for all where there is no emulator.
function(_cudnn_checked_program_to_ask program starter why kind)
  _cudnn_checked_reads_dlls_here(here)
  if(here AND (kind STREQUAL "configure" OR NOT CMAKE_CROSSCOMPILING_EMULATOR))
    set(name reader)
    if(kind STREQUAL "configure")
      set(name adviser)
    endif()
    set(start "")
    _cudnn_checked_program_of_dlls(file reason ${name})
  else()
    _cudnn_checked_build_configure(file start reason ${kind})
  endif()
  set(${program} "${file}" PARENT_SCOPE)
  set(${starter} "${start}" PARENT_SCOPE)
  set(${why} "${reason}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_program_of_dlls(<program> <why> reader|adviser)
#
# A program of this machine that looks at DLLs: without repairs (reader), or with all verbs
# (adviser).
function(_cudnn_checked_program_of_dlls program why name)
  _cudnn_checked_get(where)
  set(file "")
  set(reason "none can be compiled in ${work_directory}")
  if(EXISTS "${work_directory}/cudnn_checked.txt")
    set(WIN32 FALSE)
    set(MSVC FALSE)
    set(CMAKE_CXX_COMPILER "")
    _cudnn_checked_machine_definition(machine)
    _cudnn_checked_compiled_program(file reason ${name} ${machine} -DCUDNN_CHECKED_READS_DLLS)
    if(reason)
      _cudnn_checked_put(configure_why "${reason}")
    endif()
  endif()
  set(${program} "${file}" PARENT_SCOPE)
  set(${why} "${reason}" PARENT_SCOPE)
endfunction()

# Puts configure_program, configure_judge and configure_starter if a program is installed or was
# compiled by an earlier configure.  Otherwise sets <definitions>, the macros to compile it with.
function(_cudnn_checked_known_program definitions)
  if(WIN32 AND CMAKE_CROSSCOMPILING)
    if(NOT CMAKE_CROSSCOMPILING_EMULATOR)
      _cudnn_checked_put(configure_why "no CMAKE_CROSSCOMPILING_EMULATOR")
      return()
    endif()
    _cudnn_checked_put(configure_starter "${CMAKE_CROSSCOMPILING_EMULATOR}")
  endif()
  _cudnn_checked_own_release(release)
  _cudnn_checked_sources_hash(hash)
  if(hash STREQUAL "")
    _cudnn_checked_put(configure_why "its sources have a path that CMake cannot use")
    return()
  endif()
  _cudnn_checked_machine_definition(machine)
  set(known "")
  # What is installed judges files for the machine that it runs on.
  if(NOT machine)
    _cudnn_checked_installed_program(known "${release} ${hash}")
  endif()
  set(words ${machine} "-DCUDNN_CHECKED_IDENTITY=\"${release} ${hash}\"")
  if(NOT known)
    _cudnn_checked_program_file(program configure)
    string(MD5 signature "${words}")
    _cudnn_checked_is_built(is_built "${program}" "${signature}")
    if(is_built)
      set(known "${program}")
    endif()
  endif()
  if(known)
    _cudnn_checked_put(configure_program "${known}")
    _cudnn_checked_put(configure_judge "${known}")
  endif()
  set(${definitions} ${words} PARENT_SCOPE)
endfunction()

# The file in the build tree; its suffix is that of the platform which it runs on.
function(_cudnn_checked_program_file result name)
  _cudnn_checked_get(where)
  set(file "${work_directory}/cudnn_checked_${name}")
  if(WIN32)
    string(APPEND file "${CMAKE_EXECUTABLE_SUFFIX}")
  endif()
  set(${result} "${file}" PARENT_SCOPE)
endfunction()

# The macro for a program that judges files of another machine than this one; otherwise empty.
function(_cudnn_checked_machine_definition result)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_target_machine(machine folders)
  string(REPLACE "x86_64" 62 number "${machine}")
  string(REPLACE "aarch64" 183 number "${number}")
  if(
    CMAKE_CROSSCOMPILING
    AND NOT WIN32
    AND number MATCHES "^[0-9]+$"
    AND NOT machine STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR
  )
    set(${result} -DCUDNN_CHECKED_MACHINE=${number} PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_sources_hash(<result>)
#
# The hash of the sources of the configure program, by their names and contents; empty where a list
# cannot have their paths.
function(_cudnn_checked_sources_hash result)
  set(${result} "" PARENT_SCOPE)
  get_property(tool GLOBAL PROPERTY _cudnn_checked_tool_directory)
  _cudnn_checked_all_sources(sources configure)
  set(text "")
  foreach(source IN LISTS sources)
    if(NOT EXISTS "${source}")
      return()
    endif()
    file(RELATIVE_PATH name "${tool}" "${source}")
    file(MD5 "${source}" hash)
    string(APPEND text "${name} ${hash}\n")
  endforeach()
  string(MD5 hash "${text}")
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

# The cudnn-checked in the prefix of this package, if it starts and has this <identity>; otherwise
# empty.
function(_cudnn_checked_installed_program result identity)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_get(where configure)
  if(NOT package_directory MATCHES "^(.*)/share/CuDNNChecked$")
    return()
  endif()
  set(prefix "${CMAKE_MATCH_1}")
  # The second one is of vcpkg.
  foreach(folder IN ITEMS bin tools/cudnn-checked)
    set(program "${prefix}/${folder}/cudnn-checked${CMAKE_EXECUTABLE_SUFFIX}")
    if(EXISTS "${program}")
      execute_process(
        COMMAND ${configure_starter} "${program}" configure identity
        TIMEOUT 10
        RESULT_VARIABLE status
        OUTPUT_VARIABLE text
        ERROR_QUIET
      )
      if(status STREQUAL "0" AND text STREQUAL "${identity}\n")
        set(${result} "${program}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

# _cudnn_checked_compiled_program(<program> <why> <name> [<definition>...])
#
# The program cudnn_checked_<name>, compiled with these macros if it does not exist: a judge or a
# reader, or with repairs.  Where that fails, <program> is empty, and <why> says why.
function(_cudnn_checked_compiled_program program why name)
  _cudnn_checked_program_file(file ${name})
  string(MD5 signature "${ARGN}")
  set(reason "")
  _cudnn_checked_is_built(is_built "${file}" "${signature}")
  if(NOT is_built)
    set(parts core judge)
    if(NOT name MATCHES "^(judge|reader)$")
      list(APPEND parts repairs)
    endif()
    _cudnn_checked_compile_configure(reason "${file}" "${parts}" ${ARGN})
    if(reason)
      set(file "")
    else()
      _cudnn_checked_keep_program("${file}" "${signature}")
    endif()
  endif()
  set(${program} "${file}" PARENT_SCOPE)
  set(${why} "${reason}" PARENT_SCOPE)
endfunction()

# Compiles the parts of the program, and links them to the file.  <why> is the reason if there is no
# compiler for this machine, or if it fails; else it is empty.  The flags of the project come
# second: most are for its own programs, as sanitizers are, but some compilers find no standard
# library without (-stdlib=libc++, --gcc-toolchain).
function(_cudnn_checked_compile_configure why file parts)
  set(${why} "" PARENT_SCOPE)
  _cudnn_checked_compiler_of_configure(compiler)
  if(NOT compiler)
    set(${why} "no C++ compiler for programs that this machine runs" PARENT_SCOPE)
    return()
  endif()
  set(words "")
  set(flags "")
  if(compiler STREQUAL CMAKE_CXX_COMPILER)
    # Of CXX="ccache g++", CMake takes the second word as an argument.
    separate_arguments(words NATIVE_COMMAND "${CMAKE_CXX_COMPILER_ARG1}")
    set(flags "${CMAKE_CXX_FLAGS}")
    if(NOT MSVC)
      string(APPEND flags " ${CMAKE_EXE_LINKER_FLAGS}")
    endif()
    separate_arguments(flags NATIVE_COMMAND "${flags}")
  endif()
  _cudnn_checked_make_configure(status "${file}" "${parts}" "${compiler}" "${words}"
                                  ${ARGN}
  )
  if(NOT status STREQUAL "0" AND flags)
    list(APPEND words ${flags})
    _cudnn_checked_make_configure(status "${file}" "${parts}" "${compiler}" "${words}"
                                  ${ARGN}
    )
  endif()
  if(NOT status STREQUAL "0")
    _cudnn_checked_source(source configure ${ARGN})
    set(${why} "${compiler} cannot compile ${source}: ${status}" PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_make_configure(<status> <file> <parts> <compiler> <words> [<definition>...])
#
# Makes the file with the compiler and these words of its command.  <status> is 0, or the first that
# is not.  The parts are compiled at the same time; their objects stay, for a program that has more
# besides.
function(
  _cudnn_checked_make_configure
  result
  file
  parts
  compiler
  words
)
  # By its name: with a "[" of the directory, the path would be one element of a list with what
  # follows.
  get_filename_component(directory "${file}" DIRECTORY)
  get_filename_component(name "${file}" NAME)
  file(MAKE_DIRECTORY "${directory}")
  # Another CMake may compile it, too.
  string(RANDOM LENGTH 12 unique)
  set(object .o)
  if(MSVC)
    set(object .obj)
  endif()
  string(MD5 signature "${compiler} ${words} ${ARGN}")
  set(objects "")
  set(new "")
  foreach(part IN LISTS parts)
    set(kept "cudnn_checked_${part}${object}")
    _cudnn_checked_is_built(is_built "${directory}/${kept}" "${signature}")
    if(NOT is_built)
      list(APPEND new ${part})
      set(kept "${part}.${unique}${object}")
    endif()
    list(APPEND objects ${kept})
  endforeach()
  _cudnn_checked_own_release(release)
  _cudnn_checked_compile_units(status "${compiler}" "${words}" "${directory}" "${unique}${object}"
                               "${new}" ${ARGN} "-DCUDNN_CHECKED_PACKAGE_VERSION=\"${release}\""
  )
  if(status STREQUAL "0")
    _cudnn_checked_link_units(status "${compiler}" "${words}" "${directory}"
                              "${name}.${unique}.new" ${objects}
    )
  endif()
  if(status STREQUAL "0")
    file(RENAME "${directory}/${name}.${unique}.new" "${file}" RESULT status)
  endif()
  if(status STREQUAL "0")
    foreach(part IN LISTS new)
      set(kept "${directory}/cudnn_checked_${part}${object}")
      file(RENAME "${directory}/${part}.${unique}${object}" "${kept}" RESULT renamed)
      if(renamed STREQUAL "0")
        _cudnn_checked_keep_program("${kept}" "${signature}")
      endif()
    endforeach()
    file(REMOVE "${directory}/build_judge.log")
  endif()
  _cudnn_checked_glob_escaped(escaped "${directory}")
  file(GLOB left "${escaped}/*.${unique}*")
  if(left)
    file(REMOVE ${left})
  endif()
  set(${result} "${status}" PARENT_SCOPE)
endfunction()

# A compiler for programs that run here; empty where there is none.
function(_cudnn_checked_compiler_of_configure result)
  set(compiler "")
  if(WIN32 OR NOT CMAKE_CROSSCOMPILING)
    set(compiler "${CMAKE_CXX_COMPILER}")
  endif()
  if(NOT compiler AND NOT WIN32)
    _cudnn_checked_on_path(compiler c++ g++ clang++)
  endif()
  _cudnn_checked_target_machine(machine folders)
  if(NOT compiler AND machine STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
    set(compiler "${CMAKE_CXX_COMPILER}")
  endif()
  set(${result} "${compiler}" PARENT_SCOPE)
endfunction()

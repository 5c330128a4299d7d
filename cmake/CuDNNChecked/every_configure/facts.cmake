# SPDX-License-Identifier: BSD-3-Clause
#
# The facts of the running find_package, and those of an earlier run of CMake that still hold.
#
# Facts about one thing are a record: variables with one prefix, as proved_level and proved_verdict.
# A function names the records that it makes and those that it reads in its signature, and its
# callers name them again, as in pkg_check_modules: _cudnn_checked_find_cuda(cuda place input) makes
# cuda_* in its caller (_cudnn_checked_hand_up), of place_* and input_*.  No function reads another
# variable of its callers; tests/scripts/test_cmake_records.py holds this.
#
# Global properties (_cudnn_checked_put) are what a run of CMake has once: the directories, the
# program that is asked, the lock, and the refusal of the running call.
#
# The refusal is the error state of this package, as errno is that of C: _cudnn_checked_refuse puts
# the message, and a function that has called one that may refuse goes on behind
# _cudnn_checked_return_if_refused.

# The folder of tool/ with what is compiled for the platform of this build.
function(_cudnn_checked_platform result)
  set(${result} linux PARENT_SCOPE)
  if(WIN32)
    set(${result} windows PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_names(<names> <group>...)
#
# The names of the facts of these groups:
#   refusal    the message, where something was refused; empty otherwise
#   user       what a person names by variables of CMake and of find modules (provider/named.cmake)
#   where      directories of this package, and of the build tree
#   input      what was asked for (_cudnn_checked_read_inputs), with the places of CuDNNChecked_ROOT
#   found      what lies below the prefix that was looked at last (_cudnn_checked_find_in_prefix,
#              _cudnn_checked_find_cuda_in_prefix)
#   passed     what the search passed over, for cuDNN or for CUDA, and why
#   place      the cuDNN that was found (_cudnn_checked_find_cudnn)
#   cuda       the CUDA runtime that was found (_cudnn_checked_find_cuda)
#   configure  the program that says what to type (build/configure_program.cmake)
#   prover     the program that runs the probe and judges (_cudnn_checked_build_prover)
#   built      what became of the program that was compiled last
#              (_cudnn_checked_build_program)
#   lock       what keeps another CMake out of the build tree (_cudnn_checked_lock_work)
#   run        how the probe ended (_cudnn_checked_run_probe)
#   proved     what was proved (_cudnn_checked_prove)
#   proof      what the judge wrote for CMake (tool/core/report/proof.h)
#   seen       what the answer depends on (_cudnn_checked_remember_answer)
function(_cudnn_checked_names names)
  get_property(known GLOBAL PROPERTY _cudnn_checked_group_refusal)
  if(NOT known)
    _cudnn_checked_define_groups()
  endif()
  set(all "")
  foreach(group IN LISTS ARGN)
    get_property(of_group GLOBAL PROPERTY _cudnn_checked_group_${group})
    list(APPEND all ${of_group})
  endforeach()
  set(${names} "${all}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_forget_other_copy(<directory> <content>)
#
# Forgets what another copy of this package has left behind in this run of CMake: the program that
# it asks is its own.  To be called once, when the functions of this copy are there.  <directory>
# and <content> are those of the copy before; empty where this is the first.
function(_cudnn_checked_forget_other_copy directory content)
  if(directory)
    _cudnn_checked_own_content(own)
    if(NOT own STREQUAL content)
      _cudnn_checked_load(target/arguments)
      _cudnn_checked_refuse_other_copy("${directory}" "${content}" "${own}")
    endif()
  endif()
  set_property(GLOBAL PROPERTY _cudnn_checked_group_refusal "")
  _cudnn_checked_names(names configure)
  foreach(name IN LISTS names)
    _cudnn_checked_put(${name} "")
  endforeach()
endfunction()

# Once for a copy: they are asked for some ten times.
function(_cudnn_checked_define_groups)
  set_property(GLOBAL PROPERTY _cudnn_checked_group_refusal refusal)
  set(where package_directory tool_directory work_directory)
  set_property(GLOBAL PROPERTY _cudnn_checked_group_where ${where})
  set(
    rows
    "input package require components convolutions operations devices timeout sweep policy report"
    "input roots"
    "user roots places"
    "found header version include library"
    "passed places empty none lost"
    "configure program judge starter why said"
    "prover program starter"
    "place prefix header version include library link sublibraries sublinks watched"
    "built status log"
    "run status text signal stage stage_kind errors"
    "cuda include library link version opened"
    "proved level verdict line report library_version cudart_version toolkit runtime driver"
    "proved architectures operations needs kernel_word kernel_code swept_seconds swept_plans"
    "proved report_content signature"
    "proof stage verdict untried kernel_code line option ended signal step step_kind level"
    "proof toolkit library_version cudart_version runtime driver architectures operations needs"
    "proof swept_seconds swept_plans"
    "lock file"
    "seen request pinned paths state sources"
  )
  foreach(row IN LISTS rows)
    string(REGEX REPLACE " .*$" "" group "${row}")
    set_property(GLOBAL PROPERTY _cudnn_checked_group_${group} "")
  endforeach()
  foreach(row IN LISTS rows)
    string(REPLACE " " ";" names "${row}")
    list(POP_FRONT names group)
    list(TRANSFORM names PREPEND "${group}_")
    set_property(GLOBAL APPEND PROPERTY _cudnn_checked_group_${group} ${names})
  endforeach()
endfunction()

# _cudnn_checked_new(<record>...)
#
# Makes these records empty.  Without this a variable of the project with such a name would count.
macro(_cudnn_checked_new)
  _cudnn_checked_names(record_names ${ARGN})
  foreach(record_name IN LISTS record_names)
    set(${record_name} "")
  endforeach()
endmacro()

# _cudnn_checked_hand_up(<record>...)
#
# Sets these records in the caller of the function that calls this.
macro(_cudnn_checked_hand_up)
  _cudnn_checked_names(record_names ${ARGN})
  foreach(record_name IN LISTS record_names)
    set(${record_name} "${${record_name}}" PARENT_SCOPE)
  endforeach()
endmacro()

# Returns from the function that calls this, where something was refused.
macro(_cudnn_checked_return_if_refused)
  get_property(refusal GLOBAL PROPERTY _cudnn_checked_refusal)
  if(refusal)
    return()
  endif()
endmacro()

# The result variables, without CuDNNChecked_.
function(_cudnn_checked_published_names names)
  # VERSION_TWEAK has never a value: the version file of a package may leave one behind.
  set(
    ${names}
    "FOUND;VERSION;VERSION_MAJOR;VERSION_MINOR;VERSION_PATCH;VERSION_TWEAK;VERSION_COUNT"
    "LIBRARY_VERSION;LEVEL;CUDA_VERSION;CUDART_VERSION;DRIVER_VERSION;ARCHITECTURES;REPORT"
    "INCLUDE_DIR;INCLUDE_DIRS;LIBRARY;LIBRARIES;PACKAGE_VERSION"
    PARENT_SCOPE
  )
endfunction()

# Writes down a fact.
function(_cudnn_checked_put name value)
  set_property(GLOBAL PROPERTY _cudnn_checked_${name} "${value}")
endfunction()

# _cudnn_checked_get(<group>...)
#
# Sets the facts of these groups in the calling function, as variables of the same names.  A macro,
# because it is called at every configure.
macro(_cudnn_checked_get)
  _cudnn_checked_names(fact_names ${ARGN})
  foreach(fact_name IN LISTS fact_names)
    get_property(${fact_name} GLOBAL PROPERTY _cudnn_checked_${fact_name})
  endforeach()
endmacro()

# _cudnn_checked_marked(<result> <first> <text> [BACK])
#
# Characters that change how CMake splits a text, as control characters, or BACK: 1 is a new line,
# 2 "\\", 3 "[", 4 "]" and 5 ";".  Those before <first> are left as they are.
function(_cudnn_checked_marked result first text)
  set(code 0)
  foreach(
    character
    IN
    ITEMS "\n" "\\" "[" "]" ";"
  )
    math(EXPR code "${code} + 1")
    string(ASCII ${code} mark)
    if(code LESS first)
      continue()
    elseif("BACK" IN_LIST ARGN)
      string(REPLACE "${mark}" "${character}" text "${text}")
    else()
      string(REPLACE "${character}" "${mark}" text "${text}")
    endif()
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_read_facts(<whole> <file> <record>...)
#
# Sets these records in the caller, as _cudnn_checked_write_facts wrote them, or the probe: the
# facts of others are passed over.  <whole> is false, and all of them are empty, where the file is
# absent, was cut or was changed.
function(_cudnn_checked_read_facts whole file)
  set(${whole} FALSE PARENT_SCOPE)
  _cudnn_checked_names(names ${ARGN})
  foreach(name IN LISTS names)
    set(${name} "" PARENT_SCOPE)
  endforeach()
  _cudnn_checked_has_content(is_there "${file}")
  if(NOT is_there)
    return()
  endif()
  file(READ "${file}" text)
  string(FIND "${text}" "whole=" end REVERSE)
  if(end EQUAL -1)
    return()
  endif()
  string(SUBSTRING "${text}" 0 ${end} facts)
  string(SUBSTRING "${text}" ${end} -1 end)
  string(MD5 hash "${facts}")
  if(NOT end STREQUAL "whole=${hash}\n")
    return()
  endif()
  string(ASCII 1 first)
  string(ASCII 4 last)
  string(ASCII 5 semicolon)
  string(REPLACE "\n" ";" lines "${facts}")
  list(POP_BACK lines)
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([a-z_]+)=(.*)$" line "${line}")
    set(name "${CMAKE_MATCH_1}")
    if(NOT "${name}" IN_LIST names)
      continue()
    endif()
    string(REPLACE "${semicolon}" ";" value "${CMAKE_MATCH_2}")
    if(value MATCHES "[${first}-${last}]")
      _cudnn_checked_marked(value 1 "${value}" BACK)
    endif()
    set(${name} "${value}" PARENT_SCOPE)
  endforeach()
  set(${whole} TRUE PARENT_SCOPE)
endfunction()

# Whether the file exists and is not empty.  A FIFO or a device, which could block, has the size 0.
function(_cudnn_checked_has_content result file)
  set(${result} FALSE PARENT_SCOPE)
  if(EXISTS "${file}" AND NOT IS_DIRECTORY "${file}")
    file(SIZE "${file}" size)
    if(size GREATER 0)
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# _cudnn_checked_recall_answer(input place cuda proved <recalled> <file> <request>)
#
# Sets input_*, place_*, cuda_* and proved_* as _cudnn_checked_remember_answer wrote them, where
# they answer the same request and nothing that was looked at has changed since: nothing is searched
# and no process is started.
function(
  _cudnn_checked_recall_answer
  input
  place
  cuda
  proved
  recalled
  file
  request
)
  set(${recalled} FALSE PARENT_SCOPE)
  _cudnn_checked_read_facts(whole "${file}" input place cuda proved seen)
  if(NOT whole)
    return()
  endif()
  # An answer that was held against the first cuDNN of a build tree needs the same first one.
  get_property(pinned GLOBAL PROPERTY _cudnn_checked_pinned)
  if(
    NOT seen_request STREQUAL request
    OR (NOT seen_pinned STREQUAL "" AND NOT seen_pinned STREQUAL pinned)
    OR (pinned AND NOT pinned STREQUAL place_prefix)
  )
    return()
  endif()
  _cudnn_checked_is_same(same "${proved_report}" "${proved_report_content}")
  if(NOT same)
    return()
  endif()
  foreach(source IN LISTS seen_sources)
    if("${source}" IS_NEWER_THAN "${file}")
      return()
    endif()
  endforeach()
  _cudnn_checked_seen_state(state ${seen_paths})
  if(state STREQUAL seen_state)
    _cudnn_checked_put(refusal "")
    _cudnn_checked_hand_up(input place cuda proved)
    set(${recalled} TRUE PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_seen_state(<result> <path>...)
#
# A hash of the present state of these, of the driver and of the GPUs.
function(_cudnn_checked_seen_state result)
  set(text "")
  foreach(path IN LISTS ARGN)
    _cudnn_checked_state(state "${path}")
    string(APPEND text "${state}\n")
  endforeach()
  _cudnn_checked_driver_facts(driver)
  string(MD5 hash "${text}${driver}")
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

# _cudnn_checked_state(<result> <path>)
#
# What tells a file or a directory from another one in its place: the time of change (microseconds
# from CMake 3.23), what it really is, the size of a file, and some content of cuDNN's and CUDA's;
# empty where it is not there.
#
# A library may be replaced by one of the same size and time, as cp -p leaves it, and there are file
# systems where all files have one time (Nix, reproducible images).  CMake cannot ask for the time
# of an inode's last change, and hashing 500 MB takes a second.  Small files are read whole; of a
# large library the ELF header, the middle and the end, where the last section headers are.
function(_cudnn_checked_state result path)
  set(${result} "" PARENT_SCOPE)
  if(NOT EXISTS "${path}")
    return()
  endif()
  file(TIMESTAMP "${path}" text "%s.%f" UTC)
  file(REAL_PATH "${path}" real)
  string(APPEND text " ${real}")
  if(NOT IS_DIRECTORY "${path}")
    file(SIZE "${path}" size)
    string(APPEND text " ${size}")
    set(is_library FALSE)
    if(real MATCHES "/(lib(cudnn|cudart)[^/]*|(cudnn|cudart)[^/]*\\.dll)$")
      set(is_library TRUE)
    endif()
    if(is_library AND NOT size LESS 65536)
      math(EXPR middle "${size} / 2")
      math(EXPR end "${size} - 128")
      foreach(offset IN ITEMS 0 ${middle} ${end})
        file(READ "${path}" bytes OFFSET ${offset} LIMIT 128 HEX)
        string(APPEND text " ${bytes}")
      endforeach()
    elseif(size GREATER 0 AND (is_library OR real MATCHES "/(cudnn|cudnn_version[^/]*)\\.h$"))
      file(MD5 "${path}" bytes)
      string(APPEND text " ${bytes}")
    endif()
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The size and the hash of a file.
function(_cudnn_checked_content result file)
  file(SIZE "${file}" size)
  file(MD5 "${file}" hash)
  set(${result} "${size} ${hash}" PARENT_SCOPE)
endfunction()

# Whether the file still has this size and hash; true where there is none and was none.
function(_cudnn_checked_is_same result file content)
  set(same FALSE)
  _cudnn_checked_has_content(is_there "${file}")
  if(file STREQUAL "")
    set(same TRUE)
  elseif(is_there)
    _cudnn_checked_content(now "${file}")
    if(now STREQUAL content)
      set(same TRUE)
    endif()
  endif()
  set(${result} ${same} PARENT_SCOPE)
endfunction()

# _cudnn_checked_driver_facts(<result>)
#
# The driver's release and the GPUs, from files that cost nothing to read.
function(_cudnn_checked_driver_facts result)
  set(text "")
  # Which devices a container was given; WSL2 has /dev/dxg, Jetson /dev/nvhost-gpu.
  file(
    GLOB files
    "/proc/driver/nvidia/version"
    "/proc/driver/nvidia/gpus/*/information"
    "/dev/nvidia[0-9]*"
    "/dev/dxg"
    "/dev/nvhost-gpu"
  )
  foreach(file IN LISTS files)
    string(APPEND text "${file}\n")
    if(file MATCHES "^/proc")
      file(STRINGS "${file}" lines REGEX "^(NVRM version|Model|GPU UUID|Device Minor|GPU Excluded)")
      string(APPEND text "${lines}\n")
    endif()
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

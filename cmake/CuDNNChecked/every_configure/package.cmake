# SPDX-License-Identifier: BSD-3-Clause
#
# Which files this package has, and where they lie.  No other module names one of them: the copy
# that ./dev vendor writes has other files.

# The directories that are the same for every find_package of a build tree.
function(_cudnn_checked_put_where)
  get_filename_component(package "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../.." ABSOLUTE)
  _cudnn_checked_put(package_directory "${package}")
  _cudnn_checked_put(tool_directory "${package}/tool")
  _cudnn_checked_put(work_directory "${CMAKE_BINARY_DIR}/CuDNNChecked")
endfunction()

# _cudnn_checked_load(<room/part>...)
#
# Includes these files of this package, unless they are known already.
function(_cudnn_checked_load)
  get_filename_component(rooms "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" DIRECTORY)
  get_property(loaded GLOBAL PROPERTY _cudnn_checked_loaded)
  foreach(part IN LISTS ARGN)
    if(NOT "${part}" IN_LIST loaded)
      include("${rooms}/${part}.cmake")
      set_property(GLOBAL APPEND PROPERTY _cudnn_checked_loaded ${part})
    endif()
  endforeach()
endfunction()

# The release of this package.
function(_cudnn_checked_own_release result)
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../package_version.cmake")
  set(${result} "${_cudnn_checked_package_version}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_own_content(<result>)
#
# "<release>, sources <hash>": two copies of this package for which it is the same are the same.
# scripts/vendor/vendor.py has the same rule.
function(_cudnn_checked_own_content result)
  _cudnn_checked_load(search/files)
  get_filename_component(package "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../.." ABSOLUTE)
  _cudnn_checked_glob_escaped(root "${package}")
  file(
    GLOB_RECURSE files
    RELATIVE "${package}"
    "${root}/cmake/*"
    "${root}/templates/*"
    "${root}/tool/*"
  )
  # Not what is not installed everywhere.
  list(FILTER files EXCLUDE REGEX "^tool/(cli|data|laboratory)/")
  list(FILTER files INCLUDE REGEX "[.](cmake|in|h|hpp|inc|def|cpp|cu)$")
  list(SORT files)
  set(text "")
  foreach(file IN LISTS files)
    file(MD5 "${package}/${file}" hash)
    string(APPEND text "${file} ${hash}\n")
  endforeach()
  string(MD5 hash "${text}")
  string(SUBSTRING "${hash}" 0 8 hash)
  _cudnn_checked_own_release(release)
  set(${result} "${release}, sources ${hash}" PARENT_SCOPE)
endfunction()

# The directories whose time changes when another release of this package replaces its files.
function(_cudnn_checked_replaced_directories result)
  get_property(tool GLOBAL PROPERTY _cudnn_checked_tool_directory)
  get_filename_component(rooms "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" DIRECTORY)
  _cudnn_checked_glob(parts "${rooms}" "*")
  set(${result} "${tool}" "${rooms}/.." "${rooms}" ${parts} PARENT_SCOPE)
endfunction()

# _cudnn_checked_source(<result> <name> [<definition>...])
#
# The source of a program or of an object, which includes the others: core, probe, operations
# (the probe that computes them), kernel, sweep, configure, guard, or stamp.  It is compiled with
# these macros.
function(_cudnn_checked_source result name)
  get_property(tool GLOBAL PROPERTY _cudnn_checked_tool_directory)
  _cudnn_checked_platform(platform)
  if("-DCUDNN_CHECKED_READS_DLLS" IN_LIST ARGN)
    set(platform windows_from_linux)
  endif()
  set(file "${tool}/${name}/${platform}/${name}.cpp")
  if(name STREQUAL "kernel")
    set(file "${tool}/probe/kernel/kernel.cu")
  elseif(name STREQUAL "operations")
    set(file "${tool}/laboratory/operations/${platform}/probe.cpp")
  elseif(name STREQUAL "sweep")
    set(file "${tool}/laboratory/sweep/sweep_program.cpp")
  elseif(name STREQUAL "stamp")
    set(file "${tool}/guard/${platform}/stamp_of_target.cpp")
  endif()
  set(${result} "${file}" PARENT_SCOPE)
endfunction()

# The directories of headers for the sources of a guard, or for those of a sweep.
function(_cudnn_checked_headers_for result name)
  get_property(tool GLOBAL PROPERTY _cudnn_checked_tool_directory)
  if(name STREQUAL "sweep")
    set(name opened)
  endif()
  set(${result} "${tool}/${name}/include" PARENT_SCOPE)
endfunction()

# All files that these are compiled from: probe, fused (what CuDNNChecked_OPERATIONS adds to it),
# sweep or configure.
function(_cudnn_checked_all_sources result)
  get_property(tool GLOBAL PROPERTY _cudnn_checked_tool_directory)
  set(rooms_of_probe facts convolution probe)
  set(rooms_of_fused laboratory/fused laboratory/legacy laboratory/operations laboratory/recurrent)
  set(
    rooms_of_sweep
    facts
    core
    prove
    spawn
    opened
    laboratory/sweep
  )
  set(
    rooms_of_configure
    facts
    core
    repair
    bundle
    spawn
    prove
    configure
  )
  _cudnn_checked_glob_escaped(tool "${tool}")
  set(sources "")
  foreach(name IN LISTS ARGN)
    foreach(room IN LISTS rooms_of_${name})
      file(GLOB_RECURSE files "${tool}/${room}/*")
      list(FILTER files INCLUDE REGEX "[.](h|inc|def|cpp|cu)$")
      list(APPEND sources ${files})
    endforeach()
  endforeach()
  set(${result} "${sources}" PARENT_SCOPE)
endfunction()

# The fix if the sources for CuDNNChecked_SWEEP and CuDNNChecked_OPERATIONS do not exist; otherwise
# empty.
function(_cudnn_checked_laboratory_fix result)
  get_property(tool GLOBAL PROPERTY _cudnn_checked_tool_directory)
  set(${result} "" PARENT_SCOPE)
  if(NOT EXISTS "${tool}/laboratory")
    set(
      ${result}
      "take CuDNNChecked from sources that have the folder tool/laboratory"
      PARENT_SCOPE
    )
  endif()
endfunction()

# _cudnn_checked_rows(<result> <table>)
#
# The rows of a table that the programs have as well.
function(_cudnn_checked_rows result table)
  set(room core/model)
  if(table STREQUAL "search_places")
    set(room core/observe)
  elseif(table STREQUAL "fused_operations")
    set(room facts)
  endif()
  set(file "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../tool/${room}/${table}.def")
  file(STRINGS "${file}" rows REGEX "^[A-Z_]+\\(")
  set(${result} "${rows}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_template(<result> <name>)
#
# The text of a file that is generated, with @names@.
function(_cudnn_checked_template result name)
  file(READ "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../templates/${name}.in" text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

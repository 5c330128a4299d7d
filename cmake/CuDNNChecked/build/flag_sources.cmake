# SPDX-License-Identifier: BSD-3-Clause

# _cudnn_checked_flag_sources(<words>)
#
# Everything that adds flags to the compilation of the probe, and to its link, as words for the
# configure program: what is for the link is a linker_flag.  Options of directories
# (add_compile_options, add_link_options) and CMAKE_CXX_STANDARD_LIBRARIES do not reach try_compile.
function(_cudnn_checked_flag_sources result)
  set(words "")
  set(configuration "${CMAKE_TRY_COMPILE_CONFIGURATION}")
  if(configuration STREQUAL "" AND CMAKE_CONFIGURATION_TYPES)
    set(configuration Debug)
  endif()
  string(TOUPPER "${configuration}" configuration)
  set(of "")
  if(configuration)
    set(of "_${configuration}")
  endif()
  set(compiled CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS${of} CMAKE_CXX_COMPILER_TARGET CMAKE_SYSROOT)
  set(linked CMAKE_EXE_LINKER_FLAGS CMAKE_EXE_LINKER_FLAGS${of} CMAKE_LINKER_TYPE)
  list(REMOVE_DUPLICATES compiled)
  list(REMOVE_DUPLICATES linked)
  foreach(name IN LISTS compiled)
    _cudnn_checked_add_flag(words flag variable ${name})
  endforeach()
  foreach(name IN LISTS linked)
    _cudnn_checked_add_flag(words linker_flag variable ${name})
  endforeach()
  foreach(name IN ITEMS CPATH CPLUS_INCLUDE_PATH)
    _cudnn_checked_add_flag(words flag environment ${name})
  endforeach()
  _cudnn_checked_add_flag(words linker_flag environment LIBRARY_PATH)
  _cudnn_checked_add_flag(words flag variable CMAKE_TOOLCHAIN_FILE)
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_add_flag(<words> <key> variable|environment <name>)
#
# Adds "<key>=VARIABLE<tab>FROM<tab>SET<tab>VALUE" where the variable of CMake, or of the
# environment, has a value: FROM is what gave it its first one, SET the line that gives it the value
# "@ @".
function(_cudnn_checked_add_flag in_out_words key kind name)
  set(label "${name}")
  string(STRIP "${${name}}" value)
  if(kind STREQUAL "environment")
    set(label "environment ${name}")
    set(value "$ENV{${name}}")
  endif()
  if(value STREQUAL "")
    return()
  endif()
  set(from "")
  string(REPLACE "CMAKE_CXX_FLAGS" "CXXFLAGS" first "${name}")
  string(REPLACE "CMAKE_EXE_LINKER_FLAGS" "LDFLAGS" first "${first}")
  if(first MATCHES "^(CXXFLAGS|LDFLAGS)$" AND NOT "$ENV{${first}}" STREQUAL "")
    string(FIND "${value}" "$ENV{${first}}" position)
    if(NOT position EQUAL -1)
      set(from "environment ${first}")
    endif()
  endif()
  set(line "")
  if(
    kind STREQUAL "variable"
    AND DEFINED CACHE{${name}}
    AND "${${name}}" STREQUAL "$CACHE{${name}}"
  )
    _cudnn_checked_set_command(line ${name} "@ @")
    _cudnn_checked_shown(line "${line}")
  endif()
  string(REPLACE ";" " " value "${value}")
  set(words "${${in_out_words}}")
  _cudnn_checked_add_words(words ${key} "${label}\t${from}\t${line}\t${value}")
  set(${in_out_words} "${words}" PARENT_SCOPE)
endfunction()

# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_guard_stamp(<identifier> <directory>)
#
# Generates the stamp of one target into stamp_of_target.inc of <directory>, with the symbol
# cudnn_checked_stamp_<identifier>: once the whole project is known, so that CUDA_ARCHITECTURES
# counts wherever it was set.  Reads target and arg_* of cudnn_checked_guard.
function(_cudnn_checked_guard_stamp identifier directory)
  string(MAKE_C_IDENTIFIER "${target}" name)
  if(NOT name STREQUAL target)
    # The identifiers of a-b and a_b are the same.
    string(MD5 hash "${target}")
    string(SUBSTRING "${hash}" 0 8 hash)
    string(APPEND name "_${hash}")
  endif()
  _cudnn_checked_get_stamp()
  set(guard_target "${target}")
  set(guard_symbol cudnn_checked_stamp_${name})
  _cudnn_checked_stamp_json(guard_json)
  set(guard_startup "")
  if(NOT arg_MANUAL)
    set(guard_startup "CUDNN_CHECKED_AT_STARTUP(${guard_symbol})")
  endif()
  file(READ "${stamp_templates}/stamp_object.inc.in" text)
  string(CONFIGURE "${text}" text @ONLY)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/CuDNNChecked/${name}")
  file(GENERATE OUTPUT "${folder}/stamp_of_target.inc" CONTENT "${text}" TARGET "${target}")
  set(${identifier} ${name} PARENT_SCOPE)
  set(${directory} "${folder}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_stamp_json(<result>)
#
# The stamp of a target as one line of JSON (schema 1, see docs/report.md), with generator
# expressions for what is only known when the whole project is.  Reads target and arg_* of
# cudnn_checked_guard, and stamp_*.
function(_cudnn_checked_stamp_json result)
  set(policy "${stamp_policy}")
  if(DEFINED arg_POLICY)
    set(policy "${arg_POLICY}")
  endif()
  set(gpu required)
  if(arg_GPU STREQUAL "OPTIONAL")
    set(gpu optional)
  endif()
  set(stamp_operations "${arg_OPERATIONS}")
  list(REMOVE_DUPLICATES stamp_operations)
  foreach(name IN ITEMS measured components sublibraries operations)
    set(${name} "${stamp_${name}}")
    list(TRANSFORM ${name} REPLACE "(.+)" "\"\\1\"")
    list(JOIN ${name} "," ${name})
  endforeach()
  _cudnn_checked_compiled_architectures(compiled "${target}")
  set(swept "")
  if(stamp_swept_plans GREATER 0)
    set(swept "\"swept\":{\"seconds\":${stamp_swept_seconds},\"plans\":${stamp_swept_plans}},")
  endif()
  string(
    CONCAT
    json
    "{\"schema\":1,\"package\":\"${stamp_package}\",\"program\":\"${target}\","
    "\"level\":\"${stamp_level}\",\"cudnn\":{\"header\":\"${stamp_header}\","
    "\"library\":\"${stamp_library}\",\"cudart\":\"${stamp_cudart}\"},"
    "\"cuda\":{\"toolkit\":\"${stamp_toolkit}\",\"runtime\":\"${stamp_runtime}\","
    "\"driver\":\"${stamp_driver}\"},"
    "\"architectures\":{\"measured\":[${measured}],\"compiled\":[${compiled}]},"
    "\"components\":[${components}],\"sublibraries\":[${sublibraries}],"
    "\"operations\":[${operations}],${swept}"
    "\"policy\":\"${policy}\",\"gpu\":\"${gpu}\"}"
  )
  set(${result} "${json}" PARENT_SCOPE)
endfunction()

# The items of CUDA_ARCHITECTURES of a target that has CUDA sources, as the elements of a JSON array
# in a generator expression.  What the compiler makes of "all", "all-major" and "native" is known
# where the probe's kernel was compiled with the same word; otherwise it is left out, and the guard
# goes by the program alone.
function(_cudnn_checked_compiled_architectures result target)
  set(${result} "" PARENT_SCOPE)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CUDA" IN_LIST languages)
    return()
  endif()
  set(items "$<TARGET_PROPERTY:${target},CUDA_ARCHITECTURES>")
  set(value "${items}")
  foreach(word IN ITEMS native all all-major)
    set(code "")
    if(stamp_kernel_word STREQUAL word)
      set(code "${stamp_kernel_code}")
    endif()
    set(value "$<IF:$<STREQUAL:${items},${word}>,${code},${value}>")
  endforeach()
  set(sources "$<FILTER:$<TARGET_PROPERTY:${target},SOURCES>,INCLUDE,[.]cu$>")
  set(list "\"$<JOIN:${value},\"$<COMMA>\">\"")
  set(
    ${result}
    "$<$<AND:$<BOOL:${sources}>,$<BOOL:${items}>,$<BOOL:${value}>>:${list}>"
    PARENT_SCOPE
  )
endfunction()

# SPDX-License-Identifier: BSD-3-Clause
#
# What cudnn_checked_guard does once its arguments are parsed, and the stamp.

# _cudnn_checked_guard_call(<target> arg)
#
# Stamps and guards the target as arg_*, which cudnn_checked_guard has parsed.
function(_cudnn_checked_guard_call target arg)
  # What the call does not say comes from the variables of the whole project.
  foreach(name IN ITEMS GPU POLICY)
    set(arg_${name}_FROM ${name})
    if(NOT DEFINED arg_${name} AND NOT "${CuDNNChecked_${name}}" STREQUAL "")
      set(arg_${name} "${CuDNNChecked_${name}}")
      set(arg_${name}_FROM CuDNNChecked_${name})
    endif()
  endforeach()
  string(TOLOWER "${arg_OPERATIONS}" arg_OPERATIONS)
  _cudnn_checked_check_guard_call("${target}" arg)
  get_target_property(real "${target}" ALIASED_TARGET)
  if(real)
    set(target "${real}")
  endif()
  _cudnn_checked_check_guard_target("${target}" "${arg_MANUAL}")

  if(arg_OPERATIONS)
    _cudnn_checked_load(target/unproved)
    _cudnn_checked_check_proved("${target}" ${arg_OPERATIONS})
  endif()
  _cudnn_checked_guard_stamp(identifier folder "${target}" arg)
  _cudnn_checked_guard_objects("${target}" ${identifier} "${folder}")
  set_property(TARGET "${target}" PROPERTY _CUDNN_CHECKED_GUARDED TRUE)
  _cudnn_checked_headers_for(headers guard)
  target_include_directories(
    "${target}"
    PRIVATE "${headers}" "${CMAKE_BINARY_DIR}/CuDNNChecked/include"
  )
  target_compile_definitions(
    "${target}"
    PRIVATE CUDNN_CHECKED_STAMP=cudnn_checked_stamp_${identifier}
  )
  _cudnn_checked_link_loader("${target}")
  # Once the sources of the target, and what it links, are known.
  cmake_language(
    EVAL CODE
      "cmake_language(
         DEFER DIRECTORY [==[${CMAKE_SOURCE_DIR}]==]
         CALL _cudnn_checked_header_check [==[${target}]==] [==[${folder}]==]
       )
       cmake_language(
         DEFER DIRECTORY [==[${CMAKE_SOURCE_DIR}]==]
         CALL _cudnn_checked_link_check [==[${target}]==] [==[${arg_MANUAL}]==]
       )"
  )
endfunction()

# Refuses to guard a program that does not link cuDNN: its guard would ask for a driver and look for
# a cuDNN that the program never takes.  One that opens cuDNN by itself has MANUAL and asks then, or
# links CuDNNChecked::guard.
function(_cudnn_checked_link_check target manual)
  get_target_property(type "${target}" TYPE)
  if(manual OR NOT type STREQUAL "EXECUTABLE")
    return()
  endif()
  _cudnn_checked_load(target/arguments target/links)
  _cudnn_checked_linked_cudnn(found reached "${target}")
  if(NOT found AND NOT "CuDNNChecked::guard" IN_LIST reached)
    set(problem "${target} links no cuDNN")
    set(link "target_link_libraries(${target} PRIVATE")
    set(words "")
    _cudnn_checked_tell(words summary "${problem}")
    _cudnn_checked_tell(words usage "${link} CuDNNChecked::cudnn)")
    _cudnn_checked_tell(words usage "if it opens cuDNN by itself: ${link} CuDNNChecked::guard)")
    _cudnn_checked_wrong_call("cudnn_checked_guard(${target})" "${problem}" "${words}")
  endif()
endfunction()

# As properties: target_link_libraries would decide for the project between its two forms.
function(_cudnn_checked_link_loader target)
  set_property(TARGET "${target}" APPEND PROPERTY LINK_LIBRARIES ${CMAKE_DL_LIBS})
  get_target_property(type "${target}" TYPE)
  if(type STREQUAL "STATIC_LIBRARY" AND CMAKE_DL_LIBS)
    set_property(
      TARGET "${target}"
      APPEND
      PROPERTY INTERFACE_LINK_LIBRARIES "$<LINK_ONLY:${CMAKE_DL_LIBS}>"
    )
  endif()
endfunction()

# Ends the configure where the arguments of the call are wrong.  arg_GPU_FROM and arg_POLICY_FROM
# name what gave the value.
function(_cudnn_checked_check_guard_call target arg)
  _cudnn_checked_load(target/arguments)
  _cudnn_checked_wrong_words(words arg MANUAL GPU POLICY OPERATIONS)
  set(GPU_words REQUIRED OPTIONAL)
  set(POLICY_words compatible exact major)
  set(GUARD_words DECLARED ALL WARN OFF)
  set(arg_GUARD_FROM CuDNNChecked_GUARD)
  set(arg_GUARD "${CuDNNChecked_GUARD}")
  if(arg_GUARD STREQUAL "")
    unset(arg_GUARD)
  endif()
  foreach(name IN ITEMS GPU POLICY GUARD)
    _cudnn_checked_choice(value "${arg_${name}}" ${${name}_words})
    if(words STREQUAL "" AND DEFINED arg_${name} AND NOT value IN_LIST ${name}_words)
      _cudnn_checked_tell(words name "${arg_${name}_FROM}")
      _cudnn_checked_tell(words word "${value}")
      _cudnn_checked_tell(words possible ${${name}_words})
    endif()
  endforeach()
  foreach(operation IN LISTS arg_OPERATIONS)
    if(words STREQUAL "" AND NOT operation MATCHES "^[a-z0-9/_-]+$")
      set(text "OPERATIONS has \"${operation}\", and can have words such as conv3d/bf16")
      _cudnn_checked_tell(words summary "${text}")
    endif()
  endforeach()
  string(
    CONCAT
    usage
    "cudnn_checked_guard(<target> [MANUAL] [GPU REQUIRED|OPTIONAL] "
    "[POLICY compatible|exact|major] [OPERATIONS <operation>...])"
  )
  _cudnn_checked_check_call("cudnn_checked_guard(${target})" "${usage}" "${words}" "${target}")
endfunction()

# Ends the configure where the <target> cannot be guarded, or not in this way.
function(_cudnn_checked_check_guard_target target manual)
  get_target_property(type "${target}" TYPE)
  get_target_property(imported "${target}" IMPORTED)
  get_target_property(guarded "${target}" _CUDNN_CHECKED_GUARDED)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(fault "")
  set(detail "")
  set(usage "")
  if(imported)
    set(fault imported)
  elseif(type STREQUAL "OBJECT_LIBRARY" OR type STREQUAL "INTERFACE_LIBRARY")
    set(fault not-linked)
    string(REPLACE "_LIBRARY" "" detail "${type}")
  elseif(type STREQUAL "UTILITY")
    set(fault no-program)
  elseif(guarded)
    set(fault guarded)
  elseif(NOT "CXX" IN_LIST languages)
    set(fault no-language)
    list(REMOVE_ITEM languages NONE)
    list(JOIN languages " " usage)
    string(STRIP "${usage} CXX" usage)
    set(usage "project(... LANGUAGES ${usage})")
  elseif(NOT type STREQUAL "EXECUTABLE" AND NOT manual)
    set(fault not-manual)
  endif()
  _cudnn_checked_check_target(cudnn_checked_guard "${target}" "${fault}" "${detail}" ${usage})
endfunction()

# _cudnn_checked_guard_stamp(<identifier> <directory> <target> arg)
#
# Generates the stamp of one target into stamp_of_target.inc of <directory>, with the symbol
# cudnn_checked_stamp_<identifier>: once the whole project is known, so that CUDA_ARCHITECTURES
# counts wherever it was set.
function(_cudnn_checked_guard_stamp identifier directory target arg)
  string(MAKE_C_IDENTIFIER "${target}" name)
  if(NOT name STREQUAL target)
    # The identifiers of a-b and a_b are the same.
    string(MD5 hash "${target}")
    string(SUBSTRING "${hash}" 0 8 hash)
    string(APPEND name "_${hash}")
  endif()
  _cudnn_checked_stamp_json(guard_json "${target}" arg)
  set(guard_target "${target}")
  set(guard_symbol cudnn_checked_stamp_${name})
  set(guard_startup "")
  if(NOT arg_MANUAL)
    set(guard_startup "CUDNN_CHECKED_AT_STARTUP(${guard_symbol})")
  endif()
  _cudnn_checked_template(text stamp_object.inc)
  string(CONFIGURE "${text}" text @ONLY)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/CuDNNChecked/${name}")
  file(GENERATE OUTPUT "${folder}/stamp_of_target.inc" CONTENT "${text}" TARGET "${target}")
  set(${identifier} ${name} PARENT_SCOPE)
  set(${directory} "${folder}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_stamp_json(<result> <target> arg)
#
# The stamp of a target as one line of JSON (schema 1, see docs/report.md), with generator
# expressions for what is only known when the whole project is.  Without arg_POLICY the policy is
# that of the last answer.  What the guard does is CuDNNChecked_GUARD.
function(_cudnn_checked_stamp_json result target arg)
  _cudnn_checked_get_stamp(input_package input_policy input_components place_version cuda_version
    proved_level proved_library_version proved_cudart_version proved_runtime proved_driver
    proved_architectures proved_operations proved_needs proved_kernel_word proved_kernel_code
    proved_swept_seconds proved_swept_plans
  )
  set(policy "${input_policy}")
  if(DEFINED arg_POLICY)
    string(TOLOWER "${arg_POLICY}" policy)
  endif()
  set(gpu optional)
  if(DEFINED arg_GPU)
    string(TOLOWER "${arg_GPU}" gpu)
  endif()
  set(operations ${arg_OPERATIONS})
  list(REMOVE_DUPLICATES operations)
  foreach(
    name
    IN
    ITEMS proved_architectures proved_operations input_components proved_needs operations
  )
    list(TRANSFORM ${name} REPLACE "(.+)" "\"\\1\"")
    list(JOIN ${name} "," ${name})
  endforeach()
  _cudnn_checked_compiled_architectures(
    compiled
    "${target}"
    "${proved_kernel_word}"
    "${proved_kernel_code}"
  )
  set(proved "")
  if(proved_operations)
    set(proved "\"proved\":[${proved_operations}],")
  endif()
  set(swept "")
  if(proved_swept_plans GREATER 0)
    set(swept "\"swept\":{\"seconds\":${proved_swept_seconds},\"plans\":${proved_swept_plans}},")
  endif()
  set(guard "")
  string(TOLOWER "${CuDNNChecked_GUARD}" mode)
  if(mode MATCHES "^(warn|off)$")
    set(guard ",\"guard\":\"${mode}\"")
  endif()
  string(
    CONCAT
    json
    "{\"schema\":1,\"package\":\"${input_package}\",\"program\":\"${target}\","
    "\"level\":\"${proved_level}\",\"cudnn\":{\"header\":\"${place_version}\","
    "\"library\":\"${proved_library_version}\",\"cudart\":\"${proved_cudart_version}\"},"
    "\"cuda\":{\"toolkit\":\"${cuda_version}\",\"runtime\":\"${proved_runtime}\","
    "\"driver\":\"${proved_driver}\"},"
    "\"architectures\":{\"measured\":[${proved_architectures}],\"compiled\":[${compiled}]},"
    "\"components\":[${input_components}],\"sublibraries\":[${proved_needs}],"
    "\"operations\":[${operations}],${proved}${swept}"
    "\"policy\":\"${policy}\",\"gpu\":\"${gpu}\"${guard}}"
  )
  set(${result} "${json}" PARENT_SCOPE)
endfunction()

# The items of CUDA_ARCHITECTURES of a target that has CUDA sources, as the elements of a JSON array
# in a generator expression.  What the compiler makes of "all", "all-major" and "native" is known
# where the probe's kernel was compiled with the same word; otherwise it is left out, and the guard
# goes by the program alone.
function(_cudnn_checked_compiled_architectures result target kernel_word kernel_code)
  set(${result} "" PARENT_SCOPE)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CUDA" IN_LIST languages)
    return()
  endif()
  set(items "$<TARGET_PROPERTY:${target},CUDA_ARCHITECTURES>")
  set(value "${items}")
  foreach(word IN ITEMS native all all-major)
    set(code "")
    if(kernel_word STREQUAL word)
      set(code "${kernel_code}")
    endif()
    set(value "$<IF:$<STREQUAL:${items},${word}>,${code},${value}>")
  endforeach()
  set(sources "$<FILTER:$<TARGET_PROPERTY:${target},SOURCES>,INCLUDE,[.]cu$>")
  set(list "\"$<JOIN:${value},\"$<COMMA>\">\"")
  set(has_all "$<AND:$<BOOL:${sources}>,$<BOOL:${items}>,$<BOOL:${value}>>")
  set(${result} "$<${has_all}:${list}>" PARENT_SCOPE)
endfunction()

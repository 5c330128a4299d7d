# SPDX-License-Identifier: BSD-3-Clause
#
# What cudnn_checked_guard does once its arguments are parsed.

# _cudnn_checked_guard_call(<target>)
#
# Stamps and guards the target.  Reads arg_*, which cudnn_checked_guard has parsed.
function(_cudnn_checked_guard_call target)
  # What the call does not say comes from the variables of the whole project.
  foreach(name IN ITEMS GPU POLICY)
    set(source_${name} ${name})
    if(NOT DEFINED arg_${name} AND NOT "${CuDNNChecked_${name}}" STREQUAL "")
      set(arg_${name} "${CuDNNChecked_${name}}")
      set(source_${name} CuDNNChecked_${name})
    endif()
  endforeach()
  _cudnn_checked_guard_arguments(problem "${target}")
  if(NOT problem)
    get_target_property(real "${target}" ALIASED_TARGET)
    if(real)
      set(target "${real}")
    endif()
    _cudnn_checked_guard_target(problem "${target}")
  endif()
  _cudnn_checked_stop("cudnn_checked_guard(${target})" "${problem}")

  if(arg_OPERATIONS)
    _cudnn_checked_load(target/unproved)
    _cudnn_checked_check_proved("${target}" ${arg_OPERATIONS})
  endif()
  _cudnn_checked_guard_stamp(identifier folder "${target}")
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
  # Once the sources of the target are known.
  cmake_language(
    EVAL CODE
      "cmake_language(
         DEFER DIRECTORY [==[${CMAKE_SOURCE_DIR}]==]
         CALL _cudnn_checked_header_check [==[${target}]==] [==[${folder}]==]
       )"
  )
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

# What is wrong with the call, or nothing.  Reads arg_*, and source_*, what names GPU and POLICY, of
# _cudnn_checked_guard_call.
function(_cudnn_checked_guard_arguments result target)
  _cudnn_checked_load(target/arguments)
  _cudnn_checked_wrong_words(text MANUAL GPU POLICY OPERATIONS)
  set(unknown "")
  set(possible "")
  string(TOUPPER "${CuDNNChecked_GUARD}" mode)
  string(
    CONCAT
    usage
    "cudnn_checked_guard(<target> [MANUAL] [GPU REQUIRED|OPTIONAL] "
    "[POLICY compatible|exact|major] [OPERATIONS <operation>...])"
  )
  if(NOT text STREQUAL "")
    # The words come first.
  elseif(DEFINED arg_GPU AND NOT arg_GPU MATCHES "^(REQUIRED|OPTIONAL)$")
    set(text "${source_GPU} is ${arg_GPU}, and can be REQUIRED or OPTIONAL")
    set(unknown "${arg_GPU}")
    set(possible REQUIRED OPTIONAL)
  elseif(DEFINED arg_POLICY AND NOT arg_POLICY MATCHES "^(compatible|exact|major)$")
    set(text "${source_POLICY} is ${arg_POLICY}, and can be compatible, exact or major")
    set(unknown "${arg_POLICY}")
    set(possible compatible exact major)
  elseif(NOT "${CuDNNChecked_GUARD}" STREQUAL "" AND NOT mode MATCHES "^(DECLARED|ALL|WARN|OFF)$")
    set(text "CuDNNChecked_GUARD is ${CuDNNChecked_GUARD}, and can be DECLARED, ALL, WARN or OFF")
    set(unknown "${CuDNNChecked_GUARD}")
    set(possible DECLARED ALL WARN OFF)
  endif()
  _cudnn_checked_append_possible(text "${unknown}" ${possible})
  foreach(operation IN LISTS arg_OPERATIONS)
    if(text STREQUAL "" AND NOT operation MATCHES "^[a-z0-9/_-]+$")
      set(text "OPERATIONS has \"${operation}\", and can have words such as conv3d/bf16")
    endif()
  endforeach()
  _cudnn_checked_end_problem(text "${usage}" "${target}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# What is wrong with the <target>, where it cannot be guarded, or not in this way.  Reads
# arg_MANUAL.
function(_cudnn_checked_guard_target result target)
  get_target_property(type "${target}" TYPE)
  get_target_property(imported "${target}" IMPORTED)
  get_target_property(guarded "${target}" _CUDNN_CHECKED_GUARDED)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(imported)
    set(text "an imported target is not compiled by this project")
    set(fix "guard the executable that links it")
  elseif(type STREQUAL "OBJECT_LIBRARY" OR type STREQUAL "INTERFACE_LIBRARY")
    string(REPLACE "_LIBRARY" "" word "${type}")
    set(text "an ${word} library is not linked, so it cannot carry a stamp")
    set(fix "guard the executable or the library that links it")
  elseif(type STREQUAL "UTILITY")
    set(text "a custom target has no program")
    set(fix "guard an executable or a library")
  elseif(guarded)
    set(text "the target is guarded already")
    set(fix "call it once for a target")
  elseif(NOT "CXX" IN_LIST languages)
    set(text "the guard is C++, and this project does not enable that language")
    list(REMOVE_ITEM languages NONE)
    list(JOIN languages " " wanted)
    string(STRIP "${wanted} CXX" wanted)
    set(fix "project(... LANGUAGES ${wanted})")
  elseif(NOT type STREQUAL "EXECUTABLE" AND NOT arg_MANUAL)
    set(text "a library never ends its host by itself, so it needs MANUAL")
    set(fix "cudnn_checked_guard(${target} MANUAL)")
    string(APPEND fix ", and call cudnn_checked::check() or cudnn_checked::require() in the code")
  else()
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  set(${result} "${text}\n  fix: ${fix}" PARENT_SCOPE)
endfunction()

# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_guard_object(<name> <source> <includes> <options>)
#
# Makes an object that cudnn_checked_guard adds to a target, in the directory that is being
# processed: a deferred call can make targets, and no subdirectories.  What a directory gives to all
# of its targets, also to those that were made before, must not reach this one, so its properties
# are set when the directory is done.  Reads the CMAKE_ variables that _cudnn_checked_guard_flags
# set; <options> are those of the target.
function(_cudnn_checked_guard_object name source includes options)
  add_library(${name} OBJECT EXCLUDE_FROM_ALL "${source}")
  # Those of the directory where the object is compiled, in place of the target's.
  set(flags "")
  set(configurations "${CMAKE_CONFIGURATION_TYPES}" "${CMAKE_BUILD_TYPE}")
  foreach(configuration IN LISTS configurations ITEMS "")
    set(variable CMAKE_CXX_FLAGS)
    set(option "${${variable}}")
    if(NOT configuration STREQUAL "")
      string(TOUPPER "CMAKE_CXX_FLAGS_${configuration}" variable)
      set(option "$<$<CONFIG:${configuration}>:${${variable}}>")
    endif()
    get_directory_property(here DEFINITION ${variable})
    if(NOT "${${variable}}" STREQUAL "${here}" AND NOT "${${variable}}" STREQUAL "")
      list(APPEND flags "SHELL:${option}")
    endif()
  endforeach()
  cmake_language(
    EVAL CODE
      "cmake_language(
         DEFER CALL _cudnn_checked_finish_guard_object [==[${name}]==] [==[${includes}]==]
         [==[${flags}]==] [==[${options}]==]
       )"
  )
endfunction()

# Sets what the directory and CMAKE_ variables of the project would give the object.
function(_cudnn_checked_finish_guard_object name includes flags options)
  _cudnn_checked_undefined(undefined)
  _cudnn_checked_guard_object_options(own options)
  set_target_properties(
    ${name}
    PROPERTIES
      COMPILE_DEFINITIONS ""
      COMPILE_OPTIONS "${flags};${own};${options};${undefined}"
      INCLUDE_DIRECTORIES "${includes}"
      LINK_LIBRARIES ""
      CXX_STANDARD 17
      CXX_STANDARD_REQUIRED ON
      CXX_EXTENSIONS OFF
      CXX_SCAN_FOR_MODULES OFF
      CXX_VISIBILITY_PRESET hidden
      VISIBILITY_INLINES_HIDDEN ON
      POSITION_INDEPENDENT_CODE ON
      INTERPROCEDURAL_OPTIMIZATION OFF
      UNITY_BUILD OFF
      PRECOMPILE_HEADERS ""
      AUTOMOC OFF
      AUTOUIC OFF
      AUTORCC OFF
      CXX_CLANG_TIDY ""
      CXX_CPPCHECK ""
      CXX_CPPLINT ""
      CXX_INCLUDE_WHAT_YOU_USE ""
      FOLDER CuDNNChecked
  )
endfunction()

# Options that undefine the macros which the directory defines for all of its targets.
function(_cudnn_checked_undefined result)
  set(${result} "" PARENT_SCOPE)
  if(MSVC)
    return()
  endif()
  get_directory_property(definitions COMPILE_DEFINITIONS)
  set(undefined "")
  foreach(definition IN LISTS definitions)
    # In a generator expression, every word that may be a name.
    string(REGEX MATCHALL "(^|[:,])(-D)?[A-Za-z_][A-Za-z0-9_]*" names "${definition}")
    list(TRANSFORM names REPLACE "^[:,]?(-D)?(.+)$" "-U\\2")
    list(APPEND undefined ${names})
  endforeach()
  set(${result} "${undefined}" PARENT_SCOPE)
endfunction()

# The options that every object of the guard is compiled with.  Adds to <in_out_options> what
# goes with those of the target.
function(_cudnn_checked_guard_object_options result in_out_options)
  set(own -w)
  # MSVC says that the command line is that of Microsoft's compiler: clang-cl's id is Clang.
  if(MSVC)
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      # It would say that an option of the project is overridden (D9025).
      set(own "")
    endif()
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    # The check runs once: small and quickly compiled is what counts.  It throws nothing.
    list(APPEND own -g0 -Os -fno-exceptions -fno-rtti)
    list(APPEND own -fno-asynchronous-unwind-tables)
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      list(APPEND own -Oz) # its -Os goes on inlining: half as much again
      # -fno-rtti forbids it.
      set(${in_out_options} "${${in_out_options}};-fno-sanitize=vptr" PARENT_SCOPE)
    else()
      # Optimisations that add code to the guard: each was measured (docs/measurements.md).
      list(APPEND own -fno-caller-saves -fno-if-conversion -fno-inline-functions-called-once)
      list(APPEND own -fno-jump-tables -fno-move-loop-invariants -fno-partial-inlining)
      list(APPEND own -fno-tree-sra)
      if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
        list(APPEND own -Oz)
      endif()
      # A parameter, and so for releases that are known to have it: others do not compile with it.
      if(
        CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 10
        AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16
      )
        list(APPEND own --param=max-inline-insns-size=1)
      endif()
      if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
        list(
          APPEND
          own
          -fno-plt # a call through the table of addresses is one byte longer, a PLT entry has 16
          -malign-data=abi # by default each table begins at a multiple of 32
        )
      endif()
    endif()
  endif()
  set(${result} "${own}" PARENT_SCOPE)
endfunction()

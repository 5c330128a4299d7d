# SPDX-License-Identifier: BSD-3-Clause
#
# The objects and the source that cudnn_checked_guard adds to a target.

# _cudnn_checked_guard_objects(<target> <identifier> <folder>)
#
# Adds two OBJECT libraries to a target: the checks themselves, made once for a build tree and a set
# of flags, and the stamp of the target, which _cudnn_checked_guard_stamp has generated.
#
# Language standard, position independence and optimisation are the objects' own (see
# guard_object.cmake), so they are no part of the set.
function(_cudnn_checked_guard_objects target identifier folder)
  _cudnn_checked_source(guard_source guard)
  _cudnn_checked_source(stamp_source stamp)
  _cudnn_checked_headers_for(includes guard)
  _cudnn_checked_guard_flags(variables options "${target}")
  set(text "${guard_source}\n${options}\n")
  foreach(variable IN LISTS variables)
    string(APPEND text "${variable} ${${variable}}\n")
  endforeach()
  string(MD5 key "${text}")
  string(SUBSTRING "${key}" 0 8 key)
  set(core cudnn_checked_guard_${key})
  _cudnn_checked_load(target/guard_object)
  if(NOT TARGET ${core})
    _cudnn_checked_guard_object(${core} "${guard_source}" "${includes}" "${options}")
  endif()
  set(stamp cudnn_checked_stamp_of_${identifier})
  list(APPEND includes "${folder}")
  _cudnn_checked_guard_object(${stamp} "${stamp_source}" "${includes}" "${options}")
  target_sources("${target}" PRIVATE $<TARGET_OBJECTS:${core}> $<TARGET_OBJECTS:${stamp}>)
endfunction()

# _cudnn_checked_guard_flags(<variables> <options> <target>)
#
# The flags that an object must share with those of a target to be linked with them.  <variables>
# are the names of the CMake variables that give every object its flags; their values in the
# directory of the target are set in the caller.  <options> are those of the target's own options
# that matter: warnings, definitions, forced includes and raw nvcc options stay with the target.
function(_cudnn_checked_guard_flags variables options target)
  set(names CMAKE_BUILD_TYPE CMAKE_CXX_COMPILER CMAKE_CXX_COMPILER_TARGET CMAKE_CXX_FLAGS)
  list(APPEND names CMAKE_MSVC_RUNTIME_LIBRARY CMAKE_OSX_ARCHITECTURES CMAKE_OSX_DEPLOYMENT_TARGET)
  list(APPEND names CMAKE_OSX_SYSROOT CMAKE_SYSROOT)
  get_target_property(directory "${target}" BINARY_DIR)
  get_directory_property(configurations DIRECTORY "${directory}" DEFINITION CMAKE_BUILD_TYPE)
  if(CMAKE_CONFIGURATION_TYPES)
    set(configurations "${CMAKE_CONFIGURATION_TYPES}")
  endif()
  foreach(configuration IN LISTS configurations)
    string(TOUPPER "CMAKE_CXX_FLAGS_${configuration}" name)
    list(APPEND names ${name})
  endforeach()
  foreach(name IN LISTS names)
    get_directory_property(value DIRECTORY "${directory}" DEFINITION ${name})
    if(value STREQUAL "")
      unset(${name} PARENT_SCOPE)
    else()
      set(${name} "${value}" PARENT_SCOPE)
    endif()
  endforeach()
  set(${variables} "${names}" PARENT_SCOPE)
  # Objects for different runtimes are not linked (LNK2038).
  get_target_property(runtime "${target}" MSVC_RUNTIME_LIBRARY)
  if(NOT runtime MATCHES "NOTFOUND$")
    set(CMAKE_MSVC_RUNTIME_LIBRARY "${runtime}" PARENT_SCOPE)
  endif()

  get_target_property(all "${target}" COMPILE_OPTIONS)
  if(NOT all)
    set(all "")
  endif()
  set(pattern "^(-m(32|64|x32|abi=.*|float-abi=.*|fpu=.*|cpu=.*|arch=.*|thumb|arm)")
  string(APPEND pattern "|-stdlib=.*|-fsanitize=.*|-fcf-protection.*|-mbranch-protection=.*")
  string(APPEND pattern "|--target=.*|--sysroot=.*|[-/]M[TD]d?|[-/]arch:.*)$")
  list(FILTER all INCLUDE REGEX "${pattern}")
  set(${options} "${all}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_header_check(<target> <folder>)
#
# Adds a source to a guarded target that does not compile where the target sees another cudnn.h than
# the one that was found: only the target's own include directories and flags, in their order, can
# tell.  Nothing is compared where the directory of the one that was found is not among them: it is
# not known then whether the target includes any.  Nor where that directory has no cudnn_version.h:
# what its cudnn.h includes instead is not known.
#
# Called when the top-level directory is done, because the language of the source is one that the
# target has, and its flags may suit no other.  The source is written into <folder>, and only when
# something in it changes.
function(_cudnn_checked_header_check check_target folder)
  get_target_property(sources "${check_target}" SOURCES)
  # The name of a source may end within a generator expression.
  if(sources MATCHES "[.](cpp|cc|cxx|c[+][+]|C|CPP)(>|;|$)")
    set(extension cpp)
  elseif(sources MATCHES "[.]c(>|;|$)")
    set(extension c)
  elseif(sources MATCHES "[.]cu(>|;|$)")
    set(extension cu)
  else()
    return()
  endif()

  get_target_property(directories CuDNNChecked::cudnn INTERFACE_INCLUDE_DIRECTORIES)
  list(GET directories 0 include)
  if(NOT EXISTS "${include}/cudnn_version.h")
    return()
  endif()
  _cudnn_checked_get_stamp(place_version)
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)\\.([0-9]+)" _ "${place_version}")
  set(check_major ${CMAKE_MATCH_1})
  set(check_minor ${CMAKE_MATCH_2})
  set(check_patch ${CMAKE_MATCH_3})
  string(REGEX REPLACE "([\"\\])" "\\\\\\1" text "${include}")
  set(check_header "${text}/cudnn.h")
  _cudnn_checked_header_fixes(check_fixes "${check_target}" "${include}" "${text}")
  set(source "${folder}/header_check.${extension}")
  _cudnn_checked_template(text header_check)
  file(CONFIGURE OUTPUT "${source}" CONTENT "${text}" @ONLY)

  set_property(TARGET "${check_target}" APPEND PROPERTY SOURCES "${source}")
  string(REPLACE ">" "$<ANGLE-R>" include "${include}")
  string(REPLACE "," "$<COMMA>" include "${include}")
  set(used "$<IN_LIST:${include},$<TARGET_PROPERTY:${check_target},INCLUDE_DIRECTORIES>>")
  set_source_files_properties(
    "${source}"
    TARGET_DIRECTORY "${check_target}"
    PROPERTIES
      COMPILE_DEFINITIONS "CUDNN_CHECKED_HAS_INCLUDE_DIRECTORY=${used}"
      SKIP_AUTOGEN ON
      SKIP_LINTING ON
      SKIP_PRECOMPILE_HEADERS ON
      CXX_SCAN_FOR_MODULES OFF
  )
endfunction()

# The lines of a fix, for the preprocessor.  <text> is the directory <include> as it is written in
# C.
function(_cudnn_checked_header_fixes result target include text)
  if(text MATCHES "[^A-Za-z0-9_/.:+-]")
    set(text "[[${text}]]")
  endif()
  set(fixes "")
  set(lead "fix")
  # The compiler searches its own directories last, whatever a target names.
  if(NOT "${include}" IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    string(
      APPEND
      fixes
      "#error \"  fix: target_include_directories(${target} BEFORE PRIVATE ${text})\"\n"
      "#error \"       set_property(TARGET ${target} PROPERTY NO_SYSTEM_FROM_IMPORTED ON)\"\n"
    )
    set(lead " or")
  endif()
  string(APPEND fixes "#error \"  ${lead}: name the cuDNN that the target is compiled with: ")
  string(APPEND fixes "-D CuDNNChecked_ROOT=DIRECTORY\"")
  set(${result} "${fixes}" PARENT_SCOPE)
endfunction()

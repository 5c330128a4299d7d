# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_guard_objects(<core> <stamp>)
#
# Makes the OBJECT libraries that cudnn_checked_guard adds to a target, and names them: the checks
# themselves, once for a build tree and a set of flags, and the stamp of the target.  Reads target,
# identifier and folder of cudnn_checked_guard.
#
# Language standard, position independence and optimisation are the objects' own (see
# guard_objects/CMakeLists.txt), so they are no part of the set.
function(_cudnn_checked_guard_objects core stamp)
  _cudnn_checked_guard_flags(variables options "${target}")
  get_filename_component(tool "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../tool" ABSOLUTE)
  set(text "${tool}\n${options}\n")
  foreach(variable IN LISTS variables)
    string(APPEND text "${variable} ${${variable}}\n")
  endforeach()
  string(MD5 key "${text}")
  string(SUBSTRING "${key}" 0 8 key)
  set(name cudnn_checked_guard_${key})
  if(NOT TARGET ${name})
    set(source "${tool}/guard/guard.cpp")
    set(includes "${tool}/guard/include")
    add_subdirectory(
      "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/guard_objects"
      "${CMAKE_BINARY_DIR}/CuDNNChecked/${name}"
      EXCLUDE_FROM_ALL
    )
  endif()
  set(${core} ${name} PARENT_SCOPE)

  set(name cudnn_checked_stamp_of_${identifier})
  set(source stamp.cpp)
  set(includes "${tool}/guard/include" "${folder}")
  add_subdirectory("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/guard_objects" "${folder}" EXCLUDE_FROM_ALL)
  set(${stamp} ${name} PARENT_SCOPE)
endfunction()

# _cudnn_checked_guard_flags(<variables> <options> <target>)
#
# The flags that an object must share with those of a target to be linked with them.  <variables>
# are the names of the CMake variables that give every object its flags; their values in the
# directory of the target are set in the caller.  <options> are those of the target's own options
# that matter: warnings, definitions, forced includes and raw nvcc options stay with the target.
function(_cudnn_checked_guard_flags variables options target)
  set(
    names
    CMAKE_BUILD_TYPE
    CMAKE_CXX_COMPILER
    CMAKE_CXX_COMPILER_TARGET
    CMAKE_CXX_FLAGS
    CMAKE_MSVC_RUNTIME_LIBRARY
    CMAKE_OSX_ARCHITECTURES
    CMAKE_OSX_DEPLOYMENT_TARGET
    CMAKE_OSX_SYSROOT
    CMAKE_SYSROOT
  )
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

  get_target_property(all "${target}" COMPILE_OPTIONS)
  if(NOT all)
    set(all "")
  endif()
  string(
    CONCAT
    pattern
    "^(-m(32|64|x32|abi=.*|float-abi=.*|fpu=.*|cpu=.*|arch=.*|thumb|arm)"
    "|-stdlib=.*|-fsanitize=.*|-fcf-protection.*|-mbranch-protection=.*"
    "|--target=.*|--sysroot=.*)$"
  )
  list(FILTER all INCLUDE REGEX "${pattern}")
  set(${options} "${all}" PARENT_SCOPE)
endfunction()

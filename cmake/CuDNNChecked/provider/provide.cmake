# SPDX-License-Identifier: BSD-3-Clause
#
# What a project gets of the cuDNN that was proved.

# find_package(CuDNNChecked) of this package with the arguments.  A macro, because its results are
# the caller's.
#
# The probe and the guard are C++; a project that nobody edits may be C alone.  C++ is enabled in
# the directory of the whole project only, and in no function: elsewhere CMake has no such language
# for all targets.
macro(_cudnn_checked_find)
  get_property(_cudnn_checked_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(
    NOT "CXX" IN_LIST _cudnn_checked_languages
    AND NOT CuDNNChecked_REQUIRE STREQUAL "LOCATED"
    AND NOT CMAKE_CURRENT_FUNCTION
    AND CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR
  )
    include(CheckLanguage)
    check_language(CXX)
    if(CMAKE_CXX_COMPILER)
      enable_language(CXX)
    endif()
  endif()
  unset(_cudnn_checked_languages)
  get_property(_cudnn_checked_home GLOBAL PROPERTY _cudnn_checked_provider_home)
  # QUIET of this call is not the project's: a refusal is printed later.
  set(_cudnn_checked_read TRUE)
  if(${CMAKE_FIND_PACKAGE_NAME}_FIND_QUIETLY)
    set(_cudnn_checked_read FALSE)
  endif()
  set_property(GLOBAL PROPERTY _cudnn_checked_provider_reads ${_cudnn_checked_read})
  unset(_cudnn_checked_read)
  find_package(CuDNNChecked ${ARGN} BYPASS_PROVIDER PATHS "${_cudnn_checked_home}" NO_DEFAULT_PATH)
  unset(_cudnn_checked_home)
  set_property(GLOBAL PROPERTY _cudnn_checked_provider_reads FALSE)
endmacro()

# Is there a cache entry of this name that somebody else has set?
function(_cudnn_checked_is_set_by_user result name)
  set(${result} FALSE PARENT_SCOPE)
  get_property(help CACHE "${name}" PROPERTY HELPSTRING)
  if(
    DEFINED CACHE{${name}}
    AND NOT help MATCHES " CuDNNCheckedProvider[.]cmake$"
    AND NOT "$CACHE{${name}}" MATCHES "^$|NOTFOUND$"
  )
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_provide_files()
#
# Sets the cache entries that find_path and find_library take as found.  Where nothing was proved,
# those of an earlier run go.
function(_cudnn_checked_provide_files)
  _cudnn_checked_provided_names(files others)
  foreach(row IN LISTS files)
    string(REGEX MATCH "^(.+) (.+)$" row "${row}")
    set(value "${CuDNNChecked_${CMAKE_MATCH_1}}")
    set(name "${CMAKE_MATCH_2}")
    _cudnn_checked_is_set_by_user(user "${name}")
    if(user OR "$CACHE{${name}}" STREQUAL "${value}")
      continue()
    elseif(value STREQUAL "")
      unset(${name} CACHE)
    else()
      set(${name} "${value}" CACHE INTERNAL "Provided by CuDNNCheckedProvider.cmake")
    endif()
  endforeach()
endfunction()

# _cudnn_checked_provide_variables()
#
# Sets all result variables in the caller, which is the project, but those that the user has set.
function(_cudnn_checked_provide_variables)
  _cudnn_checked_provided_names(files others)
  foreach(row IN LISTS files others)
    string(REGEX MATCH "^(.+) (.+)$" row "${row}")
    _cudnn_checked_is_set_by_user(user "${CMAKE_MATCH_2}")
    if(NOT user)
      set(${CMAKE_MATCH_2} "${CuDNNChecked_${CMAKE_MATCH_1}}" PARENT_SCOPE)
    endif()
  endforeach()
  foreach(component IN LISTS ${CMAKE_FIND_PACKAGE_NAME}_FIND_COMPONENTS)
    _cudnn_checked_provided_component(name "${component}")
    set(found TRUE)
    if(DEFINED CuDNNChecked_${name}_FOUND)
      set(found ${CuDNNChecked_${name}_FOUND})
    endif()
    set(${CMAKE_FIND_PACKAGE_NAME}_${component}_FOUND ${found} PARENT_SCOPE)
  endforeach()
endfunction()

# The sub-libraries of the cuDNN that was found.
function(_cudnn_checked_sub_libraries result)
  set(names "")
  if(CuDNNChecked_FOUND)
    _cudnn_checked_get_stamp(place_sublibraries)
    _cudnn_checked_sub_names(names ${place_sublibraries})
  endif()
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_provide_targets()
#
# Makes the targets that are not there, as other names of CuDNNChecked::cudnn.
function(_cudnn_checked_provide_targets)
  _cudnn_checked_provided_targets(names)
  _cudnn_checked_sub_libraries(sub_libraries)
  list(TRANSFORM sub_libraries PREPEND cudnn_)
  foreach(name IN LISTS sub_libraries ITEMS cudnn cudnn_all)
    if(NOT TARGET CUDNN::${name})
      add_library(CUDNN::${name} ALIAS CuDNNChecked::${name})
    endif()
  endforeach()
  foreach(name IN LISTS names)
    if(NOT TARGET ${name})
      add_library(${name} ALIAS CuDNNChecked::cudnn)
    endif()
  endforeach()
endfunction()

# _cudnn_checked_own_module(<result> <package>)
#
# The project's own find module, where it makes a target with a name that is not provided; empty
# otherwise.
function(_cudnn_checked_own_module result package)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_provided_targets(names)
  foreach(directory IN LISTS CMAKE_MODULE_PATH)
    set(file "${directory}/Find${package}.cmake")
    if(NOT EXISTS "${file}")
      continue()
    endif()
    file(STRINGS "${file}" lines REGEX "^[ \t]*[Aa][Dd][Dd]_[Ll][Ii][Bb][Rr][Aa][Rr][Yy][ \t]*\\(")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^[^(]*\\([ \t\"]*([^ \t\")]*).*" "\\1" made "${line}")
      if(NOT made MATCHES "^CUDNN::" AND NOT "${made}" IN_LIST names)
        set(${result} "${file}" PARENT_SCOPE)
      endif()
    endforeach()
    return()
  endforeach()
endfunction()

# The component of CuDNNChecked that other modules know as cudnn_<component>; empty: cudnn itself.
function(_cudnn_checked_provided_component result component)
  string(TOLOWER "${component}" name)
  string(REGEX REPLACE "^cudnn(_|$)" "" name "${name}")
  set(${result} "${name}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_provider_request(<result> <package>)
#
# The arguments of find_package(CuDNNChecked) for what find_package(<package>) was called with.
function(_cudnn_checked_provider_request result package)
  set(request "")
  if(DEFINED ${package}_FIND_VERSION_RANGE)
    list(APPEND request "${${package}_FIND_VERSION_RANGE}")
  elseif(DEFINED ${package}_FIND_VERSION)
    list(APPEND request "${${package}_FIND_VERSION}")
  endif()
  if(${package}_FIND_VERSION_EXACT)
    list(APPEND request EXACT)
  endif()
  if(${package}_FIND_REQUIRED)
    list(APPEND request REQUIRED)
  endif()
  foreach(component IN LISTS ${package}_FIND_COMPONENTS)
    _cudnn_checked_provided_component(name "${component}")
    if(name MATCHES "^(|all)$")
      continue()
    elseif(${package}_FIND_REQUIRED_${component})
      list(APPEND request COMPONENTS "${name}")
    else()
      list(APPEND request OPTIONAL_COMPONENTS "${name}")
    endif()
  endforeach()
  set(${result} "${request}" PARENT_SCOPE)
endfunction()

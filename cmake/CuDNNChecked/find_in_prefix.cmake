# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_find_in_prefix(<prefix>)
#
# Looks below <prefix> for a cuDNN header and the library of its major release: both halves of one
# install, or none.  Sets in the caller
#   found_header      cudnn_version.h          found_library  libcudnn.so.N
#   found_version     release of the header    found_include  directory of cudnn.h
#   found_missing     "", "headers", "library" or "both"
#   found_why         where something is missing: what, in words
#   found_package     where a wheel's record lists what is missing: the package to install again
function(_cudnn_checked_find_in_prefix prefix)
  _cudnn_checked_directories_of(library_directories header_directories "${prefix}")
  _cudnn_checked_find_header(${header_directories})
  string(REGEX MATCH "^[0-9]+" major "${version}")
  _cudnn_checked_find_library("${major}" ${library_directories})

  set(missing "")
  set(why "")
  if(NOT header AND NOT library AND NOT other_libraries)
    if(odd_headers)
      set(missing headers)
    elseif(odd_libraries)
      set(missing library)
    elseif(IS_DIRECTORY "${prefix}")
      set(missing both)
      set(why "neither cudnn.h nor libcudnn.so")
      get_filename_component(above "${prefix}" DIRECTORY)
      _cudnn_checked_glob_escaped(escaped "${prefix}")
      file(GLOB inside "${escaped}/libcudnn.so*" "${escaped}/cudnn.h")
      if(inside)
        set(why "it holds the files themselves: name the directory above it: ${above}")
      endif()
    else()
      set(missing both)
      set(why "no such directory")
      if(prefix MATCHES "(^|/)None$")
        set(why "no directory: Python printed None, because a namespace package has no __file__")
      endif()
    endif()
  elseif(NOT header)
    set(missing headers)
    list(GET other_libraries 0 first)
    set(why "${first} without cudnn.h")
  elseif(NOT library)
    set(missing library)
    set(why "cudnn.h of ${version} without libcudnn.so.${major}")
    if(other_libraries)
      list(JOIN other_libraries ", " others)
      string(APPEND why " (there is ${others})")
    endif()
  endif()
  if(missing AND (odd_headers OR odd_libraries))
    set(why ${odd_headers} ${odd_libraries})
    list(JOIN why ", " why)
  endif()
  set(package "")
  if(missing STREQUAL "library" OR missing STREQUAL "both")
    _cudnn_checked_wheel_record(record_why package "${prefix}")
    if(record_why)
      set(missing library)
      set(why "${record_why}")
    endif()
  endif()
  foreach(
    value
    IN
    ITEMS header version include library missing why package
  )
    set(found_${value} "${${value}}" PARENT_SCOPE)
  endforeach()
endfunction()

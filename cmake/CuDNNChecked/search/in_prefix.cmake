# SPDX-License-Identifier: BSD-3-Clause
#
# Header and library of cuDNN below one directory, and the release that the header defines.

# _cudnn_checked_find_in_prefix(found <prefix>)
#
# Looks below <prefix> for a cuDNN header and the library of its major release: both halves of one
# install.  Sets
#   found_header      cudnn_version.h          found_library  libcudnn.so.N, cudnn64_N.dll
#   found_version     release of the header    found_include  directory of cudnn.h
function(_cudnn_checked_find_in_prefix found prefix)
  _cudnn_checked_directories_of(library_directories header_directories "${prefix}")
  _cudnn_checked_new(found)
  _cudnn_checked_find_header(found ${header_directories})
  _cudnn_checked_find_library(found_library "${found_version}" ${library_directories})
  _cudnn_checked_hand_up(found)
endfunction()

# Sets found_header, found_version and found_include, from the first of these directories that has a
# header of cuDNN.
function(_cudnn_checked_find_header found)
  foreach(directory IN LISTS ARGN)
    _cudnn_checked_are_files(usable "${directory}")
    _cudnn_checked_version_headers(candidates "${directory}")
    _cudnn_checked_seen("${directory}/cudnn.h" ${candidates})
    if(NOT EXISTS "${directory}/cudnn.h" OR NOT usable)
      continue()
    endif()
    foreach(candidate IN LISTS candidates)
      if(NOT EXISTS "${candidate}")
        continue()
      endif()
      set(version "")
      # A FIFO or a device has no size, and reading it may never end.
      file(SIZE "${candidate}" size)
      if(size GREATER 0)
        _cudnn_checked_read_version(version "${candidate}")
      endif()
      if(version)
        set(found_header "${candidate}" PARENT_SCOPE)
        set(found_version "${version}" PARENT_SCOPE)
        set(found_include "${directory}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
endfunction()

# Whether no header there is a FIFO or a directory, for which a compiler would wait for ever.
function(_cudnn_checked_are_files result directory)
  set(${result} TRUE PARENT_SCOPE)
  _cudnn_checked_glob(files "${directory}" "cudnn*.h")
  foreach(file IN LISTS files)
    _cudnn_checked_no_file(kind "${file}")
    if(kind)
      set(${result} FALSE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# The files that can define the release of <directory>/cudnn.h.  Debian's packages keep the
# versioned names; the plain ones are links.  Those of cuDNN 8 link only cudnn.h, in /usr/include,
# to cudnn_v8.h in the multiarch directory, where cudnn_version_v8.h is too.
function(_cudnn_checked_version_headers result directory)
  set(names cudnn_version.h cudnn_version_v9.h cudnn_version_v8.h)
  set(files "")
  if(IS_SYMLINK "${directory}/cudnn.h" AND EXISTS "${directory}/cudnn.h")
    file(REAL_PATH "${directory}/cudnn.h" real)
    if(real MATCHES "^(.*)/cudnn_v([0-9]+)\\.h$")
      set(names cudnn_version.h cudnn_version_v${CMAKE_MATCH_2}.h)
      set(files "${CMAKE_MATCH_1}/cudnn_version_v${CMAKE_MATCH_2}.h")
    endif()
  endif()
  list(TRANSFORM names PREPEND "${directory}/")
  set(files ${names} ${files})
  list(REMOVE_DUPLICATES files)
  set(${result} "${files}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_find_library(<result> <version> <directory>...)
#
# The one of this release in these directories.
function(_cudnn_checked_find_library result version)
  string(REGEX MATCH "^[0-9]+" major "${version}")
  _cudnn_checked_spelling("${major}")
  set(library "")
  set(strange FALSE)
  set(others "")
  foreach(directory IN LISTS ARGN)
    _cudnn_checked_glob(files "${directory}" ${files_of_cudnn})
    _cudnn_checked_seen(${files})
    foreach(file IN LISTS files)
      get_filename_component(name "${file}" NAME)
      _cudnn_checked_no_file(kind "${file}")
      if(kind)
        # The loader would wait for it, whatever the linker is given.
        set(strange TRUE)
      elseif(EXISTS "${file}")
        _cudnn_checked_other_machine(another "${file}")
        if(another)
          continue()
        elseif(major AND name STREQUAL name_of_cudnn AND NOT library)
          set(library "${file}")
        else()
          list(APPEND others "${file}")
        endif()
      endif()
    endforeach()
  endforeach()
  if(major AND NOT library AND NOT strange)
    _cudnn_checked_by_other_name(library ${major} ${others})
  endif()
  set(${result} "${library}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_directories_of(<libraries> <headers> <prefix>)
#
# The directories below <prefix> in which an install keeps its libraries and its headers.
function(_cudnn_checked_directories_of libraries headers prefix)
  _cudnn_checked_folders_of_install(in_lib in_include "${prefix}")
  set(all_libraries "")
  set(all_headers "")
  _cudnn_checked_outputs_of(outputs "${prefix}")
  foreach(directory IN LISTS prefix outputs)
    list(TRANSFORM in_lib PREPEND "${directory}/" OUTPUT_VARIABLE found)
    list(APPEND all_libraries ${found})
    list(TRANSFORM in_include PREPEND "${directory}/" OUTPUT_VARIABLE found)
    list(APPEND all_headers ${found})
  endforeach()
  _cudnn_checked_seen("${prefix}")
  _cudnn_checked_seen(${all_libraries} ${all_headers})
  set(${libraries} "${all_libraries}" PARENT_SCOPE)
  set(${headers} "${all_headers}" PARENT_SCOPE)
endfunction()

# The other outputs of the Nix derivation whose output "dev" <prefix> is: headers and libraries are
# in store paths of their own, and dev has a record of them (nixpkgs,
# pkgs/build-support/setup-hooks/multiple-outputs.sh, propagated-build-inputs).
function(_cudnn_checked_outputs_of result prefix)
  set(${result} "" PARENT_SCOPE)
  if(NOT prefix MATCHES "/[0-9a-z]+-([^/]+)-dev$")
    return()
  endif()
  set(derivation "${CMAKE_MATCH_1}")
  set(record "${prefix}/nix-support/propagated-build-inputs")
  _cudnn_checked_seen("${record}")
  if(NOT EXISTS "${record}")
    return()
  endif()
  file(STRINGS "${record}" lines LIMIT_INPUT 65536)
  string(REGEX MATCHALL "[^; \t]+" paths "${lines}")
  set(outputs "")
  foreach(path IN LISTS paths)
    string(REGEX MATCH "/[0-9a-z]+-([^/]+)$" _ "${path}")
    string(REGEX REPLACE "-(lib|include|out|static)$" "" name "${CMAKE_MATCH_1}")
    if(name STREQUAL derivation)
      list(APPEND outputs "${path}")
    endif()
  endforeach()
  set(${result} "${outputs}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_read_version(<result> <header>)
#
# The release that a cudnn_version.h defines, as "9.14.0"; empty if it defines none.  The text has
# each of the three macros once, as a plain number, and no directive besides that could change them
# but the include guard, as all of NVIDIA's.  What the compiler sees is compared with it later
# (rule_compiled_headers).
function(_cudnn_checked_read_version result header)
  set(${result} "" PARENT_SCOPE)
  set(directive "[ \t]*#[ \t]*")
  set(others "if|el|undef|include")
  set(macros "define[ \t]+CUDNN_(MAJOR|MINOR|PATCHLEVEL)[ \t]")
  file(STRINGS "${header}" lines LIMIT_INPUT 65536 REGEX "^${directive}(${others}|${macros})")
  list(JOIN lines "\n" lines)
  set(form "^(${directive}ifndef[ \t]+[A-Za-z0-9_]+[ \t]*\n)?")
  foreach(part IN ITEMS MAJOR MINOR PATCHLEVEL)
    string(APPEND form "${directive}define[ \t]+CUDNN_${part}[ \t]+(0|[1-9][0-9]*)[ \t]*\n")
  endforeach()
  if("${lines}\n" MATCHES "${form}$")
    set(${result} "${CMAKE_MATCH_2}.${CMAKE_MATCH_3}.${CMAKE_MATCH_4}" PARENT_SCOPE)
  endif()
endfunction()

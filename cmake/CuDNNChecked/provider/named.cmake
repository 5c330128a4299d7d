# SPDX-License-Identifier: BSD-3-Clause
#
# The cuDNN that a person names to a project that knows nothing of this package.

# _cudnn_checked_put_named(<package> <label> <variable> <hint>...)
#
# Writes down, as places ("label<tab>directory"), what names a cuDNN besides the variables that the
# search reads itself: user_roots for the search, which takes it for what CuDNNChecked_ROOT says
# where that is not set, and user_places, what a variable says.  The <variable> and the <hint>s,
# with their <label>, are those of a call of the project; <package> is what find_package is called
# with.
function(_cudnn_checked_put_named package label variable)
  _cudnn_checked_load(search/prefixes)
  set(named "")
  get_property(given_names GLOBAL PROPERTY _cudnn_checked_given)
  _cudnn_checked_variables_of_package(names "${package}")
  foreach(name IN LISTS names)
    # Not the directory of the provider's answer, which CMake writes into <package>_DIR.
    if("${name}" IN_LIST given_names)
      _cudnn_checked_add_places(named "${name}" "${${name}}")
    endif()
  endforeach()
  _cudnn_checked_provided_names(files others)
  list(TRANSFORM files REPLACE "^[^ ]* " "" OUTPUT_VARIABLE entries)
  list(APPEND entries "${variable}")
  list(REMOVE_DUPLICATES entries)
  get_property(given GLOBAL PROPERTY _cudnn_checked_provider_entries)
  list(REMOVE_ITEM entries "" ${given})
  foreach(name IN LISTS entries)
    _cudnn_checked_prefix_of_named(prefix "${name}" "$CACHE{${name}}")
    _cudnn_checked_add_places(named "${name}" "${prefix}")
  endforeach()
  _cudnn_checked_put(user_places "${named}")
  _cudnn_checked_hints(hints)
  set(told "${named}")
  foreach(name IN LISTS hints)
    list(APPEND told ${${name}})
  endforeach()
  if(NOT told)
    # A variable of CMake goes before one of the environment.
    _cudnn_checked_environment_places(named ${names})
  endif()
  list(APPEND told ${named})
  foreach(name IN LISTS hints)
    list(APPEND told $ENV{${name}})
  endforeach()
  # CMake searches these before HINTS.
  file(TO_CMAKE_PATH "$ENV{CMAKE_PREFIX_PATH}" prefixes)
  foreach(prefix IN LISTS CMAKE_PREFIX_PATH prefixes)
    _cudnn_checked_prefix_of_directory(found "${prefix}")
    list(APPEND told ${found})
  endforeach()
  if(NOT told)
    foreach(directory IN LISTS ARGN)
      _cudnn_checked_prefix_of_directory(prefix "${directory}")
      _cudnn_checked_add_places(named "${label}" "${prefix}")
    endforeach()
  endif()
  _cudnn_checked_put(user_roots "${named}")
endfunction()

# The variables by which CMake and find modules let a person name the package (CMP0074, CMP0144),
# but for those that the search reads.
function(_cudnn_checked_variables_of_package result package)
  set(names "")
  foreach(
    prefix
    IN
    ITEMS "${package}" CUDNN cuDNN CuDNN cudnn
  )
    if(prefix)
      list(APPEND names ${prefix}_ROOT ${prefix}_ROOT_DIR ${prefix}_DIR)
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  _cudnn_checked_hints(hints)
  list(REMOVE_ITEM names ${hints})
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_prefix_of_named(<prefix> <variable> <value>)
#
# The prefix of the header directory or the library that a variable of a person names.  A directory
# in place of a library is refused: the project would hand it to the linker.
function(_cudnn_checked_prefix_of_named prefix variable value)
  set(${prefix} "" PARENT_SCOPE)
  set(written "${value}")
  _cudnn_checked_plain_paths(value "${value}")
  _cudnn_checked_refuse_archive("${variable}" "${value}")
  if(NOT IS_ABSOLUTE "${value}" OR NOT EXISTS "${value}")
    return()
  endif()
  set(directory "${value}")
  if(NOT IS_DIRECTORY "${value}")
    get_filename_component(directory "${value}" DIRECTORY)
  endif()
  _cudnn_checked_prefix_of_directory(found "${directory}")
  set(${prefix} "${found}" PARENT_SCOPE)
  if(found AND CMAKE_HOST_WIN32 AND written MATCHES "\"")
    set(what "a path in quotes, which a project takes for a part of it")
    _cudnn_checked_refuse_value("${variable}" "${written}" "${what}" "${found}")
  endif()
  _cudnn_checked_provided_names(files others)
  list(FILTER files INCLUDE REGEX "LIBRARY ${variable}$")
  if(files AND IS_DIRECTORY "${value}")
    set(what "a directory, and a project links what it names")
    _cudnn_checked_refuse_value("${variable}" "${value}" "${what}" "${found}")
  endif()
endfunction()

# Refuses a static library in such a variable.
function(_cudnn_checked_refuse_archive variable value)
  get_filename_component(name "${value}" NAME)
  _cudnn_checked_asked_part(part "${name}")
  if(part STREQUAL "static")
    get_filename_component(directory "${value}" DIRECTORY)
    _cudnn_checked_prefix_of_directory(found "${directory}")
    set(what "a static cuDNN, and only a shared one can be proved")
    _cudnn_checked_refuse_value("${variable}" "${value}" "${what}" "${found}")
  endif()
endfunction()

# Refuses the value of a cache entry; <beside> is the prefix of the cuDNN that is there, or empty.
function(_cudnn_checked_refuse_value variable value what beside)
  _cudnn_checked_load_search()
  _cudnn_checked_put_where()
  # Before the search: what writes the message may have to be compiled.
  _cudnn_checked_claim_work()
  set(fix "name the shared library itself")
  if(beside)
    set(fix "@configure -U ${variable} -D CuDNNChecked_ROOT=${beside}")
  endif()
  _cudnn_checked_refuse(
    SUMMARY "${variable} names ${what}"
    FACTS "value|${value}|${variable}"
    FIX "${fix}"
  )
  _cudnn_checked_end_configure()
endfunction()

# The prefix below which the search finds the header or the library in this directory; empty where
# it has none.
function(_cudnn_checked_prefix_of_directory prefix directory)
  set(${prefix} "" PARENT_SCOPE)
  if(NOT IS_DIRECTORY "${directory}")
    return()
  endif()
  _cudnn_checked_load_search()
  _cudnn_checked_put_where()
  # A project makes it of the one of a person, which may end with "/".
  cmake_path(NORMAL_PATH directory OUTPUT_VARIABLE place)
  string(REGEX REPLACE "(.)/+$" "\\1" place "${place}")
  set(inside "${place}")
  foreach(level RANGE 3)
    _cudnn_checked_directories_of(libraries headers "${place}")
    if(WIN32)
      set(folders "")
      foreach(folder IN LISTS libraries)
        _cudnn_checked_import_folders(folders "${folder}")
        list(APPEND libraries ${folders})
      endforeach()
    endif()
    if("${inside}" IN_LIST libraries OR "${inside}" IN_LIST headers OR level EQUAL 0)
      _cudnn_checked_has_cudnn(has "\t${place}")
      if(has)
        set(${prefix} "${place}" PARENT_SCOPE)
        # Headers may lie in a directory that is one of a cuDNN, too.
        if(NOT level EQUAL 0)
          return()
        endif()
      endif()
    endif()
    get_filename_component(place "${place}" DIRECTORY)
  endforeach()
endfunction()

# Refuses what was proved where a variable names another cuDNN, or asks for the static one: the
# options are those of known projects.
function(_cudnn_checked_check_named)
  set(shared MGE_WITH_CUDNN_SHARED)
  if(CUDNN_STATIC)
    _cudnn_checked_refuse_static(CUDNN_STATIC "${CUDNN_STATIC}" "@configure -D CUDNN_STATIC=OFF")
  elseif(MGE_CUDA_USE_STATIC AND DEFINED ${shared} AND NOT ${shared})
    _cudnn_checked_refuse_static(${shared} "${${shared}}" "@configure -D ${shared}=ON")
  endif()
  _cudnn_checked_get(user)
  _cudnn_checked_hints(hints)
  list(REMOVE_ITEM hints CuDNNChecked_ROOT)
  get_property(given_names GLOBAL PROPERTY _cudnn_checked_given)
  foreach(name IN LISTS hints)
    if("${name}" IN_LIST given_names)
      _cudnn_checked_add_places(user_places "${name}" "${${name}}")
    endif()
  endforeach()
  _cudnn_checked_get_stamp(place_library)
  set(obeyed "")
  set(others "")
  foreach(place IN LISTS user_places)
    _cudnn_checked_read_place(label directory "${place}")
    _cudnn_checked_is_below(below "${place_library}" "${directory}")
    if(below)
      list(APPEND obeyed "${label}")
    else()
      list(APPEND others "${place}")
    endif()
  endforeach()
  foreach(place IN LISTS others)
    _cudnn_checked_read_place(label directory "${place}")
    if(NOT "${label}" IN_LIST obeyed)
      _cudnn_checked_refuse_named("${label}" "${directory}" "${obeyed}" "-U ${label}")
    endif()
  endforeach()
endfunction()

# _cudnn_checked_check_hints(<directory>...)
#
# Refuses what was proved where one of these directories of a call leads to another cuDNN, and a
# person has given it, or one above it, to a variable of the project's own (USE_CUDNN).  What the
# project has hard-wired, or as its default, is no word of a person.
function(_cudnn_checked_check_hints)
  _cudnn_checked_get_stamp(place_library place_prefix)
  _cudnn_checked_get(user)
  get_property(given GLOBAL PROPERTY _cudnn_checked_given)
  get_cmake_property(entries CACHE_VARIABLES)
  list(FILTER entries INCLUDE REGEX "[Cc][Uu][Dd][Nn][Nn]")
  foreach(directory IN LISTS ARGN)
    _cudnn_checked_other_cudnn_of(other "${directory}")
    foreach(name IN LISTS entries)
      string(REGEX REPLACE "(.)/+$" "\\1" value "$CACHE{${name}}")
      get_property(type CACHE ${name} PROPERTY TYPE)
      get_property(help CACHE ${name} PROPERTY HELPSTRING)
      # Not what CMake (the folder of a project), a find command or this file has put there.
      if(other STREQUAL "" OR NOT IS_DIRECTORY "${value}" OR type MATCHES "STATIC|INTERNAL")
        continue()
      elseif(help MATCHES "^Path to a (file|library)[.]$|^The directory containing a CMake")
        continue()
      endif()
      _cudnn_checked_is_below(reaches "${directory}" "${value}")
      _cudnn_checked_is_below(obeyed "${place_library}" "${value}")
      if(reaches AND NOT obeyed AND "${name}" IN_LIST given)
        set(mend "-D ${name}=${place_prefix}")
        _cudnn_checked_refuse_named("${name}" "${other}" "${user_places}" "${mend}")
      elseif(reaches AND NOT obeyed)
        # Taken back at the end, or at the next start: it would look like one of a person.
        set_property(GLOBAL APPEND PROPERTY _cudnn_checked_provider_entries "${name}")
        set(help "Provided by CuDNNCheckedProvider.cmake")
        set_property(CACHE ${name} PROPERTY HELPSTRING "${help}")
      endif()
    endforeach()
  endforeach()
endfunction()

# The prefix of the cuDNN that this directory leads to; empty where that is the one that was proved.
function(_cudnn_checked_other_cudnn_of prefix directory)
  _cudnn_checked_get_stamp(place_library place_include)
  _cudnn_checked_prefix_of_directory(other "${directory}")
  foreach(file IN ITEMS "${place_library}" "${place_include}/cudnn.h")
    if(other)
      _cudnn_checked_is_below(same "${file}" "${other}")
      if(same)
        set(other "")
      endif()
    endif()
  endforeach()
  set(${prefix} "${other}" PARENT_SCOPE)
endfunction()

# Whether the file lies below the directory, by its path or by that of what it is a link to.
function(_cudnn_checked_is_below result file directory)
  file(REAL_PATH "${file}" real_file)
  file(REAL_PATH "${directory}" real_directory)
  set(below FALSE)
  cmake_path(IS_PREFIX directory "${file}" NORMALIZE below)
  if(NOT below)
    cmake_path(IS_PREFIX real_directory "${real_file}" below)
  endif()
  set(${result} ${below} PARENT_SCOPE)
endfunction()

# Refuses the cuDNN that was proved for the other one, in the <directory>, that a variable names.
# <obeyed> are the variables that name the one that was proved; <mend> makes this one such.
function(_cudnn_checked_refuse_named variable directory obeyed mend)
  _cudnn_checked_get_stamp(place_library place_version)
  _cudnn_checked_prefix_of_directory(other "${directory}")
  set(fixes "")
  if(other AND obeyed STREQUAL "")
    set(fixes "@set CuDNNChecked_ROOT ${other}")
  endif()
  if(DEFINED CACHE{${variable}})
    list(PREPEND fixes "@configure ${mend}")
  endif()
  _cudnn_checked_load_search()
  _cudnn_checked_refuse(
    SUMMARY "${variable} names another place than that of the cuDNN that was proved"
    FACTS "named|${${variable}}|${variable}" "proved|${place_library}|cuDNN ${place_version}"
    FIX ${fixes}
  )
  _cudnn_checked_end_configure()
endfunction()

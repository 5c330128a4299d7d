# SPDX-License-Identifier: BSD-3-Clause
#
# Paths that a build cannot use, and directories that cannot be written.

# _cudnn_checked_path_refusal(<path>...)
#
# Refuses where a path that a build would have to name has a character that CMake or the generator
# cannot write there.  What a link leads to becomes an element of lists.
function(_cudnn_checked_path_refusal)
  math(EXPR last "${ARGC} - 1")
  foreach(index RANGE 0 ${last})
    set(path "${ARGV${index}}")
    set(character "")
    # CMake reads these again in the project of try_compile, and in what it generates.
    if(path MATCHES "[\"\\\\\n]|[$]ENV{|[$]{|[$]<")
      set(character "${CMAKE_MATCH_0}")
    elseif(CMAKE_GENERATOR MATCHES "Ninja" AND path MATCHES "[|]")
      # A separator of build.ninja.
      set(character "|")
    endif()
    set(because "No target can be compiled or linked with this path.")
    set(fix "choose another name for the directory")
    if(NOT CMAKE_HOST_WIN32)
      list(APPEND fix "name a link to it, made with ln -s")
    endif()
    if(character STREQUAL "")
      _cudnn_checked_unlisted(character "${path}")
      if(character STREQUAL "")
        file(REAL_PATH "${path}" path)
        _cudnn_checked_unlisted(character "${path}")
      endif()
      set(because "CMake's lists of files cannot have it.")
      set(fix "choose another name for the directory")
    endif()
    if(NOT character STREQUAL "")
      _cudnn_checked_path_message("${path}" "${character}" "" "${because}" ${fix})
      return()
    endif()
  endforeach()
endfunction()

# _cudnn_checked_hint_refusal(<variable>...)
#
# Replaces the refusal if a variable, or the environment variable of that name, has an existing
# directory that cannot be an element of a CMake list: that is why nothing was found.
function(_cudnn_checked_hint_refusal)
  _cudnn_checked_get(refusal)
  if(NOT refusal)
    return()
  endif()
  foreach(name IN LISTS ARGN)
    foreach(kind IN ITEMS variable environment)
      set(named_by "${name}")
      set(separator "\n")
      set(value "${${name}}")
      if(kind STREQUAL "environment")
        set(named_by "environment ${name}")
        set(separator ":")
        set(value "$ENV{${name}}")
      endif()
      if(NOT value MATCHES "[][;]")
        continue()
      endif()
      _cudnn_checked_hidden(value "${value}")
      string(REPLACE "${separator}" ";" whole "${value}")
      string(ASCII 5 semicolon)
      string(REPLACE "${semicolon}" ";" parts "${whole}")
      foreach(path IN LISTS whole parts)
        _cudnn_checked_shown(path "${path}")
        _cudnn_checked_unlisted(character "${path}")
        if(character AND IS_DIRECTORY "${path}")
          _cudnn_checked_path_message("${path}" "${character}" "${named_by}"
                                      "CMake's lists of files cannot have it."
                                      "choose another name for the directory"
          )
          return()
        endif()
      endforeach()
    endforeach()
  endforeach()
endfunction()

# The character that keeps a path from being an element of a list: CMake does not split a list
# between a "[" and its "]".
function(_cudnn_checked_unlisted result path)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_hidden(path "${path}")
  foreach(code IN ITEMS 3 4 5)
    string(ASCII ${code} hidden)
    string(REGEX MATCHALL "${hidden}" all "${path}")
    list(LENGTH all count_${code})
  endforeach()
  if(count_5 GREATER 0)
    set(${result} ";" PARENT_SCOPE)
  elseif(count_3 GREATER count_4)
    set(${result} "[ without ]" PARENT_SCOPE)
  elseif(count_4 GREATER count_3)
    set(${result} "] without [" PARENT_SCOPE)
  endif()
endfunction()

function(_cudnn_checked_path_message path character named_by because)
  set(summary "CMake cannot use a path with this character")
  set(words "")
  _cudnn_checked_add_words(words summary "${summary}")
  _cudnn_checked_add_words(words path "${path}")
  _cudnn_checked_add_words(words character "${character}")
  if(NOT named_by STREQUAL "")
    _cudnn_checked_add_words(words fact "named by|${named_by}|")
  endif()
  _cudnn_checked_add_words(words because "${because}")
  _cudnn_checked_add_words(words fix ${ARGN})
  _cudnn_checked_explain("${summary}: ${path}, ${character}" message ${words})
endfunction()

# _cudnn_checked_unwritable(<directory> [<file>...])
#
# Makes a directory of the build tree.  Refuses if it cannot be written, or if one of its files is
# no regular file: file(WRITE) would end CMake with an error message of its own.
function(_cudnn_checked_unwritable directory)
  if(NOT EXISTS "${directory}" AND NOT IS_SYMLINK "${directory}")
    get_filename_component(above "${directory}" DIRECTORY)
    _cudnn_checked_unwritable("${above}")
    _cudnn_checked_return_if_refused()
    file(MAKE_DIRECTORY "${directory}")
  endif()
  if(EXISTS "${directory}" AND NOT IS_DIRECTORY "${directory}")
    _cudnn_checked_in_the_way("${directory}" "not a directory")
    return()
  endif()
  # Another CMake may do the same.
  string(RANDOM LENGTH 12 unique)
  file(COPY_FILE "${CMAKE_CURRENT_FUNCTION_LIST_FILE}" "${directory}/${unique}.new" RESULT error)
  if(NOT error STREQUAL "0")
    _cudnn_checked_unwritable_refusal("${directory}" "${error}")
  endif()
  file(REMOVE "${directory}/${unique}.new")
  foreach(file IN LISTS ARGN)
    _cudnn_checked_no_file(kind "${directory}/${file}")
    if(kind)
      _cudnn_checked_in_the_way("${directory}/${file}" "${kind}, not a file")
    endif()
  endforeach()
endfunction()

# _cudnn_checked_claim_work()
#
# Makes the directory of the build tree that has all files of this package, with a file that marks
# it.  Refuses an existing directory without this file, and a link, because files are removed and
# replaced there: in a build inside the sources the vendored package can have the same name, and a
# link leads out of the build tree.
function(_cudnn_checked_claim_work)
  _cudnn_checked_get(where)
  set(mark "${work_directory}/cudnn_checked.txt")
  if(IS_SYMLINK "${work_directory}")
    _cudnn_checked_not_of_this("${work_directory}" "a link")
    return()
  elseif(IS_DIRECTORY "${work_directory}" AND NOT EXISTS "${mark}")
    _cudnn_checked_glob(there "${work_directory}" "*")
    # Of another CMake that makes it now, and of add_subdirectory(CuDNNChecked), which makes it
    # first.
    _cudnn_checked_own_leftovers(of_others "${there}")
    list(REMOVE_ITEM there "" ${of_others})
    set(of_cmake "CMakeFiles|Makefile|cmake_install[.]cmake|CTestTestfile[.]cmake|CMakeScripts")
    string(APPEND of_cmake "|[^/]+[.](slnx?|vcxproj|vcxproj[.]filters|xcodeproj)")
    list(FILTER there EXCLUDE REGEX "/(${of_cmake})$")
    if(there)
      _cudnn_checked_not_of_this("${work_directory}" "a directory that CuDNNChecked did not make")
      return()
    endif()
  endif()
  _cudnn_checked_files_of_work(files)
  _cudnn_checked_unwritable("${work_directory}" ${files})
  _cudnn_checked_return_if_refused()
  if(NOT EXISTS "${mark}")
    set(text "find_package(CuDNNChecked) made this directory. It removes and replaces files here.")
    _cudnn_checked_write("${mark}" "${text}\n")
  endif()
endfunction()

# The files there that are written and read back: the search may compile a program already.
function(_cudnn_checked_files_of_work result)
  set(suffix "${CMAKE_EXECUTABLE_SUFFIX}")
  set(files build.log build_judge.log build_sweep.log)
  # The reader of DLLs and what writes messages in its place run on this machine.
  foreach(
    name
    IN
    ITEMS
      configure${suffix}
      judge${suffix}
      target_configure${suffix}
      target_judge${suffix}
      probe${suffix}
      sweep${suffix}
      adviser
      reader
      core.o
      core.obj
      judge.o
      judge.obj
      repairs.o
      repairs.obj
  )
    list(APPEND files cudnn_checked_${name} cudnn_checked_${name}.signature)
  endforeach()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

function(_cudnn_checked_not_of_this path kind)
  _cudnn_checked_refuse(
    SUMMARY "something else is in the place of a directory of the build tree"
    FACTS "path|${path}|" "it is|${kind}|"
    BECAUSE "Files are removed and replaced there."
    FIX "name another build directory: cmake -B DIRECTORY"
  )
endfunction()

# _cudnn_checked_write_refusal(<directory> <output>)
#
# Refuses where the output of a compiler or of the probe says that there was no space left.
function(_cudnn_checked_write_refusal directory output)
  set(errors "No space left on device|Disk quota exceeded|Read-only file system")
  # A compiler's own files lie in TMPDIR.
  if(output MATCHES "error writing to ([^:\n]*)/[^/:\n]*: (${errors})")
    _cudnn_checked_unwritable_refusal("${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}" TEMPORARY)
  elseif(output MATCHES "${errors}")
    _cudnn_checked_unwritable_refusal("${directory}" "${CMAKE_MATCH_0}")
  endif()
endfunction()

function(_cudnn_checked_unwritable_refusal directory error)
  string(REGEX REPLACE " \\(output\\)$" "" error "${error}")
  if("TEMPORARY" IN_LIST ARGN)
    _cudnn_checked_refuse(
      SUMMARY "the compiler's temporary directory cannot be written"
      FACTS "directory|${directory}|" "error|${error}|"
      FIX "name a directory with space in the environment variable TMPDIR, then configure again"
    )
    return()
  endif()
  set(space "")
  if(error MATCHES "space|quota")
    set(space "more space is needed on the file system of this directory")
  endif()
  _cudnn_checked_refuse(
    SUMMARY "a directory of the build tree cannot be written"
    FACTS "directory|${directory}|" "error|${error}|"
    FIX ${space} "name a build directory that can be written: cmake -B DIRECTORY"
  )
endfunction()

function(_cudnn_checked_in_the_way path kind)
  _cudnn_checked_refuse(
    SUMMARY "something else is in the place of a file of the build tree"
    FACTS "path|${path}|" "it is|${kind}|"
    FIX "@remove ${path}"
  )
endfunction()

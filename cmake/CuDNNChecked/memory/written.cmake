# SPDX-License-Identifier: BSD-3-Clause
#
# Files of the build tree: written whole or not at all, and by one CMake at a time.

# _cudnn_checked_write(<file> <text>)
#
# Writes the file beside its place and renames it: a CMake that is killed leaves the old one or the
# new one, and never a part.  The name is unique, because another CMake may write at the same time.
function(_cudnn_checked_write file text)
  string(RANDOM LENGTH 12 unique)
  file(WRITE "${file}.${unique}.new" "${text}")
  file(RENAME "${file}.${unique}.new" "${file}")
endfunction()

# _cudnn_checked_keep_program(<program> <signature>)
#
# Writes beside the program what it was built from, and its size and hash: a file that was cut,
# emptied or overwritten since is not that program.
function(_cudnn_checked_keep_program program signature)
  if(NOT program MATCHES "[.](a|lib|o|obj)$")
    _cudnn_checked_is_executable(executable "${program}")
    # The umask may forbid it.
    if(NOT executable)
      file(
        CHMOD
        "${program}"
        PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
      )
    endif()
  endif()
  _cudnn_checked_content(content "${program}")
  _cudnn_checked_write("${program}.signature" "${signature}\n${content}\n")
endfunction()

# _cudnn_checked_is_built(<result> <program> <signature>)
#
# Whether the program exists, was built with this signature, is complete, and can be started.  A
# build tree from an archive may lack the permission, and a crash of the machine may lose content.
# Call this only before the program is used, because the whole file is read.
function(_cudnn_checked_is_built result program signature)
  set(${result} FALSE PARENT_SCOPE)
  if(NOT EXISTS "${program}" OR IS_DIRECTORY "${program}" OR NOT EXISTS "${program}.signature")
    return()
  endif()
  _cudnn_checked_content(content "${program}")
  file(READ "${program}.signature" kept)
  if(NOT kept STREQUAL "${signature}\n${content}\n")
    return()
  endif()
  set(executable TRUE)
  if(NOT program MATCHES "[.](a|lib|o|obj)$")
    _cudnn_checked_is_executable(executable "${program}")
  endif()
  set(${result} "${executable}" PARENT_SCOPE)
endfunction()

# Whether the system lets this user start the file: CMake asks it where find_program does (CMP0109).
function(_cudnn_checked_is_executable result program)
  set(${result} FALSE PARENT_SCOPE)
  get_filename_component(directory "${program}" DIRECTORY)
  get_filename_component(name "${program}" NAME)
  unset(_cudnn_checked_started)
  find_program(
    _cudnn_checked_started
    NAMES "${name}"
    PATHS "${directory}" NO_CACHE
    NO_DEFAULT_PATH
    NO_CMAKE_FIND_ROOT_PATH
  )
  if(_cudnn_checked_started)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_lock_work(<seconds>)
#
# Only one CMake at a time searches, compiles and proves in a build tree.  The system gives the lock
# back when a CMake ends, however it ends.  Refuses where another one holds it for longer than a
# probe may take, <seconds>; where the file system knows no locks, there is none.
function(_cudnn_checked_lock_work seconds)
  _cudnn_checked_get(where)
  set(lock "${work_directory}/lock")
  _cudnn_checked_put(lock_file "")
  # CMake would cut the file that a link leads to.
  if(IS_SYMLINK "${lock}")
    _cudnn_checked_in_the_way("${lock}" "a link, not a file")
    return()
  endif()
  file(LOCK "${lock}" GUARD PROCESS RESULT_VARIABLE result TIMEOUT 0)
  if(result MATCHES "[Tt]imeout")
    if(NOT CuDNNChecked_FIND_QUIETLY)
      message(STATUS "CuDNNChecked: waits for another CMake that configures this build tree")
    endif()
    string(REGEX REPLACE "[.].*$" "" seconds "0${seconds}")
    math(EXPR seconds "${seconds} + 1")
    file(LOCK "${lock}" GUARD PROCESS RESULT_VARIABLE result TIMEOUT ${seconds})
  endif()
  if(result MATCHES "[Tt]imeout")
    _cudnn_checked_refuse(
      SUMMARY "another CMake configures this build tree"
      FACTS "waited for|${seconds} s|CuDNNChecked_PROBE_TIMEOUT + 1" "locked|${lock}|"
      BECAUSE "Two of them would overwrite each other's programs and reports."
      FIX "configure again when the other one has ended" "@set CuDNNChecked_PROBE_TIMEOUT 600"
          "name another build directory: cmake -B DIRECTORY"
    )
  elseif(result STREQUAL "0")
    _cudnn_checked_put(lock_file "${lock}")
    # Of a CMake that was killed while it wrote.
    _cudnn_checked_glob(there "${work_directory}" "*.new" "*/*.new" "*/*.part")
    _cudnn_checked_own_leftovers(left "${there}")
    if(left)
      file(REMOVE ${left})
    endif()
  endif()
endfunction()

# _cudnn_checked_own_leftovers(<result> <paths>)
#
# Selects the paths of temporary files of this package.  A name with a ";" is several elements of
# the list, and none of them is selected.
function(_cudnn_checked_own_leftovers result paths)
  _cudnn_checked_get(where)
  string(REPEAT "[0-9A-Za-z]" 12 random)
  set(own "")
  foreach(path IN LISTS paths)
    string(FIND "${path}" "${work_directory}/" at)
    if(at EQUAL 0 AND path MATCHES "([/.]${random}[.]new|/cudnn_checked[.][0-9]+[.][0-9]+[.]part)$")
      list(APPEND own "${path}")
    endif()
  endforeach()
  set(${result} "${own}" PARENT_SCOPE)
endfunction()

# Gives the lock back, where there is one.
function(_cudnn_checked_unlock_work)
  get_property(lock GLOBAL PROPERTY _cudnn_checked_lock_file)
  if(lock)
    file(LOCK "${lock}" RELEASE RESULT_VARIABLE result)
    _cudnn_checked_put(lock_file "")
  endif()
endfunction()

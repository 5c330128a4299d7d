# SPDX-License-Identifier: BSD-3-Clause
#
# What the linker is given: import libraries, those of the install, or made from what the DLLs
# export.

# _cudnn_checked_find_opened(<result> place cuda)
#
# Nothing, because a program that is linked with a DLL needs it in PATH all the
# same.
function(_cudnn_checked_find_opened result place cuda)
  set(${result} "" PARENT_SCOPE)
endfunction()

# _cudnn_checked_find_links(place cuda <again> input)
#
# Sets place_link, place_sublinks and cuda_link: what the linker is given.  A DLL that has no import
# library and is only searched for stands for itself.  <again> is whether one turned out to be for
# another machine: the search must be made again without it.
function(_cudnn_checked_find_links place cuda again input)
  set(${again} FALSE PARENT_SCOPE)
  get_property(known GLOBAL PROPERTY _cudnn_checked_other_dlls)
  _cudnn_checked_link_of(cuda_link "${cuda_library}" input REQUIRED OBJECTS)
  _cudnn_checked_link_of(place_link "${place_library}" input REQUIRED)
  get_property(others GLOBAL PROPERTY _cudnn_checked_other_dlls)
  if(NOT "${others}" STREQUAL "${known}")
    set(${again} TRUE PARENT_SCOPE)
    return()
  endif()
  set(links "")
  foreach(library IN LISTS place_sublibraries)
    _cudnn_checked_link_of(link "${library}" input)
    list(APPEND links "${link}")
  endforeach()
  set(cuda_link "${cuda_link}" PARENT_SCOPE)
  set(place_link "${place_link}" PARENT_SCOPE)
  set(place_sublinks "${links}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_link_of(<result> <dll> input [REQUIRED] [OBJECTS])
#
# cudnn64_9.lib or cudnn.lib in the folder of import libraries that belongs to that of the DLL, or
# one that is made.  OBJECTS: the one of the install may contain objects of Microsoft's compiler,
# as cudart.lib does since CUDA 13.0, which only Microsoft's runtime completes.
function(_cudnn_checked_link_of result dll input)
  set(${result} "${dll}" PARENT_SCOPE)
  get_filename_component(directory "${dll}" DIRECTORY)
  get_filename_component(numbered "${dll}" NAME_WE)
  string(REGEX REPLACE "64_[0-9]+$" "" name "${numbered}")
  _cudnn_checked_import_folders(directories "${directory}")
  if(
    CMAKE_SIZEOF_VOID_P EQUAL 4
    AND "REQUIRED" IN_LIST ARGN
    AND NOT input_require STREQUAL "LOCATED"
  )
    _cudnn_checked_no_link("${dll}" "${name}.lib" "32-bit" "" input)
    return()
  endif()
  if("OBJECTS" IN_LIST ARGN AND NOT MSVC)
    _cudnn_checked_make_link(made why "${dll}" "${numbered}")
    if(made)
      set(${result} "${made}" PARENT_SCOPE)
      return()
    elseif(why STREQUAL "machine")
      set_property(GLOBAL APPEND PROPERTY _cudnn_checked_other_dlls "${dll}")
      return()
    endif()
  endif()
  foreach(file IN LISTS directories)
    foreach(file IN ITEMS "${file}/${numbered}.lib" "${file}/${name}.lib")
      _cudnn_checked_seen("${file}")
      _cudnn_checked_no_file(kind "${file}")
      if(EXISTS "${file}" AND NOT kind)
        set(${result} "${file}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
  _cudnn_checked_make_link(made why "${dll}" "${numbered}")
  if(made)
    set(${result} "${made}" PARENT_SCOPE)
  elseif("REQUIRED" IN_LIST ARGN AND why STREQUAL "machine")
    set_property(GLOBAL APPEND PROPERTY _cudnn_checked_other_dlls "${dll}")
  elseif("REQUIRED" IN_LIST ARGN AND NOT input_require STREQUAL "LOCATED")
    _cudnn_checked_no_link("${dll}" "${name}.lib" "${why}" "${directories}" input)
  endif()
endfunction()

# _cudnn_checked_import_folders(<result> <directory>)
#
# Where the import libraries of the DLLs in this directory may be.
function(_cudnn_checked_import_folders result directory)
  set(directories "${directory}")
  if(directory MATCHES "^(.*)/bin(/.*)?$")
    set(lib "${CMAKE_MATCH_1}/lib")
    set(own "${lib}${CMAKE_MATCH_2}")
    list(PREPEND directories "${own}/x64" "${own}" "${lib}/x64" "${lib}")
    list(REMOVE_DUPLICATES directories)
  endif()
  set(${result} "${directories}" PARENT_SCOPE)
endfunction()

# Makes an import library in the build tree.  If it cannot be made, <why> is the reason: "damaged"
# if the DLL exports nothing, "machine" if it is for another machine.
function(_cudnn_checked_make_link result why dll name)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_get(where)
  set(file "${work_directory}/import/${name}.lib")
  set(definition "${work_directory}/import/${name}.def")
  _cudnn_checked_import_tool(command "${definition}" "${file}")
  if(NOT command)
    set(${why} "no dlltool (CMAKE_DLLTOOL, PATH), and no lib.exe (CMAKE_AR)" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_file_facts(signature "${dll}")
  set(signature "${signature}${command}")
  _cudnn_checked_is_built(is_built "${file}" "${signature}")
  if(NOT is_built)
    _cudnn_checked_write_definition(reason "${definition}" "${dll}")
    if(reason)
      set(${why} "${reason}" PARENT_SCOPE)
      return()
    endif()
    file(REMOVE "${file}")
    # GNU's dlltool leaves files in the temporary directory (seen with binutils 2.40).
    set(scratch "${CMAKE_COMMAND}" -E env "TMPDIR=${work_directory}/import")
    execute_process(
      COMMAND ${scratch} ${command}
      RESULT_VARIABLE status
      OUTPUT_QUIET
      ERROR_VARIABLE errors
    )
    if(NOT status STREQUAL "0" OR NOT EXISTS "${file}")
      string(REGEX REPLACE "[\r\n|]+" " " errors "${errors}")
      list(GET command 0 tool)
      set(${why} "${tool} ends with ${status}: ${errors}" PARENT_SCOPE)
      return()
    endif()
    _cudnn_checked_keep_program("${file}" "${signature}")
  endif()
  set(${result} "${file}" PARENT_SCOPE)
endfunction()

# The command that makes an import library from a list of exports: lib of Microsoft or llvm-lib, or
# dlltool of GNU or LLVM.
function(_cudnn_checked_import_tool result definition file)
  set(command "${CMAKE_AR}" /nologo /machine:x64)
  list(APPEND command "/def:${definition}" "/out:${file}")
  if(NOT MSVC OR NOT CMAKE_AR)
    set(command "${CMAKE_DLLTOOL}")
    if(NOT EXISTS "${command}")
      _cudnn_checked_on_path(command x86_64-w64-mingw32-dlltool llvm-dlltool dlltool)
    endif()
    if(command)
      list(APPEND command -m i386:x86-64)
      list(APPEND command -d "${definition}" -l "${file}")
    endif()
  endif()
  set(${result} "${command}" PARENT_SCOPE)
endfunction()

# Writes the module definition of a DLL.  The configure program reads what it exports.  <why> is the
# reason where it is not written, as for _cudnn_checked_make_link.
function(_cudnn_checked_write_definition why definition dll)
  set(${why} "" PARENT_SCOPE)
  _cudnn_checked_program_to_ask(program starter reason judge)
  if(NOT program)
    set(${why} "no program that reads the DLL: ${reason}" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_target_machine(machine folders)
  execute_process(
    COMMAND ${starter} "${program}" configure import-library "dll=${dll}" "machine=${machine}"
    TIMEOUT 60
    RESULT_VARIABLE status
    OUTPUT_VARIABLE text
    ERROR_QUIET
  )
  if(status STREQUAL "0")
    _cudnn_checked_write("${definition}" "${text}")
  elseif(status STREQUAL "1")
    set(${why} damaged PARENT_SCOPE)
  elseif(status STREQUAL "4")
    set(${why} machine PARENT_SCOPE)
  else()
    set(${why} "${program} ends with ${status}" PARENT_SCOPE)
  endif()
endfunction()

# Refuses because there is no import library for this DLL.
function(
  _cudnn_checked_no_link
  dll
  name
  why
  directories
  input
)
  set(words "")
  _cudnn_checked_add_words(words why "${why}")
  _cudnn_checked_add_words(words directory ${directories})
  set(what "no program can be linked with ${dll}: ${why}")
  _cudnn_checked_advise("${what}" explain-import input "dll=${dll}" "file=${name}" ${words})
endfunction()

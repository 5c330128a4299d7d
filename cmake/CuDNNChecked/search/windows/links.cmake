# SPDX-License-Identifier: BSD-3-Clause
#
# What the linker is given: import libraries, those of the install, or made from what the DLLs export.

# _cudnn_checked_find_opened(<prefix of cuDNN>)
#
# Puts cuda_opened: nothing, because a program that is linked with a DLL needs it in PATH all the
# same.
function(_cudnn_checked_find_opened prefix)
  _cudnn_checked_put(cuda_opened "")
endfunction()

# _cudnn_checked_find_links()
#
# Puts place_link, place_sublinks and cuda_link: what the linker is given.  A DLL that has no import
# library and is only searched for stands for itself.
function(_cudnn_checked_find_links)
  _cudnn_checked_get(place cuda)
  _cudnn_checked_link_of(cuda_link "${cuda_library}" REQUIRED OBJECTS)
  _cudnn_checked_link_of(place_link "${place_library}" REQUIRED)
  set(links "")
  foreach(library IN LISTS place_sublibraries)
    _cudnn_checked_link_of(link "${library}")
    list(APPEND links "${link}")
  endforeach()
  _cudnn_checked_put(cuda_link "${cuda_link}")
  _cudnn_checked_put(place_link "${place_link}")
  _cudnn_checked_put(place_sublinks "${links}")
endfunction()

# _cudnn_checked_link_of(<result> <dll> [REQUIRED] [OBJECTS])
#
# cudnn64_9.lib or cudnn.lib in the folder of import libraries that belongs to that of the DLL, or
# one that is made.  OBJECTS: the one of the install may contain objects of Microsoft's compiler,
# as cudart.lib does since CUDA 13.0, which only Microsoft's runtime completes.
function(_cudnn_checked_link_of result dll)
  set(${result} "${dll}" PARENT_SCOPE)
  get_filename_component(directory "${dll}" DIRECTORY)
  get_filename_component(numbered "${dll}" NAME_WE)
  string(REGEX REPLACE "64_[0-9]+$" "" name "${numbered}")
  set(directories "${directory}")
  if(directory MATCHES "^(.*)/bin(/.*)?$")
    set(lib "${CMAKE_MATCH_1}/lib")
    set(own "${lib}${CMAKE_MATCH_2}")
    list(PREPEND directories "${own}/x64" "${own}" "${lib}/x64" "${lib}")
    list(REMOVE_DUPLICATES directories)
  endif()
  if("OBJECTS" IN_LIST ARGN AND NOT MSVC)
    _cudnn_checked_make_link(made why "${dll}" "${numbered}")
    if(made)
      set(${result} "${made}" PARENT_SCOPE)
      return()
    endif()
  endif()
  foreach(file IN LISTS directories)
    foreach(file IN ITEMS "${file}/${numbered}.lib" "${file}/${name}.lib")
      _cudnn_checked_seen(FILES "${file}")
      _cudnn_checked_no_file(kind "${file}")
      if(EXISTS "${file}" AND NOT kind)
        set(${result} "${file}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
  _cudnn_checked_make_link(made why "${dll}" "${numbered}")
  _cudnn_checked_get(input)
  if(made)
    set(${result} "${made}" PARENT_SCOPE)
  elseif("REQUIRED" IN_LIST ARGN AND NOT input_require STREQUAL "LOCATED")
    _cudnn_checked_no_link("${dll}" "${name}.lib" "${why}" "${directories}")
  endif()
endfunction()

# Makes an import library in the build tree.  If it cannot be made, <why> is the reason: "damaged"
# if the DLL exports nothing.
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
    _cudnn_checked_exported_names(names "${dll}" "${definition}")
    if(names STREQUAL "NOTFOUND")
      set(${why} damaged PARENT_SCOPE)
      return()
    endif()
    list(JOIN names "\n" names)
    get_filename_component(library "${dll}" NAME)
    _cudnn_checked_write("${definition}" "LIBRARY ${library}\nEXPORTS\n${names}\n")
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

# _cudnn_checked_exported_names(<result> <dll> <scratch>)
#
# The names of C among those that a DLL exports; NOTFOUND where it cannot be read.  The table of
# exports ends with the names ("PE Format", The .edata Section); <scratch> is a file that gets them.
function(_cudnn_checked_exported_names result dll scratch)
  set(${result} NOTFOUND PARENT_SCOPE)
  _cudnn_checked_export_table(table size shift "${dll}")
  _cudnn_checked_number(pointers "${dll}" "${table} + 32")
  _cudnn_checked_number(first "${dll}" "${pointers} + ${shift}")
  math(EXPR first "${first} + ${shift}")
  math(EXPR bytes "${table} + ${size} - ${first}")
  if(first GREATER table AND bytes GREATER 0)
    # Zero bytes end the strings of a file; CMake itself cannot divide a text there.
    file(READ "${dll}" text OFFSET ${first} LIMIT ${bytes})
    _cudnn_checked_write("${scratch}" "${text}")
    file(STRINGS "${scratch}" names REGEX "^[A-Za-z_][A-Za-z0-9_]*$")
    set(${result} "${names}" PARENT_SCOPE)
  endif()
endfunction()

# The offset of the export table in the file, its size, and the difference between an address in its
# section and the offset in the file; all 0 if there is no export table.
function(_cudnn_checked_export_table offset bytes shift dll)
  foreach(name IN ITEMS offset bytes shift)
    set(${${name}} 0 PARENT_SCOPE)
  endforeach()
  _cudnn_checked_number(header "${dll}" 60)
  _cudnn_checked_number(address "${dll}" "${header} + 24 + 112")
  _cudnn_checked_number(length "${dll}" "${header} + 24 + 116")
  _cudnn_checked_number(sections "${dll}" "${header} + 6")
  _cudnn_checked_number(optional "${dll}" "${header} + 20")
  math(EXPR sections "${sections} & 0xff")
  math(EXPR row "${header} + 24 + (${optional} & 0xffff)")
  foreach(number RANGE 1 ${sections})
    _cudnn_checked_number(size "${dll}" "${row} + 8")
    _cudnn_checked_number(begin "${dll}" "${row} + 12")
    _cudnn_checked_number(place "${dll}" "${row} + 20")
    math(EXPR end "${begin} + ${size}")
    if(address GREATER_EQUAL begin AND address LESS end)
      math(EXPR difference "${place} - ${begin}")
      math(EXPR position "${address} + ${difference}")
      set(${offset} ${position} PARENT_SCOPE)
      set(${bytes} ${length} PARENT_SCOPE)
      set(${shift} ${difference} PARENT_SCOPE)
    endif()
    math(EXPR row "${row} + 40")
  endforeach()
endfunction()

# The four bytes at <offset> as a number; 0 beyond the end of the file.
function(_cudnn_checked_number result file offset)
  math(EXPR offset "${offset}")
  file(READ "${file}" hex OFFSET ${offset} LIMIT 4 HEX)
  set(number 0)
  if(hex MATCHES "^(..)(..)(..)(..)$")
    math(EXPR number "0x${CMAKE_MATCH_4}${CMAKE_MATCH_3}${CMAKE_MATCH_2}${CMAKE_MATCH_1}")
  endif()
  set(${result} ${number} PARENT_SCOPE)
endfunction()

# Refuses because there is no import library for this DLL.
function(_cudnn_checked_no_link dll name why directories)
  get_filename_component(library "${dll}" NAME)
  if(why STREQUAL "damaged")
    _cudnn_checked_refuse(NAME library-corrupt
      SUMMARY "what ${library} exports cannot be read"
      FACTS "DLL|its headers or its table of exports are damaged|${dll}"
      BECAUSE "No program can be linked with it."
      ADVISE install
    )
    return()
  endif()
  list(TRANSFORM directories PREPEND "looked in|")
  _cudnn_checked_refuse(NAME probe-not-linked
    SUMMARY "there is no import library of ${library}, and none can be made"
    FACTS "DLL|${library}|${dll}" "not made|${why}|" ${directories}
    BECAUSE "A program is linked with the import library of a DLL, and not with the DLL itself."
    FIX "name a dlltool: -D CMAKE_DLLTOOL=FILE" "name an install that has ${name}"
  )
endfunction()

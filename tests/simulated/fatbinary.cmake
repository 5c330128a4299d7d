# SPDX-License-Identifier: BSD-3-Clause
#
# simulated_fatbinary(<target> [LINK_STUB] <item>... [AND <item>...]...)
#
# Gives a plain C++ program or library the device code that nvcc would have put into it, for
# machines without nvcc: the section .nv_fatbin with one container for each translation unit (AND
# begins the next one), and .nvFatBinSegment that points to them.  Items as in CUDA_ARCHITECTURES:
# "75-real" is a cubin, "75-virtual" is PTX, "75" is both; "90a-real" and "100f-real" are for one
# architecture or family.  LINK_STUB adds the container that nvcc's device link step makes, with a
# cubin for each architecture and nothing in it that is loaded.  The headers are as nvcc 13.0 writes
# them; the code is not real.
function(simulated_fatbinary target)
  set(stub FALSE)
  set(number 0)
  set(entries_0 "")
  foreach(item IN LISTS ARGN)
    if(item STREQUAL "LINK_STUB")
      set(stub TRUE)
    elseif(item STREQUAL "AND")
      math(EXPR number "${number} + 1")
      set(entries_${number} "")
    elseif(item MATCHES "^([0-9]+)([af]?)(-real|-virtual)?$")
      set(architecture "${CMAKE_MATCH_1}, '${CMAKE_MATCH_2}'")
      string(REPLACE "''" "0" architecture "${architecture}")
      if(NOT CMAKE_MATCH_3 STREQUAL "-virtual")
        list(APPEND entries_${number} "simulated::make_cubin(${architecture})")
        list(APPEND stubs "simulated::make_stub(${architecture})")
      endif()
      if(NOT CMAKE_MATCH_3 STREQUAL "-real")
        list(APPEND entries_${number} "simulated::make_ptx(${architecture})")
      endif()
    else()
      message(FATAL_ERROR "simulated_fatbinary: \"${item}\" is no item of CUDA_ARCHITECTURES")
    endif()
  endforeach()

  set(text "// SPDX-License-Identifier: BSD-3-Clause\n#include \"fatbinary.h\"\n\n")
  if(stub)
    list(REMOVE_DUPLICATES stubs)
    _simulated_container(text stub 2 "${stubs}")
  endif()
  foreach(index RANGE ${number})
    _simulated_container(text ${index} 1 "${entries_${index}}")
  endforeach()
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${target}_fatbinary.cpp")
  file(CONFIGURE OUTPUT "${file}" CONTENT "${text}" @ONLY)
  target_sources(${target} PRIVATE "${file}")
  set_source_files_properties(
    "${file}"
    PROPERTIES INCLUDE_DIRECTORIES "${CMAKE_CURRENT_FUNCTION_LIST_DIR}"
  )
endfunction()

# Appends the definition of one container and of what points to it.
function(_simulated_container result name wrapper_version entries)
  set(members "")
  set(sizes "0")
  set(index 0)
  foreach(entry IN LISTS entries)
    set(type simulated::cubin)
    if(entry MATCHES "make_ptx")
      set(type simulated::ptx)
    endif()
    string(APPEND members "  ${type} entry_${index};\n")
    string(APPEND sizes " + sizeof(${type})")
    math(EXPR index "${index} + 1")
  endforeach()
  list(JOIN entries ",\n    " values)
  string(
    APPEND
    ${result}
    "static const struct {\n  simulated::container_head head;\n${members}} container_${name} "
    "SIMULATED_FATBIN = {\n    simulated::make_head(${sizes}),\n    ${values}};\n"
    "static const simulated::wrapper wrapper_${name} SIMULATED_WRAPPER = {\n"
    "    0x466243b1, ${wrapper_version}, &container_${name}, nullptr};\n\n"
  )
  set(${result} "${${result}}" PARENT_SCOPE)
endfunction()

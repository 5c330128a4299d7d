# SPDX-License-Identifier: BSD-3-Clause
#
# What the programs and their results depend on: while that stays the same, nothing is compiled, and
# no process is started.

# _cudnn_checked_build_signature(<result>)
#
# A text of everything that the executables depend on.
function(_cudnn_checked_build_signature result)
  _cudnn_checked_get(place cuda)
  _cudnn_checked_source_hashes(text)
  _cudnn_checked_seen(FILES "${CMAKE_CXX_COMPILER}")
  _cudnn_checked_file_facts(compiler "${CMAKE_CXX_COMPILER}")
  string(APPEND text "compiler ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${compiler}")
  _cudnn_checked_build_variables(variables)
  _cudnn_checked_kernel_facts(kernel)
  string(APPEND text "${variables}${kernel}")
  _cudnn_checked_asks_for_fused(fused)
  if(fused)
    string(APPEND text "fused\n")
  endif()
  foreach(
    variable
    IN
    ITEMS cuda_include cuda_library cuda_link cuda_opened place_include place_library place_link
  )
    string(APPEND text "${variable} ${${variable}}\n")
  endforeach()
  _cudnn_checked_glob_escaped(escaped "${place_include}")
  file(GLOB headers "${escaped}/cudnn*.h")
  # The shim too: the linker must refuse one of another machine, which the loader passes over.
  set(files ${headers} "${cuda_library}" ${cuda_opened} "${place_library}")
  if(NOT place_link STREQUAL place_library)
    list(APPEND files "${cuda_link}" "${place_link}")
  endif()
  _cudnn_checked_seen(FILES ${files})
  _cudnn_checked_file_facts(facts ${files})
  file(MD5 "${place_header}" hash)
  set(${result} "${text}${facts}cudnn_version.h ${hash}\n" PARENT_SCOPE)
endfunction()

# The sources of this package, each with its hash.
function(_cudnn_checked_source_hashes result)
  _cudnn_checked_get(where input)
  set(rooms core convolution probe)
  _cudnn_checked_asks_for_fused(fused)
  if(fused)
    list(APPEND rooms fused)
  endif()
  if(input_sweep)
    list(APPEND rooms opened spawn sweep)
  endif()
  _cudnn_checked_glob_escaped(tool "${tool_directory}")
  set(sources "")
  foreach(room IN LISTS rooms)
    file(GLOB_RECURSE files "${tool}/${room}/*")
    list(FILTER files INCLUDE REGEX "[.](h|inc|def|cpp|cu)$")
    list(APPEND sources ${files})
  endforeach()
  set(folders ${sources})
  list(TRANSFORM folders REPLACE "/[^/]*$" "")
  list(REMOVE_DUPLICATES folders)
  # Another release of this package replaces these files.
  get_filename_component(own "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" DIRECTORY)
  _cudnn_checked_glob_escaped(escaped "${own}")
  file(GLOB parts LIST_DIRECTORIES TRUE "${escaped}/*")
  _cudnn_checked_seen(TIMES "${tool_directory}" "${own}/.." "${own}" ${parts})
  _cudnn_checked_seen(SOURCES ${folders})
  # In a working tree, where files are edited in place; that of FetchContent is no such.
  string(FIND "${package_directory}/" "${CMAKE_BINARY_DIR}/" below)
  if(EXISTS "${package_directory}/.git" AND NOT below EQUAL 0)
    _cudnn_checked_seen(SOURCES ${sources})
  endif()
  set(text "")
  foreach(source IN LISTS sources)
    file(MD5 "${source}" hash)
    string(APPEND text "${source} ${hash}\n")
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_run_signature(<result>)
#
# A text of what the results depend on besides.
function(_cudnn_checked_run_signature result)
  _cudnn_checked_get(input place cuda)
  get_filename_component(directory "${place_library}" DIRECTORY)
  # The directory of the CUDA runtime is on the probe's RUNPATH too.
  get_filename_component(cuda_directory "${cuda_library}" DIRECTORY)
  file(TO_CMAKE_PATH "$ENV{LD_LIBRARY_PATH}" override)
  set(directories "${directory}" "${cuda_directory}" ${override})
  list(REMOVE_DUPLICATES directories)
  set(files "/etc/ld.so.cache")
  foreach(directory IN LISTS directories)
    if(directory)
      _cudnn_checked_glob_escaped(escaped "${directory}")
      file(
        GLOB libraries
        "${escaped}/libcudnn*"
        "${escaped}/cudnn*.dll"
        "${escaped}/libcuda.so*"
        "${escaped}/libnvidia-ml.so*"
      )
      list(APPEND files ${libraries})
    endif()
  endforeach()
  _cudnn_checked_seen(TIMES ${directories})
  _cudnn_checked_seen(FILES ${files})
  _cudnn_checked_file_facts(text ${files})
  if(input_report)
    _cudnn_checked_seen(FILES "${input_report}")
    file(MD5 "${input_report}" hash)
    string(APPEND text "report ${hash}\n")
  endif()
  _cudnn_checked_places_of(roots CuDNNChecked_ROOT)
  if(roots)
    string(APPEND text "named\n")
  endif()
  _cudnn_checked_loader_variable(loader value)
  if(loader)
    string(APPEND text "${value}\n")
  endif()
  foreach(variable IN ITEMS input_require input_components input_report)
    string(APPEND text "${variable} ${${variable}}\n")
  endforeach()
  _cudnn_checked_run_variables(variables)
  _cudnn_checked_driver_facts(facts)
  set(${result} "${text}${variables}${facts}" PARENT_SCOPE)
endfunction()

# Whether CuDNNChecked_OPERATIONS names more than the convolutions, which are always computed.  A probe
# that computes them alone compiles faster.
function(_cudnn_checked_asks_for_fused result)
  _cudnn_checked_get(input)
  list(FILTER input_operations EXCLUDE REGEX "^(conv)?$")
  set(${result} FALSE PARENT_SCOPE)
  if(input_operations)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_build_probe(<file> [KERNEL|SWEEP])
#
# Compiles the probe to the executable <file> with the compiler and the flags of this project, and
# links it with the cuDNN and the CUDA runtime that were found.  With SWEEP it is the program that
# sweeps all engines, which opens them by itself.  Sets
# build_status in the caller ("ok", "not-compiled", "not-linked") and build_lines, the tool's own
# lines that say why.
#
# try_compile and not try_run: that one has no time limit, runs at every configure and loses the
# signal of a crash.
function(_cudnn_checked_build_probe file)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE EXECUTABLE)
  _cudnn_checked_probe_compile_options(options)
  set(sources "${tool_directory}/probe/probe.cpp")
  set(includes "")
  set(link_options "")
  set(libraries ${CMAKE_DL_LIBS})
  set(definitions "-DCUDNN_CHECKED_PACKAGE_VERSION=\"${input_package}\"")
  set(flags "")
  if("SWEEP" IN_LIST ARGN)
    set(sources "${tool_directory}/sweep/sweep_program.cpp")
    set(includes "${tool_directory}/opened/include")
    list(PREPEND libraries ${cuda_opened})
    _cudnn_checked_link_options(link_options)
    # It computes references for as long as it runs.
    list(APPEND options -O2)
  else()
    set(includes "${place_include}" ${cuda_include})
    list(REMOVE_DUPLICATES includes)
    list(PREPEND libraries "${place_library}" "${cuda_library}" ${cuda_opened})
    _cudnn_checked_link_options(link_options)
  endif()
  if("KERNEL" IN_LIST ARGN)
    _cudnn_checked_add_kernel()
  endif()
  string(REPLACE ";" "\\;" includes "${includes}")
  list(APPEND flags "-DINCLUDE_DIRECTORIES=${includes}")
  # What decides where the loader looks must be what this project's own programs get.
  foreach(
    variable
    IN
    ITEMS SKIP_RPATH SKIP_BUILD_RPATH BUILD_RPATH BUILD_WITH_INSTALL_RPATH INSTALL_RPATH
  )
    if(DEFINED CMAKE_${variable})
      string(REPLACE ";" "\\;" value "${CMAKE_${variable}}")
      list(APPEND flags "-DCMAKE_${variable}=${value}")
    endif()
  endforeach()

  # In English, because the lines are read below.
  set(language "$ENV{LC_ALL}")
  set(ENV{LC_ALL} C)
  try_compile(
    CuDNNChecked_PROBE_BUILT
    "${work_directory}/build"
    SOURCES ${sources}
    CMAKE_FLAGS ${flags}
    COMPILE_DEFINITIONS ${definitions} ${options}
    LINK_OPTIONS ${link_options}
    LINK_LIBRARIES ${libraries}
    CXX_STANDARD 17
    CXX_STANDARD_REQUIRED ON
    CXX_EXTENSIONS OFF
    OUTPUT_VARIABLE output
    COPY_FILE "${file}"
    COPY_FILE_ERROR copy_error
  )
  if(language STREQUAL "")
    unset(ENV{LC_ALL})
  else()
    set(ENV{LC_ALL} "${language}")
  endif()
  set(built ${CuDNNChecked_PROBE_BUILT})
  unset(CuDNNChecked_PROBE_BUILT CACHE)

  set(status ok)
  set(lines "")
  if(NOT built OR copy_error)
    set(log build.log)
    if("SWEEP" IN_LIST ARGN)
      set(log build_sweep.log)
    endif()
    file(WRITE "${work_directory}/${log}" "${output}${copy_error}")
    _cudnn_checked_build_words(status lines "${output}${copy_error}")
  endif()
  set(build_status ${status} PARENT_SCOPE)
  set(build_lines "${lines}" PARENT_SCOPE)
endfunction()

# Flags that the probe needs whatever the project's are: NaN checks, which -ffast-math removes; no
# warnings of the project's choice; and it is compiled more often than it runs.
function(_cudnn_checked_probe_compile_options result)
  set(options "")
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang|IntelLLVM")
    set(options -fno-fast-math -w -g0 -O0)
  endif()
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

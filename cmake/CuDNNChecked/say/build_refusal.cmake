# SPDX-License-Identifier: BSD-3-Clause
#
# The probe, or its kernel, was not built.

# _cudnn_checked_build_refusal()
#
# Refuses where the probe was not built, from built_*.
function(_cudnn_checked_build_refusal)
  _cudnn_checked_get(where place cuda built)
  file(SIZE "${cuda_library}" size)
  set(cuda_words "${cuda_version}")
  if(size EQUAL 0)
    set(cuda_words "an empty file")
  endif()
  set(
    facts
    "cuDNN|${place_version}|${place_header}"
    "CUDA|${cuda_words}|${cuda_library}"
    "compiler|${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}|${CMAKE_CXX_COMPILER}"
  )
  set(linked "")
  set(name probe-not-compiled)
  set(summary "the probe does not compile, so cuDNN could not be checked")
  set(because "The cause is the compiler, its flags or a header, not cuDNN.")
  set(correct "correct the compiler's errors below")
  if(built_status STREQUAL "not-linked")
    set(linked LINKED)
    set(name probe-not-linked)
    set(summary "the probe compiles but does not link")
    set(because "A program that uses this cuDNN would not link either.")
    set(correct "correct the linker's errors below")
  endif()
  _cudnn_checked_flag_sources(values names ${linked})
  foreach(value name IN ZIP_LISTS values names)
    list(APPEND facts "flags|${value}|${name}")
  endforeach()
  list(APPEND facts "all of it|${built_log}|")
  _cudnn_checked_blamed_flags(fixes "${built_lines}" "${values}" "${names}")
  _cudnn_checked_refuse(NAME ${name} SUMMARY "${summary}" FACTS ${facts} BECAUSE "${because}"
                        FIX ${fixes} "${correct}" QUOTED "${built_lines}"
  )
endfunction()

# _cudnn_checked_kernel_refusal()
#
# Refuses where the probe builds without its kernel and not with it, from built_*: the CUDA compiler
# of the project is to blame, its host compiler, its flags or its architectures, and never cuDNN.
function(_cudnn_checked_kernel_refusal)
  _cudnn_checked_get(where built)
  string(REPLACE ";" "\;" flags "${CMAKE_CUDA_FLAGS}")
  list(JOIN CMAKE_CUDA_ARCHITECTURES "\;" architectures)
  foreach(value IN ITEMS flags architectures)
    if(${value} STREQUAL "")
      set(${value} "(none)")
    endif()
  endforeach()
  _cudnn_checked_cuda_host(host where)
  if(host STREQUAL "")
    set(host "the CUDA compiler's own choice")
  endif()
  set(
    facts
    "CUDA compiler|${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}|${CMAKE_CUDA_COMPILER}"
    "host compiler|${host}|${where}"
    "architectures|${architectures}|CMAKE_CUDA_ARCHITECTURES"
    "flags|${flags}|CMAKE_CUDA_FLAGS"
  )
  if(NOT built_lines STREQUAL "")
    list(APPEND facts "all of it|${built_log}|")
  endif()
  _cudnn_checked_kernel_fault(summary fixes "${built_lines}")
  _cudnn_checked_set_command(without CuDNNChecked_KERNEL OFF)
  _cudnn_checked_refuse(NAME kernel-not-compiled
    SUMMARY "${summary}" FACTS ${facts}
    BECAUSE "The CUDA sources of this project would not build either; cuDNN is not the cause."
    FIX ${fixes} "${without}" QUOTED "${built_lines}"
  )
endfunction()

# What is wrong, and what to type.
function(_cudnn_checked_kernel_fault summary fixes lines)
  set(what "the CUDA compiler does not build the probe's kernel")
  set(fix "correct the errors below")
  if(lines STREQUAL "")
    set(what "there is no GPU here for CMAKE_CUDA_ARCHITECTURES=native")
    _cudnn_checked_set_command(fix CMAKE_CUDA_ARCHITECTURES all-major)
  elseif(lines MATCHES "unsupported (GNU|clang) version")
    set(what "the CUDA compiler does not support its host compiler")
    _cudnn_checked_host_compiler(fix)
  elseif(lines MATCHES "Unsupported gpu architecture")
    set(what "the CUDA compiler does not know one of the architectures")
    _cudnn_checked_known_architectures(fix)
  else()
    _cudnn_checked_blamed_flags(blamed "${lines}" "${CMAKE_CUDA_FLAGS}" CMAKE_CUDA_FLAGS)
    if(blamed)
      set(fix ${blamed})
    endif()
  endif()
  set(${summary} "${what}" PARENT_SCOPE)
  set(${fixes} "${fix}" PARENT_SCOPE)
endfunction()

# What to type for a host compiler that nvcc accepts: the C++ compiler of the project, otherwise the
# newest one on PATH.  nvcc itself is asked.  CMake reads CMAKE_CUDA_HOST_COMPILER only when it
# enables the language for the first time in a build directory.
function(_cudnn_checked_host_compiler fix)
  _cudnn_checked_get(where)
  set(candidates "${CMAKE_CXX_COMPILER}")
  foreach(name IN ITEMS g++ clang++)
    foreach(release RANGE 24 6 -1)
      _cudnn_checked_on_path(found ${name}-${release})
      list(APPEND candidates ${found})
    endforeach()
    _cudnn_checked_on_path(found ${name})
    list(APPEND candidates ${found})
  endforeach()
  _cudnn_checked_write("${work_directory}/empty.cu" "")
  foreach(candidate IN LISTS candidates)
    execute_process(
      COMMAND "${CMAKE_CUDA_COMPILER}" -E -ccbin "${candidate}" "${work_directory}/empty.cu"
      RESULT_VARIABLE status
      OUTPUT_QUIET
      ERROR_QUIET
    )
    if(status STREQUAL "0")
      _cudnn_checked_cuda_host(host where)
      if(where STREQUAL "CMAKE_CUDA_FLAGS")
        string(
          REGEX REPLACE
          "(-ccbin|--compiler-bindir)([= ]+)[^ ]+"
          "\\1\\2${candidate}"
          flags
          "${CMAKE_CUDA_FLAGS}"
        )
        _cudnn_checked_set_command(line CMAKE_CUDA_FLAGS "${flags}")
      else()
        # CMake keeps the first value in this file.
        _cudnn_checked_removal(again "${CMAKE_PLATFORM_INFO_DIR}/CMakeCUDACompiler.cmake")
        _cudnn_checked_cmake_command(line -D "CMAKE_CUDA_HOST_COMPILER=${candidate}")
        set(line "${again} && ${line}")
      endif()
      set(${fix} "${line}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(line "choose a host compiler that it supports (its words below)")
  string(APPEND line ", as CMAKE_CUDA_HOST_COMPILER of a new build directory")
  set(${fix} "${line}" PARENT_SCOPE)
endfunction()

# What to type for architectures that nvcc knows: those of the list that it does, or its oldest.
function(_cudnn_checked_known_architectures fix)
  execute_process(
    COMMAND "${CMAKE_CUDA_COMPILER}" --list-gpu-arch
    OUTPUT_VARIABLE output
    ERROR_QUIET
  )
  string(REGEX MATCHALL "[0-9]+" known "${output}")
  set(kept "")
  foreach(architecture IN LISTS CMAKE_CUDA_ARCHITECTURES)
    string(REGEX MATCH "^[0-9]+" number "${architecture}")
    if(number IN_LIST known)
      list(APPEND kept "${architecture}")
    endif()
  endforeach()
  if(kept STREQUAL "")
    list(GET known 0 kept)
  endif()
  _cudnn_checked_set_command(line CMAKE_CUDA_ARCHITECTURES "${kept}")
  set(${fix} "${line}" PARENT_SCOPE)
endfunction()

# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_build_refusal(<result>)
#
# The message where the probe was not built, from build_status and build_lines of
# _cudnn_checked_build_probe.
function(_cudnn_checked_build_refusal result)
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
  if(build_status STREQUAL "not-linked")
    set(linked LINKED)
  endif()
  _cudnn_checked_flag_sources(values names ${linked})
  set(label "flags")
  foreach(value name IN ZIP_LISTS values names)
    list(APPEND facts "${label}|${value}|${name}")
    set(label "")
  endforeach()
  list(APPEND facts "all of it|${work_directory}/build.log|")
  _cudnn_checked_blamed_flags(fixes "${build_lines}" "${values}" "${names}")
  if(build_status STREQUAL "not-linked")
    _cudnn_checked_message(text NAME probe-not-linked
      SUMMARY "the probe compiles but does not link" FACTS ${facts}
      BECAUSE "A program that uses this cuDNN would not link either."
      FIX ${fixes} "correct the linker's errors below"
    )
  else()
    _cudnn_checked_message(text NAME probe-not-compiled
      SUMMARY "the probe does not compile, so cuDNN could not be checked" FACTS ${facts}
      BECAUSE "The cause is the compiler, its flags or a header, not cuDNN."
      FIX ${fixes} "correct the compiler's errors below"
    )
  endif()
  _cudnn_checked_quoted(quoted "${build_lines}")
  set(${result} "${text}${quoted}" PARENT_SCOPE)
endfunction()

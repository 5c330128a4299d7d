# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_read_version(<result> <unread> <header> <seconds>)
#
# The release that a cudnn_version.h defines, as "9.14.0"; empty if it defines none.  What counts is
# what a compiler sees.  Text that has each of the three macros once, as a plain number, and no
# directive besides that could change them but the include guard, has one meaning; of any other the
# project's compiler is asked, for at most <seconds>.  If that is impossible or fails, <unread> says
# so; otherwise it is empty.
function(_cudnn_checked_read_version result unread header seconds)
  set(reason "")
  _cudnn_checked_plain_version(version is_plain "${header}")
  if(NOT is_plain)
    _cudnn_checked_compiled_version(version reason "${header}" "${seconds}")
  endif()
  set(${result} "${version}" PARENT_SCOPE)
  set(${unread} "${reason}" PARENT_SCOPE)
endfunction()

# The release as the text has it.  <is_plain> is false if that may have another meaning for a
# compiler.
function(_cudnn_checked_plain_version result is_plain header)
  set(${result} "" PARENT_SCOPE)
  set(${is_plain} FALSE PARENT_SCOPE)
  set(directive "[ \t]*#[ \t]*")
  set(others "if|el|undef|include")
  set(macros "define[ \t]+CUDNN_(MAJOR|MINOR|PATCHLEVEL)[ \t]")
  file(STRINGS "${header}" lines LIMIT_INPUT 65536 REGEX "^${directive}(${others}|${macros})")
  list(JOIN lines "\n" lines)
  set(form "${directive}ifndef[ \t]+[A-Za-z0-9_]+[ \t]*\n")
  set(form "^(${form})?")
  foreach(part IN ITEMS MAJOR MINOR PATCHLEVEL)
    string(APPEND form "${directive}define[ \t]+CUDNN_${part}[ \t]+(0|[1-9][0-9]*)[ \t]*\n")
  endforeach()
  if("${lines}\n" MATCHES "${form}$")
    set(${result} "${CMAKE_MATCH_2}.${CMAKE_MATCH_3}.${CMAKE_MATCH_4}" PARENT_SCOPE)
    set(${is_plain} TRUE PARENT_SCOPE)
    return()
  endif()
  # Without a line for each of them, and without an include, there is none.
  foreach(part IN ITEMS MAJOR MINOR PATCHLEVEL)
    if(NOT lines MATCHES "CUDNN_${part}|${directive}include")
      set(${is_plain} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# The release as the compiler of the project sees it.  <unread> is a sentence if it cannot be asked,
# if it refuses the header, and for one that includes a FIFO, which the compiler does not read to
# its end: compiling the probe would never end.
function(_cudnn_checked_compiled_version result unread header seconds)
  set(${result} "" PARENT_SCOPE)
  set(${unread} "" PARENT_SCOPE)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages OR NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang|IntelLLVM|MSVC")
    set(${unread} "defines its release in a way that only a C++ compiler reads" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_get(where)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
  if(CMAKE_CXX_COMPILER_TARGET AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND flags "--target=${CMAKE_CXX_COMPILER_TARGET}")
  endif()
  if(CMAKE_SYSROOT)
    list(APPEND flags "--sysroot=${CMAKE_SYSROOT}")
  endif()
  set(preprocess -E -P)
  if(MSVC)
    set(preprocess -nologo -EP)
  endif()
  set(source "${work_directory}/release.cpp")
  _cudnn_checked_release_source(text "${header}")
  _cudnn_checked_write("${source}" "${text}")
  execute_process(
    COMMAND "${CMAKE_CXX_COMPILER}" ${flags} ${preprocess} "${source}"
    TIMEOUT ${seconds}
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE errors
  )
  if(status MATCHES "timeout")
    set(${unread} "is not read by the compiler within ${seconds} s" PARENT_SCOPE)
  elseif(NOT status STREQUAL "0")
    _cudnn_checked_first_error(error "${errors}")
    if(error STREQUAL "")
      set(error "${CMAKE_CXX_COMPILER} ends with ${status}")
    endif()
    set(${unread} "cannot be preprocessed: ${error}" PARENT_SCOPE)
  elseif(output MATCHES "cudnn_checked:([0-9. \t\r\n]+):")
    string(REGEX REPLACE "[ \t\r\n]" "" digits "${CMAKE_MATCH_1}")
    string(REPLACE "." ";" digits "${digits}")
    set(version "")
    foreach(part IN LISTS digits)
      # Four digits: without the 1, "0014" is a number of C to CMake.
      math(EXPR number "1${part} - 10000")
      list(APPEND version "${number}")
    endforeach()
    list(JOIN version "." version)
    set(${result} "${version}" PARENT_SCOPE)
  endif()
endfunction()

# The first line of a compiler's output that tells an error, else its first one.
function(_cudnn_checked_first_error result output)
  string(REGEX MATCH "[^\r\n]*error( [A-Z]+[0-9]+)?:[^\r\n]*" line "${output}")
  if(line STREQUAL "")
    string(REGEX MATCH "[^\r\n]+" line "${output}")
  endif()
  string(STRIP "${line}" line)
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# A source whose preprocessed text has the release, each digit for itself: the preprocessor computes
# only in conditions.
function(_cudnn_checked_release_source result header)
  set(text "#include \"${header}\"\n")
  string(APPEND text "#if defined CUDNN_MAJOR && defined CUDNN_MINOR && defined CUDNN_PATCHLEVEL\n")
  set(separator "cudnn_checked:")
  foreach(part IN ITEMS MAJOR MINOR PATCHLEVEL)
    string(APPEND text "${separator}\n")
    set(separator ".")
    foreach(unit IN ITEMS 1000 100 10 1)
      foreach(digit RANGE 9)
        string(APPEND text "#if (CUDNN_${part}) / ${unit} % 10 == ${digit}\n${digit}\n#endif\n")
      endforeach()
    endforeach()
  endforeach()
  set(${result} "${text}:\n#endif\n" PARENT_SCOPE)
endfunction()

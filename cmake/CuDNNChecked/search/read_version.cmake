# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_read_version(<result> <why> <header>)
#
# The release that a cudnn_version.h defines, as "9.14.0"; empty where it defines none, and <why>
# says so.  What counts is what a compiler sees.  Text that has each of the three macros once, as a
# plain number, and no condition but that against a second inclusion, has one meaning; of any other
# the project's compiler is asked.  Where it cannot be (level LOCATED, no C++), the text is read as
# well as possible, and the header is added to the property _cudnn_checked_guessed_headers.
function(_cudnn_checked_read_version result why header)
  set(${result} "" PARENT_SCOPE)
  set(${why} "defines no version" PARENT_SCOPE)
  _cudnn_checked_written_version(version plain "${header}")
  if(NOT plain)
    _cudnn_checked_compiled_version(compiled "${header}")
    if(compiled MATCHES "^is not read")
      set(${why} "${compiled}" PARENT_SCOPE)
      return()
    elseif(compiled)
      set(version "${compiled}")
    else()
      set_property(GLOBAL APPEND PROPERTY _cudnn_checked_guessed_headers "${header}")
    endif()
  endif()
  if(version MATCHES "^[0-9]+\\.[0-9]+\\.[0-9]+$")
    set(${result} "${version}" PARENT_SCOPE)
  endif()
endfunction()

# The release as the text has it, and whether that has one meaning.
function(_cudnn_checked_written_version result plain header)
  set(directive "^[ \t]*#[ \t]*")
  set(macro "CUDNN_(MAJOR|MINOR|PATCHLEVEL)")
  file(
    STRINGS
    "${header}"
    lines
    LIMIT_INPUT 65536
    REGEX "${directive}(if|el|endif|undef|include|define[ \t]+${macro}[ \t])"
  )
  set(is_plain TRUE)
  set(conditions 0)
  set(dead 0)
  set(defined "")
  foreach(part IN ITEMS MAJOR MINOR PATCHLEVEL)
    set(number_${part} "")
  endforeach()
  foreach(line IN LISTS lines)
    if(line MATCHES "${directive}if")
      math(EXPR conditions "${conditions} + 1")
      if(dead GREATER 0 OR line MATCHES "${directive}if[ \t]+0[ \t\r]*$")
        math(EXPR dead "${dead} + 1")
      endif()
    elseif(line MATCHES "${directive}endif" AND dead GREATER 0)
      math(EXPR dead "${dead} - 1")
    elseif(line MATCHES "${directive}(el|undef|include)")
      set(is_plain FALSE)
      if(dead EQUAL 1 AND line MATCHES "${directive}el")
        set(dead 0)
      endif()
    elseif(line MATCHES "${directive}define[ \t]+${macro}[ \t]+(.*)$")
      set(part ${CMAKE_MATCH_1})
      set(text "${CMAKE_MATCH_2}")
      list(APPEND defined ${part})
      if(NOT text MATCHES "^(0|[1-9][0-9]*)[ \t\r]*$")
        set(is_plain FALSE)
      endif()
      if(dead EQUAL 0)
        _cudnn_checked_c_number(number_${part} "${text}")
      endif()
    endif()
  endforeach()
  list(SORT defined)
  if(conditions GREATER 1 OR NOT defined STREQUAL "MAJOR;MINOR;PATCHLEVEL")
    set(is_plain FALSE)
  endif()
  set(${result} "${number_MAJOR}.${number_MINOR}.${number_PATCHLEVEL}" PARENT_SCOPE)
  set(${plain} ${is_plain} PARENT_SCOPE)
endfunction()

# A number of C in decimal; empty where the text is anything else, as the expression (10+9).
function(_cudnn_checked_c_number result text)
  set(${result} "" PARENT_SCOPE)
  set(number "(0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)[uUlL]*")
  if(text MATCHES "^[( \t]*${number}[) \t\r]*(/[/*].*)?$")
    math(EXPR number "${CMAKE_MATCH_1}")
    set(${result} ${number} PARENT_SCOPE)
  endif()
endfunction()

# The release as the compiler of the project sees it; empty where it cannot be asked.  Of a header
# that includes a FIFO, which the compiler does not read to its end, a sentence: compiling the probe
# would never end.
function(_cudnn_checked_compiled_version result header)
  set(${result} "" PARENT_SCOPE)
  string(TOUPPER "${CuDNNChecked_REQUIRE}" require)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(
    require STREQUAL "LOCATED"
    OR NOT "CXX" IN_LIST languages
    OR NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang|IntelLLVM"
  )
    return()
  endif()
  _cudnn_checked_get(where input)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
  if(CMAKE_CXX_COMPILER_TARGET AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND flags "--target=${CMAKE_CXX_COMPILER_TARGET}")
  endif()
  if(CMAKE_SYSROOT)
    list(APPEND flags "--sysroot=${CMAKE_SYSROOT}")
  endif()
  set(source "${work_directory}/release.cpp")
  set(text "#include \"${header}\"\ncudnn_checked CUDNN_MAJOR , CUDNN_MINOR , CUDNN_PATCHLEVEL ;\n")
  _cudnn_checked_write("${source}" "${text}")
  execute_process(
    COMMAND "${CMAKE_CXX_COMPILER}" ${flags} -E -P "${source}"
    TIMEOUT ${input_timeout}
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_QUIET
  )
  if(status MATCHES "timeout")
    set(${result} "is not read by the compiler within ${input_timeout} s" PARENT_SCOPE)
    return()
  endif()
  if(NOT output MATCHES "cudnn_checked ([^,]+) , ([^,]+) , ([^,;]+) ;")
    return()
  endif()
  set(parts "${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}" "${CMAKE_MATCH_3}")
  set(version "")
  foreach(part IN LISTS parts)
    _cudnn_checked_c_number(number "${part}")
    list(APPEND version "${number}")
  endforeach()
  list(JOIN version "." version)
  if(version MATCHES "^[0-9]+\\.[0-9]+\\.[0-9]+$")
    set(${result} "${version}" PARENT_SCOPE)
  endif()
endfunction()

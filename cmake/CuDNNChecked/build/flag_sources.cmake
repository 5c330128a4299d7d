# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_flag_sources(<values> <names> [LINKED])
#
# Everything that adds flags to the compilation of the probe, and with LINKED to its link: the
# values, and the names of the variables that they come from.  Options of directories
# (add_compile_options, add_link_options) and CMAKE_CXX_STANDARD_LIBRARIES do not reach try_compile.
function(_cudnn_checked_flag_sources values names)
  _cudnn_checked_flag_variables(variables ${ARGN})
  set(found_values "")
  set(found_names "")
  foreach(name IN LISTS variables)
    # What the environment has is the first value of the variable.
    set(first "")
    if(name MATCHES "^environment (.+)$")
      set(value "$ENV{${CMAKE_MATCH_1}}")
    else()
      string(STRIP "${${name}}" value)
      if(name STREQUAL "CMAKE_CXX_FLAGS")
        set(first CXXFLAGS)
      elseif(name STREQUAL "CMAKE_EXE_LINKER_FLAGS")
        set(first LDFLAGS)
      endif()
    endif()
    if(first AND NOT "$ENV{${first}}" STREQUAL "")
      string(FIND "${value}" "$ENV{${first}}" position)
      if(NOT position EQUAL -1)
        string(APPEND name ", from environment ${first}")
      endif()
    endif()
    if(NOT value STREQUAL "")
      string(REPLACE ";" " " value "${value}")
      list(APPEND found_values "${value}")
      list(APPEND found_names "${name}")
    endif()
  endforeach()
  set(${values} "${found_values}" PARENT_SCOPE)
  set(${names} "${found_names}" PARENT_SCOPE)
endfunction()

# The variables of CMake and of the environment that can have such flags.
function(_cudnn_checked_flag_variables result)
  set(configuration "${CMAKE_TRY_COMPILE_CONFIGURATION}")
  if(configuration STREQUAL "" AND CMAKE_CONFIGURATION_TYPES)
    set(configuration Debug)
  endif()
  string(TOUPPER "${configuration}" configuration)
  set(of "")
  if(configuration)
    set(of "_${configuration}")
  endif()
  set(names CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS${of} CMAKE_CXX_COMPILER_TARGET CMAKE_SYSROOT)
  set(environment CPATH CPLUS_INCLUDE_PATH)
  if("LINKED" IN_LIST ARGN)
    list(APPEND names CMAKE_EXE_LINKER_FLAGS CMAKE_EXE_LINKER_FLAGS${of} CMAKE_LINKER_TYPE)
    list(APPEND environment LIBRARY_PATH)
  endif()
  list(REMOVE_DUPLICATES names)
  list(TRANSFORM environment PREPEND "environment ")
  set(${result} ${names} ${environment} CMAKE_TOOLCHAIN_FILE PARENT_SCOPE)
endfunction()

# _cudnn_checked_blamed_flags(<result> <lines> <values> <names>)
#
# What to type, or to correct, for each flag of <values> that <lines>, the words of the compiler or
# linker, name or are known to follow from.
function(_cudnn_checked_blamed_flags result lines values names)
  set(fixes "")
  set(commands "")
  foreach(value name IN ZIP_LISTS values names)
    string(REGEX REPLACE ", from .*" "" variable "${name}")
    separate_arguments(words UNIX_COMMAND "${value}")
    set(before "")
    set(kept "")
    set(is_one_blamed FALSE)
    foreach(word IN LISTS words)
      _cudnn_checked_is_blamed(blamed "${word}" "${lines}")
      if(blamed)
        # The option that the word is the value of.
        if(before MATCHES "^-(include|imacros|isystem|I|L|l|T|Xlinker|z|u)$")
          set(word "${before} ${word}")
          list(POP_BACK kept)
        endif()
        set(is_one_blamed TRUE)
        list(APPEND fixes "remove ${word} from ${variable}, or correct it")
      else()
        list(APPEND kept "${word}")
      endif()
      set(before "${word}")
    endforeach()
    # What is quoted in the value would not be the same any more.
    if(
      is_one_blamed
      AND DEFINED CACHE{${variable}}
      AND "${${variable}}" STREQUAL "$CACHE{${variable}}"
      AND NOT value MATCHES "[\"'\\]"
    )
      list(JOIN kept " " kept)
      _cudnn_checked_set_command(command ${variable} "${kept}")
      list(APPEND commands "${command}")
    endif()
  endforeach()
  list(PREPEND fixes ${commands})
  list(REMOVE_DUPLICATES fixes)
  set(${result} "${fixes}" PARENT_SCOPE)
endfunction()

# Do the lines name the flag, or words that are known to follow from it?
function(_cudnn_checked_is_blamed result flag lines)
  set(${result} FALSE PARENT_SCOPE)
  string(FIND "${lines}" "${flag}" position)
  string(LENGTH "${flag}" length)
  if(length GREATER 2 AND NOT position EQUAL -1)
    set(${result} TRUE PARENT_SCOPE)
  endif()
  set(sanitizers "'-fsanitize=|clang_rt|-l[a-z0-9]*san|lib[a-z0-9]*san|__[a-z0-9]*san_|__sanitizer")
  foreach(
    pair
    IN
    ITEMS
      "-static => attempted static link|cannot find -l"
      "-m32 => wrong format|incompatible|bits/c[+][+]config"
      "-fsanitize=.* => ${sanitizers}"
      "-nostdlib => undefined (reference|symbol)|DSO missing"
      "-(fno-pic|fno-pie|no-pie|pie|static-pie) => recompile with -f"
      "-nostdinc|-nostdinc[+][+] => No such file|not found"
  )
    string(REGEX MATCH "^(.*) => (.*)$" pair "${pair}")
    set(known "${CMAKE_MATCH_2}")
    if(flag MATCHES "^(${CMAKE_MATCH_1})$" AND lines MATCHES "${known}")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

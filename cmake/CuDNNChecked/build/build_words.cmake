# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_build_words(<status> <lines> <output>)
#
# What a compiler, a linker or nvcc says in the <output> of a build: the lines that say what is
# wrong, in their order, each once, at most twelve.  In front of the first are up to three lines
# that say how its file came to be included.  <status> is "not-linked" or "not-compiled".
#
# Known are the words of g++, clang, GNU as, ld.bfd, gold, lld, mold and nvcc with LC_ALL=C.  Where
# none of them is there, the last twelve lines are taken that the build tool did not write.
function(_cudnn_checked_build_words status lines output)
  string(REPLACE "\r" "" output "${output}")
  _cudnn_checked_marked(output 2 "${output}")
  string(REPLACE "\n" ";" output "${output}")

  _cudnn_checked_without_noise(said "${output}")
  _cudnn_checked_lines_of_errors(kept linked "${said}")
  set(${status} not-compiled PARENT_SCOPE)
  if(linked)
    set(${status} not-linked PARENT_SCOPE)
  endif()
  if(kept STREQUAL "")
    list(LENGTH said count)
    math(EXPR first "${count} - 12")
    if(first LESS 0)
      set(first 0)
    endif()
    list(SUBLIST said ${first} -1 kept)
  endif()
  list(JOIN kept "\n" kept)
  _cudnn_checked_marked(kept 2 "${kept}" BACK)
  set(${lines} "${kept}" PARENT_SCOPE)
endfunction()

# The lines that are not of CMake, Ninja or Make.
function(_cudnn_checked_without_noise result lines)
  _cudnn_checked_build_patterns()
  set(said "")
  foreach(line IN LISTS lines)
    # Ninja and Make repeat the command.
    set(is_command FALSE)
    foreach(compiler IN ITEMS "${CMAKE_CXX_COMPILER}" "${CMAKE_CUDA_COMPILER}")
      string(FIND " ${line}" " ${compiler} " position)
      if(compiler AND NOT position EQUAL -1)
        set(is_command TRUE)
      endif()
    endforeach()
    if(NOT is_command AND NOT line MATCHES "${noise}" AND NOT line STREQUAL "")
      list(APPEND said "${line}")
    endif()
  endforeach()
  set(${result} "${said}" PARENT_SCOPE)
endfunction()

# The lines of <lines> that say what is wrong, each once, and whether one of them is a linker's.  In
# front of the first is how its file came to be included.
function(_cudnn_checked_lines_of_errors result linked lines)
  _cudnn_checked_build_patterns()
  set(${linked} FALSE PARENT_SCOPE)
  foreach(list IN ITEMS kept last chain symbols)
    set(${list} "")
  endforeach()
  set(count 0)
  set(follows FALSE)
  foreach(line IN LISTS lines)
    if(line MATCHES "^In file included from .*,$")
      # g++: the nearest first.
      set(chain "${line}")
      continue()
    elseif(line MATCHES "^(In file included| +from ).*[:,]$")
      list(APPEND chain "${line}")
      continue()
    endif()
    if(line MATCHES "${linker}")
      set(${linked} TRUE PARENT_SCOPE)
    endif()
    if(line MATCHES "${end}")
      list(APPEND last "${line}")
      continue()
    endif()
    # lld says on the next line who needs a symbol.
    if(follows AND line MATCHES "^>>> ")
      list(APPEND kept "${line}")
    endif()
    set(follows FALSE)
    if((line MATCHES "${linker}" OR line MATCHES "${error}") AND NOT line MATCHES "${aside}")
      set(symbol "${line}")
      if(line MATCHES "undefined (reference|symbol).*")
        set(symbol "${CMAKE_MATCH_0}")
      endif()
      if("${symbol}" IN_LIST symbols)
        continue()
      endif()
      list(APPEND symbols "${symbol}")
      if(chain AND kept STREQUAL "")
        _cudnn_checked_nearest_includes(kept ${chain})
      endif()
      list(LENGTH kept length)
      if(length LESS 12)
        list(APPEND kept "${line}")
        set(follows TRUE)
      else()
        math(EXPR count "${count} + 1")
      endif()
    endif()
  endforeach()
  if(kept STREQUAL "")
    set(kept "${last}")
  elseif(count GREATER 0)
    list(APPEND kept "... and ${count} more")
  endif()
  set(${result} "${kept}" PARENT_SCOPE)
endfunction()

# Sets in the caller, as regular expressions: noise, lines of CMake, Ninja and Make; error, what a
# compiler calls one; linker, what a linker says; aside, what neither explains nor is one; end, the
# lines that only say that there was an error.
macro(_cudnn_checked_build_patterns)
  string(ASCII 3 opening)
  string(ASCII 4 closing)
  string(
    CONCAT
    noise
    "^(Change Dir: |FAILED: |Run Build Command|${opening}[0-9]+/[0-9]+${closing} |ninja: "
    "|(Building|Linking) CXX |g?make(${opening}|: )|[^ ]*/g?make +-f |[^ ]*cmake -E )"
  )
  set(error "([Ee]rror|fatal)( #[0-9D-]+)? *:|Permission denied|: not found$")
  string(
    CONCAT
    linker
    "undefined (reference|symbol|hidden)|multiple definition of|duplicate symbol|cannot find "
    "|attempted static link|recompile with -f|error adding symbols|file format not|file in wrong "
    "|file not recognized|skipping incompatible|is incompatible with|unable to find library"
    "|needed by .*not found|DSO missing|invalid linker name|ld returned|linker command failed"
    "|collect2: |ld([.][a-z0-9]+)?: (error|fatal)|mold: (error|fatal)|nvlink (error|fatal)"
    "|ld: unrecogni[sz]ed "
  )
  set(aside "warning: (relocation|creating|cannot find entry)|: in function |: note: ")
  string(
    CONCAT
    end
    "ld returned [0-9-]+ exit status|linker command failed with exit code|compilation terminated"
    "|^[0-9]+ errors? (generated|detected)|too many errors"
  )
endmacro()

# Appends the three files that are nearest to the error: g++ names them in this order, clang in the
# reverse.
function(_cudnn_checked_nearest_includes result)
  set(chain ${ARGN})
  list(GET chain 0 first)
  list(LENGTH chain count)
  if(count GREATER 3)
    if(first MATCHES ",$")
      list(SUBLIST chain 0 3 chain)
    else()
      math(EXPR begin "${count} - 3")
      list(SUBLIST chain ${begin} 3 chain)
    endif()
  endif()
  set(${result} ${${result}} ${chain} PARENT_SCOPE)
endfunction()

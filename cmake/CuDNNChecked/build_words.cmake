# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_build_words(<status> <lines> <output>)
#
# What a compiler, a linker or nvcc says in the <output> of a build: the lines that say what is wrong,
# in their order, each once, at most twelve.  In front of the first are up to three lines that say
# how its file came to be included.  <status> is "not-linked" or "not-compiled".
#
# Known are the words of g++, clang, GNU as, ld.bfd, gold, lld, mold and nvcc with LC_ALL=C.  Where
# none of them is there, the last twelve lines are taken that the build tool did not write.
function(_cudnn_checked_build_words status lines output)
  string(ASCII 2 backslash)
  string(ASCII 3 opening)
  string(ASCII 4 closing)
  string(ASCII 5 semicolon)
  # What would change how CMake splits the text into lines.
  string(REPLACE "\r" "" output "${output}")
  string(REPLACE "\\" "${backslash}" output "${output}")
  string(REPLACE "[" "${opening}" output "${output}")
  string(REPLACE "]" "${closing}" output "${output}")
  string(REPLACE ";" "${semicolon}" output "${output}")
  string(REPLACE "\n" ";" output "${output}")

  _cudnn_checked_build_patterns()
  set(${status} not-compiled PARENT_SCOPE)
  set(kept "")
  set(last "")
  set(others "")
  set(chain "")
  set(symbols "")
  set(more 0)
  set(follows FALSE)
  foreach(line IN LISTS output)
    # Ninja and Make repeat the command.
    set(is_command FALSE)
    foreach(compiler IN ITEMS "${CMAKE_CXX_COMPILER}" "${CMAKE_CUDA_COMPILER}")
      string(FIND " ${line}" " ${compiler} " position)
      if(compiler AND NOT position EQUAL -1)
        set(is_command TRUE)
      endif()
    endforeach()
    if(is_command OR line MATCHES "${noise}" OR line STREQUAL "")
      continue()
    endif()
    list(APPEND others "${line}")
    if(line MATCHES "^In file included from .*,$")
      # g++: the nearest first.
      set(chain "${line}")
      continue()
    elseif(line MATCHES "^(In file included| +from ).*[:,]$")
      list(APPEND chain "${line}")
      continue()
    endif()
    if(line MATCHES "${linker}")
      set(${status} not-linked PARENT_SCOPE)
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
    if(NOT (line MATCHES "${linker}" OR line MATCHES "${error}") OR line MATCHES "${aside}")
      continue()
    endif()
    set(symbol "${line}")
    if(line MATCHES "undefined (reference|symbol).*")
      set(symbol "${CMAKE_MATCH_0}")
    endif()
    if("${symbol}" IN_LIST symbols)
      continue()
    endif()
    list(APPEND symbols "${symbol}")
    list(LENGTH kept count)
    if(count GREATER_EQUAL 12)
      math(EXPR more "${more} + 1")
      continue()
    endif()
    if(count EQUAL 0 AND chain)
      _cudnn_checked_nearest_includes(kept ${chain})
    endif()
    list(APPEND kept "${line}")
    set(follows TRUE)
  endforeach()

  if(kept STREQUAL "")
    set(kept "${last}")
  endif()
  if(kept STREQUAL "")
    list(LENGTH others count)
    math(EXPR first "${count} - 12")
    if(first LESS 0)
      set(first 0)
    endif()
    list(SUBLIST others ${first} -1 kept)
  elseif(more GREATER 0)
    list(APPEND kept "... and ${more} more")
  endif()
  list(JOIN kept "\n" kept)
  string(REPLACE "${backslash}" "\\" kept "${kept}")
  string(REPLACE "${opening}" "[" kept "${kept}")
  string(REPLACE "${closing}" "]" kept "${kept}")
  string(REPLACE "${semicolon}" ";" kept "${kept}")
  set(${lines} "${kept}" PARENT_SCOPE)
endfunction()

# Sets in the caller, as regular expressions: noise, lines of CMake, Ninja and Make; error, what a
# compiler calls one; linker, what a linker says; aside, what neither explains nor is one; end, the
# lines that only say that there was an error.
macro(_cudnn_checked_build_patterns)
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

# SPDX-License-Identifier: BSD-3-Clause
#
# What ended before it was done, and not by its own fault: this machine had no space, no memory or a
# limit, or somebody ended it.

# _cudnn_checked_stopped_refusal(<output>)
#
# Refuses where the <output> of a build says so, with built_*.  A compiler that is killed itself
# leaves no word.
function(_cudnn_checked_stopped_refusal output)
  _cudnn_checked_get(where built)
  _cudnn_checked_write_refusal("${work_directory}" "${output}")
  _cudnn_checked_get(refusal)
  if(refusal)
    return()
  endif()
  _cudnn_checked_what_stopped(stopped by fix "${output}")
  if(NOT stopped)
    if(NOT built_lines STREQUAL "")
      return()
    endif()
    set(stopped "the compiler ended without a word")
    set(by "without a word")
    set(fix "find what ends the compiler; it was not done, and says no error")
  endif()
  set(name probe-not-compiled)
  if(built_status STREQUAL "not-linked")
    set(name probe-not-linked)
  endif()
  _cudnn_checked_refuse(NAME ${name}
    SUMMARY "${stopped}, so cuDNN could not be checked"
    FACTS "ended|${by}|" "compiler|${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}|${CMAKE_CXX_COMPILER}"
          "all of it|${built_log}|"
    BECAUSE "Neither a source nor a header nor cuDNN is the cause."
    FIX "${fix}" QUOTED "${built_lines}"
  )
endfunction()

# _cudnn_checked_what_stopped(<stopped> <by> <fix> <output>)
#
# A sentence, the words that say so, and what to do; empty where the output says nothing of that
# kind.  Known are the words of g++, clang, the linkers, and strsignal(3), with LC_ALL=C.
function(_cudnn_checked_what_stopped stopped by fix output)
  set(${stopped} "" PARENT_SCOPE)
  foreach(
    row
    IN
    ITEMS
      "File size limit exceeded|SIGXFSZ|File too large@a limit on the size of files stopped the compiler@raise the limit (ulimit -f), then configure again"
      "CPU time limit exceeded|SIGXCPU@a limit on processor time stopped the compiler@raise the limit (ulimit -t), then configure again"
      "virtual memory exhausted|out of memory allocating|Cannot allocate memory|std::bad_alloc|LLVM ERROR: out of memory|failed to map segment@the compiler had no memory left@raise the limit (ulimit -v), or configure where more memory is free"
      "Too many open files|Resource temporarily unavailable@a limit on files or processes stopped the compiler@raise the limit (ulimit -n, ulimit -u), then configure again"
      "Killed signal terminated program [^ \n]+|[^ \n]+ terminated with signal 9|unable to execute command: Killed|[^a-z]Killed@the compiler was killed@configure again where more memory is free: the kernel kills a process where none is left"
      "Terminated signal terminated program [^ \n]+|[^ \n]+ terminated with signal (1|2|15)[^0-9]|unable to execute command: (Terminated|Hangup|Interrupt)@the compiler was told to end@configure again"
      "Bus error signal terminated program [^ \n]+|[^ \n]+ terminated with signal 7[^0-9]|unable to execute command: Bus error@the compiler ended by a bus error@check that the disk has space left, then configure again"
  )
    string(REGEX MATCH "^([^@]*)@([^@]*)@([^@]*)$" row "${row}")
    set(sentence "${CMAKE_MATCH_2}")
    set(advice "${CMAKE_MATCH_3}")
    if(output MATCHES "(${CMAKE_MATCH_1})[^\n]*")
      string(STRIP "${CMAKE_MATCH_0}" words)
      string(REPLACE ";" "," words "${words}")
      string(REPLACE "|" " " words "${words}")
      set(${stopped} "${sentence}" PARENT_SCOPE)
      set(${by} "${words}" PARENT_SCOPE)
      set(${fix} "${advice}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# SPDX-License-Identifier: BSD-3-Clause
#
# The error about a target with a declared operation that the probe can prove and has not proved.

# _cudnn_checked_check_proved(<target> <operation>...)
#
# Reports the operations that a proof of level RAN does not include: as an error if RAN is required,
# otherwise as a warning, once for each operation in a run of CMake.
function(_cudnn_checked_check_proved target)
  _cudnn_checked_get_stamp(input_require input_operations input_report proved_level proved_report
    proved_operations
  )
  if(NOT proved_level STREQUAL "ran")
    return()
  endif()
  _cudnn_checked_provable(unproved ${ARGN})
  list(REMOVE_ITEM unproved "" ${proved_operations})
  set(kind FATAL_ERROR)
  if(NOT input_require STREQUAL "RAN")
    set(kind WARNING)
    get_property(told GLOBAL PROPERTY _cudnn_checked_told_unproved)
    set_property(GLOBAL APPEND PROPERTY _cudnn_checked_told_unproved ${unproved})
    list(REMOVE_ITEM unproved "" ${told})
  endif()
  if(unproved STREQUAL "")
    return()
  endif()
  _cudnn_checked_words_of_unproved(words "${unproved}" "${input_operations}" "${input_report}"
                                   "${proved_report}"
  )
  _cudnn_checked_add_words(words proved ${proved_operations})
  set(call "cudnn_checked_guard(${target})")
  _cudnn_checked_add_words(words call "${call}")
  _cudnn_checked_ask(status text judge explain-unproved ${words})
  if(text STREQUAL "")
    list(JOIN unproved ", " names)
    set(text "${call}: OPERATIONS has what was not proved: ${names}")
  endif()
  _cudnn_checked_indented(text "${text}")
  message(${kind} "${text}")
endfunction()

# _cudnn_checked_provable(<result> <name>...)
#
# The operations of the table that these names stand for.
function(_cudnn_checked_provable result)
  _cudnn_checked_rows(rows fused_operations)
  list(TRANSFORM rows REPLACE ".*\"(.*)\".*" "\\1")
  if(NOT "all" IN_LIST ARGN)
    list(JOIN ARGN "|" names)
    list(FILTER rows INCLUDE REGEX "^(${names})(/|$)")
  endif()
  set(${result} "${rows}" PARENT_SCOPE)
endfunction()

# What decides how they can be proved: <operations> were asked for, <taken> is the report that was
# taken from elsewhere, <written> the one of the proof.
function(
  _cudnn_checked_words_of_unproved
  result
  unproved
  operations
  taken
  written
)
  _cudnn_checked_load(memory/seen search/files say/message)
  set(words "")
  _cudnn_checked_add_words(words unproved ${unproved})
  _cudnn_checked_provable(asked ${operations})
  list(REMOVE_ITEM unproved "" ${asked})
  if(taken)
    list(APPEND words taken=yes)
  elseif(unproved)
    _cudnn_checked_add_words(words wanted ${operations} ${unproved})
  endif()
  _cudnn_checked_add_words(words report "${written}")
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

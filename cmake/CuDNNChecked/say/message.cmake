# SPDX-License-Identifier: BSD-3-Clause
#
# Messages are written by the configure program (docs/configure.md), which is given facts.

# _cudnn_checked_refuse(SUMMARY <text> [FACTS <label|value|where>...] [BECAUSE <line>...]
#                       [FIX <line>...])
#
# Puts refusal, a message about the inputs of find_package or about the build tree.  A line of FIX
# is in words, or "@set NAME VALUE", "@unset NAME", "@remove PATH", of which the program makes a
# command.
function(_cudnn_checked_refuse)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SUMMARY" "FACTS;BECAUSE;FIX")
  set(words "")
  _cudnn_checked_add_words(words summary "${arg_SUMMARY}")
  _cudnn_checked_add_words(words fact ${arg_FACTS})
  _cudnn_checked_add_words(words because ${arg_BECAUSE})
  _cudnn_checked_add_words(words fix ${arg_FIX})
  # In one sentence, with the values of its facts.
  set(values ${arg_FACTS})
  list(TRANSFORM values REPLACE "^[^|]*[|]([^|]*)([|].*)?$" "\\1")
  list(JOIN values ", " values)
  if(NOT values STREQUAL "")
    string(PREPEND values ": ")
  endif()
  _cudnn_checked_explain("${arg_SUMMARY}${values}" message ${words})
endfunction()

# _cudnn_checked_explain(<what> <verb> [<key=value>...])
#
# Puts refusal, what the configure program answers to a verb that needs no repairs.  Where no
# program answers, it says that <what> is wrong.
function(_cudnn_checked_explain what verb)
  _cudnn_checked_ask(status text judge ${verb} ${ARGN})
  if(status STREQUAL "0" AND NOT text STREQUAL "")
    _cudnn_checked_put(refusal "${text}")
  else()
    _cudnn_checked_plain_refusal("${what}")
  endif()
endfunction()

# Adds "<key>=VALUE" for each value, which the configure program reads as it is.
function(_cudnn_checked_add_words in_out_words key)
  set(words "${${in_out_words}}")
  # By their numbers: a value may have a ";".
  math(EXPR last "${ARGC} - 1")
  foreach(index RANGE 2 ${last})
    if(ARGC EQUAL 2)
      break()
    endif()
    set(value "${ARGV${index}}")
    # These bytes stand for "\\", "[", "]" and ";".
    foreach(code IN ITEMS 2 3 4 5)
      string(ASCII ${code} byte)
      string(REPLACE "${byte}" "\\x0${code}" value "${value}")
    endforeach()
    _cudnn_checked_marked(value 2 "${key}=${value}")
    list(APPEND words "${value}")
  endforeach()
  set(${in_out_words} "${words}" PARENT_SCOPE)
endfunction()

# Whether nobody reads a message: with QUIET, where it is no error, and the provider prints none.
function(_cudnn_checked_is_unread result)
  set(${result} FALSE PARENT_SCOPE)
  get_property(provided GLOBAL PROPERTY _cudnn_checked_provider_reads)
  if(CuDNNChecked_FIND_QUIETLY AND NOT CuDNNChecked_FIND_REQUIRED AND NOT provided)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_ask(<status> <text> judge|configure <verb> [<key=value>...])
#
# What the configure program answers: of the verbs that need no repairs (judge), or of all
# (configure).  <status> is empty where there is no program, or nobody reads the message.
function(_cudnn_checked_ask status text name verb)
  set(${status} "" PARENT_SCOPE)
  set(${text} "" PARENT_SCOPE)
  # A message that nobody reads costs nothing.
  _cudnn_checked_is_unread(unread)
  if(unread)
    return()
  endif()
  _cudnn_checked_load_search()
  _cudnn_checked_program_to_ask(program starter why ${name})
  if(program)
    _cudnn_checked_start_configure(ended output "${starter}" "${program}" ${verb} ${ARGN})
    set(${status} "${ended}" PARENT_SCOPE)
    set(${text} "${output}" PARENT_SCOPE)
  endif()
endfunction()

# Starts it with the facts of the project besides.
function(
  _cudnn_checked_start_configure
  status
  text
  starter
  program
  verb
)
  _cudnn_checked_facts_of_project(facts)
  execute_process(
    COMMAND ${starter} "${program}" configure ${verb} ${ARGN} ${facts}
    TIMEOUT 60
    RESULT_VARIABLE ended
    OUTPUT_VARIABLE output
    ERROR_QUIET
  )
  set(${status} "${ended}" PARENT_SCOPE)
  set(${text} "${output}" PARENT_SCOPE)
endfunction()

# The project, as the configure program must know it to say what to type: how it is configured
# again, and what gives each variable its value that a fix may set.
function(_cudnn_checked_facts_of_project result)
  set(words "")
  _cudnn_checked_add_words(words cmake "${CMAKE_COMMAND}")
  _cudnn_checked_add_words(words build "${CMAKE_BINARY_DIR}")
  _cudnn_checked_add_words(words source "${CMAKE_SOURCE_DIR}")
  _cudnn_checked_add_words(words toolchain "${CMAKE_TOOLCHAIN_FILE}")
  set(names "ROOT;REQUIRE;POLICY;GPU;GUARD;KERNEL;PROBE_TIMEOUT;SWEEP;PROBE_REPORT;OPERATIONS")
  list(APPEND names CONVOLUTIONS DEVICES PROVIDE_CUDNN_TARGETS)
  list(TRANSFORM names PREPEND CuDNNChecked_)
  foreach(
    name
    IN
    LISTS names
    ITEMS
      CUDAToolkit_ROOT
      CMAKE_CROSSCOMPILING_EMULATOR
      CMAKE_CUDA_ARCHITECTURES
      CMAKE_CUDA_FLAGS
      CMAKE_CXX_FLAGS
  )
    _cudnn_checked_holder(holder ${name})
    _cudnn_checked_add_words(words held "${name}\t${holder}\t${${name}}")
  endforeach()
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# "project" if a file of the project gives the variable its value, "cache" if it is in the cache.
function(_cudnn_checked_holder result name)
  set(holder "")
  if(NOT "${${name}}" STREQUAL "$CACHE{${name}}")
    set(holder project)
  elseif(DEFINED CACHE{${name}})
    set(holder cache)
  endif()
  set(${result} "${holder}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_plain_refusal(<what> [<verdict> [<log>]])
#
# Puts refusal where no program says more: <what> is wrong, and why nothing else is said.  <log> has
# what a compiler has printed, otherwise the log of the configure program.
function(_cudnn_checked_plain_refusal what)
  _cudnn_checked_get(where configure)
  set(verdict refused)
  if(ARGC GREATER 1)
    set(verdict "${ARGV1}")
  endif()
  set(log "${work_directory}/build_judge.log")
  if(ARGC GREATER 2)
    set(log "${ARGV2}")
  endif()
  set(why "${configure_why}")
  if(NOT EXISTS "${work_directory}/cudnn_checked.txt")
    set(why "none can be compiled in ${work_directory}")
  endif()
  set(text "${what}\n")
  _cudnn_checked_is_unread(unread)
  if(unread)
    string(APPEND text "  call find_package without QUIET to see why\n")
  else()
    if(why)
      string(APPEND text "  no program says more: ${why}\n")
    endif()
    if(EXISTS "${log}")
      file(STRINGS "${log}" error LIMIT_COUNT 1 REGEX "[Ee]rror( [A-Z0-9]+)?:")
      if(error)
        string(APPEND text "  the compiler: ${error}\n")
      endif()
      string(APPEND text "  all of it: ${log}\n")
    endif()
  endif()
  _cudnn_checked_without_controls(text "${text}")
  _cudnn_checked_put(refusal "cudnn_checked: ${verdict}: ${text}")
endfunction()

# The text without control characters but line feeds: nothing in it moves a cursor.
function(_cudnn_checked_without_controls result text)
  string(ASCII 1 first)
  string(ASCII 9 tab)
  string(ASCII 11 after_newline)
  string(ASCII 31 last)
  string(REGEX REPLACE "[${first}-${tab}${after_newline}-${last}]" "?" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# "[", "]" and ";" as control characters, and the reverse.
function(_cudnn_checked_hidden result text)
  _cudnn_checked_marked(text 3 "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(_cudnn_checked_shown result text)
  _cudnn_checked_marked(text 3 "${text}" BACK)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_header_check(<target> <folder>)
#
# Adds a source to a guarded target that does not compile where the target sees another cudnn.h than
# the one that was found: only the target's own include directories and flags, in their order, can
# tell.  Nothing is compared where the directory of the one that was found is not among them: it is
# not known then whether the target includes any.  Nor where that directory has no cudnn_version.h:
# what its cudnn.h includes instead is not known.
#
# Called when the top-level directory is done, because the language of the source is one that the
# target has, and its flags may suit no other.  The source is written into <folder>, and only when
# something in it changes.
function(_cudnn_checked_header_check check_target folder)
  get_target_property(sources "${check_target}" SOURCES)
  # The name of a source may end within a generator expression.
  if(sources MATCHES "[.](cpp|cc|cxx|c[+][+]|C|CPP)(>|;|$)")
    set(extension cpp)
  elseif(sources MATCHES "[.]c(>|;|$)")
    set(extension c)
  elseif(sources MATCHES "[.]cu(>|;|$)")
    set(extension cu)
  else()
    return()
  endif()

  get_target_property(directories CuDNNChecked::cudnn INTERFACE_INCLUDE_DIRECTORIES)
  list(GET directories 0 include)
  if(NOT EXISTS "${include}/cudnn_version.h")
    return()
  endif()
  _cudnn_checked_get_stamp()
  set(check_version "${stamp_header}")
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)\\.([0-9]+)" _ "${check_version}")
  set(check_major ${CMAKE_MATCH_1})
  set(check_minor ${CMAKE_MATCH_2})
  set(check_patch ${CMAKE_MATCH_3})
  string(REGEX REPLACE "([\"\\])" "\\\\\\1" text "${include}")
  set(check_header "${text}/cudnn.h")
  if(text MATCHES "[^A-Za-z0-9_/.:+-]")
    set(text "[[${text}]]")
  endif()
  set(check_fixes "")
  set(lead "fix")
  # The compiler searches its own directories last, whatever a target names.
  if(NOT "${include}" IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    string(
      APPEND
      check_fixes
      "#error \"  fix: target_include_directories(${check_target} BEFORE PRIVATE ${text})\"\n"
      "#error \"       set_property(TARGET ${check_target} PROPERTY NO_SYSTEM_FROM_IMPORTED ON)\"\n"
    )
    set(lead " or")
  endif()
  string(
    APPEND
    check_fixes
    "#error \"  ${lead}: name the cuDNN that the target is compiled with: "
    "-D CuDNNChecked_ROOT=DIRECTORY\""
  )
  set(source "${folder}/header_check.${extension}")
  configure_file("${stamp_templates}/header_check.in" "${source}" @ONLY)

  set_property(TARGET "${check_target}" APPEND PROPERTY SOURCES "${source}")
  string(REPLACE ">" "$<ANGLE-R>" include "${include}")
  string(REPLACE "," "$<COMMA>" include "${include}")
  set(used "$<IN_LIST:${include},$<TARGET_PROPERTY:${check_target},INCLUDE_DIRECTORIES>>")
  set_source_files_properties(
    "${source}"
    TARGET_DIRECTORY "${check_target}"
    PROPERTIES
      COMPILE_DEFINITIONS "CUDNN_CHECKED_HAS_INCLUDE_DIRECTORY=${used}"
      SKIP_AUTOGEN ON
      SKIP_LINTING ON
      SKIP_PRECOMPILE_HEADERS ON
      CXX_SCAN_FOR_MODULES OFF
  )
endfunction()

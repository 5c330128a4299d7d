# SPDX-License-Identifier: BSD-3-Clause
#
# What cudnn_checked_bundle does once its arguments are parsed.

# _cudnn_checked_bundle_call(<target> arg)
#
# arg_* is what cudnn_checked_bundle has parsed.  What belongs to a bundle, and what the target
# is linked with, is decided by tool/bundle when the project is built: the link options are a file
# that it writes.
function(_cudnn_checked_bundle_call target arg)
  if(NOT DEFINED arg_DIRECTORY)
    set(arg_DIRECTORY cudnn)
  endif()
  _cudnn_checked_check_bundle_call("${target}" arg)
  get_target_property(real "${target}" ALIASED_TARGET)
  if(real)
    set(target "${real}")
  endif()
  _cudnn_checked_check_bundle_target("${target}")
  _cudnn_checked_bundle_rule(rule folder "${target}" "${arg_CUDA}")
  add_dependencies("${target}" "${rule}")
  set(response "${folder}/link/link.rsp")
  set_property(TARGET "${target}" APPEND PROPERTY LINK_DEPENDS "${response}")
  string(REPLACE ">" "$<ANGLE-R>" response "${response}")
  string(REPLACE "," "$<COMMA>" response "${response}")
  set_property(TARGET "${target}" APPEND PROPERTY LINK_OPTIONS "$<HOST_LINK:@${response}>")
  _cudnn_checked_first_run_path("${target}" BUILD_RPATH "${folder}/cudnn")
  _cudnn_checked_first_run_path("${target}" INSTALL_RPATH "$ORIGIN/${arg_DIRECTORY}")
  set_property(TARGET "${target}" PROPERTY _CUDNN_CHECKED_BUNDLED TRUE)
  if(DEFINED arg_DESTINATION)
    set(component "")
    if(DEFINED arg_COMPONENT)
      set(component COMPONENT "${arg_COMPONENT}")
    endif()
    cmake_path(SET destination NORMALIZE "${arg_DESTINATION}/${arg_DIRECTORY}")
    install(DIRECTORY "${folder}/cudnn/" DESTINATION "${destination}" ${component})
  endif()
endfunction()

function(_cudnn_checked_first_run_path target property directory)
  get_target_property(others "${target}" ${property})
  if(NOT others)
    set(others "")
  endif()
  set_property(TARGET "${target}" PROPERTY ${property} "${directory}" ${others})
endfunction()

# Ends the configure where the arguments of the call are wrong.
function(_cudnn_checked_check_bundle_call target arg)
  _cudnn_checked_load(target/arguments)
  _cudnn_checked_wrong_words(words arg DIRECTORY CUDA DESTINATION COMPONENT)
  if(words STREQUAL "" AND (IS_ABSOLUTE "${arg_DIRECTORY}" OR arg_DIRECTORY MATCHES "[$:;]"))
    set(text "DIRECTORY is ${arg_DIRECTORY}")
    string(APPEND text ", and can be a path that is seen from the target, as ../lib")
    _cudnn_checked_tell(words summary "${text}")
  endif()
  string(
    CONCAT
    usage
    "cudnn_checked_bundle(<target> [DIRECTORY <directory>] [CUDA] "
    "[DESTINATION <directory> [COMPONENT <component>]])"
  )
  _cudnn_checked_check_call("cudnn_checked_bundle(${target})" "${usage}" "${words}" "${target}")
endfunction()

# Ends the configure where the <target> can have no bundle.
function(_cudnn_checked_check_bundle_target target)
  get_target_property(type "${target}" TYPE)
  get_target_property(imported "${target}" IMPORTED)
  get_target_property(bundled "${target}" _CUDNN_CHECKED_BUNDLED)
  set(unfit "")
  foreach(property IN ITEMS SKIP_BUILD_RPATH BUILD_WITH_INSTALL_RPATH)
    get_target_property(value "${target}" ${property})
    if(value AND NOT unfit)
      set(unfit ${property})
    endif()
  endforeach()
  set(fault "")
  if(WIN32)
    set(fault no-run-path)
  elseif(imported OR NOT type MATCHES "^(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)$")
    set(fault not-linked-here)
  elseif(bundled)
    set(fault bundled)
  elseif(CMAKE_SKIP_RPATH)
    set(fault skip-rpath)
  elseif(unfit)
    set(fault other-run-path)
  endif()
  _cudnn_checked_check_target(cudnn_checked_bundle "${target}" "${fault}" "${unfit}")
endfunction()

# Makes the target <rule> that writes the bundle of this build tree, <with_cuda> or without.  Sets
# <folder> to the bundle's folder.  Ends the configure where no program can copy for <target>.
function(_cudnn_checked_bundle_rule rule folder target with_cuda)
  set(name cudnn_checked_bundle)
  set(cuda no)
  if(with_cuda)
    set(name cudnn_checked_bundle_with_cuda)
    set(cuda yes)
  endif()
  _cudnn_checked_get(where)
  set(home "${work_directory}/${name}")
  set(${rule} ${name} PARENT_SCOPE)
  set(${folder} "${home}" PARENT_SCOPE)
  if(TARGET ${name})
    return()
  endif()
  _cudnn_checked_load_search()
  _cudnn_checked_build_configure(program starter why configure)
  if(NOT program)
    set(text "the program that copies cuDNN was not built: ${why}")
    string(APPEND text "\n  fix: install a C++ compiler for this machine")
    _cudnn_checked_stop("cudnn_checked_bundle(${target})" "${text}")
  endif()
  _cudnn_checked_get_stamp(input_components place_library place_sublibraries place_version)
  set(components ${input_components})
  list(TRANSFORM components PREPEND "component=")
  _cudnn_checked_file_facts(facts "${place_library}" ${place_sublibraries})
  # Rewritten where it changes: another cuDNN may have files that are older than the copy of this
  # one.
  set(request "${place_library} ${cuda} ${components}\n${facts}")
  file(CONFIGURE OUTPUT "${home}.request" CONTENT "${request}" @ONLY)
  add_custom_command(
    OUTPUT "${home}/link/link.rsp"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${home}"
    COMMAND
      ${starter} "${program}" configure bundle "library=${place_library}" "into=${home}/cudnn"
      "link=${home}/link" "cuda=${cuda}" ${components}
    DEPENDS "${program}" "${home}.request"
    COMMENT "Copying cuDNN ${place_version}"
    VERBATIM
  )
  add_custom_target(${name} DEPENDS "${home}/link/link.rsp")
endfunction()

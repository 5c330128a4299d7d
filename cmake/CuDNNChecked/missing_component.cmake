# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_missing_component(<result>)
#
# A message where a component that is required has no library, otherwise nothing.
function(_cudnn_checked_missing_component result)
  set(text "")
  set(missing "")
  foreach(component IN LISTS input_components)
    _cudnn_checked_component_file(file ${component})
    if(file STREQUAL "")
      list(APPEND missing ${component})
    endif()
  endforeach()
  if(missing)
    list(JOIN missing ", " names)
    # A package whose record has the file that is missing lacks it by accident.
    _cudnn_checked_wheel_record(why "${place_prefix}")
    set(fix "")
    if(why)
      _cudnn_checked_reinstall(fix "${place_library}")
    endif()
    if(fix STREQUAL "")
      _cudnn_checked_install_cudnn(fix "" "${place_version}")
    endif()
    _cudnn_checked_message(text NAME sublibrary-missing
      SUMMARY "this cuDNN has no library for a component that is asked for: ${names}"
      FACTS "asked for|${names}|COMPONENTS" "cuDNN|${place_version}|${place_library}"
      BECAUSE "A program that needs it would fail when it calls it."
      FIX ${fix} "ask for COMPONENTS without ${names}"
    )
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_later_component(<result>)
#
# A message where a component that is required came with a later release than the one that was
# found, otherwise nothing: installing that release again would not bring it.
function(_cudnn_checked_later_component result)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_required_floor(since)
  if(since AND place_version VERSION_LESS since)
    _cudnn_checked_install_cudnn(fix "${since}" "")
    _cudnn_checked_message(text NAME sublibrary-missing
      SUMMARY "cuDNN ${place_version} has no component ${newest_component}"
      FACTS "asked for|${newest_component}|COMPONENTS"
            "exists since|${since}|release of cuDNN"
            "cuDNN|${place_version}|${place_library}"
      BECAUSE "Reinstalling this release does not bring it."
      FIX ${fix} "ask for COMPONENTS without ${newest_component}"
    )
    set(${result} "${text}" PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_required_floor(<since>)
#
# The first release that has all components that are required, empty where every one has; sets
# newest_component, the one that it has been the first to have.
#
# Source: the packages on PyPI, tool/data/catalogue/build_ids.csv; cuDNN 9.0.0 release notes.
function(_cudnn_checked_required_floor since)
  set(floor "")
  foreach(component IN LISTS input_components)
    set(first "")
    if(component STREQUAL "ext")
      set(first 9.22.0)
    elseif(component STREQUAL "engines_tensor_ir")
      set(first 9.21.0)
    elseif(component MATCHES "^(engines_.*|heuristic)$")
      set(first 9.0.0)
    endif()
    if(floor VERSION_LESS first)
      set(floor ${first})
      set(newest_component ${component} PARENT_SCOPE)
    endif()
  endforeach()
  set(${since} "${floor}" PARENT_SCOPE)
endfunction()

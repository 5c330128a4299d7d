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
    list(JOIN missing ", " missing)
    _cudnn_checked_message(text NAME sublibrary-missing
      SUMMARY "this cuDNN has no library for a component that is asked for: ${missing}"
      FACTS "asked for|${missing}|COMPONENTS" "cuDNN|${place_version}|${place_library}"
      BECAUSE "A program that needs it would fail when it calls it."
      FIX "install cuDNN ${place_version} whole"
          "leave it out of COMPONENTS"
    )
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_later_component(<result>)
#
# A message where a component that is required came with a later release than the one that was
# found, otherwise nothing: installing that release again would not bring it.
#
# Source: the packages on PyPI, tool/data/catalogue/build_ids.csv; cuDNN 9.0.0 release notes.
function(_cudnn_checked_later_component result)
  set(${result} "" PARENT_SCOPE)
  foreach(component IN LISTS input_components)
    set(since "")
    if(component STREQUAL "ext")
      set(since 9.22.0)
    elseif(component STREQUAL "engines_tensor_ir")
      set(since 9.21.0)
    elseif(component MATCHES "^(engines_.*|heuristic)$")
      set(since 9.0.0)
    endif()
    if(since AND place_version VERSION_LESS since)
      _cudnn_checked_message(text NAME sublibrary-missing
        SUMMARY "cuDNN ${place_version} has no component ${component}"
        FACTS "asked for|${component}|COMPONENTS"
              "exists since|${since}|release of cuDNN"
              "cuDNN|${place_version}|${place_library}"
        BECAUSE "Reinstalling this release does not bring it."
        FIX "leave ${component} out of COMPONENTS"
            "install cuDNN ${since} or newer"
      )
      set(${result} "${text}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

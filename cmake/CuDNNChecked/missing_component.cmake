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
      FIX "install cuDNN ${place_version} whole, if its release has that library"
          "leave it out of COMPONENTS"
    )
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

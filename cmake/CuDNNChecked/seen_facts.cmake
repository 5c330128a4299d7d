# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_seen_facts(<result> <files> <times>)
#
# A hash of the present state of what an earlier find_package looked at (see _cudnn_checked_seen), of
# the driver and of the GPUs.
function(_cudnn_checked_seen_facts result files times)
  set(text "")
  foreach(file IN LISTS files)
    file(TIMESTAMP "${file}" time "%s.%f" UTC)
    if(time STREQUAL "")
      string(APPEND text "-")
    elseif(IS_DIRECTORY "${file}")
      file(REAL_PATH "${file}" real)
      string(APPEND text "${time} ${real}\n")
    else()
      file(REAL_PATH "${file}" real)
      file(SIZE "${file}" size)
      string(APPEND text "${time} ${size} ${real}\n")
    endif()
  endforeach()
  foreach(file IN LISTS times)
    file(TIMESTAMP "${file}" time "%s.%f" UTC)
    string(APPEND text "${time}\n")
  endforeach()
  _cudnn_checked_driver_facts(driver)
  string(MD5 hash "${text}${driver}")
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

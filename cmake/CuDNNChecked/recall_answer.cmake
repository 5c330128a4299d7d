# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_recall_answer(<recalled> <file> <request> <key>)
#
# Publishes what _cudnn_checked_remember_answer wrote, where it answers the same request and nothing
# that was looked at has changed since: nothing is searched and no process is started.
function(_cudnn_checked_recall_answer recalled file request key)
  set(${recalled} FALSE PARENT_SCOPE)
  _cudnn_checked_read_facts(whole "${file}")
  if(NOT whole)
    return()
  endif()
  # An answer that was held against the first cuDNN of a build tree needs the same first one.
  get_property(pinned GLOBAL PROPERTY _cudnn_checked_pinned)
  if(
    NOT seen_request STREQUAL request
    OR (NOT seen_pinned STREQUAL "" AND NOT seen_pinned STREQUAL pinned)
    OR (pinned AND NOT pinned STREQUAL place_prefix)
    OR NOT (result_report STREQUAL "" OR EXISTS "${result_report}")
  )
    return()
  endif()
  foreach(path IN LISTS seen_absent)
    if(EXISTS "${path}")
      return()
    endif()
  endforeach()
  foreach(path IN LISTS seen_sources)
    # Also where it is not there any more.
    if("${path}" IS_NEWER_THAN "${file}")
      return()
    endif()
  endforeach()
  _cudnn_checked_seen_state(state)
  if(NOT state STREQUAL seen_state)
    return()
  endif()
  _cudnn_checked_seen_content(content)
  if(content STREQUAL seen_content)
    set(refusal "")
    _cudnn_checked_publish(${key})
    set(${recalled} TRUE PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_seen_state(<result>)
#
# A hash of the present state of seen_folders, seen_files and seen_links, of the driver and of the
# GPUs; empty where one of the files is not there any more, or has become a link.
function(_cudnn_checked_seen_state result)
  set(${result} "" PARENT_SCOPE)
  set(text "")
  foreach(path IN LISTS seen_folders)
    file(TIMESTAMP "${path}" time "%s.%f" UTC)
    if(time STREQUAL "")
      return()
    endif()
    file(REAL_PATH "${path}" real)
    string(APPEND text "${time} ${real}\n")
  endforeach()
  foreach(path IN LISTS seen_files)
    file(TIMESTAMP "${path}" time "%s.%f" UTC)
    # file(SIZE) of what is not there is an error.
    if(time STREQUAL "" OR IS_SYMLINK "${path}")
      return()
    endif()
    file(SIZE "${path}" size)
    string(APPEND text "${time} ${size}\n")
  endforeach()
  foreach(path IN LISTS seen_links)
    file(REAL_PATH "${path}" real)
    string(APPEND text "${real}\n")
  endforeach()
  _cudnn_checked_driver_facts(driver)
  string(MD5 hash "${text}${driver}")
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

# _cudnn_checked_seen_content(<result>)
#
# A hash of what tells files from others of the same size and time: all of seen_hashed, and of
# seen_sampled 128 bytes from each of seen_offsets; see _cudnn_checked_sampled_files.  To be called
# where the sizes are known to be the same: a FIFO has none.
function(_cudnn_checked_seen_content result)
  set(text "")
  foreach(path IN LISTS seen_hashed)
    file(MD5 "${path}" bytes)
    string(APPEND text "${bytes}")
  endforeach()
  foreach(path offset IN ZIP_LISTS seen_sampled seen_offsets)
    file(READ "${path}" bytes OFFSET ${offset} LIMIT 128 HEX)
    string(APPEND text "${bytes}")
  endforeach()
  string(MD5 text "${text}")
  set(${result} ${text} PARENT_SCOPE)
endfunction()

# _cudnn_checked_driver_facts(<result>)
#
# The driver's release and the GPUs, from files that cost nothing to read.
function(_cudnn_checked_driver_facts result)
  set(text "")
  # Which devices a container was given; WSL2 has /dev/dxg, Jetson /dev/nvhost-gpu.
  file(
    GLOB files
    "/proc/driver/nvidia/version"
    "/proc/driver/nvidia/gpus/*/information"
    "/dev/nvidia[0-9]*"
    "/dev/dxg"
    "/dev/nvhost-gpu"
  )
  foreach(file IN LISTS files)
    string(APPEND text "${file}\n")
    if(file MATCHES "^/proc")
      file(STRINGS "${file}" lines REGEX "^(NVRM version|Model|GPU UUID|Device Minor|GPU Excluded)")
      string(APPEND text "${lines}\n")
    endif()
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

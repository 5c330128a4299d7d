# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_remember_answer(<file> <request> <begin>)
#
# Writes what find_package found and proved, the request that it answers, and the state of
# everything that was looked at on the way, for _cudnn_checked_recall_answer.  Nothing is written
# where something is newer than two seconds before the <begin> of the search (it may have changed
# since it was looked at, and its next change may have the same time), or where a path cannot be an
# element of a list: the next run of CMake then searches again.
#
# What was looked at is kept in lists:
#   seen_absent   what was not there
#   seen_sources  what must not be newer than the answer
#   seen_folders  directories whose time and real path must be the same
#   seen_links    files whose real path must be the same: links, and files elsewhere
#   seen_files    files, none of them a link, whose time and size must be the same, and of those
#                 that are cuDNN's or CUDA's some content (_cudnn_checked_sampled_files)
function(_cudnn_checked_remember_answer file request begin)
  get_property(files GLOBAL PROPERTY _cudnn_checked_seen_FILES)
  get_property(times GLOBAL PROPERTY _cudnn_checked_seen_TIMES)
  get_property(sources GLOBAL PROPERTY _cudnn_checked_seen_SOURCES)
  list(REMOVE_DUPLICATES files)
  list(REMOVE_DUPLICATES times)
  list(REMOVE_ITEM times "" ${files})
  file(REMOVE "${file}")
  if("${files};${times};${sources}" MATCHES "[][]")
    return()
  endif()
  math(EXPR settled "${begin} - 2")
  foreach(
    kind
    IN
    ITEMS absent sources folders files links
  )
    set(seen_${kind} "")
  endforeach()
  foreach(kind IN ITEMS times files sources)
    foreach(path IN LISTS ${kind})
      file(TIMESTAMP "${path}" time "%s" UTC)
      if(time STREQUAL "")
        list(APPEND seen_absent "${path}")
      elseif(time GREATER_EQUAL settled)
        return()
      elseif(kind STREQUAL "sources")
        list(APPEND seen_sources "${path}")
      elseif(IS_DIRECTORY "${path}")
        list(APPEND seen_folders "${path}")
      else()
        get_filename_component(directory "${path}" DIRECTORY)
        if(IS_SYMLINK "${path}" OR NOT "${directory}" IN_LIST seen_folders)
          list(APPEND seen_links "${path}")
          file(REAL_PATH "${path}" path)
        endif()
        list(APPEND seen_files "${path}")
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES seen_files)
  _cudnn_checked_seen_state(seen_state)
  _cudnn_checked_sampled_files(${seen_files})
  _cudnn_checked_seen_content(seen_content)
  get_property(seen_pinned GLOBAL PROPERTY _cudnn_checked_pinned)
  set(seen_request "${request}")
  _cudnn_checked_names(names input place cuda result)
  _cudnn_checked_get(input place cuda result)
  _cudnn_checked_write_facts(
    "${file}" ${names} seen_request seen_pinned seen_absent seen_sources seen_folders seen_files
    seen_links seen_hashed seen_sampled seen_offsets seen_state seen_content
  )
endfunction()

# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_not_found(<result> <half> <version> <tried>...)
#
# The message: <half> is what the first incomplete install lacks, <version> a release that was
# found and not asked for, <tried>... the places.  Reads of the caller package, the one to install
# again, nothing, what names the hints that are empty or None, and none, those that are None.
function(_cudnn_checked_not_found result half version)
  set(tried "${ARGN}")
  _cudnn_checked_version_request(words fits "")
  set(facts "")
  if(words)
    set(facts "asked for|cuDNN ${words}|find_package")
  endif()
  set(label "looked in")
  foreach(place IN LISTS tried)
    list(APPEND facts "${label}${place}")
    set(label "")
  endforeach()
  set(because "")
  set(root "cmake -D CuDNNChecked_ROOT=DIRECTORY")
  _cudnn_checked_package_name(wheel cudnn_wheel)
  _cudnn_checked_package_name(older_wheel cudnn_wheel 12)
  set(pip "python3 -m pip install ${wheel}  (or ${older_wheel})")
  set(
    fix
    "${root}, the one with include/cudnn.h and lib/libcudnn.so.9"
    "${pip}, and configure again"
  )
  if(version)
    set(name cudnn-not-found)
    set(summary "no cuDNN ${words} was found, only others")
  elseif(half STREQUAL "headers")
    set(name headers-missing)
    set(summary "cuDNN's library was found without its headers")
    set(because "Programs that use cuDNN can run here, but cannot be compiled.")
    _cudnn_checked_package_name(debian cudnn_headers_debian)
    set(apt "apt install ${debian}  (the -dev package of the library's release)")
    list(INSERT fix 1 "${apt}")
  elseif(package)
    set(name library-missing)
    set(summary "a Python package of cuDNN is recorded, but its libraries are missing")
    set(because "An installation that was interrupted leaves the record behind.")
    list(PREPEND fix "python3 -m pip install --force-reinstall --no-deps ${package}")
  elseif(half STREQUAL "library")
    set(name library-missing)
    set(summary "cuDNN's headers were found without their library")
    set(because "A header of one install is never taken with a library of another.")
    _cudnn_checked_package_name(debian cudnn_debian)
    list(INSERT fix 1 "apt install ${debian}  (the package of the headers' release)")
  elseif(none)
    set(name library-missing)
    list(JOIN none ", " hints)
    set(summary "no cuDNN was found, and no directory is named by ${hints}")
  else()
    set(name cudnn-not-found)
    set(summary "no cuDNN was found")
  endif()
  if(nothing)
    list(GET nothing 0 hint)
    string(REGEX REPLACE ".* " "" hint "${hint}")
    list(
      PREPEND
      fix
      "export ${hint}=\"$(python3 -c 'import nvidia.cudnn as c\\; print(list(c.__path__)[0])')\""
    )
  endif()
  if(CuDNNChecked_ROOT OR NOT "$ENV{CuDNNChecked_ROOT}" STREQUAL "")
    set(because "CuDNNChecked_ROOT is set, so no other directory was searched.")
    set(unset "cmake -U CuDNNChecked_ROOT  (and: unset CuDNNChecked_ROOT), to search elsewhere")
    list(APPEND fix "${unset}")
  endif()
  _cudnn_checked_message(text NAME ${name} SUMMARY "${summary}" FACTS ${facts}
                         BECAUSE "${because}" FIX ${fix}
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

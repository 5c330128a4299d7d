# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_reinstall(<result> <file> [DEVELOPMENT|RUNTIME])
#
# The command that installs the package again to which <file> belongs, which need not be there any
# more, in the same release: a Python package, one of conda, or one of Debian.  DEVELOPMENT: Debian's
# package of the headers of that release instead; RUNTIME: that of its libraries.  Empty where no
# package is recorded.
function(_cudnn_checked_reinstall result file)
  set(${result} "" PARENT_SCOPE)
  if(file MATCHES "^(.*)/nvidia/(cudnn|cudnn_jit)(/|$)")
    set(site "${CMAKE_MATCH_1}")
    _cudnn_checked_glob_escaped(escaped "${site}")
    file(GLOB records "${escaped}/nvidia_${CMAKE_MATCH_2}_cu[0-9]*.dist-info")
    list(LENGTH records count)
    if(count EQUAL 1 AND records MATCHES "/([^/-]+)-([^/]*)\\.dist-info$")
      set(version "${CMAKE_MATCH_2}")
      string(REPLACE "_" "-" name "${CMAKE_MATCH_1}")
      _cudnn_checked_pip_command(
        line
        "${site}"
        --force-reinstall
        --no-deps
        "${name}==${version}"
      )
      set(${result} "${line}" PARENT_SCOPE)
    endif()
    return()
  endif()
  get_filename_component(prefix "${file}" DIRECTORY)
  get_filename_component(prefix "${prefix}" DIRECTORY)
  if(IS_DIRECTORY "${prefix}/conda-meta")
    _cudnn_checked_reinstall_conda(line "${prefix}")
  else()
    _cudnn_checked_reinstall_debian(line "${file}" ${ARGN})
  endif()
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# All packages of cuDNN that conda has recorded in <prefix>.
function(_cudnn_checked_reinstall_conda result prefix)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_glob_escaped(escaped "${prefix}")
  file(GLOB records "${escaped}/conda-meta/cudnn-*.json" "${escaped}/conda-meta/libcudnn*.json")
  set(packages "")
  foreach(record IN LISTS records)
    if(record MATCHES "/([^/]+)-([^/-]+)-[^/-]+\\.json$")
      list(APPEND packages "${CMAKE_MATCH_1}=${CMAKE_MATCH_2}")
    endif()
  endforeach()
  if(packages)
    _cudnn_checked_command(line conda install -y -p "${prefix}" --force-reinstall ${packages})
    set(${result} "${line}" PARENT_SCOPE)
  endif()
endfunction()

# dpkg has a list of the files of each package.  Debian's plain names are links.
function(_cudnn_checked_reinstall_debian result file)
  set(${result} "" PARENT_SCOPE)
  set(directory /var/lib/dpkg)
  if(NOT "$ENV{DPKG_ADMINDIR}" STREQUAL "")
    set(directory "$ENV{DPKG_ADMINDIR}")
  endif()
  set(names "${file}")
  if(EXISTS "${file}")
    file(REAL_PATH "${file}" real)
    list(APPEND names "${real}")
  endif()
  file(GLOB lists "${directory}/info/*cudnn*.list")
  set(package "")
  foreach(list IN LISTS lists)
    file(STRINGS "${list}" lines)
    foreach(name IN LISTS names)
      if("${name}" IN_LIST lines)
        string(REGEX REPLACE "^.*/([^/:]+)(:[^/]*)?\\.list$" "\\1" package "${list}")
      endif()
    endforeach()
  endforeach()
  if(package STREQUAL "")
    return()
  endif()
  execute_process(
    COMMAND dpkg-query -W -f "\${Version}" "${package}"
    OUTPUT_VARIABLE version
    ERROR_QUIET
  )
  set(option --reinstall)
  if("DEVELOPMENT" IN_LIST ARGN AND NOT package MATCHES "-dev|-headers")
    string(REGEX REPLACE "^(libcudnn[0-9]+)" "\\1-dev" package "${package}")
    set(option "")
  elseif("RUNTIME" IN_LIST ARGN AND package MATCHES "-dev|-headers")
    string(REGEX REPLACE "-(dev|headers)" "" package "${package}")
    set(option "")
  endif()
  if(version)
    string(APPEND package "=${version}")
  endif()
  # Only root may.
  execute_process(COMMAND id -u OUTPUT_VARIABLE user ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(sudo "")
  if(user MATCHES "^[1-9]")
    set(sudo sudo)
  endif()
  _cudnn_checked_command(line ${sudo} apt-get install -y ${option} "${package}")
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

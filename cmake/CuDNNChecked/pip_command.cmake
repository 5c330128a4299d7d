# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_pip_command(<result> <site> <word>...)
#
# The command that installs requirements into the environment whose site-packages <site> is: with
# its own Python, with uv where that environment has no pip, with --target where it is no
# environment.  The words are requirements, and options that both pip and uv have.  A cuDNN for another
# major release of CUDA is uninstalled first: both have the same directory.
function(_cudnn_checked_pip_command result site)
  set(words ${ARGN})
  _cudnn_checked_pip_program(program uninstall kind "${site}")
  set(where "")
  if(kind STREQUAL "target")
    _cudnn_checked_glob_escaped(escaped "${site}")
    file(GLOB records "${escaped}/nvidia_*.dist-info")
    if(records AND NOT program MATCHES "^(.*/)?uv(;|$)")
      # pip replaces the whole directory nvidia, so all that is in it is named.
      list(APPEND program --upgrade)
      list(TRANSFORM records REPLACE "^.*/([^/-]+)-([^/]*)\\.dist-info$" "\\1==\\2")
      list(TRANSFORM records REPLACE "_" "-")
      set(names ${words})
      list(TRANSFORM names REPLACE "[=<>!~].*$" "")
      foreach(record IN LISTS records)
        string(REGEX REPLACE "==.*" "" name "${record}")
        if(NOT "${name}" IN_LIST names)
          list(PREPEND words "${record}")
        endif()
      endforeach()
    endif()
    set(where --target "${site}")
  endif()
  _cudnn_checked_command(line ${program} ${where} ${words})
  _cudnn_checked_conflicting_wheels(others "${site}" ${ARGN})
  if(others AND line AND uninstall)
    _cudnn_checked_command(first ${uninstall} ${others})
    set(line "${first} && ${line}")
  endif()
  if(line STREQUAL "")
    list(JOIN words " " line)
    set(line "with pip, add to ${site}: ${line}")
    _cudnn_checked_one_line(line)
  endif()
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_pip_program(<install> <uninstall> <kind> <site>)
#
# The words with which packages are installed into <site>, and removed from it.  <kind> is
# "environment", "user", or "target", of which nothing is removed.
function(_cudnn_checked_pip_program install uninstall kind site)
  set(environment "")
  set(python "")
  if(site MATCHES "^(.*)/lib(64)?/(python3[.0-9]*)/(site|dist)-packages$")
    set(environment "${CMAKE_MATCH_1}")
    set(version "${CMAKE_MATCH_3}")
    foreach(name IN ITEMS python python3 ${version})
      if(NOT python AND EXISTS "${environment}/bin/${name}")
        set(python "${environment}/bin/${name}")
      endif()
    endforeach()
  endif()
  # What has no interpreter is copied or unpacked, unless it is where --user installs.
  if(
    NOT environment
    OR NOT (python OR environment MATCHES "/\\.local$" OR site MATCHES "/dist-packages$")
  )
    set(installer "")
    _cudnn_checked_glob_escaped(escaped "${site}")
    file(GLOB installers "${escaped}/nvidia_*.dist-info/INSTALLER")
    foreach(file IN LISTS installers)
      file(READ "${file}" installer LIMIT 8)
    endforeach()
    _cudnn_checked_site_packages(directories python)
    _cudnn_checked_has_pip(pip "${python}" ${directories})
    _cudnn_checked_on_path(uv uv)
    if(installer MATCHES "^uv" OR (uv AND NOT pip AND NOT installer))
      set(program uv pip install)
    else()
      if(NOT pip)
        set(python python3)
      endif()
      set(program "${python}" -m pip install)
    endif()
    set(${install} ${program} PARENT_SCOPE)
    set(${uninstall} "" PARENT_SCOPE)
    set(${kind} target PARENT_SCOPE)
    return()
  endif()
  set(found environment)
  set(program "${python}" -m pip install)
  set(
    remove
    "${python}"
    -m
    pip
    uninstall
    -y
  )
  if(python AND EXISTS "${environment}/pyvenv.cfg" AND NOT IS_DIRECTORY "${site}/pip")
    set(
      program
      uv
      pip
      install
      --python
      "${environment}"
    )
    set(
      remove
      uv
      pip
      uninstall
      --python
      "${environment}"
    )
  else()
    if(NOT python)
      set(found user)
      set(program "${version}" -m pip install)
      if(site MATCHES "/site-packages$")
        list(APPEND program --user)
      endif()
      set(
        remove
        "${version}"
        -m
        pip
        uninstall
        -y
      )
      _cudnn_checked_on_path(python "${version}")
    endif()
    # PEP 668, of distributions: who has installed there before has said so as well.
    if(python AND NOT EXISTS "${environment}/pyvenv.cfg")
      get_filename_component(prefix "${python}" DIRECTORY)
      get_filename_component(prefix "${prefix}" DIRECTORY)
      if(EXISTS "${prefix}/lib/${version}/EXTERNALLY-MANAGED")
        list(APPEND program --break-system-packages)
        list(APPEND remove --break-system-packages)
      endif()
    endif()
  endif()
  set(${install} ${program} PARENT_SCOPE)
  set(${uninstall} ${remove} PARENT_SCOPE)
  set(${kind} ${found} PARENT_SCOPE)
endfunction()

# Whether this Python has pip, which lies in one of the directories from which it imports.
function(_cudnn_checked_has_pip result python)
  set(${result} FALSE PARENT_SCOPE)
  foreach(directory IN LISTS ARGN)
    if(EXISTS "${python}" AND IS_DIRECTORY "${directory}/pip")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# The packages of <site> whose cuDNN has the directory of one of the requirements and is for
# another major release of CUDA.
function(_cudnn_checked_conflicting_wheels result site)
  set(found "")
  _cudnn_checked_glob_escaped(escaped "${site}")
  foreach(identifier IN ITEMS cudnn_wheel cudnn_jit_wheel)
    _cudnn_checked_package_name(stem ${identifier} "")
    string(REPLACE "-" "_" pattern "${stem}")
    foreach(requirement IN LISTS ARGN)
      if(requirement MATCHES "^${stem}[0-9]+")
        set(name "${CMAKE_MATCH_0}")
        file(GLOB records RELATIVE "${site}" "${escaped}/${pattern}[0-9]*.dist-info")
        list(TRANSFORM records REPLACE "-.*" "")
        list(TRANSFORM records REPLACE "_" "-")
        list(REMOVE_ITEM records "${name}")
        list(APPEND found ${records})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES found)
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_missing_wheels(<result> <site> <folder> <CUDA major>)
#
# Requirements of what is not in <site> and belongs to the cuDNN in <site>/nvidia/<folder>: what a
# program is compiled with (runtime and crt headers) and what cuDNN opens when it computes (NVRTC;
# cuBLAS, which a JIT-only one does not use).  Each is of the CUDA release of a runtime that is
# there.
function(_cudnn_checked_missing_wheels result site folder cuda)
  set(nvidia "${site}/nvidia")
  set(missing "")
  foreach(part IN ITEMS runtime crt nvrtc cublas)
    set(folder_of_runtime cuda_runtime)
    set(folder_of_crt cuda_nvcc)
    set(folder_of_nvrtc cuda_nvrtc)
    set(folder_of_cublas cublas)
    if(cuda GREATER_EQUAL 13)
      set(folder_of_${part} cu${cuda})
    endif()
    set(place "${nvidia}/${folder_of_${part}}")
    set(file_of_runtime include/cuda_runtime_api.h)
    set(file_of_crt include/crt/host_defines.h)
    set(file_of_nvrtc lib/libnvrtc.so.${cuda})
    set(file_of_cublas lib/libcublasLt.so.${cuda})
    _cudnn_checked_seen(TIMES "${place}/${file_of_${part}}")
    if(NOT EXISTS "${place}/${file_of_${part}}")
      list(APPEND missing ${part})
    endif()
  endforeach()
  if(folder STREQUAL "cudnn_jit")
    list(REMOVE_ITEM missing cublas)
  endif()
  _cudnn_checked_glob_escaped(escaped "${site}")
  file(GLOB record "${escaped}/nvidia_cuda_runtime_cu${cuda}-*.dist-info")
  set(release "")
  if(cuda GREATER_EQUAL 13)
    set(release "${cuda}")
    file(GLOB record "${escaped}/nvidia_cuda_runtime-${cuda}.*.dist-info")
  endif()
  if(NOT "runtime" IN_LIST missing AND record MATCHES "-([0-9]+\\.[0-9]+)\\.[^/]*$")
    set(release "${CMAKE_MATCH_1}")
  endif()
  set(requirements "")
  foreach(part IN LISTS missing)
    set(identifier ${part}_wheel)
    if(part STREQUAL "runtime")
      set(identifier cudart_wheel)
    elseif(part STREQUAL "crt" AND cuda LESS 13)
      set(identifier nvcc_wheel)
    endif()
    _cudnn_checked_package_name(name ${identifier})
    if(cuda LESS 13)
      string(APPEND name "-cu${cuda}")
    endif()
    # The releases of cuBLAS are not those of CUDA.
    if(release AND part STREQUAL "cublas")
      string(REGEX MATCH "^[0-9]+" major "${release}")
      if(cuda GREATER_EQUAL 13)
        string(APPEND name "==${major}.*")
      endif()
    elseif(release)
      string(APPEND name "==${release}.*")
    endif()
    list(APPEND requirements "${name}")
  endforeach()
  set(${result} "${requirements}" PARENT_SCOPE)
endfunction()

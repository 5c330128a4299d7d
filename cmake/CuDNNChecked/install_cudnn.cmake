# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_install_cudnn(<result> <floor> <exact>)
#
# What to type for a cuDNN that find_package asks for (see _cudnn_checked_requirement), with what a
# program is compiled with where there is no CUDA toolkit for it: one line, or words where no command
# is right.  It is installed where the next run of CMake finds it: into the environment that
# CuDNNChecked_ROOT names, or the active one, where no other package needs another cuDNN there;
# otherwise below the build directory, which CuDNNChecked_ROOT then names.
function(_cudnn_checked_install_cudnn result floor exact)
  _cudnn_checked_target_machine(machine folders)
  set(cross FALSE)
  if(machine MATCHES "^(x86_64|aarch64)$" AND NOT machine STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
    set(cross TRUE)
  endif()
  set(site "")
  if(NOT cross)
    _cudnn_checked_install_site(site)
  endif()
  _cudnn_checked_cuda_for_install(cuda toolkit fixed "${site}" "${floor}" "${exact}")
  _cudnn_checked_requirement(requirement "${cuda}" "${floor}" "${exact}")
  if(requirement STREQUAL "")
    _cudnn_checked_requirement(older "${cuda}" "" "${exact}")
    if(older AND floor)
      set(${result} "ask for cuDNN ${floor} or newer in find_package" PARENT_SCOPE)
      return()
    endif()
    _cudnn_checked_version_request(words fits "")
    if(exact)
      set(words "${exact}")
    endif()
    set(line "choose another cuDNN or another CUDA: PyPI has no cuDNN ${words}")
    if(fixed)
      string(APPEND line " for CUDA ${cuda} (${fixed})")
    else()
      string(APPEND line " for ${machine}")
    endif()
    set(${result} "${line}" PARENT_SCOPE)
    return()
  endif()

  _cudnn_checked_needed_otherwise(user "${site}" "${requirement}")
  set(own "${CMAKE_BINARY_DIR}/cudnn_wheels")
  if(user OR NOT site)
    set(site "${own}")
  endif()
  set(requirements "${requirement}")
  _cudnn_checked_recorded(recorded "${site}" "${requirement}" "${floor}" "${exact}")
  if(recorded)
    # pip would say that it is there already.
    set(requirements --force-reinstall --no-deps "${recorded}")
  endif()
  if(NOT toolkit)
    _cudnn_checked_missing_wheels(missing "${site}" cudnn ${cuda})
    if(cross)
      list(FILTER missing INCLUDE REGEX "cuda-(runtime|crt|nvcc)")
    endif()
    list(APPEND requirements ${missing})
  endif()
  set(options "")
  if(cross)
    set(options "--platform;manylinux_2_27_${machine};--platform;manylinux2014_${machine}")
    list(APPEND options --only-binary=:all: --no-deps)
  endif()
  if(site STREQUAL own)
    _cudnn_checked_install_below(line CuDNNChecked_ROOT "${own}" ${options} ${requirements})
  else()
    _cudnn_checked_pip_command(line "${site}" ${requirements})
  endif()
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_install_runtime(<result> <site>)
#
# The same for a cuDNN that only lacks the CUDA runtime: into the site-packages that it lies in, or
# below the build directory, which CUDAToolkit_ROOT then names.
function(_cudnn_checked_install_runtime result site)
  _cudnn_checked_cuda_of_cudnn(cuda)
  _cudnn_checked_glob_escaped(escaped "${site}")
  file(GLOB records "${escaped}/nvidia_*.dist-info")
  if(site AND records)
    _cudnn_checked_missing_wheels(packages "${site}" cudnn ${cuda})
    _cudnn_checked_pip_command(line "${site}" ${packages})
    set(${result} "${line}" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_missing_wheels(packages "${CMAKE_BINARY_DIR}/cuda_wheels" cudnn ${cuda})
  list(FILTER packages INCLUDE REGEX "cuda-(runtime|crt|nvcc)")
  _cudnn_checked_install_below(
    line
    CUDAToolkit_ROOT
    "${CMAKE_BINARY_DIR}/cuda_wheels"
    ${packages}
  )
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# The major release of CUDA of a cuDNN that no Python package holds: the libraries name the
# cuBLAS that they open.  The newest where that cannot be read.
function(_cudnn_checked_cuda_of_cudnn result)
  set(${result} 13 PARENT_SCOPE)
  get_filename_component(directory "${place_library}" DIRECTORY)
  _cudnn_checked_glob_escaped(escaped "${directory}")
  file(GLOB files "${escaped}/libcudnn_ops*.so.*" "${escaped}/libcudnn_cnn*.so.*")
  foreach(file IN LISTS files)
    _cudnn_checked_no_file(kind "${file}")
    if(NOT kind)
      file(STRINGS "${file}" lines LIMIT_COUNT 1 REGEX "libcublasLt\\.so\\.1[0-9]")
      if(lines MATCHES "libcublasLt\\.so\\.(1[0-9])")
        set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

# Installs into a directory of the build tree, and configures again with it as <variable>.
function(_cudnn_checked_install_below result variable directory)
  _cudnn_checked_site_packages(directories python)
  _cudnn_checked_has_pip(pip "${python}" ${directories})
  _cudnn_checked_on_path(uv uv)
  _cudnn_checked_command(words pip install ${ARGN})
  set(text "in a Python environment, which ${variable} then names: ${words}")
  if("--platform" IN_LIST ARGN AND NOT pip)
    # uv names platforms otherwise.
    set(uv "")
    _cudnn_checked_command(words python3 -m pip install --target "${directory}" ${ARGN})
    _cudnn_checked_set_command(configure ${variable} "${directory}")
    set(text "with a Python that has pip: ${words} && ${configure}")
  endif()
  if(pip OR uv)
    _cudnn_checked_pip_command(install "${directory}" ${ARGN})
    _cudnn_checked_command(typed "${directory}" "${CMAKE_BINARY_DIR}" "${python}")
    if(typed AND "${${variable}}" STREQUAL "$CACHE{${variable}}")
      _cudnn_checked_cmake_command(configure -D "${variable}=${directory}")
      set(text "${install} && ${configure}")
    elseif(typed)
      _cudnn_checked_set_command(configure ${variable} "${directory}")
      set(text "${install}" "${configure}")
    endif()
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The site-packages into which a cuDNN can be installed so that it is found; empty where there are
# none.
function(_cudnn_checked_install_site result)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_cudnn_prefixes(roots labels CuDNNChecked_ROOT)
  if(roots)
    list(GET roots 0 root)
    _cudnn_checked_glob_escaped(escaped "${root}")
    file(GLOB sites "${escaped}/lib/python3*/site-packages")
    if(root MATCHES "^(.*)/nvidia(/cudnn|/cudnn_jit)?/*$")
      set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
    elseif(root MATCHES "-packages/*$" OR IS_DIRECTORY "${root}/nvidia")
      string(REGEX REPLACE "(.)/+$" "\\1" root "${root}")
      set(${result} "${root}" PARENT_SCOPE)
    elseif(sites)
      list(GET sites 0 site)
      set(${result} "${site}" PARENT_SCOPE)
    endif()
    return()
  endif()
  _cudnn_checked_find_roots(roots mode)
  _cudnn_checked_site_packages(directories python)
  if(mode STREQUAL "ONLY" OR NOT EXISTS "${python}" OR "${CuDNNChecked_PYTHON_PATH}" STREQUAL "")
    return()
  endif()
  get_filename_component(environment "${python}" DIRECTORY)
  get_filename_component(environment "${environment}" DIRECTORY)
  if(EXISTS "${environment}/pyvenv.cfg" OR IS_DIRECTORY "${environment}/conda-meta")
    foreach(directory IN LISTS directories)
      string(FIND "${directory}" "${environment}/" position)
      if(position EQUAL 0 AND directory MATCHES "-packages$")
        set(${result} "${directory}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endif()
endfunction()

# The package of a <requirement> where <site> has a record of one that was asked for.
function(
  _cudnn_checked_recorded
  result
  site
  requirement
  floor
  exact
)
  set(${result} "" PARENT_SCOPE)
  string(REGEX MATCH "^[a-z0-9-]+" name "${requirement}")
  string(REPLACE "-" "_" pattern "${name}")
  _cudnn_checked_glob_escaped(escaped "${site}")
  file(GLOB records "${escaped}/${pattern}-*.dist-info")
  if(records MATCHES "-(([0-9]+\\.[0-9]+\\.[0-9]+)[0-9.]*)\\.dist-info$")
    set(version "${CMAKE_MATCH_1}")
    set(release "${CMAKE_MATCH_2}")
    _cudnn_checked_version_request(words fits "${release}")
    if(fits AND NOT release VERSION_LESS floor AND (NOT exact OR release VERSION_EQUAL exact))
      set(${result} "${name}==${version}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# A package of <site> that needs another cuDNN than the <requirement>: that one must stay.
function(_cudnn_checked_needed_otherwise result site requirement)
  set(${result} "" PARENT_SCOPE)
  if(NOT site)
    return()
  endif()
  _cudnn_checked_glob_escaped(escaped "${site}")
  file(GLOB installed "${escaped}/nvidia_cudnn_cu[0-9]*.dist-info")
  if(NOT installed)
    return()
  endif()
  file(GLOB records "${escaped}/*.dist-info/METADATA")
  foreach(record IN LISTS records)
    file(
      STRINGS
      "${record}"
      lines
      LIMIT_INPUT 65536
      LIMIT_COUNT 1
      REGEX "^Requires-Dist: *nvidia[-_]cudnn[-_]cu[0-9]"
    )
    if(lines)
      set(${result} "${record}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# _cudnn_checked_cuda_for_install(<cuda> <toolkit> <fixed> <site> <floor> <exact>)
#
# The major release of CUDA for which a cuDNN is wanted: that of the CUDA compiler or of
# CUDAToolkit_ROOT (<fixed> names it); else of the cuDNN in <site>, of a toolkit that is found, or the
# newest that the driver supports and for which there is such a cuDNN.  <toolkit>: whether there is a
# runtime of it to compile with.
function(
  _cudnn_checked_cuda_for_install
  cuda
  toolkit
  fixed
  site
  floor
  exact
)
  set(${fixed} "" PARENT_SCOPE)
  _cudnn_checked_cuda_instructions(prefixes labels "")
  _cudnn_checked_first_runtime(instructed label "${prefixes}" "${labels}")
  if(instructed STREQUAL "" AND CMAKE_CUDA_COMPILER_VERSION MATCHES "^[0-9]+")
    set(compiled "${CMAKE_MATCH_0}")
    set(label CMAKE_CUDA_COMPILER)
  endif()
  _cudnn_checked_cuda_hints(prefixes labels)
  _cudnn_checked_first_runtime(hinted hint "${prefixes}" "${labels}")
  set(candidates "")
  if(instructed OR compiled)
    set(candidates ${instructed} ${compiled})
    set(${fixed} "${label}" PARENT_SCOPE)
  else()
    set(records "")
    if(site)
      _cudnn_checked_glob_escaped(escaped "${site}")
      file(GLOB records "${escaped}/nvidia_cudnn_cu[0-9]*.dist-info")
      list(TRANSFORM records REPLACE "^.*/nvidia_cudnn_cu([0-9]+)-[^/]*$" "\\1")
    endif()
    list(APPEND candidates ${records} ${hinted})
    _cudnn_checked_driver_cuda(newest)
    foreach(major IN ITEMS 13 12 11)
      if(NOT major GREATER newest)
        list(APPEND candidates ${major})
      endif()
    endforeach()
    foreach(major IN LISTS candidates)
      _cudnn_checked_requirement(requirement ${major} "${floor}" "${exact}")
      if(requirement)
        set(candidates ${major})
        break()
      endif()
    endforeach()
  endif()
  list(GET candidates 0 major)
  set(${cuda} ${major} PARENT_SCOPE)
  set(${toolkit} FALSE PARENT_SCOPE)
  if("${major}" STREQUAL "${instructed}" OR "${major}" STREQUAL "${hinted}")
    set(${toolkit} TRUE PARENT_SCOPE)
  endif()
endfunction()

# The major release of the first of these directories that holds a CUDA runtime, and what names it.
function(_cudnn_checked_first_runtime major label prefixes labels)
  set(${major} "" PARENT_SCOPE)
  set(${label} "" PARENT_SCOPE)
  set(outside "")
  _cudnn_checked_rooted(prefixes labels outside)
  foreach(prefix name IN ZIP_LISTS prefixes labels)
    _cudnn_checked_find_cuda_in_prefix("${prefix}")
    _cudnn_checked_get(found)
    if(found_why STREQUAL "" AND found_version MATCHES "^[0-9]+")
      set(${major} "${CMAKE_MATCH_0}" PARENT_SCOPE)
      set(${label} "${name}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# The newest major release of CUDA that the driver of this machine supports; 13 where there is none.
# Source: CUDA Compatibility, "Minor Version Compatibility", table 1.
function(_cudnn_checked_driver_cuda result)
  set(${result} 13 PARENT_SCOPE)
  set(file /proc/driver/nvidia/version)
  if(CMAKE_CROSSCOMPILING OR NOT EXISTS "${file}")
    return()
  endif()
  file(READ "${file}" text LIMIT 4096)
  if(text MATCHES "Module[^0-9]*([0-9]+)[.]")
    if(CMAKE_MATCH_1 LESS 525)
      set(${result} 11 PARENT_SCOPE)
    elseif(CMAKE_MATCH_1 LESS 580)
      set(${result} 12 PARENT_SCOPE)
    endif()
  endif()
endfunction()

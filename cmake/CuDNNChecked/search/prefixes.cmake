# SPDX-License-Identifier: BSD-3-Clause
#
# Where a cuDNN may be.

# _cudnn_checked_cudnn_prefixes(<prefixes> <labels> <stage>)
#
# The directories that one stage of the search names, and what names each of them: two lists of the
# same length.  A stage is only worked out when the ones before it found nothing.
function(_cudnn_checked_cudnn_prefixes prefixes labels stage)
  set(found "")
  set(names "")
  if(stage STREQUAL "include")
    _cudnn_checked_include_prefixes(found names)
  elseif(stage STREQUAL "python")
    _cudnn_checked_python_prefixes(found names)
  elseif(stage STREQUAL "conda")
    if(NOT "$ENV{CONDA_PREFIX}" STREQUAL "")
      file(TO_CMAKE_PATH "$ENV{CONDA_PREFIX}" found)
      set(names "environment CONDA_PREFIX")
    endif()
  elseif(stage STREQUAL "cuda")
    _cudnn_checked_cuda_prefixes(found names)
  elseif(stage STREQUAL "system")
    _cudnn_checked_system_prefixes(found)
    list(TRANSFORM found REPLACE ".+" "system" OUTPUT_VARIABLE names)
  else()
    _cudnn_checked_named_prefixes(found names "${stage}")
  endif()
  set(${prefixes} "${found}" PARENT_SCOPE)
  set(${labels} "${names}" PARENT_SCOPE)
endfunction()

# The wheels of the active Python.
function(_cudnn_checked_python_prefixes prefixes labels)
  set(found "")
  set(names "")
  set(directories "")
  _cudnn_checked_find_roots(roots mode)
  if(NOT mode STREQUAL "ONLY")
    _cudnn_checked_site_packages(directories interpreter)
  endif()
  foreach(directory IN LISTS directories)
    _cudnn_checked_seen(TIMES "${directory}/nvidia")
    list(APPEND found "${directory}/nvidia/cudnn")
    list(APPEND names "Python packages of ${interpreter}")
    if(IS_DIRECTORY "${directory}/nvidia/cudnn_jit")
      list(APPEND found "${directory}/nvidia/cudnn_jit")
      list(APPEND names "Python packages of ${interpreter}")
    endif()
  endforeach()
  set(${prefixes} "${found}" PARENT_SCOPE)
  set(${labels} "${names}" PARENT_SCOPE)
endfunction()

# The directories of a variable, and of the environment variable of that name.
function(_cudnn_checked_named_prefixes prefixes labels variable)
  set(found "")
  set(names "")
  foreach(directory IN LISTS ${variable})
    list(APPEND found "${directory}")
    list(APPEND names "${variable}")
  endforeach()
  set(variables "${variable}")
  if(variable STREQUAL "CMAKE_PREFIX_PATH")
    # In Nix, the hook of cmake names the store paths of all inputs in it.
    list(APPEND variables NIXPKGS_CMAKE_PREFIX_PATH)
  endif()
  foreach(name IN LISTS variables)
    file(TO_CMAKE_PATH "$ENV{${name}}" directories)
    foreach(directory IN LISTS directories)
      list(APPEND found "${directory}")
      list(APPEND names "environment ${name}")
    endforeach()
  endforeach()
  set(${prefixes} "${found}" PARENT_SCOPE)
  set(${labels} "${names}" PARENT_SCOPE)
endfunction()

# What lies above the directories with a cudnn.h that compilers search anyhow: environment modules
# (Lmod, EasyBuild) set CPATH, and Nix CMAKE_INCLUDE_PATH.  CPATH can have an entry for each module
# that is loaded, so those without a cudnn.h are not listed.
function(_cudnn_checked_include_prefixes prefixes labels)
  set(found "")
  set(names "")
  foreach(variable IN ITEMS "" CMAKE_INCLUDE_PATH CPATH CPLUS_INCLUDE_PATH)
    if(variable STREQUAL "")
      set(directories ${CMAKE_INCLUDE_PATH})
      set(label CMAKE_INCLUDE_PATH)
    else()
      file(TO_CMAKE_PATH "$ENV{${variable}}" directories)
      set(label "environment ${variable}")
    endif()
    foreach(directory IN LISTS directories)
      _cudnn_checked_seen(FILES "${directory}/cudnn.h")
      if(directory MATCHES "^(/.*)/include/*$" AND EXISTS "${directory}/cudnn.h")
        list(APPEND found "${CMAKE_MATCH_1}")
        list(APPEND names "${label}")
      endif()
    endforeach()
  endforeach()
  set(${prefixes} "${found}" PARENT_SCOPE)
  set(${labels} "${names}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_system_prefixes(<result>)
#
# The directories of the system that is built for: /usr and /usr/local here; below its roots where
# it has some (CMAKE_SYSROOT, CMAKE_FIND_ROOT_PATH), and there the roots themselves as well, which
# can be an install of one package, and CMAKE_STAGING_PREFIX.  Roots without a cross build (vcpkg
# has them) leave out /usr only if their mode is ONLY.  A cross build for the same kind of machine
# without a root has none: this machine's libraries could not be told from the target's.
function(_cudnn_checked_system_prefixes result)
  set(${result} "" PARENT_SCOPE)
  if(DEFINED CMAKE_FIND_USE_CMAKE_SYSTEM_PATH AND NOT CMAKE_FIND_USE_CMAKE_SYSTEM_PATH)
    return()
  endif()
  _cudnn_checked_find_roots(roots mode)
  _cudnn_checked_target_machine(machine folders)
  set(found ${CMAKE_STAGING_PREFIX})
  foreach(root IN LISTS roots)
    list(APPEND found "${root}/usr" "${root}/usr/local" "${root}")
  endforeach()
  set(here TRUE)
  if(CMAKE_CROSSCOMPILING)
    if(roots OR machine STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
      set(here FALSE)
    endif()
  elseif(mode STREQUAL "ONLY" OR CMAKE_SYSROOT)
    set(here FALSE)
  endif()
  if(here)
    list(APPEND found /usr /usr/local)
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_wheels_below(<prefixes> <labels>)
#
# A hint may name a Python environment or its site-packages: adds the wheels below the directories
# in the variable <prefixes>, and what names them to the variable <labels>.
function(_cudnn_checked_wheels_below in_out_prefixes in_out_labels)
  set(all "")
  set(names "")
  set(places "${${in_out_prefixes}}")
  set(words "${${in_out_labels}}")
  foreach(place word IN ZIP_LISTS places words)
    _cudnn_checked_glob_escaped(escaped "${place}")
    file(
      GLOB parents
      "${escaped}/lib/python3*"
      "${escaped}/lib/python3*/site-packages"
      "${escaped}/lib/python3*/site-packages/nvidia"
    )
    _cudnn_checked_seen(TIMES "${place}/nvidia" "${place}/lib" ${parents})
    file(
      GLOB wheels
      "${escaped}/nvidia/cudnn"
      "${escaped}/nvidia/cudnn_jit"
      "${escaped}/lib/python3*/site-packages/nvidia/cudnn"
      "${escaped}/lib/python3*/site-packages/nvidia/cudnn_jit"
    )
    foreach(directory IN ITEMS "${place}" ${wheels})
      list(APPEND all "${directory}")
      list(APPEND names "${word}")
    endforeach()
  endforeach()
  set(${in_out_prefixes} "${all}" PARENT_SCOPE)
  set(${in_out_labels} "${names}" PARENT_SCOPE)
endfunction()

# SPDX-License-Identifier: BSD-3-Clause
#
# How files are called on Windows, and where installs keep them: see ../linux/names.cmake.

macro(_cudnn_checked_spelling major)
  set(name_of_cudnn "cudnn64_${major}.dll")
  set(name_of_cudart "cudart64_${major}.dll")
  set(files_of_cudnn "cudnn64_[0-9]*.dll")
  # CUDA 11 has cudart64_110.dll.
  set(files_of_cudart cudart64_${major}.dll cudart64_${major}0.dll)
  set(files_of_parts "cudnn*.dll")
  set(words_of_cudnn "cudnn64_*.dll")
  set(words_of_cudart cudart)
  set(shown_cudnn bin/cudnn64_9.dll)
  set(folders_of_python Lib)
  set(folder_of_wheel bin)
endmacro()

# Those of zip archives, wheels, vcpkg and conda; of a CUDA toolkit since 13, and its wheels; of
# NVIDIA's installer, which has a folder for each CUDA: that of the toolkit here first, else the
# newest.
function(_cudnn_checked_folders_of_install libraries headers prefix)
  _cudnn_checked_folders_of_cuda(folders "${prefix}/include")
  set(in_bin bin bin/x64 bin/x86_64 Library/bin)
  set(in_include include Library/include)
  foreach(folder IN LISTS folders)
    list(APPEND in_bin bin/${folder} bin/${folder}/x64)
    list(APPEND in_include include/${folder})
  endforeach()
  set(${libraries} "${in_bin}" PARENT_SCOPE)
  set(${headers} "${in_include}" PARENT_SCOPE)
endfunction()

function(_cudnn_checked_folders_of_cuda result directory)
  _cudnn_checked_glob(folders "${directory}" "[0-9]*.[0-9]*")
  list(TRANSFORM folders REPLACE "^.*/" "")
  list(SORT folders COMPARE NATURAL ORDER DESCENDING)
  if("${CMAKE_CUDA_COMPILER_VERSION} $ENV{CUDA_PATH}" MATCHES "^([0-9]+)[.]|[/\\]v([0-9]+)[.]")
    set(own ${folders})
    list(FILTER own INCLUDE REGEX "^${CMAKE_MATCH_1}${CMAKE_MATCH_2}[.]")
    list(PREPEND folders ${own})
    list(REMOVE_DUPLICATES folders)
  endif()
  set(${result} "${folders}" PARENT_SCOPE)
endfunction()

function(_cudnn_checked_folders_in_targets folders machine)
  set(${folders} "" PARENT_SCOPE)
endfunction()

# Of NVIDIA's installer, the newest first.
function(_cudnn_checked_system_folders result root)
  if(root STREQUAL "")
    file(TO_CMAKE_PATH "$ENV{SystemDrive}" root)
  endif()
  _cudnn_checked_seen("${root}/Program Files/NVIDIA/CUDNN")
  _cudnn_checked_glob(folders "${root}/Program Files/NVIDIA/CUDNN" "v[0-9]*")
  list(SORT folders COMPARE NATURAL ORDER DESCENDING)
  set(${result} "${folders}" PARENT_SCOPE)
endfunction()

function(_cudnn_checked_by_other_name result major)
  set(${result} "" PARENT_SCOPE)
endfunction()

# A program has no run path: PATH leads to the DLLs, in wine that of WINEPATH, where the root of
# this machine is a drive.
function(_cudnn_checked_loader_variable name value place cuda)
  set(directories "")
  set(drive "")
  set(variable PATH)
  if(NOT CMAKE_HOST_WIN32)
    set(variable WINEPATH)
    set(drive "Z:")
  endif()
  foreach(library IN ITEMS "${place_library}" "${cuda_library}")
    get_filename_component(directory "${library}" DIRECTORY)
    list(APPEND directories "${drive}${directory}")
  endforeach()
  # What cuDNN opens when it computes, where it comes from wheels.
  _cudnn_checked_wheel_of(site major "${place_prefix}")
  foreach(folder IN ITEMS cublas cuda_nvrtc)
    _cudnn_checked_seen("${site}/nvidia/${folder}/bin")
    if(site AND IS_DIRECTORY "${site}/nvidia/${folder}/bin")
      list(APPEND directories "${drive}${site}/nvidia/${folder}/bin")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES directories)
  string(REPLACE "/" "\\" directories "${directories};$ENV{${variable}}")
  set(${name} ${variable} PARENT_SCOPE)
  set(${value} "${directories}" PARENT_SCOPE)
endfunction()

# What the configure program found out about a DLL (_cudnn_checked_find_links).
function(_cudnn_checked_other_machine result library)
  set(${result} FALSE PARENT_SCOPE)
  get_property(others GLOBAL PROPERTY _cudnn_checked_other_dlls)
  if("${library}" IN_LIST others)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# SPDX-License-Identifier: BSD-3-Clause
#
# How files are called on Linux, and where installs keep them.

# _cudnn_checked_spelling(<major>)
#
# Sets in the caller, for a major release of cuDNN or of CUDA:
#   name_of_cudnn, name_of_cudart      the file that a program asks for
#   files_of_cudnn, files_of_cudart    patterns of the files that can be it
#   files_of_parts                     a pattern of all files of cuDNN
#   words_of_cudnn, words_of_cudart    without a number, in messages
#   shown_cudnn                        an example below the directory that is named
#   folders_of_python                  of site-packages in an environment, as a pattern
#   folder_of_wheel                    of the libraries in NVIDIA's wheel
macro(_cudnn_checked_spelling major)
  set(name_of_cudnn "libcudnn.so.${major}")
  set(name_of_cudart "libcudart.so.${major}")
  set(files_of_cudnn libcudnn.so "libcudnn.so.[0-9]*")
  # libcudart.so.13 is the name that programs ask for; CUDA 11 has libcudart.so.11.0.
  set(files_of_cudart libcudart.so.${major} libcudart.so.${major}.0)
  set(files_of_parts "libcudnn*.so*")
  set(words_of_cudnn libcudnn.so)
  set(words_of_cudart libcudart)
  set(shown_cudnn lib/libcudnn.so)
  set(folders_of_python "lib/python3*")
  set(folder_of_wheel lib)
endmacro()

# _cudnn_checked_folders_of_install(<libraries> <headers> <prefix>)
#
# The folders below a prefix: Debian's multiarch directories first, because lib64 and lib can be
# another architecture's there; then those of tarballs, wheels and conda; then those of a CUDA
# toolkit's targets.
function(_cudnn_checked_folders_of_install libraries headers prefix)
  _cudnn_checked_target_machine(machine folders)
  set(triplet "${CMAKE_LIBRARY_ARCHITECTURE}")
  if(NOT triplet)
    set(triplet "${CMAKE_CXX_LIBRARY_ARCHITECTURE}")
  endif()
  if(NOT triplet AND folders)
    set(triplet ${machine}-linux-gnu)
  endif()
  foreach(kind IN ITEMS libraries headers)
    _cudnn_checked_folders(rows ${kind})
    set(found "")
    foreach(row IN LISTS rows)
      set(values none)
      if(row MATCHES "TARGET")
        set(values ${folders})
      elseif(row MATCHES "TRIPLET")
        set(values ${triplet})
      endif()
      foreach(value IN LISTS values)
        string(REGEX REPLACE "TARGET|TRIPLET" "${value}" folder "${row}")
        list(APPEND found "${folder}")
      endforeach()
    endforeach()
    set(folders_of_${kind} "${found}")
  endforeach()
  set(${libraries} "${folders_of_libraries}" PARENT_SCOPE)
  set(${headers} "${folders_of_headers}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_folders_in_targets(<folders> <machine>)
#
# How CUDA toolkits name the directories of a machine in targets/.
function(_cudnn_checked_folders_in_targets folders machine)
  set(${folders} "" PARENT_SCOPE)
  if(machine STREQUAL "x86_64")
    set(${folders} x86_64-linux PARENT_SCOPE)
  elseif(machine STREQUAL "aarch64")
    # Arm servers, then Jetson.
    set(${folders} sbsa-linux aarch64-linux PARENT_SCOPE)
  endif()
endfunction()

# The directories of a system below its root.
function(_cudnn_checked_system_folders result root)
  _cudnn_checked_searched(folders system)
  list(TRANSFORM folders PREPEND "${root}")
  set(${result} "${folders}" PARENT_SCOPE)
endfunction()

# Without libcudnn.so.9: libcudnn.so.9.14.0, or a libcudnn.so whose release only the linker knows.
function(_cudnn_checked_by_other_name result major)
  set(${result} "" PARENT_SCOPE)
  foreach(file IN LISTS ARGN)
    file(REAL_PATH "${file}" real)
    if(real MATCHES "/libcudnn\\.so\\.${major}(\\.|$)" OR real MATCHES "/libcudnn[^/]*\\.so$")
      set(${result} "${file}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# The variable with which the loader is led to the libraries of the probe, and its value: none, its
# run path does that.
function(_cudnn_checked_loader_variable name value place cuda)
  set(${name} "" PARENT_SCOPE)
  set(${value} "" PARENT_SCOPE)
endfunction()

# _cudnn_checked_other_machine(<result> <library>)
#
# Whether <library> is an ELF file for another machine than the target of the build.  False for
# other formats and unknown machines: the linker and the probe judge those files.
function(_cudnn_checked_other_machine result library)
  set(${result} FALSE PARENT_SCOPE)
  # e_machine of the ELF header (System V ABI, "ELF Header").
  file(READ "${library}" header LIMIT 20 HEX)
  _cudnn_checked_target_machine(machine folders)
  if(
    (machine STREQUAL "x86_64" AND header MATCHES "^7f454c46..01.*b700$")
    OR (machine STREQUAL "aarch64" AND header MATCHES "^7f454c46..01.*3e00$")
  )
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# None: a library has a run path.
function(_cudnn_checked_searched_directories result place cuda)
  set(${result} "" PARENT_SCOPE)
endfunction()

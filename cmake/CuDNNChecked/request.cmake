# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_request(<request> <name>)
#
# Everything but files that the answer to find_package depends on, as a text: what was asked for, and
# every variable that is read on the way to it.  <name> is a short hash of what was asked for alone.
# One command, because each find_package pays for it.
function(_cudnn_checked_request request name)
  set(required "")
  foreach(component IN LISTS CuDNNChecked_FIND_COMPONENTS)
    if(CuDNNChecked_FIND_REQUIRED_${component})
      list(APPEND required "${component}")
    endif()
  endforeach()
  string(
    CONCAT
    asked
    "version ${CuDNNChecked_FIND_VERSION}\nrange ${CuDNNChecked_FIND_VERSION_RANGE}\n"
    "exact ${CuDNNChecked_FIND_VERSION_EXACT}\n"
    "components ${CuDNNChecked_FIND_COMPONENTS}\nrequired ${required}\n"
  )
  _cudnn_checked_build_variables(build)
  _cudnn_checked_run_variables(run)
  set(places "")
  _cudnn_checked_hints(hints)
  foreach(hint IN LISTS hints)
    string(APPEND places "${hint} ${${hint}}\n${hint}=$ENV{${hint}}\n")
  endforeach()
  string(
    CONCAT
    text
    "${CMAKE_VERSION}\n${CMAKE_CURRENT_FUNCTION_LIST_FILE}\n${CMAKE_BINARY_DIR}\n"
    "${asked}${build}${run}"
    "CuDNNChecked_POLICY ${CuDNNChecked_POLICY}\n"
    "CuDNNChecked_PROBE_TIMEOUT ${CuDNNChecked_PROBE_TIMEOUT}\n"
    "${places}CMAKE_PREFIX_PATH ${CMAKE_PREFIX_PATH}\n"
    "CMAKE_CUDA_COMPILER_TOOLKIT_ROOT ${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}\n"
    "CUDAToolkit_ROOT ${CUDAToolkit_ROOT}\nPython3_EXECUTABLE ${Python3_EXECUTABLE}\n"
    "Python_EXECUTABLE ${Python_EXECUTABLE}\n"
    "CMAKE_FIND_USE_CMAKE_SYSTEM_PATH ${CMAKE_FIND_USE_CMAKE_SYSTEM_PATH}\n"
    "CMAKE_FIND_ROOT_PATH ${CMAKE_FIND_ROOT_PATH}\n"
    "CMAKE_LIBRARY_ARCHITECTURE ${CMAKE_LIBRARY_ARCHITECTURE}\n"
    "CMAKE_CXX_LIBRARY_ARCHITECTURE ${CMAKE_CXX_LIBRARY_ARCHITECTURE}\n"
    "CMAKE_SYSTEM_PROCESSOR ${CMAKE_SYSTEM_PROCESSOR}\nCMAKE_READELF ${CMAKE_READELF}\n"
    "CMAKE_PREFIX_PATH=$ENV{CMAKE_PREFIX_PATH}\n"
    "CUDAToolkit_ROOT=$ENV{CUDAToolkit_ROOT}\nCUDA_PATH=$ENV{CUDA_PATH}\n"
    "CUDA_HOME=$ENV{CUDA_HOME}\nCONDA_PREFIX=$ENV{CONDA_PREFIX}\n"
    "VIRTUAL_ENV=$ENV{VIRTUAL_ENV}\nPATH=$ENV{PATH}\nHOME=$ENV{HOME}\n"
    "PYTHONPATH=$ENV{PYTHONPATH}\nPYTHONHOME=$ENV{PYTHONHOME}\n"
    "PYTHONNOUSERSITE=$ENV{PYTHONNOUSERSITE}\nPYENV_VERSION=$ENV{PYENV_VERSION}\n"
  )
  set(${request} "${text}" PARENT_SCOPE)
  string(MD5 hash "${asked}")
  string(SUBSTRING "${hash}" 0 8 hash)
  set(${name} ${hash} PARENT_SCOPE)
endfunction()

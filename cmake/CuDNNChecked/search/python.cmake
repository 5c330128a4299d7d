# SPDX-License-Identifier: BSD-3-Clause
#
# Python and its packages.

# _cudnn_checked_site_packages(<directories> <interpreter>)
#
# The directories from which the active Python imports packages, and that Python.  An environment
# whose Python is not there or cannot be started, as one that was copied, counts with its
# site-packages.
function(_cudnn_checked_site_packages directories interpreter)
  _cudnn_checked_active_python(python own)
  set(${interpreter} "${python}" PARENT_SCOPE)
  if(NOT EXISTS "${python}")
    set(${directories} "${own}" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_ask_python("${python}")
  set(found "")
  set(paths "${CuDNNChecked_PYTHON_PATH}")
  if(paths STREQUAL "")
    set(paths "${own}")
  endif()
  foreach(directory IN LISTS paths)
    file(TO_CMAKE_PATH "${directory}" directory)
    _cudnn_checked_seen("${directory}/nvidia")
    if(directory MATCHES "-packages$" OR IS_DIRECTORY "${directory}/nvidia")
      list(APPEND found "${directory}")
    endif()
  endforeach()
  set(${directories} "${found}" PARENT_SCOPE)
endfunction()

# The Python that the project chose (Python3_EXECUTABLE, Python_EXECUTABLE), else that of
# VIRTUAL_ENV, with the site-packages of that environment, else the first on PATH.
function(_cudnn_checked_active_python python own)
  set(${own} "" PARENT_SCOPE)
  _cudnn_checked_plain_paths(environment "$ENV{VIRTUAL_ENV}")
  if(Python3_EXECUTABLE)
    _cudnn_checked_plain_paths(found "${Python3_EXECUTABLE}")
  elseif(Python_EXECUTABLE)
    _cudnn_checked_plain_paths(found "${Python_EXECUTABLE}")
  elseif(IS_DIRECTORY "${environment}")
    string(REGEX REPLACE "(.)/+$" "\\1" environment "${environment}")
    set(found "${environment}/bin/python")
    if(CMAKE_HOST_WIN32)
      set(found "${environment}/Scripts/python.exe")
    elseif(NOT EXISTS "${found}")
      set(found "${environment}/bin/python3")
    endif()
    _cudnn_checked_seen("${environment}/bin" "${environment}/lib")
    _cudnn_checked_spelling("")
    _cudnn_checked_glob(packages "${environment}" "${folders_of_python}/site-packages")
    set(${own} "${packages}" PARENT_SCOPE)
  else()
    _cudnn_checked_on_path(found python3 python)
  endif()
  set(${python} "${found}" PARENT_SCOPE)
endfunction()

# Sets CuDNNChecked_PYTHON_PATH, its sys.path.  Starting it takes a fifth of a second, so the answer
# is remembered in the cache for as long as the same interpreter would be asked in the same
# environment.
function(_cudnn_checked_ask_python python)
  _cudnn_checked_seen("${python}")
  _cudnn_checked_file_facts(key "${python}")
  string(STRIP "${key}" key)
  string(APPEND key " HOME=$ENV{HOME} PYTHONPATH=$ENV{PYTHONPATH} PYTHONHOME=$ENV{PYTHONHOME}")
  string(APPEND key " PYTHONNOUSERSITE=$ENV{PYTHONNOUSERSITE} PYENV_VERSION=$ENV{PYENV_VERSION}")
  if("${CuDNNChecked_PYTHON_KEY}" STREQUAL "${key}")
    return()
  endif()
  # Python 3.13 imports linecache before what "-c" gives it, and from the working directory.
  execute_process(
    COMMAND
      "${CMAKE_COMMAND}" -E env PYTHONSAFEPATH=1 "${python}" -c
      "import sys; print(';'.join(p for p in sys.path if p))"
    TIMEOUT 30
    RESULT_VARIABLE status
    OUTPUT_VARIABLE answer
    ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  if(NOT status STREQUAL "0")
    set(answer "")
  endif()
  set(CuDNNChecked_PYTHON_KEY "${key}" CACHE INTERNAL "the Python that was asked")
  set(CuDNNChecked_PYTHON_PATH "${answer}" CACHE INTERNAL "its sys.path")
endfunction()

# _cudnn_checked_wheel_of(<site> <major> <prefix>)
#
# If <prefix> is the directory of one of NVIDIA's wheels, sets <site> to the directory that has
# nvidia/ (the site-packages of a Python environment, or the directory of pip install --target), and
# <major> to the CUDA major that its cuDNN is for.  Only the name of the wheel's record has this
# number: <major> is empty without a record, or with records for two CUDA majors.
function(_cudnn_checked_wheel_of site major prefix)
  set(${site} "" PARENT_SCOPE)
  set(${major} "" PARENT_SCOPE)
  if(NOT prefix MATCHES "^(.*)/nvidia/(cudnn|cudnn_jit)$")
    return()
  endif()
  set(directory "${CMAKE_MATCH_1}")
  set(${site} "${directory}" PARENT_SCOPE)
  _cudnn_checked_seen("${directory}")
  _cudnn_checked_glob(records "${directory}" "nvidia_${CMAKE_MATCH_2}_cu[0-9]*.dist-info")
  list(TRANSFORM records REPLACE "^.*/nvidia_[a-z_]+_cu([0-9]+)-[^/]*$" "\\1")
  list(REMOVE_DUPLICATES records)
  list(LENGTH records count)
  if(count EQUAL 1)
    set(${major} "${records}" PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_cuda_wheels(<result> <nvidia> <major>)
#
# The directories of CUDA's wheels below the directory <nvidia>, those of the CUDA major <major>
# first: nvidia/cu13 from CUDA 13 on, nvidia/cuda_runtime before.
function(_cudnn_checked_cuda_wheels result nvidia major)
  _cudnn_checked_seen("${nvidia}")
  _cudnn_checked_glob(wheels "${nvidia}" "cu[0-9]*" cuda_runtime)
  if(major AND "${nvidia}/cu${major}" IN_LIST wheels)
    list(REMOVE_ITEM wheels "${nvidia}/cu${major}")
    list(PREPEND wheels "${nvidia}/cu${major}")
  endif()
  set(${result} "${wheels}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_wheel_record(<why> <prefix>)
#
# A sentence if <prefix> is the directory of NVIDIA's wheel, existing or not, and the wheel's record
# lists libraries that do not exist: an installation that was interrupted leaves the record behind.
function(_cudnn_checked_wheel_record why prefix)
  set(${why} "" PARENT_SCOPE)
  if(NOT prefix MATCHES "^(.*)/nvidia/(cudnn|cudnn_jit)$")
    return()
  endif()
  set(site "${CMAKE_MATCH_1}")
  set(folder "nvidia/${CMAKE_MATCH_2}")
  _cudnn_checked_glob(records "${site}" "nvidia_cudnn*.dist-info/RECORD")
  _cudnn_checked_spelling("")
  foreach(record IN LISTS records)
    set(library "^${folder}/${folder_of_wheel}/(lib)?cudnn[^,]*\\.(so|dll)[^,]*,")
    file(STRINGS "${record}" lines REGEX "${library}")
    set(absent "")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE ",.*" "" file "${line}")
      if(NOT EXISTS "${site}/${file}")
        get_filename_component(name "${file}" NAME)
        list(APPEND absent "${name}")
      endif()
    endforeach()
    if(absent)
      list(JOIN absent ", " names)
      set(${why} "${record} lists what is not there: ${names}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

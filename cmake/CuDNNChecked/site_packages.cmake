# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_site_packages(<directories> <interpreter>)
#
# The directories from which the active Python imports packages, and that Python: the one that the
# project chose (Python3_EXECUTABLE, Python_EXECUTABLE), else that of VIRTUAL_ENV, else the first on
# PATH.  Starting it takes a fifth of a second, so the answer is remembered in the cache for as long
# as the same interpreter would be asked in the same environment.  An environment whose Python is not
# there or cannot be started, as one that was copied, counts with its site-packages.
function(_cudnn_checked_site_packages directories interpreter)
  set(own "")
  set(${directories} "" PARENT_SCOPE)
  set(${interpreter} "" PARENT_SCOPE)
  if(Python3_EXECUTABLE)
    set(python "${Python3_EXECUTABLE}")
  elseif(Python_EXECUTABLE)
    set(python "${Python_EXECUTABLE}")
  elseif(IS_DIRECTORY "$ENV{VIRTUAL_ENV}")
    file(TO_CMAKE_PATH "$ENV{VIRTUAL_ENV}" environment)
    set(python "${environment}/bin/python")
    if(NOT EXISTS "${python}")
      set(python "${environment}/bin/python3")
    endif()
    _cudnn_checked_seen(TIMES "${environment}/bin" "${environment}/lib")
    _cudnn_checked_glob_escaped(escaped "${environment}")
    file(GLOB own "${escaped}/lib/python3*/site-packages")
  else()
    _cudnn_checked_on_path(python python3 python)
  endif()
  if(NOT EXISTS "${python}")
    set(${directories} "${own}" PARENT_SCOPE)
    set(${interpreter} "${python}" PARENT_SCOPE)
    return()
  endif()

  _cudnn_checked_seen(FILES "${python}")
  _cudnn_checked_file_facts(key "${python}")
  string(STRIP "${key}" key)
  foreach(
    variable
    IN
    ITEMS HOME PYTHONPATH PYTHONHOME PYTHONNOUSERSITE PYENV_VERSION
  )
    string(APPEND key " ${variable}=$ENV{${variable}}")
  endforeach()
  if(NOT "${CuDNNChecked_PYTHON_KEY}" STREQUAL "${key}")
    execute_process(
      COMMAND "${python}" -c "import sys; print(';'.join(p for p in sys.path if p))"
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
  endif()

  set(found "")
  set(paths "${CuDNNChecked_PYTHON_PATH}")
  if(paths STREQUAL "")
    set(paths "${own}")
  endif()
  foreach(directory IN LISTS paths)
    file(TO_CMAKE_PATH "${directory}" directory)
    _cudnn_checked_seen(TIMES "${directory}/nvidia")
    if(directory MATCHES "-packages$" OR IS_DIRECTORY "${directory}/nvidia")
      list(APPEND found "${directory}")
    endif()
  endforeach()
  set(${directories} "${found}" PARENT_SCOPE)
  set(${interpreter} "${python}" PARENT_SCOPE)
endfunction()

# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_tell_opened(<report>)
#
# Appends to result_line what this cuDNN opens when it computes and would not find, and what installs
# it.  Where nothing can compute, as without a driver, that is a note of the report, which find_package
# does not print: the program may be built here and run elsewhere.
function(_cudnn_checked_tell_opened report)
  _cudnn_checked_get(result)
  if(NOT result_verdict STREQUAL "ok")
    return()
  endif()
  file(READ "${report}" text)
  set(value_fault "")
  set(names "")
  set(fix "")
  string(JSON count ERROR_VARIABLE error LENGTH "${text}" findings)
  if(error OR count EQUAL 0)
    return()
  endif()
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    _cudnn_checked_value(finding word "" "${text}" findings ${index} name)
    _cudnn_checked_value(library sentence "" "${text}" findings ${index} expected)
    if(
      finding STREQUAL "dependency-missing"
      AND library MATCHES "^lib(nvrtc|cublas)[A-Za-z0-9_.-]*$"
    )
      list(APPEND names "${library}")
      _cudnn_checked_value(fix sentence "" "${text}" findings ${index} fix)
    endif()
  endforeach()
  if(value_fault OR NOT names)
    return()
  endif()
  _cudnn_checked_wheel_of(site cuda "${place_prefix}")
  if(cuda)
    get_filename_component(folder "${place_prefix}" NAME)
    _cudnn_checked_missing_wheels(packages "${site}" "${folder}" "${cuda}")
    list(FILTER packages EXCLUDE REGEX "cuda-(runtime|crt|nvcc)")
    if(packages)
      _cudnn_checked_pip_command(fix "${site}" ${packages})
    endif()
  endif()
  list(JOIN names ", " names)
  _cudnn_checked_put(
    result_line
    "${result_line}\n   not found when cuDNN computes: ${names} [dependency-missing]\n   fix: ${fix}"
  )
endfunction()

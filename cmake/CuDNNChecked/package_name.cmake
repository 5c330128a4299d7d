# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_package_name(<result> <identifier> [<CUDA major>])
#
# A package's name from the table that the tool has as well.  Of cuDNN 9, and of the newest CUDA
# where none is given.
# Reads tool_directory of the caller.
function(_cudnn_checked_package_name result identifier)
  set(cuda 13)
  if(ARGC GREATER 2)
    set(cuda "${ARGV2}")
  endif()
  set(table "${tool_directory}/core/judge/advice/packages.def")
  file(STRINGS "${table}" row REGEX "^PACKAGE\\(${identifier}, ")
  string(REGEX REPLACE "^.*\"(.*)\".*$" "\\1" name "${row}")
  string(REPLACE "cudnn%d" "cudnn9" name "${name}")
  string(REPLACE "%d" "${cuda}" name "${name}")
  set(${result} "${name}" PARENT_SCOPE)
endfunction()

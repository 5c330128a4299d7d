# SPDX-License-Identifier: BSD-3-Clause
#
# What to type is said by the configure program (build/configure_program.cmake), which judges and
# advises as the tool does.

# _cudnn_checked_advised_refusal(<verb> input [<key=value>...])
#
# Puts refusal if the configure program prints a message.
function(_cudnn_checked_advised_refusal verb input)
  set(variable CuDNNChecked_ROOT)
  set(folder cudnn_wheels)
  if(verb STREQUAL "explain-runtime")
    set(variable CUDAToolkit_ROOT)
    set(folder cuda_wheels)
  endif()
  _cudnn_checked_facts_of_install(facts ${variable} ${folder} input)
  _cudnn_checked_ask(status output configure "${verb}" ${ARGN} ${facts})
  if(status STREQUAL "0" AND output)
    _cudnn_checked_put(refusal "${output}")
  endif()
endfunction()

# _cudnn_checked_advise(<what> <verb> input [<key=value>...])
#
# The same for what is refused in any case: where no program answers, that <what> is wrong.
function(_cudnn_checked_advise what verb input)
  # Of two DLLs the second is named.
  _cudnn_checked_put(refusal "")
  _cudnn_checked_advised_refusal(${verb} input ${ARGN})
  _cudnn_checked_return_if_refused()
  _cudnn_checked_plain_refusal("${what}")
endfunction()

# _cudnn_checked_facts_of_install(<result> <variable> <folder> input)
#
# What decides which package can be installed, and where, as arguments of the configure program:
# none where nobody reads the message.  <folder> of the build tree is the directory that the
# <variable> would name.
function(_cudnn_checked_facts_of_install result variable folder input)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_is_unread(unread)
  if(NOT unread)
    _cudnn_checked_facts_of_request(request "${input_components}")
    _cudnn_checked_facts_of_machine(machine ${variable} ${folder} "${input_roots}")
    set(${result} ${request} ${machine} PARENT_SCOPE)
  endif()
endfunction()

# The request of find_package, as arguments of the configure program.
function(_cudnn_checked_facts_of_request result components)
  _cudnn_checked_version_request(words fits "")
  set(facts "version=${CuDNNChecked_FIND_VERSION}" "words=${words}")
  if(CuDNNChecked_FIND_VERSION_RANGE)
    list(APPEND facts "maximum=${CuDNNChecked_FIND_VERSION_MAX}")
    if(NOT CuDNNChecked_FIND_VERSION_RANGE_MAX STREQUAL "EXCLUDE")
      list(APPEND facts include=yes)
    endif()
  elseif(CuDNNChecked_FIND_VERSION_EXACT)
    list(APPEND facts exact=yes)
  endif()
  foreach(component IN LISTS components)
    list(APPEND facts "component=${component}")
  endforeach()
  set(${result} "${facts}" PARENT_SCOPE)
endfunction()

# Where a package can be installed, and for which CUDA, as arguments of the configure program.
# <roots> are the places of CuDNNChecked_ROOT.
function(_cudnn_checked_facts_of_machine result variable folder roots)
  _cudnn_checked_target_machine(machine folders)
  _cudnn_checked_hidden(own "${CMAKE_BINARY_DIR}/${folder}")
  set(facts "machine=${machine}" "variable=${variable}" "own=${own}")
  if(
    (machine MATCHES "^(x86_64|aarch64)$" AND NOT machine STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
    OR (WIN32 AND CMAKE_CROSSCOMPILING)
  )
    list(APPEND facts cross=yes)
  endif()
  if(WIN32)
    list(APPEND facts system=windows)
  endif()
  if(roots)
    list(GET roots 0 root)
    _cudnn_checked_read_place(label root "${root}")
    _cudnn_checked_hidden(root "${root}")
    list(APPEND facts "root=${root}")
  endif()
  _cudnn_checked_find_roots(roots_of_target mode)
  if(mode STREQUAL "ONLY")
    list(APPEND facts roots_only=yes)
  endif()
  _cudnn_checked_site_packages(directories python)
  _cudnn_checked_hidden(python "${python}")
  list(APPEND facts "python=${python}")
  if(NOT "${CuDNNChecked_PYTHON_PATH}" STREQUAL "")
    foreach(directory IN LISTS directories)
      list(APPEND facts "imports=${directory}")
    endforeach()
  endif()
  _cudnn_checked_cuda_instructions(places "")
  _cudnn_checked_first_runtime(major label "${places}" AS_NAMED)
  list(APPEND facts "instructed=${major}" "instructed_by=${label}")
  _cudnn_checked_cuda_hints(places)
  _cudnn_checked_first_runtime(major label "${places}")
  list(APPEND facts "hinted=${major}" "compiled=${CMAKE_CUDA_COMPILER_VERSION}")
  set(${result} "${facts}" PARENT_SCOPE)
endfunction()

# The major release of the first CUDA runtime in these places, and the label of its place.  With
# AS_NAMED for instructions (_cudnn_checked_rooted).
function(_cudnn_checked_first_runtime major label places)
  set(${major} "" PARENT_SCOPE)
  set(${label} "" PARENT_SCOPE)
  _cudnn_checked_new(passed found)
  _cudnn_checked_rooted(passed places ${ARGN})
  foreach(place IN LISTS places)
    _cudnn_checked_read_place(name prefix "${place}")
    _cudnn_checked_find_cuda_in_prefix(found "${prefix}")
    if(found_library AND found_version MATCHES "^[0-9]+")
      set(${major} "${CMAKE_MATCH_0}" PARENT_SCOPE)
      set(${label} "${name}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

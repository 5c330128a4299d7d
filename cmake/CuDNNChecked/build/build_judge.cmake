# SPDX-License-Identifier: BSD-3-Clause
#
# The program that runs the probe and judges (tool/prove).  It needs neither cuDNN nor CUDA.

# _cudnn_checked_build_judge()
#
# The executable cudnn_checked_judge of these sources is there, or it is built.  Puts built_*, as
# _cudnn_checked_build_program does.  It is compiled once for a build tree: for this machine with the
# compiler of the project and none of its flags; in a cross build as any program of the project,
# because it looks at files as the machine of the probe has them.
function(_cudnn_checked_build_judge)
  _cudnn_checked_get(where)
  set(executable "${work_directory}/cudnn_checked_judge${CMAKE_EXECUTABLE_SUFFIX}")
  _cudnn_checked_put(built_status ok)
  _cudnn_checked_put(built_lines "")
  _cudnn_checked_put(built_log "${work_directory}/build_judge.log")
  _cudnn_checked_judge_signature(signature)
  _cudnn_checked_is_built(is_built "${executable}" "${signature}")
  if(is_built)
    return()
  endif()
  file(REMOVE "${executable}" "${executable}.signature")
  set(language "$ENV{LC_ALL}")
  set(ENV{LC_ALL} C)
  if(CMAKE_CROSSCOMPILING)
    _cudnn_checked_try_judge(output "${executable}")
  else()
    _cudnn_checked_compile_judge(output "${executable}")
  endif()
  _cudnn_checked_set_environment(LC_ALL "${language}")
  if(EXISTS "${executable}")
    _cudnn_checked_keep_program("${executable}" "${signature}")
    return()
  endif()
  _cudnn_checked_get(built)
  _cudnn_checked_write("${built_log}" "${output}")
  _cudnn_checked_build_words(status lines "${output}")
  _cudnn_checked_put(built_status ${status})
  _cudnn_checked_put(built_lines "${lines}")
  _cudnn_checked_stopped_refusal("${output}")
endfunction()

# Its sources, and its compiler.
function(_cudnn_checked_judge_signature result)
  _cudnn_checked_all_sources(sources judge)
  _cudnn_checked_file_facts(text "${CMAKE_CXX_COMPILER}")
  foreach(source IN LISTS sources)
    file(MD5 "${source}" hash)
    string(APPEND text " ${hash}")
  endforeach()
  string(MD5 text "${text}${CMAKE_CXX_FLAGS}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Its two units, at the same time, and links them.  <output> is what the compilers print.
function(_cudnn_checked_compile_judge output file)
  _cudnn_checked_get(input)
  get_filename_component(directory "${file}" DIRECTORY)
  get_filename_component(name "${file}" NAME)
  file(MAKE_DIRECTORY "${directory}")
  set(compiler ${CMAKE_CXX_COMPILER_LAUNCHER} "${CMAKE_CXX_COMPILER}")
  set(
    options
    -std=c++17
    -O0
    -w
    -g0
    -c
  )
  set(to_object -o)
  set(object .o)
  set(to_program -o ${name})
  if(CMAKE_DL_LIBS)
    list(APPEND to_program -l${CMAKE_DL_LIBS})
  endif()
  if(MSVC)
    set(
      options
      -nologo
      -std:c++17
      -EHsc
      -utf-8
      -Od
      -w
      -c
    )
    set(to_object -Fo)
    set(object .obj)
    set(to_program -Fe${name})
  elseif(WIN32)
    list(APPEND to_program -static)
  endif()
  set(commands "")
  foreach(part IN ITEMS core judge)
    _cudnn_checked_source(source ${part})
    if(MSVC)
      set(place ${to_object}cudnn_checked_${part}${object})
    else()
      set(place ${to_object} cudnn_checked_${part}${object})
    endif()
    list(
      APPEND
      commands
      COMMAND
      ${compiler}
      ${options}
      "-DCUDNN_CHECKED_PACKAGE_VERSION=\"${input_package}\""
      "${source}"
      ${place}
    )
  endforeach()
  execute_process(
    ${commands}
    WORKING_DIRECTORY "${directory}"
    RESULTS_VARIABLE ended
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said
  )
  set(objects cudnn_checked_core${object} cudnn_checked_judge${object})
  if(ended STREQUAL "0;0")
    execute_process(
      COMMAND "${CMAKE_CXX_COMPILER}" ${objects} ${to_program}
      WORKING_DIRECTORY "${directory}"
      OUTPUT_VARIABLE said
      ERROR_VARIABLE said
    )
  endif()
  list(TRANSFORM objects PREPEND "${directory}/")
  file(REMOVE ${objects})
  set(${output} "${said}" PARENT_SCOPE)
endfunction()

# The same in a cross build.
function(_cudnn_checked_try_judge output file)
  _cudnn_checked_get(where input)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE EXECUTABLE)
  _cudnn_checked_probe_compile_options(options)
  _cudnn_checked_source(core core)
  _cudnn_checked_source(judge judge)
  set(flags "")
  _cudnn_checked_add_variables(flags)
  set(link_options "")
  if(WIN32 AND NOT MSVC)
    set(link_options -static)
  endif()
  file(REMOVE_RECURSE "${work_directory}/build_judge")
  try_compile(
    CuDNNChecked_JUDGE_BUILT
    "${work_directory}/build_judge"
    SOURCES "${core}" "${judge}"
    CMAKE_FLAGS ${flags}
    COMPILE_DEFINITIONS "-DCUDNN_CHECKED_PACKAGE_VERSION=\"${input_package}\"" ${options}
    LINK_OPTIONS ${link_options}
    LINK_LIBRARIES ${CMAKE_DL_LIBS}
    CXX_STANDARD 17
    CXX_STANDARD_REQUIRED ON
    CXX_EXTENSIONS OFF
    OUTPUT_VARIABLE said
    COPY_FILE "${file}"
    COPY_FILE_ERROR copy_error
  )
  unset(CuDNNChecked_JUDGE_BUILT CACHE)
  set(${output} "${said}${copy_error}" PARENT_SCOPE)
endfunction()

# SPDX-License-Identifier: BSD-3-Clause
#
#[=[
simulated_sdk(PREFIX <dir>
              [CUDNN <x.y.z>] [SUBLIBRARIES full|jit|<role>...] [LAYOUT flat|debian|wheel]
              [CUDA <x.y>] [CUDNN_CUDART <x.y>] [BUILD_IDS own|catalogue|none]
              [DRIVER <version>] [DRIVER_CUDA <x.y>] [GPUS <sm_NN>...]
              [FAULTS <fault>...] [WRONG_NUMBERS <kind>...] [HANG <function>...]
              [CRASH <function>...]
              [LOWEST_ARCHITECTURE <NN>] [MAX_DEVICE <number>])

Adds the targets that make a simulated SDK in <dir>; each part is made only where its version is
given.

  CUDNN   headers, shim and sub-libraries of that release, 8.x or 9.x.  SUBLIBRARIES: "full"
          (default: all that the release ships), "jit" (graph and engines_runtime_compiled), or
          roles.  CUDNN_CUDART is what cudnnGetCudartVersion() answers (default: CUDA, else 13.0),
          and its major version is the CUDA major that this cuDNN was built for.  BUILD_IDS: "own"
          (default), "none", or "catalogue": those of the real files, where
          tool/data/catalogue/build_ids.csv has them.
  CUDA    libcudart and its headers.
  DRIVER  <dir>/driver/lib with libcuda.so.1 and libnvidia-ml.so.1, which shows GPUS unless the
          environment variable SIMULATED_GPUS says others.  Without <dir>/driver/lib on
          LD_LIBRARY_PATH there is no driver.  DRIVER_CUDA defaults to what the branch supports.
  FAULTS  hang:FUNCTION, crash:FUNCTION, abort:FUNCTION, fail:FUNCTION:STATUS, wrong:KIND,
          wrong-element:KIND, unwritten:KIND, full:gpu (its memory); KIND is "legacy", "graph",
          "graph/fp16", "graph/fp16/nchw" or "kernel"; faulty engines as in README.md.  The environment
          variable SIMULATED_FAULT adds more, separated by commas.  HANG, CRASH and WRONG_NUMBERS are short for the first, second and "wrong".

Layouts, below <dir>:
  flat    include/ and lib/, libraries with versioned names and links (NVIDIA's archives)
  debian  include/<triplet>/cudnn_v9.h with links in include/, lib/<triplet>/ with versioned names
  wheel   nvidia/cudnn (jit: nvidia/cudnn_jit) and nvidia/cu13 or nvidia/cuda_runtime, no links

Sets simulated_sdk_include, simulated_sdk_lib (cuDNN's), simulated_sdk_cuda_include,
simulated_sdk_cuda_lib and simulated_sdk_driver_lib in the caller, each a directory.
#]=]

set(
  _simulated_one_value
  PREFIX
  CUDNN
  LAYOUT
  CUDA
  CUDNN_CUDART
  BUILD_IDS
  DRIVER
  DRIVER_CUDA
  LOWEST_ARCHITECTURE
  MAX_DEVICE
)
set(
  _simulated_several
  SUBLIBRARIES
  GPUS
  FAULTS
  WRONG_NUMBERS
  HANG
  CRASH
)
set(simulated_sdk_keywords ${_simulated_one_value} ${_simulated_several})
set(_simulated_sources "${CMAKE_CURRENT_LIST_DIR}")
include("${CMAKE_CURRENT_LIST_DIR}/simulated_headers.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/simulated_cudnn.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/simulated_cuda.cmake")

function(simulated_sdk)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "${_simulated_one_value}" "${_simulated_several}")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "simulated_sdk: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_PREFIX)
    message(FATAL_ERROR "simulated_sdk: PREFIX is missing")
  endif()
  get_filename_component(arg_PREFIX "${arg_PREFIX}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  _simulated_default(arg_LAYOUT flat)
  _simulated_default(arg_BUILD_IDS own)
  _simulated_default(arg_SUBLIBRARIES full)
  _simulated_default(arg_CUDNN_CUDART "${arg_CUDA}")
  _simulated_default(arg_CUDNN_CUDART 13.0)

  list(TRANSFORM arg_WRONG_NUMBERS PREPEND "wrong:")
  list(TRANSFORM arg_HANG PREPEND "hang:")
  list(TRANSFORM arg_CRASH PREPEND "crash:")
  set(faults ${arg_FAULTS} ${arg_WRONG_NUMBERS} ${arg_HANG} ${arg_CRASH})
  list(JOIN faults "," faults)

  # Several SDKs in one project: each has targets of its own.
  get_property(number GLOBAL PROPERTY simulated_sdk_count)
  math(EXPR number "0${number} + 1")
  set_property(GLOBAL PROPERTY simulated_sdk_count ${number})
  set(id simulated_${number})

  _simulated_directories()
  _simulated_defaults()
  if(arg_CUDA)
    _simulated_cuda_headers()
    _simulated_cudart()
  endif()
  if(arg_CUDNN)
    _simulated_cudnn()
  endif()
  if(arg_DRIVER)
    _simulated_driver()
  endif()
  foreach(
    name
    IN
    ITEMS include lib cuda_include cuda_lib driver_lib
  )
    set(simulated_sdk_${name} "${${name}}" PARENT_SCOPE)
  endforeach()
endfunction()

macro(_simulated_default variable value)
  if("${${variable}}" STREQUAL "")
    set(${variable} "${value}")
  endif()
endmacro()

# Sets include, lib, cuda_include, cuda_lib, crt_include, driver_lib and triplet.
macro(_simulated_directories)
  set(triplet "${CMAKE_LIBRARY_ARCHITECTURE}")
  _simulated_default(triplet "${CMAKE_SYSTEM_PROCESSOR}-linux-gnu")
  string(REGEX MATCH "^[0-9]+" cuda_major "${arg_CUDA}")
  set(include "${arg_PREFIX}/include")
  set(lib "${arg_PREFIX}/lib")
  if(arg_LAYOUT STREQUAL "debian")
    set(lib "${arg_PREFIX}/lib/${triplet}")
  elseif(arg_LAYOUT STREQUAL "wheel")
    set(wheel cudnn)
    if("${arg_SUBLIBRARIES}" STREQUAL "jit")
      set(wheel cudnn_jit)
    endif()
    set(include "${arg_PREFIX}/nvidia/${wheel}/include")
    set(lib "${arg_PREFIX}/nvidia/${wheel}/lib")
  elseif(NOT arg_LAYOUT STREQUAL "flat")
    message(FATAL_ERROR "simulated_sdk: LAYOUT is ${arg_LAYOUT}; it can be flat, debian or wheel")
  endif()
  set(cuda_include "${include}")
  set(cuda_lib "${lib}")
  set(crt_include "${include}")
  if(arg_LAYOUT STREQUAL "wheel")
    set(cuda "${arg_PREFIX}/nvidia/cuda_runtime")
    set(crt_include "${arg_PREFIX}/nvidia/cuda_nvcc/include")
    if(cuda_major GREATER_EQUAL 13)
      set(cuda "${arg_PREFIX}/nvidia/cu${cuda_major}")
      set(crt_include "${cuda}/include")
    endif()
    set(cuda_include "${cuda}/include")
    set(cuda_lib "${cuda}/lib")
  endif()
  set(driver_lib "${arg_PREFIX}/driver/lib")
endmacro()

# _simulated_library(<target> <directory> <name> <soversion> <version>
#                    SOURCES ... EXPORTS <pattern> [NODE] [OBJECTS ...] [LINKS ...]
#                    [DEFINITIONS ...] [INCLUDES ...] [OPTIONS ...] [RUNPATH ...])
# One shared library; where <version> is empty the file has the name of the SONAME, and no link.
# NODE: its symbols carry the SONAME as their version, as those of cuDNN and libcudart do.
function(
  _simulated_library
  target
  directory
  name
  soversion
  version
)
  cmake_parse_arguments(
    PARSE_ARGV
    5
    lib
    "NODE"
    "EXPORTS;RUNPATH"
    "SOURCES;OBJECTS;LINKS;DEFINITIONS;INCLUDES;OPTIONS"
  )
  list(TRANSFORM lib_SOURCES PREPEND "${_simulated_sources}/")
  add_library(${target} SHARED ${lib_SOURCES})
  foreach(part IN ITEMS ${id}_default_faults simulated_fault LISTS lib_OBJECTS)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${part}_objects>)
  endforeach()
  set(soname "lib${name}.so.${soversion}")
  set(node "")
  if(lib_NODE)
    set(node "${soname} ")
  endif()
  set(map "${CMAKE_CURRENT_BINARY_DIR}/${target}.map")
  file(CONFIGURE OUTPUT "${map}" CONTENT "${node}{ global: ${lib_EXPORTS}; local: *; };\n" @ONLY)
  set_target_properties(
    ${target}
    PROPERTIES
      CXX_STANDARD 17
      CXX_STANDARD_REQUIRED ON
      CXX_EXTENSIONS OFF
      CXX_VISIBILITY_PRESET hidden
      LIBRARY_OUTPUT_DIRECTORY "${directory}"
      OUTPUT_NAME "${name}"
      BUILD_WITH_INSTALL_RPATH ON
      INSTALL_RPATH "${lib_RUNPATH}"
      LINK_DEPENDS "${map}"
  )
  if("${version}" STREQUAL "")
    set_target_properties(
      ${target}
      PROPERTIES OUTPUT_NAME "${soname}" PREFIX "" SUFFIX ""
    )
  else()
    set_target_properties(${target} PROPERTIES SOVERSION "${soversion}" VERSION "${version}")
  endif()
  target_compile_definitions(${target} PRIVATE ${lib_DEFINITIONS})
  target_include_directories(${target} PRIVATE ${lib_INCLUDES})
  target_link_options(
    ${target}
    PRIVATE -Wl,--no-as-needed "-Wl,--version-script=${map}" ${lib_OPTIONS}
  )
  target_link_libraries(${target} PRIVATE ${lib_LINKS} ${CMAKE_DL_LIBS})
endfunction()

# _simulated_objects(<name> SOURCES ... [DEFINITIONS ...] [INCLUDES ...] [OPTIONS ...])
# What several libraries contain, compiled once: most of the time goes into compiling.  Where neither name nor
# arguments depend on the SDK, all SDKs share it: those of this project, and by the compiler's cache all others.
function(_simulated_objects name)
  set(target ${name}_objects)
  if(TARGET ${target})
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 obj "" "" "SOURCES;DEFINITIONS;INCLUDES;OPTIONS")
  list(TRANSFORM obj_SOURCES PREPEND "${_simulated_sources}/")
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${obj_SOURCES})
  # UNITY_BUILD: the headers are most of what is compiled.
  set_target_properties(
    ${target}
    PROPERTIES
      CXX_STANDARD 17
      CXX_STANDARD_REQUIRED ON
      CXX_EXTENSIONS OFF
      CXX_VISIBILITY_PRESET hidden
      POSITION_INDEPENDENT_CODE ON
      UNITY_BUILD ON
  )
  target_compile_definitions(${target} PRIVATE ${obj_DEFINITIONS})
  target_include_directories(${target} PRIVATE ${obj_INCLUDES})
  target_compile_options(${target} PRIVATE ${obj_OPTIONS})
endfunction()

# What an SDK has by its arguments, in files of their own.
macro(_simulated_defaults)
  list(JOIN arg_GPUS "," gpus)
  _simulated_objects(${id}_default_faults SOURCES common/default_faults.cpp
                     DEFINITIONS "SIMULATED_FAULTS=\"${faults}\""
  )
  _simulated_objects(${id}_default_gpus SOURCES cuda/default_gpus.cpp
                     DEFINITIONS "SIMULATED_DEFAULT_GPUS=\"${gpus}\""
  )
  _simulated_objects(simulated_fault SOURCES common/fault.cpp)
  _simulated_objects(simulated_driver_functions SOURCES cuda/driver_functions.cpp)
endmacro()

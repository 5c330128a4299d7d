# SPDX-License-Identifier: BSD-3-Clause
#
# What the targets of the project took, compared with what was proved.

# Keeps the message of a find_package(CuDNNChecked) that was refused, until a later one succeeds.
function(_cudnn_checked_keep_refusal)
  get_property(found GLOBAL PROPERTY _cudnn_checked_stamp)
  get_property(refusal GLOBAL PROPERTY _cudnn_checked_refusal)
  if(found)
    set(refusal "")
  endif()
  set_property(GLOBAL PROPERTY _cudnn_checked_provider_refusal "${refusal}")
  set_property(GLOBAL PROPERTY _cudnn_checked_provider_asked TRUE)
endfunction()

# One line, or why there is nothing, once in a run of CMake: the project prints nothing of cuDNN.
function(_cudnn_checked_say_provided)
  get_property(refusal GLOBAL PROPERTY _cudnn_checked_provider_refusal)
  if(refusal)
    _cudnn_checked_stop_if_broken()
    _cudnn_checked_indented(
      text "CuDNNCheckedProvider.cmake: no cuDNN is provided to this project\n${refusal}"
    )
    message(WARNING "${text}")
  else()
    _cudnn_checked_check_named()
    _cudnn_checked_get_stamp(proved_line)
    string(REGEX REPLACE "\n.*" "" line "${proved_line}")
    _cudnn_checked_tell_line("${line}")
  endif()
endfunction()

# A project that goes on without cuDNN because there is none, or none of the release that it knows,
# does what it is made for.  One that goes on because the cuDNN is broken, or is not where a person
# has said, is built without it, and nobody sees that: this is an error, unless
# CuDNNChecked_OPTIONAL is on.
function(_cudnn_checked_stop_if_broken)
  get_property(proved GLOBAL PROPERTY _cudnn_checked_stamp)
  get_property(absent GLOBAL PROPERTY _cudnn_checked_absent)
  _cudnn_checked_get(user)
  _cudnn_checked_hints(hints)
  foreach(name IN LISTS hints)
    list(APPEND user_roots ${${name}})
  endforeach()
  if(proved OR absent STREQUAL "release" OR (absent STREQUAL "cudnn" AND NOT user_roots))
    return()
  endif()
  _cudnn_checked_get(refusal)
  set(how "without cuDNN: -D CuDNNChecked_OPTIONAL=ON")
  string(APPEND refusal "  This project does not require cuDNN.  To configure it ${how}\n")
  _cudnn_checked_put(refusal "${refusal}")
  _cudnn_checked_end_configure()
endfunction()

# Ends the configure with the refusal; with CuDNNChecked_OPTIONAL the project has no cuDNN.
function(_cudnn_checked_end_configure)
  if(NOT CuDNNChecked_OPTIONAL)
    _cudnn_checked_get(refusal)
    _cudnn_checked_indented(text "${refusal}")
    message(FATAL_ERROR "${text}")
  endif()
endfunction()

# After all that the project itself has deferred.
function(_cudnn_checked_compare_later)
  get_property(asked GLOBAL PROPERTY _cudnn_checked_provider_asked)
  if(NOT asked)
    _cudnn_checked_prove_linked(asked)
  endif()
  if(asked)
    cmake_language(DEFER CALL _cudnn_checked_compare_targets)
    cmake_language(DEFER CALL _cudnn_checked_take_back)
  endif()
endfunction()

# _cudnn_checked_prove_linked(<result>)
#
# A project may link cuDNN and look for none: by a path, or by -lcudnn.  Then the search and the
# proof are here.  <result>: there is something to compare.
function(_cudnn_checked_prove_linked result)
  set(${result} FALSE PARENT_SCOPE)
  _cudnn_checked_load_parts()
  _cudnn_checked_load(target/links)
  get_property(stamp GLOBAL PROPERTY _cudnn_checked_stamp)
  _cudnn_checked_built_targets(targets "${CMAKE_SOURCE_DIR}")
  foreach(target IN LISTS targets)
    _cudnn_checked_linked_cudnn(found reached "${target}")
    # One that calls find_package(CuDNNChecked) itself has its proof.
    if(found AND NOT stamp)
      list(FILTER found INCLUDE REGEX "^/|^[A-Za-z]:")
      list(TRANSFORM found REPLACE "/[^/]*$" "")
      _cudnn_checked_put_named("" "target_link_libraries(${target})" "" ${found})
      _cudnn_checked_find(QUIET)
      _cudnn_checked_keep_refusal()
      _cudnn_checked_say_provided()
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

function(_cudnn_checked_compare_targets)
  _cudnn_checked_load(target/links target/cudnn_names)
  get_property(refusal GLOBAL PROPERTY _cudnn_checked_provider_refusal)
  # Of the last answer, not of a later request that was refused.
  _cudnn_checked_load_parts()
  _cudnn_checked_names(names place)
  _cudnn_checked_get_stamp(${names})
  _cudnn_checked_built_targets(targets "${CMAKE_SOURCE_DIR}")
  foreach(target IN LISTS targets)
    _cudnn_checked_linked_cudnn(found reached "${target}")
    if(NOT found)
      # It may be compiled with cuDNN: objects, and static libraries.
      get_target_property(directories "${target}" INCLUDE_DIRECTORIES)
      _cudnn_checked_link_words(directories "${directories}")
      if(NOT refusal AND "${place_include}" IN_LIST directories)
        _cudnn_checked_compare_header("${target}" place)
      endif()
      continue()
    endif()
    if(refusal)
      list(GET found 0 file)
      string(REGEX REPLACE "\n+$" "" refusal "${refusal}")
      _cudnn_checked_indented(text "${refusal}\n  It is linked by ${target}: ${file}\n")
      message(FATAL_ERROR "${text}")
    endif()
    _cudnn_checked_pin_names(${reached})
    _cudnn_checked_linked_cudnn(found reached "${target}")
    foreach(file IN LISTS found)
      if(IS_ABSOLUTE "${file}")
        _cudnn_checked_is_of_place(
          same
          "${file}"
          "${place_library}"
          ${place_sublibraries}
          "${place_link}"
          ${place_sublinks}
        )
        if(NOT same AND NOT EXISTS "${file}")
          # A project has made its path of that of the library.
          get_filename_component(name "${file}" NAME)
          _cudnn_checked_refuse_part(
            "${target} links ${name}, which the cuDNN that was proved does not have"
            "missing|${file}|${target}"
            "name a cuDNN that has it with -D CuDNNChecked_ROOT=DIRECTORY"
          )
        elseif(NOT same)
          _cudnn_checked_other_file("${target}" "links" "${file}" place)
        endif()
        continue()
      endif()
      string(REGEX REPLACE "^-l" "" name "${file}")
      _cudnn_checked_asked_part(part "${name}")
      if(part STREQUAL "static")
        _cudnn_checked_other_file("${target}" "links" "${file}" place)
      endif()
    endforeach()
    _cudnn_checked_compare_header("${target}" place ${reached})
    _cudnn_checked_drop_missing(${reached})
  endforeach()
endfunction()

# _cudnn_checked_pin_names(<target>...)
#
# Links the files that were proved where such a target names none that is there.  -lcudnn is
# whichever the linker finds first, and never that of a wheel, which has no libcudnn.so; so is the
# path of a file that is missing: CMake makes -l of it.
function(_cudnn_checked_pin_names)
  foreach(target IN LISTS ARGN)
    get_target_property(aliased "${target}" ALIASED_TARGET)
    if(aliased)
      set(target "${aliased}")
    endif()
    foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES IMPORTED_LOCATION)
      get_target_property(links "${target}" ${property})
      if(NOT links MATCHES "cudnn")
        continue()
      endif()
      if(CMAKE_HOST_WIN32)
        string(REPLACE "\\" "/" links "${links}")
      endif()
      _cudnn_checked_link_words(words "${links}")
      list(REMOVE_DUPLICATES words)
      set(pinned "${links}")
      foreach(word IN LISTS words)
        _cudnn_checked_is_cudnn_word(is_cudnn "${word}")
        if(is_cudnn AND NOT TARGET "${word}" AND NOT EXISTS "${word}")
          _cudnn_checked_pin_word(pinned "${word}" "${pinned}")
        endif()
      endforeach()
      if(NOT pinned STREQUAL links)
        set_property(TARGET "${target}" PROPERTY ${property} "${pinned}")
        set_property(GLOBAL PROPERTY "_cudnn_checked_links_of_${target}")
      endif()
    endforeach()
  endforeach()
endfunction()

# The link items with the proved file in place of a word of theirs, if it has that part.
function(_cudnn_checked_pin_word result word items)
  string(REGEX REPLACE "^(-l|.*/)" "" name "${word}")
  _cudnn_checked_asked_part(part "${name}")
  _cudnn_checked_proved_file(file "${part}")
  _cudnn_checked_link_of_proved(file "${file}")
  if(file)
    string(REGEX REPLACE "([][+.*^$?()|])" "\\\\\\1" word "${word}")
    # Also in a generator expression.  Twice: two in succession share what is between them.
    foreach(time RANGE 1)
      string(REGEX REPLACE "(^|[;:,>])${word}($|[;,<>])" "\\1${file}\\2" items "${items}")
    endforeach()
  endif()
  set(${result} "${items}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_drop_missing(<target>...)
#
# Modules let a target link every sub-library of a major release, also those for which they have
# made no target because they are optional and not there: a JIT-only cuDNN has three of eight.
function(_cudnn_checked_drop_missing)
  foreach(target IN LISTS ARGN)
    get_target_property(links "${target}" INTERFACE_LINK_LIBRARIES)
    set(kept "${links}")
    # Also in a generator expression.
    string(REGEX MATCHALL "CUDNN::cudnn_[a-z_]+" names "${links}")
    foreach(name IN LISTS names)
      if(NOT TARGET "${name}")
        string(REGEX REPLACE "${name}([^a-z_]|$)" "\\1" kept "${kept}")
      endif()
    endforeach()
    if(NOT kept STREQUAL links)
      set_property(TARGET "${target}" PROPERTY INTERFACE_LINK_LIBRARIES "${kept}")
    endif()
  endforeach()
endfunction()

# _cudnn_checked_compare_header(<target> place <target that is linked>...)
#
# Directories with another cudnn.h are often those of the CUDA toolkit, and they are searched before
# those of imported targets.  Then the one that was proved is put before them, unless the compiler
# searches that one last, whatever a target names.
function(_cudnn_checked_compare_header target place)
  _cudnn_checked_unproved_headers(others "${target}" "${place_include}" ${ARGN})
  set(named "")
  foreach(directory IN LISTS others)
    if("${place_include}" IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
      _cudnn_checked_other_file("${target}" "includes" "${directory}/cudnn.h" place)
      set(named "${directory}")
    endif()
  endforeach()
  get_target_property(type "${target}" TYPE)
  # A custom target has the directories of its folder, and compiles nothing.
  if(
    others
    AND named STREQUAL ""
    AND type MATCHES "EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY"
  )
    # What is no system directory is searched before those that are, as the proved one is.
    target_include_directories("${target}" SYSTEM BEFORE PRIVATE "${place_include}" ${others})
  endif()
endfunction()

# The directories with another cudnn.h than that of <include> among those of the target and of what
# it links.
function(_cudnn_checked_unproved_headers result target include)
  get_target_property(directories "${target}" INCLUDE_DIRECTORIES)
  foreach(linked IN LISTS ARGN)
    get_target_property(more "${linked}" INTERFACE_INCLUDE_DIRECTORIES)
    list(APPEND directories ${more})
  endforeach()
  _cudnn_checked_link_words(directories "${directories}")
  list(REMOVE_DUPLICATES directories)
  _cudnn_checked_other_headers(others "${include}" ${directories})
  set(${result} "${others}" PARENT_SCOPE)
endfunction()

# Those of the directories that have another cudnn.h than <include>.
function(_cudnn_checked_other_headers result include)
  file(REAL_PATH "${include}/cudnn.h" proved)
  set(others "")
  foreach(directory IN LISTS ARGN)
    if(IS_ABSOLUTE "${directory}" AND EXISTS "${directory}/cudnn.h")
      file(REAL_PATH "${directory}/cudnn.h" taken)
      if(NOT taken STREQUAL proved)
        list(APPEND others "${directory}")
      endif()
    endif()
  endforeach()
  set(${result} "${others}" PARENT_SCOPE)
endfunction()

# The message about a file of another cuDNN, once for each file: a warning, and an error where each
# program is to be guarded.
function(_cudnn_checked_other_file target verb file place)
  get_property(said GLOBAL PROPERTY _cudnn_checked_provider_others)
  if("${file}" IN_LIST said)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY _cudnn_checked_provider_others "${file}")
  _cudnn_checked_load(memory/seen search/files search/prefixes say/message)
  set(proved "${place_library}")
  if(verb STREQUAL "includes")
    set(proved "${place_include}/cudnn.h")
  endif()
  set(verdict warning)
  string(TOUPPER "${CuDNNChecked_GUARD}" guard)
  if(guard STREQUAL "ALL")
    set(verdict refused)
  endif()
  set(words "verdict=${verdict}" "does=${verb}" "target=${target}" "found=${place_version}")
  # What a person, or the project, has put there.
  get_cmake_property(entries CACHE_VARIABLES)
  set(mend "${proved}")
  if(verb STREQUAL "links")
    _cudnn_checked_link_of_proved(mend "${proved}")
  endif()
  foreach(entry IN LISTS entries)
    _cudnn_checked_plain_paths(value "$CACHE{${entry}}")
    if(value STREQUAL file)
      _cudnn_checked_add_words(words fix "@configure -D ${entry}=${mend}")
    endif()
  endforeach()
  get_filename_component(directory "${file}" DIRECTORY)
  _cudnn_checked_prefix_of_directory(root "${directory}")
  _cudnn_checked_add_words(words root "${root}")
  _cudnn_checked_add_words(words file "${file}")
  _cudnn_checked_add_words(words proved "${proved}")
  _cudnn_checked_ask(status text judge explain-other ${words})
  if(NOT status STREQUAL "0")
    set(what "${target} ${verb} another cuDNN than the one that was proved")
    _cudnn_checked_plain_refusal("${what}: ${file}" ${verdict})
    _cudnn_checked_get(refusal)
    _cudnn_checked_put(refusal "")
    set(text "${refusal}")
  endif()
  _cudnn_checked_indented(text "${text}")
  if(verdict STREQUAL "refused")
    message(FATAL_ERROR "${text}")
  endif()
  message(WARNING "${text}")
endfunction()

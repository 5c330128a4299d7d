# SPDX-License-Identifier: BSD-3-Clause
#
# What the targets of a build link, known when its top-level directory is done.

# _cudnn_checked_built_targets(<result> <directory>)
#
# The targets of a directory and of those below it.
function(_cudnn_checked_built_targets result directory)
  get_property(all DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  get_property(below DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(one IN LISTS below)
    _cudnn_checked_built_targets(more "${one}")
    list(APPEND all ${more})
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_linked_cudnn(<result> <reached> <target>)
#
# What a target links of cuDNN, itself or through its libraries: paths of files, and names where no
# file is known (-lcudnn, a target that only another directory sees).  <reached> are the targets on
# the way to it, itself included.  A condition in a generator expression counts as true.
function(_cudnn_checked_linked_cudnn result reached target)
  set(queue "${target}")
  set(seen "")
  set(found "")
  set(targets "")
  while(queue)
    list(POP_FRONT queue item)
    if("${item}" IN_LIST seen)
      continue()
    endif()
    list(APPEND seen "${item}")
    if(TARGET "${item}")
      list(APPEND targets "${item}")
      _cudnn_checked_direct_links(words "${item}")
      list(APPEND queue ${words})
    else()
      _cudnn_checked_is_cudnn_word(is_cudnn "${item}")
      if(is_cudnn)
        list(APPEND found "${item}")
      endif()
    endif()
  endwhile()
  set(${result} "${found}" PARENT_SCOPE)
  set(${reached} "${targets}" PARENT_SCOPE)
endfunction()

# Is the word, which is no target, cuDNN: libcudnn.so.9 with its path, cudnn64_9.lib, -lcudnn,
# CUDNN::cudnn?
function(_cudnn_checked_is_cudnn_word result word)
  set(${result} FALSE PARENT_SCOPE)
  string(TOLOWER "${word}" word)
  set(pattern "(^|[/:]|-l)(lib)?cudnn(_[a-z_]+)?(64_[0-9]+|_v[0-9]+)?")
  string(APPEND pattern "([.]so[0-9.]*|([.]dll)?[.]a|[.]lib|[.]dll)?$")
  # cudnn-frontend is no part of cuDNN.
  if(word MATCHES "${pattern}" AND NOT word MATCHES "cudnn_frontend")
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_direct_links(<result> <target>)
#
# What a target itself names to link, as words; of an imported one its file as well.  Read once.
function(_cudnn_checked_direct_links result target)
  set(memory "_cudnn_checked_links_of_${target}")
  get_property(known GLOBAL PROPERTY "${memory}" SET)
  if(NOT known)
    set(words "")
    get_target_property(imported "${target}" IMPORTED)
    set(properties LINK_LIBRARIES INTERFACE_LINK_LIBRARIES LINK_OPTIONS INTERFACE_LINK_OPTIONS)
    if(imported)
      list(APPEND properties IMPORTED_LOCATION)
      get_target_property(configurations "${target}" IMPORTED_CONFIGURATIONS)
      foreach(configuration IN LISTS configurations)
        list(APPEND properties IMPORTED_LOCATION_${configuration})
      endforeach()
    endif()
    foreach(property IN LISTS properties)
      get_target_property(value "${target}" ${property})
      if(value)
        _cudnn_checked_link_words(value "${value}")
        list(APPEND words ${value})
      endif()
    endforeach()
    set_property(GLOBAL PROPERTY "${memory}" "${words}")
  endif()
  get_property(words GLOBAL PROPERTY "${memory}")
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# The words of link items, those in generator expressions as well.
function(_cudnn_checked_link_words result items)
  if(items MATCHES "[$]<")
    string(ASCII 1 colons)
    string(REPLACE "::" "${colons}" items "${items}")
    string(REGEX REPLACE "[$]<[A-Z_]*|[<>,:]" ";" items "${items}")
    string(REPLACE "${colons}" "::" items "${items}")
  endif()
  list(REMOVE_ITEM items "")
  set(${result} "${items}" PARENT_SCOPE)
endfunction()

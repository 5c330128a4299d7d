// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

#include "../namespace.h"
#include "arena_string.h"
#include "arena_vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What a library of cuDNN is for, as its name says.
class library_role {
 public:
  enum known : unsigned char {
#define ROLE(name, ...) name,
#include "library_roles.def"
#undef ROLE
    none,  ///< no library of cuDNN
    other  ///< one that this release has never heard of, which keeps its name
  };

  constexpr library_role(known which = none) : value_(which) {}
  /// The role for NAME of "libcudnn_NAME.so"; none if it is empty.
  static library_role named(std::string_view name);

  constexpr known which() const { return value_ < other ? static_cast<known>(value_) : other; }

  // For the tests, which write roles as names.
  library_role(const char* name) : library_role(named(name)) {}
  template <class text, class = if_standard_string<text>>
  library_role(const text& name) : library_role(named(name)) {}
  template <class text, class = if_standard_string<text>>
  operator text() const;

 private:
  friend const char* to_string(library_role role);

  std::uintptr_t value_;  ///< of the enumeration; in place of `other` the address of the name
};

/// "shim", "graph", "ops", ...; empty for none.
const char* to_string(library_role role);
/// "graph, cnn"
arena_string to_string(const arena_vector<library_role>& roles);

bool operator==(library_role a, library_role b);
inline bool operator!=(library_role a, library_role b) { return !(a == b); }
inline bool operator==(library_role a, library_role::known b) { return a.which() == b; }
inline bool operator!=(library_role a, library_role::known b) { return a.which() != b; }

/// The sub-libraries that every release of that major has, without the shim.
arena_vector<library_role> sublibraries_of(int cudnn_major);

/// The major release of cuDNN that has it; 0: each, or not known.
int major_of_role(library_role role);

/// Does a JIT-only package ship it?
bool is_jit_role(library_role role);

/// The sub-libraries that came with later releases.  cuDNN computes without some of them
/// (catalogue/measured_needs.h).
bool is_optional_role(library_role role);

/// Does a JIT-only set ask for it as well, although no JIT-only package ships it?
bool is_asked_by_jit_only(library_role role);

/// The sub-libraries that it is linked with.
arena_vector<library_role> linked_with(library_role role);

/// Those whose functions it uses without being linked with them, and it itself last.
arena_vector<library_role> called_with(library_role role);

/// The same, each behind those that it is linked with: all that its functions use.
arena_vector<library_role> used_by(library_role role);

/// The sub-libraries of cuDNN 8 that have the functions of one of cuDNN 9; none where 8 lacks them.
arena_vector<library_role> in_cudnn_8(library_role role);

/// True for one of cuDNN 8 that is asked for after another one, which makes the descriptors that
/// its functions take.
bool takes_descriptors(library_role role);

/// Whether a program calls functions of a sub-library, and when the first of them may load it.
enum class role_called : unsigned char { no, first, after_graph };
role_called calls_of(library_role role);

/// The sub-libraries of that major that a program calls functions of besides those of graph.
arena_vector<library_role> called_roles(int cudnn_major);

/// What of CUDA a sub-library opens by name.
struct opened_part {
  enum known : unsigned char { none, cublaslt, nvrtc, nvrtc_on_linux };
};

struct opened_parts {
  opened_part::known parts[2];  ///< behind the last: none
};

/// What every release of a sub-library opens when it computes.
opened_parts parts_opened_by(library_role role);

template <class text, class>
library_role::operator text() const {
  return to_string(*this);
}
template <class stream, class = typename stream::char_type>
stream& operator<<(stream& out, library_role role) {
  out << to_string(role);
  return out;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

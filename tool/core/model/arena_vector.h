// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <new>
#include <type_traits>
#include <utility>

#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What all vectors have in common, whatever their elements.
struct vector_storage {
  char* elements = nullptr;
  std::uint32_t size = 0;  ///< in bytes, as all numbers here: where the end is needs no product
  std::uint32_t capacity = 0;

  /// Puts copies of so many bytes before those at `at`.
  void insert(std::size_t at, const void* from, std::size_t bytes);
  /// Room for more, which the caller fills at once: where it begins.
  void* extend(std::size_t bytes);
  void remove(std::size_t at, std::size_t bytes);
};

/// std::vector, whose header no guard includes: of the standard library's types it alone has a
/// capacity and emplace_back(), and no type of core has an allocator.
template <class list>
using if_standard_list = std::enable_if_t<
    !std::is_same<typename list::allocator_type, void>::value &&
        std::is_same<decltype(std::declval<list&>().capacity()), std::size_t>::value,
    decltype(std::declval<list&>().emplace_back())>;

/// The sequences of core: the part of std::vector that core uses, in memory of the arena.  A copy
/// has elements of its own.  Elements are moved byte by byte where a vector grows, as all types of
/// core can be, and none is destroyed.  All that does not need to know the elements is compiled
/// once (arena_vector.cpp).
template <class T>
class arena_vector {
 public:
  arena_vector() = default;
  explicit arena_vector(std::size_t count) { resize(count); }
  arena_vector(std::initializer_list<T> elements) {
    put_copies(0, elements.begin(), elements.end());
  }
  arena_vector(const arena_vector& other) { put_copies(0, other.begin(), other.end()); }
  arena_vector(arena_vector&& other) noexcept : storage_(other.storage_) { other.storage_ = {}; }
  arena_vector& operator=(const arena_vector& other) { return *this = arena_vector(other); }
  arena_vector& operator=(arena_vector&& other) noexcept {
    storage_ = other.storage_;
    if (this != &other) other.storage_ = {};
    return *this;
  }

  std::size_t size() const { return storage_.size / sizeof(T); }
  bool empty() const { return storage_.size == 0; }
  const T* data() const { return reinterpret_cast<const T*>(storage_.elements); }
  const T* begin() const { return data(); }
  const T* end() const { return reinterpret_cast<const T*>(storage_.elements + storage_.size); }
  const T& operator[](std::size_t at) const { return data()[at]; }
  const T& front() const { return data()[0]; }
  const T& back() const { return end()[-1]; }

  /// The elements, to be changed: a reader sees where that happens.
  struct changed_elements {
    T* first;
    T* last;
    T* begin() const { return first; }
    T* end() const { return last; }
    T& operator[](std::size_t at) const { return first[at]; }
    T& back() const { return last[-1]; }
  };
  changed_elements in_place() {
    return {reinterpret_cast<T*>(storage_.elements),
            reinterpret_cast<T*>(storage_.elements + storage_.size)};
  }

  /// The element may be one of this vector.  It is passed in a register if it fits.
  template <class U = T>
  void push_back(std::conditional_t<sizeof(U) <= sizeof(void*), U, const U&> element) {
    static_assert(std::is_trivially_destructible<T>::value, "no element is destroyed");
    new (storage_.extend(sizeof(T))) T(element);
  }
  template <class... arguments>
  void emplace_back(arguments&&... values) {
    push_back(T(std::forward<arguments>(values)...));
  }
  /// If the position is not the end, the inserted elements must not be elements of this vector.
  void insert(const T* position, const T& element) { insert(position, &element, &element + 1); }
  void insert(const T* position, const T* first, const T* last) {
    put_copies(bytes_before(position), first, last);
  }
  void append(const arena_vector& other) { put_copies(storage_.size, other.begin(), other.end()); }
  void erase(const T* position) { storage_.remove(bytes_before(position), sizeof(T)); }
  void pop_back() { storage_.size -= static_cast<std::uint32_t>(sizeof(T)); }
  void clear() { storage_.size = 0; }
  /// New elements have their default value.
  void resize(std::size_t count) {
    if (count <= size()) {
      storage_.size = static_cast<std::uint32_t>(count * sizeof(T));
      return;
    }
    const std::size_t more = count - size();
    T* added = static_cast<T*>(storage_.extend(more * sizeof(T)));
    if (std::is_trivially_default_constructible<T>::value) {
      std::memset(static_cast<void*>(added), 0, more * sizeof(T));
    } else {
      for (std::size_t i = 0; i < more; ++i) new (added + i) T();
    }
  }

  // For the command line and the tests, whose libraries have standard vectors.
  template <class list, class = if_standard_list<list>>
  arena_vector(const list& other) {
    for (const auto& element : other) push_back(T(element));
  }
  template <class list, class = if_standard_list<list>>
  operator list() const {
    return list(begin(), end());
  }

 private:
  void put_copies(std::size_t at, const T* first, const T* last) {
    storage_.insert(at, first, bytes_between(first, last));
    if (std::is_trivially_copyable<T>::value) return;
    T* to = reinterpret_cast<T*>(storage_.elements + at);
    for (; first != last; ++first) new (to++) T(*first);
  }
  static std::size_t bytes_between(const void* first, const void* last) {
    return static_cast<std::size_t>(static_cast<const char*>(last) -
                                    static_cast<const char*>(first));
  }
  std::size_t bytes_before(const T* position) const {
    return position == nullptr ? 0 : bytes_between(storage_.elements, position);
  }

  vector_storage storage_;
};

template <class T>
void sort(arena_vector<T>& elements) {
  std::sort(elements.in_place().begin(), elements.in_place().end());
}

/// For any kind of list, as the next function.
template <class list, class element>
bool contains(const list& all, const element& one) {
  for (const auto& other : all) {
    if (other == one) return true;
  }
  return false;
}

template <class list, class predicate>
bool any_of(const list& all, const predicate& is) {
  for (const auto& one : all) {
    if (is(one)) return true;
  }
  return false;
}
template <class list, class predicate>
bool none_of(const list& all, const predicate& is) {
  return !any_of(all, is);
}
template <class list, class predicate>
bool all_of(const list& all, const predicate& is) {
  for (const auto& one : all) {
    if (!is(one)) return false;
  }
  return true;
}

/// The first such element, or null.
template <class list, class predicate>
auto find_where(list&& all, const predicate& is) -> decltype(&*std::begin(all)) {
  for (auto& one : all) {
    if (is(one)) return &one;
  }
  return nullptr;
}

/// The elements that fulfil the predicate, in their order.
template <class T, class predicate>
arena_vector<T> filtered(const arena_vector<T>& all, const predicate& is) {
  arena_vector<T> some;
  for (const T& one : all) {
    if (is(one)) some.push_back(one);
  }
  return some;
}

/// False where it is there already.
template <class list, class element>
bool add_once(const element& one, list& all) {
  if (contains(all, one)) return false;
  all.push_back(one);
  return true;
}

template <class T>
bool operator==(const arena_vector<T>& a, const arena_vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

template <class T>
bool operator!=(const arena_vector<T>& a, const arena_vector<T>& b) {
  return !(a == b);
}

template <class T, class list, class = if_standard_list<list>>
bool operator==(const arena_vector<T>& a, const list& b) {
  return a == arena_vector<T>(b);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

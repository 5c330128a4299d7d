// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>

#include "../namespace.h"

#if !defined(CUDNN_CHECKED_ONE_UNIT) || defined(CUDNN_CHECKED_STANDARD_TYPES)
#include <vector>
#endif

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What all vectors have in common, whatever their elements.
struct vector_storage {
  void* elements = nullptr;
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;

  /// Puts copies of `count` elements of so many bytes before the one of index `at`.
  void insert(std::size_t at, const void* from, std::size_t count, std::size_t bytes);
  /// `count` elements more, which the caller makes at once: where they begin.
  void* extend(std::size_t count, std::size_t bytes);
  void remove(std::size_t at, std::size_t bytes);
  /// The same elements in memory of its own.
  vector_storage copy(std::size_t bytes) const;
};

/// The sequences of core: the part of std::vector that core uses, in memory of the arena.  Elements
/// are copied byte by byte, as all types of core.  A copy shares the elements, until one of the two
/// appends or removes some.  Whoever changes an element of a copy takes copy() first.  All that
/// does not need to know the elements is compiled once (vector.cpp).
template <class T>
class vector {
 public:
  vector() = default;
  explicit vector(std::size_t count) { resize(count); }
  vector(std::initializer_list<T> elements) { insert(end(), elements.begin(), elements.end()); }
  vector(const vector& other) = default;
  vector& operator=(const vector& other) = default;

  /// The same elements, which are its own.
  vector copy() const {
    vector own;
    own.storage_ = storage_.copy(sizeof(T));
    return own;
  }

  std::size_t size() const { return storage_.size; }
  bool empty() const { return storage_.size == 0; }
  T* data() { return static_cast<T*>(storage_.elements); }
  const T* data() const { return static_cast<const T*>(storage_.elements); }
  T* begin() { return data(); }
  T* end() { return data() + storage_.size; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + storage_.size; }
  T& operator[](std::size_t at) { return data()[at]; }
  const T& operator[](std::size_t at) const { return data()[at]; }
  T& front() { return data()[0]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[storage_.size - 1]; }
  const T& back() const { return data()[storage_.size - 1]; }

  /// The element may be one of this vector.
  void push_back(const T& element) {
    static_assert(std::is_trivially_copyable<T>::value, "elements are copied as bytes");
    new (storage_.extend(1, sizeof(T))) T(element);
  }
  template <class... arguments>
  void emplace_back(arguments&&... values) {
    push_back(T(std::forward<arguments>(values)...));
  }
  /// What is inserted elsewhere than at the end is no element of this vector.
  void insert(const T* position, const T& element) { insert(position, &element, &element + 1); }
  void insert(const T* position, const T* first, const T* last) {
    static_assert(std::is_trivially_copyable<T>::value, "elements are copied as bytes");
    storage_.insert(index_of(position), first, static_cast<std::size_t>(last - first), sizeof(T));
  }
  void erase(const T* position) { storage_.remove(index_of(position), sizeof(T)); }
  void pop_back() { --storage_.size; }
  void clear() { storage_.size = 0; }
  /// New elements have their default value.
  void resize(std::size_t count) {
    if (count <= storage_.size) {
      storage_.size = static_cast<std::uint32_t>(count);
      return;
    }
    const std::size_t more = count - storage_.size;
    T* added = static_cast<T*>(storage_.extend(more, sizeof(T)));
    if (std::is_trivially_default_constructible<T>::value) {
      std::memset(static_cast<void*>(added), 0, more * sizeof(T));
    } else {
      for (std::size_t i = 0; i < more; ++i) new (added + i) T();
    }
  }

#if !defined(CUDNN_CHECKED_ONE_UNIT) || defined(CUDNN_CHECKED_STANDARD_TYPES)
  // For the command line and the tests, whose libraries have standard vectors.
  template <class U>
  vector(const std::vector<U>& other) {
    for (const U& element : other) push_back(T(element));
  }
  template <class U>
  operator std::vector<U>() const {
    return std::vector<U>(begin(), end());
  }
#endif

 private:
  std::size_t index_of(const T* position) const {
    return position == nullptr ? 0 : static_cast<std::size_t>(position - data());
  }

  vector_storage storage_;
};

template <class T>
bool operator==(const vector<T>& a, const vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

template <class T>
bool operator!=(const vector<T>& a, const vector<T>& b) {
  return !(a == b);
}

#if !defined(CUDNN_CHECKED_ONE_UNIT) || defined(CUDNN_CHECKED_STANDARD_TYPES)
template <class T, class U>
bool operator==(const vector<T>& a, const std::vector<U>& b) {
  return a == vector<T>(b);
}
#endif

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
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
  /// Copies `count` elements to memory that has none yet; null: they can be copied as bytes.
  using copier = void (*)(void* to, const void* from, std::size_t count);

  void* elements = nullptr;
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;

  /// Puts copies of `count` elements of so many bytes before the one of index `at`.
  void insert(std::size_t at, const void* from, std::size_t count, std::size_t bytes, copier copy);
  /// `count` elements more, which the caller makes at once: where they begin.
  void* extend(std::size_t count, std::size_t bytes);
  void remove(std::size_t at, std::size_t bytes);
};

/// The sequences of core: the part of std::vector that core uses, in memory of the arena.  Elements
/// have no destructor and can be moved byte by byte, as all types of core.  All that does not need
/// to know them is compiled once (vector.cpp).
template <class T>
class vector {
 public:
  vector() = default;
  explicit vector(std::size_t count) { resize(count); }
  vector(std::initializer_list<T> elements) { insert(end(), elements.begin(), elements.end()); }
  vector(const vector& other) { insert(end(), other.begin(), other.end()); }
  vector(vector&& other) noexcept : storage_(other.storage_) { other.storage_ = vector_storage(); }
  vector& operator=(const vector& other) {
    if (this != &other) *this = vector(other);
    return *this;
  }
  vector& operator=(vector&& other) noexcept {
    const vector_storage taken = other.storage_;
    other.storage_ = vector_storage();
    storage_ = taken;
    return *this;
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
  void push_back(const T& element) { insert(end(), &element, &element + 1); }
  void push_back(T&& element) { new (storage_.extend(1, sizeof(T))) T(std::move(element)); }
  template <class... arguments>
  void emplace_back(arguments&&... values) {
    push_back(T(std::forward<arguments>(values)...));
  }
  /// What is inserted elsewhere than at the end is no element of this vector.
  void insert(const T* position, const T& element) { insert(position, &element, &element + 1); }
  void insert(const T* position, const T* first, const T* last) {
    storage_.insert(index_of(position), first, static_cast<std::size_t>(last - first), sizeof(T),
                    copier());
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
    for (std::size_t i = 0; i < more; ++i) new (added + i) T();
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
  static void copy_elements(void* to, const void* from, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      new (static_cast<T*>(to) + i) T(static_cast<const T*>(from)[i]);
    }
  }
  static constexpr vector_storage::copier copier() {
    static_assert(std::is_trivially_destructible<T>::value, "the arena calls no destructor");
    return std::is_trivially_copyable<T>::value ? nullptr : &copy_elements;
  }
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

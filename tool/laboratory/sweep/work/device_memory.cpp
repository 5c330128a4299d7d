// SPDX-License-Identifier: BSD-3-Clause
#include "device_memory.h"

#include <algorithm>
#include <cstring>

#include "../../../convolution/compare.h"

namespace cudnn_checked::sweep {

/// What is allocated first: enough for most plans.
static constexpr std::size_t usual_bytes = std::size_t{64} << 20;

static std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

bool device_memory::grow(std::size_t bytes, cuda_failure& told) {
  if (bytes <= bytes_) return true;
  const std::size_t most = static_cast<std::size_t>(most_);
  if (bytes > most) {
    told = {cudaErrorMemoryAllocation, "cudaMalloc"};
    return false;
  }
  const std::size_t wanted = std::min(most, std::max(round_up(bytes, usual_bytes), 2 * bytes_));
  memory_.reset();
  bytes_ = 0;
  for (const std::size_t size : {wanted, bytes}) {
    if (!did(cudaMalloc(memory_.receive(), size), "cudaMalloc", told)) continue;
    bytes_ = size;
    return true;
  }
  return false;
}

void device_memory::place_each(const problem_numbers& numbers, bool inputs, std::size_t shift,
                               std::vector<std::size_t>& at) {
  at.resize(numbers.arrays.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const problem_array& array = numbers.arrays[i];
    if (array.is_input() != inputs) continue;
    const std::size_t end = placed_.empty() ? 0 : placed_.back().end();
    at[i] = round_up(end + guard, best_alignment) + shift;
    placed_.push_back({at[i], array.bytes, &array});
  }
}

bool device_memory::place(const problem_numbers& numbers, std::size_t alignment,
                          cuda_failure& told) {
  const std::size_t shift = alignment == best_alignment ? 0 : alignment;
  placed_.clear();
  place_each(numbers, true, shift, at_[0]);
  at_[1] = at_[0];
  first_output_ = placed_.size();
  for (std::vector<std::size_t>& at : at_) place_each(numbers, false, shift, at);
  workspace_ = {round_up(placed_.back().end() + guard, best_alignment), 0, nullptr};
  whole_.assign(workspace_.at, compute::poison_byte);
  for (const extent& one : placed_) {
    std::copy(one.what->given.begin(), one.what->given.end(),
              whole_.begin() + static_cast<std::ptrdiff_t>(one.at));
  }
  return grow(workspace_.at + guard, told) && restore(told);
}

std::uint64_t device_memory::most_workspace() const {
  const std::uint64_t taken = workspace_.at + guard;
  return taken < most_ ? most_ - taken : 0;
}

bool device_memory::restore(cuda_failure& told) {
  return did(cudaMemcpy(base(), whole_.data(), whole_.size(), cudaMemcpyHostToDevice), "cudaMemcpy",
             told);
}

bool device_memory::fill(std::size_t at, std::size_t bytes, unsigned char value,
                         cuda_failure& told) {
  return bytes == 0 || did(cudaMemset(base() + at, value, bytes), "cudaMemset", told);
}

/// All but the one behind the workspace.
bool device_memory::fill_guards(unsigned char value, cuda_failure& told) {
  std::size_t end = 0;
  for (const extent& next : placed_) {
    if (!fill(end, next.at - end, value, told)) return false;
    end = next.end();
  }
  return fill(end, workspace_.at - end, value, told);
}

bool device_memory::prepare(std::uint64_t workspace, const surroundings& around,
                            cuda_failure& told) {
  workspace_.bytes = static_cast<std::size_t>(workspace);
  const std::size_t before = bytes_;
  if (!grow(workspace_.end() + guard, told)) return false;
  if (bytes_ != before && !restore(told)) return false;
  const std::size_t begin = placed_[first_output_].at;
  return fill(begin, placed_.back().end() - begin, compute::poison_byte, told) &&
         (around.guards == compute::poison_byte || fill_guards(around.guards, told)) &&
         fill(workspace_.end(), guard, around.guards, told) && fill_workspace(around, told);
}

bool device_memory::fill_workspace(const surroundings& around, cuda_failure& told) {
  return fill(workspace_.at, workspace_.bytes, around.workspace, told);
}

std::vector<void*> device_memory::places(int execution) const {
  std::vector<void*> made;
  for (const std::size_t at : at_[execution]) made.push_back(base() + at);
  return made;
}

bool device_memory::fetch(cuda_failure& told) {
  seen_.resize(workspace_.at + guard);
  return did(cudaMemcpy(seen_.data(), base(), workspace_.at, cudaMemcpyDeviceToHost), "cudaMemcpy",
             told) &&
         did(cudaMemcpy(seen_.data() + workspace_.at, base() + workspace_.end(), guard,
                        cudaMemcpyDeviceToHost),
             "cudaMemcpy", told);
}

std::string device_memory::damage_between(std::size_t begin, std::size_t end,
                                          const std::string& after,
                                          const std::string& before) const {
  const unsigned char* const is = seen_.data() + begin;
  const unsigned char* const was = whole_.data() + begin;
  const std::size_t bytes = end - begin;
  if (std::memcmp(is, was, bytes) == 0) return {};
  std::size_t first = 0;
  while (is[first] == was[first]) ++first;
  std::size_t last = bytes - 1;
  while (is[last] == was[last]) --last;
  // The nearer neighbour is the likelier one.
  if (!after.empty() && first <= bytes - 1 - last) {
    return "up to " + std::to_string(last + 1) + " bytes behind " + after;
  }
  return "up to " + std::to_string(bytes - first) + " bytes in front of " + before;
}

std::string device_memory::damage() const {
  for (const extent& one : placed_) {
    if (one.what->is_input() &&
        std::memcmp(seen_.data() + one.at, whole_.data() + one.at, one.bytes) != 0) {
      return one.what->name;
    }
  }
  std::size_t end = 0;
  std::string before;
  for (const extent& next : placed_) {
    const std::string found = damage_between(end, next.at, before, next.what->name);
    if (!found.empty()) return found;
    end = next.end();
    before = next.what->name;
  }
  const std::string found = damage_between(end, workspace_.at, before, "the workspace");
  if (!found.empty()) return found;
  std::size_t last = seen_.size();
  while (last > workspace_.at && seen_[last - 1] == compute::poison_byte) --last;
  if (last == workspace_.at) return {};
  return "up to " + std::to_string(last - workspace_.at) + " bytes behind the workspace";
}

}  // namespace cudnn_checked::sweep

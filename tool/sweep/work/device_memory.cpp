// SPDX-License-Identifier: BSD-3-Clause
#include "device_memory.h"

#include <algorithm>
#include <cstring>

#include "../../convolution/compare.h"

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

bool device_memory::place(const problem_numbers& numbers, std::size_t alignment,
                          cuda_failure& told) {
  const tensor_roles roles = roles_of(numbers.what);
  const std::size_t out_bytes = roles.result->elements() * compute::size_of(numbers.what.type);
  const std::size_t shift = alignment == best_alignment ? 0 : alignment;
  std::size_t end = 0;
  const auto next = [&](extent& placed, std::size_t bytes) {
    placed.at = round_up(end + guard, best_alignment) + shift;
    placed.bytes = bytes;
    end = placed.end();
  };
  numbers_ = &numbers;
  next(inputs_[0], numbers.first.size());
  next(inputs_[1], numbers.second.size());
  next(outputs_[0], out_bytes);
  next(outputs_[1], out_bytes);
  workspace_ = {round_up(end + guard, best_alignment), 0};
  whole_.assign(workspace_.at, compute::poison_byte);
  std::copy(numbers.first.begin(), numbers.first.end(),
            whole_.begin() + static_cast<std::ptrdiff_t>(inputs_[0].at));
  std::copy(numbers.second.begin(), numbers.second.end(),
            whole_.begin() + static_cast<std::ptrdiff_t>(inputs_[1].at));
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

bool device_memory::prepare(std::uint64_t workspace, const surroundings& around,
                            cuda_failure& told) {
  workspace_.bytes = static_cast<std::size_t>(workspace);
  const std::size_t before = bytes_;
  if (!grow(workspace_.end() + guard, told)) return false;
  if (bytes_ != before && !restore(told)) return false;
  const std::size_t begin = outputs_[0].at;
  if (around.guards != compute::poison_byte) {
    const extent* const gaps[] = {&inputs_[0], &inputs_[1], &outputs_[0]};
    std::size_t end = 0;
    for (const extent* const next : gaps) {
      if (!fill(end, next->at - end, around.guards, told)) return false;
      end = next->end();
    }
    if (!fill(outputs_[1].end(), workspace_.at - outputs_[1].end(), around.guards, told)) {
      return false;
    }
  }
  return fill(begin, outputs_[1].end() - begin, compute::poison_byte, told) &&
         fill(workspace_.end(), guard, around.guards, told) && fill_workspace(around, told);
}

bool device_memory::fill_workspace(const surroundings& around, cuda_failure& told) {
  return fill(workspace_.at, workspace_.bytes, around.workspace, told);
}

compute::places device_memory::places(int output) const {
  void* const first = base() + inputs_[0].at;
  void* const second = base() + inputs_[1].at;
  void* const result = base() + outputs_[output].at;
  compute::places made;
  made.workspace = base() + workspace_.at;
  switch (numbers_->what.computed) {
    case compute::direction::forward:
      made.x = first;
      made.w = second;
      made.y = result;
      break;
    case compute::direction::data_gradient:
      made.y = first;
      made.w = second;
      made.x = result;
      break;
    case compute::direction::filter_gradient:
      made.y = first;
      made.x = second;
      made.w = result;
      break;
  }
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

std::string device_memory::damage_between(std::size_t begin, std::size_t end, const char* after,
                                          const char* before) const {
  const unsigned char* const is = seen_.data() + begin;
  const unsigned char* const was = whole_.data() + begin;
  const std::size_t bytes = end - begin;
  if (std::memcmp(is, was, bytes) == 0) return {};
  std::size_t first = 0;
  while (is[first] == was[first]) ++first;
  std::size_t last = bytes - 1;
  while (is[last] == was[last]) --last;
  // The nearer neighbour is the likelier one.
  if (*after != '\0' && first <= bytes - 1 - last) {
    return "up to " + std::to_string(last + 1) + " bytes behind " + after;
  }
  return "up to " + std::to_string(bytes - first) + " bytes in front of " + before;
}

std::string device_memory::damage() const {
  // By direction: what is read, read and written.
  static constexpr const char* names[][3] = {{"x", "w", "y"}, {"dy", "w", "dx"}, {"dy", "x", "dw"}};
  const char* const* const name = names[static_cast<int>(numbers_->what.computed)];
  for (int i = 0; i < 2; ++i) {
    const extent& input = inputs_[i];
    if (std::memcmp(seen_.data() + input.at, whole_.data() + input.at, input.bytes) != 0) {
      return name[i];
    }
  }
  const struct {
    std::size_t begin;
    std::size_t end;
    const char* after;
    const char* before;
  } gaps[] = {{0, inputs_[0].at, "", name[0]},
              {inputs_[0].end(), inputs_[1].at, name[0], name[1]},
              {inputs_[1].end(), outputs_[0].at, name[1], name[2]},
              {outputs_[0].end(), outputs_[1].at, name[2], name[2]},
              {outputs_[1].end(), workspace_.at, name[2], "the workspace"}};
  for (const auto& gap : gaps) {
    const std::string found = damage_between(gap.begin, gap.end, gap.after, gap.before);
    if (!found.empty()) return found;
  }
  std::size_t last = seen_.size();
  while (last > workspace_.at && seen_[last - 1] == compute::poison_byte) --last;
  if (last == workspace_.at) return {};
  return "up to " + std::to_string(last - workspace_.at) + " bytes behind the workspace";
}

}  // namespace cudnn_checked::sweep

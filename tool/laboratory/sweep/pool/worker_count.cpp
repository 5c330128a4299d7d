// SPDX-License-Identifier: BSD-3-Clause
#include "worker_count.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "../../../core/linux/linux_system.h"

namespace cudnn_checked::sweep {

static constexpr std::uint64_t context_bytes = std::uint64_t{512} << 20;
static constexpr std::uint64_t process_bytes = std::uint64_t{768} << 20;
static constexpr std::uint64_t most_workers = 32;

static arena_string content_of(const char* path) {
  arena_string text;
  return linux_system(environ, execution_mode::ordinary).read_text(path, text) ? text
                                                                               : arena_string();
}

static int usable_processors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  int count = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
  // cgroup-v2, cpu.max: "max 100000", or microseconds in each period.
  long long quota = 0;
  long long period = 0;
  const arena_string limit = content_of("/sys/fs/cgroup/cpu.max");
  const bool limited = std::sscanf(limit.c_str(), "%lld %lld", &quota, &period) == 2;
  if (limited && quota > 0 && period > 0) {
    count = std::min(count, static_cast<int>(std::max(1LL, (quota + period - 1) / period)));
  }
  return std::max(count, 1);
}

/// The number behind a word of a file; 0: there is none.
static std::uint64_t number_in(const char* path, std::string_view word = {}) {
  const arena_string text = content_of(path);
  const std::size_t at = text.find(word);
  return at == arena_string::npos ? 0 : std::strtoull(text.c_str() + at + word.size(), nullptr, 10);
}

static std::uint64_t free_memory() {
  const std::uint64_t available = number_in("/proc/meminfo", "MemAvailable:") << 10U;
  const std::uint64_t most = number_in("/sys/fs/cgroup/memory.max");
  const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current");
  if (most == 0) return available;
  return std::min(available, most > used ? most - used : 1);
}

resources resources_of_this_machine() {
  resources found;
  found.processors = usable_processors();
  found.memory = free_memory();
  return found;
}

int count_of_workers(const resources& machine) {
  auto count = static_cast<std::uint64_t>(std::max(machine.processors, 1));
  if (machine.memory != 0) count = std::min(count, machine.memory / 2 / process_bytes);
  if (machine.gpu_memory != 0) {
    count = std::min(count, machine.gpu_memory / 2 / (context_bytes + machine.worker_bytes));
  }
  return static_cast<int>(std::max(std::min(count, most_workers), std::uint64_t{1}));
}

}  // namespace cudnn_checked::sweep

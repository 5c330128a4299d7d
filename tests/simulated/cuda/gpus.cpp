// SPDX-License-Identifier: BSD-3-Clause
#include "gpus.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace simulated {

static std::vector<std::string> split(const char* text) {
  std::vector<std::string> items(1);
  for (; *text != '\0'; ++text) {
    if (*text == ',' || *text == ';') {
      items.emplace_back();
    } else if (*text != ' ') {
      items.back() += *text;
    }
  }
  if (items.size() == 1 && items[0].empty()) items.clear();
  return items;
}

static gpu make_gpu(int index, const std::string& architecture) {
  const std::size_t digits = architecture.find_first_of("0123456789");
  const int number = digits == std::string::npos ? 0 : std::atoi(architecture.c_str() + digits);
  gpu made;
  made.index = index;
  made.major = number / 10;
  made.minor = number % 10;
  made.name = "Simulated GPU sm_" + std::to_string(number);
  std::memcpy(made.uuid, "SIMULATED-GPU", 13);
  made.uuid[13] = static_cast<unsigned char>(number >> 8);
  made.uuid[14] = static_cast<unsigned char>(number);
  made.uuid[15] = static_cast<unsigned char>(index);
  // The first byte differs, so that the beginning of a UUID is enough to name a GPU.
  made.uuid[0] = static_cast<unsigned char>(0xa0 + index);
  return made;
}

std::string gpu::uuid_text() const {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(uuid[i]));
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits;
  }
  return text;
}

std::string gpu::bus_id() const {
  char text[16];
  std::snprintf(text, sizeof text, "0000:%02x:00.0", static_cast<unsigned char>(index + 1));
  return text;
}

std::vector<gpu> all_gpus() {
  const char* const asked = std::getenv("SIMULATED_GPUS");
  std::vector<gpu> gpus;
  for (const std::string& item : split(asked != nullptr ? asked : default_gpus)) {
    gpus.push_back(make_gpu(static_cast<int>(gpus.size()), item));
  }
  return gpus;
}

static const gpu* find_named(const std::vector<gpu>& gpus, const std::string& name) {
  const bool is_index = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
  for (const gpu& candidate : gpus) {
    if (is_index ? candidate.index == std::atoi(name.c_str())
                 : name.size() > 4 && candidate.uuid_text().compare(0, name.size(), name) == 0) {
      return &candidate;
    }
  }
  return nullptr;
}

std::vector<gpu> visible_gpus() {
  const std::vector<gpu> gpus = all_gpus();
  const char* const names = std::getenv("CUDA_VISIBLE_DEVICES");
  if (names == nullptr) return gpus;
  std::vector<gpu> visible;
  for (const std::string& name : split(names)) {
    const gpu* const found = find_named(gpus, name);
    if (found == nullptr) break;
    for (const gpu& before : visible) {
      if (before.index == found->index) return {};
    }
    visible.push_back(*found);
  }
  return visible;
}

bool copy_text(const std::string& text, char* target, unsigned length) {
  if (target == nullptr || text.size() >= length) return false;
  std::memcpy(target, text.c_str(), text.size() + 1);
  return true;
}

}  // namespace simulated

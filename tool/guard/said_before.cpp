// SPDX-License-Identifier: BSD-3-Clause
#include "said_before.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// FNV-1a.  The file that carries the stamp is left out: two guards that found the same differ
// there.
static unsigned long long mark_of(const finding& f) {
  const arena_string fix = in_one_line(f.fix);
  unsigned long long mark = 0xcbf29ce484222325U + static_cast<unsigned>(f.id);
  for (const arena_string* text :
       {&f.summary, &f.expected.value, &f.found.value, &f.found.where, &fix}) {
    for (const char c : *text) mark = (mark ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return mark | 1U;
}

/// False where it was there already.
static bool add(said_mark* page, unsigned long long mark) {
  for (std::size_t i = 0; i < said_marks; ++i) {
    unsigned long long there = 0;
    if (page[i].compare_exchange_strong(there, mark, std::memory_order_relaxed)) return true;
    if (there == mark) return false;
  }
  return true;
}

arena_vector<finding> not_said_before(const system_interface& os,
                                      const arena_vector<finding>& findings, severity least) {
  arena_vector<finding> news;
  said_mark* page = nullptr;
  for (const finding& f : findings) {
    if (f.weight < least) continue;
    if (page == nullptr) page = page_of_said(os);
    if (page == nullptr || add(page, mark_of(f))) news.push_back(f);
  }
  return news;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

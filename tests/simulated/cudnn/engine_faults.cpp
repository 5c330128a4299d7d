// SPDX-License-Identifier: BSD-3-Clause
#include "engine_faults.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include "../cuda/driver_functions.h"
#include "services.h"

namespace simulated {

static constexpr const char* kinds[] = {
    "engine-wrong",       "engine-unwritten", "engine-outside",
    "engine-before",      "engine-workspace", "engine-input",
    "engine-changing",    "engine-hang",      "engine-die",
    "engine-abort",       "engine-lost",      "engine-fail",
    "engine-slow",        "engine-offer",     "engine-reads-workspace",
    "engine-reads-beside"};

/// A fault of an engine: "72:fwd:nchw" in words.
struct engine_fault {
  int engine = 0;
  std::vector<std::string> words;
};

static engine_fault read_fault(const std::string& text) {
  engine_fault read;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(':', begin);
    read.words.push_back(text.substr(begin, end - begin));
  }
  read.engine = std::atoi(read.words[0].c_str());
  read.words.erase(read.words.begin());
  return read;
}

[[noreturn]] static void unknown_word(const std::string& word) {
  std::fprintf(stderr, "SIMULATED_FAULT: unknown word \"%s\"\n", word.c_str());
  std::_Exit(97);
}

/// "A1", "B2", "FALLBACK3": a rank, 0 where the word is none.
static std::size_t rank_of(const std::string& word, std::string& mode) {
  const std::size_t digits = word.find_first_of("0123456789");
  if (digits == std::string::npos) return 0;
  mode = word.substr(0, digits);
  if (mode != "A" && mode != "B" && mode != "FALLBACK") return 0;
  return std::strtoul(word.c_str() + digits, nullptr, 10);
}

static bool is_knob(const std::string& word, knob_choice& choice) {
  long long value = 0;
  if (std::sscanf(word.c_str(), "k%d=%lld", &choice.type, &value) != 2) return false;
  choice.value = value;
  return true;
}

/// The numbers of a shape that a word compares: several where it has one for each dimension.
static std::vector<std::int64_t> numbers_of(const convolution& what, const std::string& name) {
  const int first = what.dimensions == 2 ? 1 : 0;
  const auto spatial = [&](const std::int64_t* of) {
    return std::vector<std::int64_t>(of + first, of + 3);
  };
  if (name == "gpu") return {current_gpu()};
  if (name == "batch") return {what.x.extent[0]};
  if (name == "channels") return {what.x.extent[1]};
  if (name == "filters") return {what.w.extent[0]};
  if (name == "groups") return {what.groups()};
  if (name == "dimensions") return {what.dimensions};
  if (name == "image") return spatial(what.x.extent + 2);
  if (name == "kernel") return spatial(what.w.extent + 2);
  if (name == "output") return spatial(what.y.extent + 2);
  if (name == "padding") return spatial(what.padding);
  if (name == "stride") return spatial(what.stride);
  if (name == "dilation") return spatial(what.dilation);
  unknown_word(name);
}

/// "stride>1", "channels%8" (is no multiple), "kernel=5", "image<4": true for any dimension.
static bool compares(const convolution& what, const std::string& word) {
  const std::size_t at = word.find_first_of("<>=%");
  if (at == std::string::npos) unknown_word(word);
  const std::int64_t bound = std::atoll(word.c_str() + at + 1);
  for (const std::int64_t number : numbers_of(what, word.substr(0, at))) {
    const bool holds = word[at] == '<'   ? number < bound
                       : word[at] == '>' ? number > bound
                       : word[at] == '=' ? number == bound
                                         : number % bound != 0;
    if (holds) return true;
  }
  return false;
}

struct situation {
  const convolution& what;
  const offer* chosen;  ///< null where only the problem is asked
  moment now;
  bool unaligned;
};

static bool word_holds(const situation& here, const std::string& word) {
  static constexpr const char* operations[] = {"fwd", "dgrad", "wgrad"};
  char name[32];
  here.what.name("", name);  // "/fp16/nchw"
  const std::string type_and_layout = name;
  for (const char* const operation : operations) {
    if (word == operation) return word == operations[static_cast<int>(here.what.what)];
  }
  for (const char* const type : {"fp32", "fp16", "bf16", "nchw", "nhwc"}) {
    if (word == type) return type_and_layout.find(word) != std::string::npos;
  }
  if (word == "2d" || word == "3d") return word[0] - '0' == here.what.dimensions;
  if (word == "finalize") return true;  // has_all() looks at it
  if (word == "unaligned") return here.chosen == nullptr || here.unaligned;
  std::string mode;
  if (rank_of(word, mode) != 0) return true;
  knob_choice choice;
  if (is_knob(word, choice)) {
    return here.chosen == nullptr || here.chosen->knob_value(choice.type) == choice.value;
  }
  return compares(here.what, word);
}

static bool has_all(const situation& here, const engine_fault& fault) {
  bool at_finalize = false;
  for (const std::string& word : fault.words) {
    at_finalize = at_finalize || word == "finalize";
    if (!word_holds(here, word)) return false;
  }
  return here.chosen == nullptr || at_finalize == (here.now == moment::finalize);
}

static bool has_fault(const char* kind, const situation& here) {
  for (const std::string& text : faults_of(kind)) {
    const engine_fault fault = read_fault(text);
    if (fault.engine == here.chosen->from.number && has_all(here, fault)) return true;
  }
  return false;
}

bool has_fault(const char* kind, const convolution& what, const offer& chosen, moment now,
               bool unaligned) {
  return has_fault(kind, situation{what, &chosen, now, unaligned});
}

int disturb(const convolution& what, const offer& chosen, moment now, bool unaligned) {
  const situation here{what, &chosen, now, unaligned};
  if (has_fault("engine-slow", here)) usleep(20000);
  if (has_fault("engine-hang", here)) {
    for (;;) pause();
  }
  if (has_fault("engine-die", here)) std::raise(SIGSEGV);
  if (has_fault("engine-abort", here)) std::abort();
  if (has_fault("engine-fail", here)) {
    return now == moment::finalize ? failed(4000, "") : failed(5000, "");
  }
  // 716: misaligned address.  Nothing is noticed before the next synchronisation.
  if (has_fault("engine-lost", here) && driver().lose != nullptr) driver().lose(716);
  return 0;
}

std::vector<placed_engine> placed_engines(const convolution& what, cudnnBackendHeurMode_t mode) {
  const char* const wanted = mode == CUDNN_HEUR_MODE_FALLBACK ? "FALLBACK"
                             : mode == CUDNN_HEUR_MODE_B      ? "B"
                                                              : "A";
  std::vector<placed_engine> all;
  for (const char* const kind : kinds) {
    for (const std::string& text : faults_of(kind)) {
      const engine_fault fault = read_fault(text);
      if (!has_all({what, nullptr, moment::execute, false}, fault)) continue;
      placed_engine placed{fault.engine, 0, {}};
      for (const std::string& word : fault.words) {
        std::string named;
        knob_choice choice;
        const std::size_t rank = rank_of(word, named);
        if (rank != 0 && named == wanted) placed.rank = rank;
        if (is_knob(word, choice)) placed.choices.push_back(choice);
      }
      if (placed.rank != 0) all.push_back(placed);
    }
  }
  return all;
}

}  // namespace simulated

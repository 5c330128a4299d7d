// SPDX-License-Identifier: BSD-3-Clause
#include "asked_text.h"

#include "../text/json_tree.h"
#include "../text/terminal.h"

namespace cudnn_checked::cli {

static std::string version_text(const command_line& given) {
  return given.json ? std::string(answer_of({}).print())
                    : "cudnn-checked " CUDNN_CHECKED_PACKAGE_VERSION "\n";
}

static std::string generated_text(const command_line& given, std::string& error) {
  const std::string text = generated(given.generate);
  if (text.empty()) {
    error = "--generate: man, bash, zsh, fish, findings or words, not " + given.generate +
            did_you_mean(given.generate, {"man", "bash", "zsh", "fish", "findings", "words"});
  }
  if (text.empty() || !given.json) return text;
  return answer_of({{"kind", given.generate}, {"text", text}}).print();
}

std::string asked_text(const command_line& given, std::string& error) {
  if (given.version) return version_text(given);
  if (!given.generate.empty()) return generated_text(given, error);
  const command_entry* entry = given.what;
  const bool is_help = entry != nullptr && entry->run == nullptr;
  if (!given.help && !is_help) return {};
  if (is_help && !given.help) {
    const std::string name = given.arguments.empty() ? std::string() : given.arguments.front();
    entry = find_command(name);
    if (entry == nullptr && !name.empty()) error = unknown_command(name);
  }
  return given.json ? std::string(help_json(entry).print()) : help_text(entry, line_width());
}

}  // namespace cudnn_checked::cli

// SPDX-License-Identifier: BSD-3-Clause
//
// What is installed with the program and made of the command table: the man page and the
// completions of bash, zsh and fish.  They are written at install time.
#include "../text/findings_text.h"
#include "command_line.h"
#include "command_table.h"

namespace cudnn_checked::cli {

static std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// groff_char(7): "\-" is a minus sign that can be copied, "\e" a backslash.
static std::string roff(const std::string& text) {
  std::string out = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  out = replaced(out, "\xC2\xB7", "\\(pc");
  return !out.empty() && (out[0] == '.' || out[0] == '\'') ? "\\&" + out : out;
}

static std::string paragraphs_of(const char* description) {
  return replaced(roff(description), "\n\n", "\n.PP\n") + '\n';
}

static std::string items(const std::vector<status_entry>& all) {
  std::string text;
  for (const status_entry& one : all) {
    text += std::string(".TP\n.B ") + one.number + '\n' + roff(one.text) + '\n';
  }
  return text;
}

static std::string option_items(const std::vector<option_entry>& all) {
  std::string text;
  for (const option_entry& one : all) {
    const std::string value = one.value;
    text += ".TP\n.B " + roff(one.name) + (value.empty() ? "" : " \\fI" + roff(value) + "\\fR") +
            '\n' + roff(one.text) + '\n';
  }
  return text;
}

static std::string man_section(const command_entry& entry) {
  const std::string arguments = entry.arguments;
  return std::string(".SS ") + roff("cudnn-checked ") + entry.name +
         (arguments.empty() ? "" : " " + roff(arguments)) + '\n' +
         paragraphs_of(entry.description) + option_items(entry.options) + ".PP\nExit status:\n" +
         items(entry.statuses) + ".PP\n.EX\n" + roff(entry.example) + "\n.EE\n";
}

static std::string man_page() {
  std::string text =
      ".\\\" SPDX-License-Identifier: BSD-3-Clause\n"
      ".\\\" Generated: cudnn-checked --generate man\n"
      ".TH CUDNN\\-CHECKED 1 \"\" \"CuDNNChecked\" \"User Commands\"\n"
      ".SH NAME\n"
      "cudnn\\-checked \\- check a machine, a library or a program for a cuDNN that works\n"
      ".SH SYNOPSIS\n"
      ".B cudnn\\-checked\n.I COMMAND\n[\\fIOPTION\\fR...] ...\n"
      ".SH COMMANDS\n";
  for (const command_entry& entry : command_table()) text += man_section(entry);
  text += ".SH OPTIONS\n" + option_items(common_options()) + option_items(program_options()) +
          ".SH EXIT STATUS\n" + items(common_statuses()) + ".SH ENVIRONMENT\n" +
          items(variable_table()) +
          ".SH SEE ALSO\nshare/doc/CuDNNChecked/findings.md, which\n"
          ".B cudnn\\-checked explain\nprints\n";
  return text;
}

template <class entry>
static std::string words_of(const std::vector<entry>& all) {
  std::string text;
  for (const entry& one : all) text += std::string(text.empty() ? "" : " ") + one.name;
  return text;
}

static constexpr const char* words_command = "cudnn-checked --generate words 2>/dev/null";

/// How each shell completes an argument of a command.
struct argument_words {
  std::string bash;
  std::string zsh;
  std::string fish;
};

static argument_words argument_words_of(const command_entry& entry) {
  const std::string commands = words_of(command_table());
  const std::string words = words_command;
  switch (entry.takes) {
    case argument_kind::none:
      break;
    case argument_kind::file:
      if (entry.run == run) return {"-c -f", "'*::program:_normal'", "-F"};
      return {"-f", "'*:file:_files'", "-F"};
    case argument_kind::directory:
      return {"-d", "'*:directory:_files -/'", "-a '(__fish_complete_directories)'"};
    case argument_kind::finding:
      // Where no word begins so, it is a file.
      return {"-W \"$(" + words + ")\"", "'*:word or file:{compadd -a words || _files}'",
              "-a '(" + words + ")' -F"};
    case argument_kind::command_name:
      return {"-W \"" + commands + "\"", "'1:command:(" + commands + ")'", "-a '" + commands + "'"};
  }
  return {};
}

/// Its value is several of its words, with a comma between them.
static bool takes_list(const option_entry& one) { return std::string(one.value) == "LIST"; }

/// "--types) from=(-W "fp32 fp16")": what completes the value of an option.
static std::string bash_values(const std::vector<option_entry>& all) {
  std::string text;
  for (const option_entry& one : all) {
    if (*one.value == '\0') continue;
    const std::string words = *one.values == '\0' ? "" : "-W \"" + std::string(one.values) + "\"";
    text += std::string("      ") + one.name + ") value=1 " + (takes_list(one) ? "list=1 " : "") +
            "from=(" + (takes_path(one) ? "-f" : words) + ") ;;\n";
  }
  return text;
}

static std::string bash_completion() {
  std::string text =
      "# SPDX-License-Identifier: BSD-3-Clause\n"
      "# Generated: cudnn-checked --generate bash\n"
      "_cudnn_checked() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" command=\"\" options=\"" +
      words_of(common_options()) +
      "\" i value=\"\" list=\"\" before=\"\"\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    [[ ${COMP_WORDS[i]} == -* ]] || { command=\"${COMP_WORDS[i]}\"; break; }\n"
      "  done\n"
      "  local -a from=()\n"
      "  case \"$command\" in\n"
      "    \"\") options+=\" " +
      words_of(program_options()) + ' ' + words_of(command_table()) + "\" ;;\n";
  for (const command_entry& entry : command_table()) {
    const std::string own = words_of(entry.options);
    const std::string candidates = argument_words_of(entry).bash;
    text += std::string("    ") + entry.name + ")" +
            (own.empty() ? "" : " options+=\" " + own + "\";") +
            (candidates.empty() ? "" : " from=(" + candidates + ");") + " ;;\n";
  }
  text +=
      "  esac\n"
      "  if [[ $word == -* || -z $command ]]; then\n"
      "    from=(-W \"$options\")\n"
      "  fi\n"
      "  local option=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
      "  # bash makes words of --format=junit.\n"
      "  [[ $word == = ]] && word=\"\" || [[ $option != = ]] || "
      "option=\"${COMP_WORDS[COMP_CWORD-2]}\"\n"
      "  case \"$command\" in\n";
  for (const command_entry& entry : command_table()) {
    const std::string values = bash_values(entry.options);
    if (values.empty()) continue;
    text +=
        std::string("    ") + entry.name + ") case \"$option\" in\n" + values + "      esac ;;\n";
  }
  return text +
         "  esac\n"
         "  if [[ -n $list && $word == *,* ]]; then\n"
         "    before=\"${word%,*},\"\n"
         "    word=\"${word##*,}\"\n"
         "  fi\n"
         "  ((${#from[@]})) || return\n"
         "  mapfile -t COMPREPLY < <(compgen -P \"$before\" \"${from[@]}\" -- \"$word\")\n"
         "  [[ -n $value || $command != explain || ${#COMPREPLY[@]} -gt 0 ]] ||\n"
         "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
         "}\n"
         "complete -o filenames -F _cudnn_checked cudnn-checked\n";
}

static std::string zsh_text(const std::string& text) {
  return replaced(replaced(replaced(replaced(text, ":", "\\:"), "[", "\\["), "]", "\\]"), "'",
                  "'\\''");
}

static std::string zsh_values(const option_entry& one) {
  if (takes_path(one)) return "_files";
  const std::string words = one.values;
  if (words.empty()) return {};
  return takes_list(one) ? "{_values -s , word " + words + "}" : "(" + words + ")";
}

static std::string zsh_option(const option_entry& one) {
  const std::string value = one.value;
  const std::string name = one.name;
  return "'" + name + (value.empty() ? "" : "=") + "[" + zsh_text(one.text) + "]" +
         (value.empty() ? "" : ":" + zsh_text(value) + ":") + zsh_values(one) + "'";
}

static std::string zsh_options(const std::vector<option_entry>& all) {
  std::string text;
  for (const option_entry& one : all) text += ' ' + zsh_option(one);
  return text;
}

static std::string zsh_completion() {
  const std::string common = zsh_options(common_options());
  std::string text =
      "#compdef cudnn-checked\n"
      "# SPDX-License-Identifier: BSD-3-Clause\n"
      "# Generated: cudnn-checked --generate zsh\n"
      "_cudnn-checked() {\n"
      "  local state line\n"
      "  local -a commands words\n"
      "  commands=(\n";
  for (const command_entry& entry : command_table()) {
    text += std::string("    '") + entry.name + ":" + zsh_text(entry.summary) + "'\n";
  }
  text += "  )\n  _arguments -C" + common + zsh_options(program_options()) +
          " \\\n"
          "    '1:command:->command' '*::argument:->argument'\n"
          "  case $state in\n"
          "    command) _describe command commands ;;\n"
          "    argument)\n"
          "      case $words[1] in\n";
  for (const command_entry& entry : command_table()) {
    text += std::string("        ") + entry.name + ")";
    if (entry.takes == argument_kind::finding) {
      text += std::string(" words=(${(f)\"$(") + words_command + ")\"});";
    }
    const std::string argument = argument_words_of(entry).zsh;
    text += " _arguments" + common + zsh_options(entry.options) + (argument.empty() ? "" : " ") +
            argument + " ;;\n";
  }
  return text +
         "      esac ;;\n"
         "  esac\n"
         "}\n"
         "_cudnn-checked \"$@\"\n";
}

static std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

static std::string fish_values(const option_entry& one) {
  const std::string words = one.values;
  if (words.empty()) return {};
  return takes_list(one) ? " -a '(__fish_append , " + words + ")'" : " -a '" + words + "'";
}

static std::string fish_option(const option_entry& one) {
  return std::string(" -l ") + (one.name + 2) +
         (*one.value == '\0' ? ""
          : takes_path(one)  ? " -r -F"
                             : " -x" + fish_values(one)) +
         " -d " + fish_quoted(one.text) + '\n';
}

static std::string fish_completion() {
  const std::string line = "complete -c cudnn-checked";
  std::string text =
      "# SPDX-License-Identifier: BSD-3-Clause\n"
      "# Generated: cudnn-checked --generate fish\n" +
      line + " -f\n";
  for (const option_entry& one : common_options()) text += line + fish_option(one);
  for (const option_entry& one : program_options()) {
    text += line + " -n __fish_use_subcommand" + fish_option(one);
  }
  for (const command_entry& entry : command_table()) {
    text += line + " -n __fish_use_subcommand -a " + entry.name + " -d " +
            fish_quoted(entry.summary) + '\n';
    const std::string seen =
        line + " -n '__fish_seen_subcommand_from " + std::string(entry.name) + "'";
    for (const option_entry& one : entry.options) text += seen + fish_option(one);
    const std::string argument = argument_words_of(entry).fish;
    if (!argument.empty()) text += seen + " " + argument + "\n";
  }
  return text;
}

static std::string lines_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + '\n';
  return text;
}

std::string generated(const std::string& what) {
  if (what == "man") return man_page();
  if (what == "bash") return bash_completion();
  if (what == "zsh") return zsh_completion();
  if (what == "fish") return fish_completion();
  if (what == "findings") return lines_of(finding_names());
  return what == "words" ? lines_of(finding_names()) + lines_of(glossary_words()) : std::string();
}

}  // namespace cudnn_checked::cli

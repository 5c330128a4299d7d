// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "../../core/report/report.h"
#include "../system/input_file.h"
#include "../text/findings_text.h"
#include "../text/json_tree.h"
#include "error_scan.h"
#include "explain.h"

namespace cudnn_checked::cli {

static constexpr std::size_t read_at_once = 65536;

static bool scan_file(const std::string& name, error_scan& scan, std::string& wrong) {
  input_file file(name);
  wrong = file.wrong();
  if (!wrong.empty()) return false;
  std::vector<char> bytes(read_at_once);
  bool first = true;
  for (;;) {
    const std::size_t count = file.read(bytes.data(), bytes.size());
    if (count == 0) break;
    const std::string_view piece(bytes.data(), count);
    if (first && piece.substr(0, 4) ==
                     "\x7f"
                     "ELF") {
      wrong = "a program or library, not a text; explain it without --text";
      break;
    }
    first = false;
    scan.add(piece);
  }
  if (wrong.empty()) wrong = file.wrong();
  scan.finish();
  return wrong.empty();
}

static error_kind kind_of(const found_error& one) {
  if (one.known == nullptr || one.known->kind == error_kind::releases) return error_kind::error;
  return one.known->kind;
}

/// The errors that are reported.  Consequences of errors are reported only if there is no error.
static std::vector<const found_error*> told(const error_scan& scan) {
  const std::vector<found_error>& all = scan.errors();
  const bool has_error =
      any_of(all, [](const found_error& one) { return kind_of(one) == error_kind::error; });
  std::vector<const found_error*> list;
  for (const found_error& one : all) {
    if (!has_error || kind_of(one) != error_kind::consequence) list.push_back(&one);
  }
  return list;
}

/// The explanation of an error, with its sentences filled in.
struct explanation {
  struct cause {
    const char* finding;
    std::string text;
    std::string sign;
  };
  struct fix {
    bool is_command;
    std::string text;
  };
  std::string summary;
  std::vector<cause> causes;
  std::vector<std::string> checks;
  std::vector<fix> fixes;
};

static explanation explanation_of(const found_error& one) {
  explanation all;
  if (one.known == nullptr) {
    const char* name = to_string(one.finding);
    all.summary = finding_sentences()[static_cast<std::size_t>(one.finding)].why;
    all.causes = {{name, all.summary, ""}};
    all.checks = {std::string("cudnn-checked explain ") + name};
    all.fixes = {{false, "the message has it, in the lines that begin with \"fix:\""}};
    return all;
  }
  all.summary = filled_in(one.known->summary, one);
  for (const error_cause& cause : one.known->causes) {
    all.causes.push_back(
        {to_string(cause.finding), filled_in(cause.cause, one), filled_in(cause.tell, one)});
  }
  for (const char* command : one.known->checks) all.checks.push_back(command_for(command, one));
  for (const std::string_view fix : one.known->fixes) {
    const bool is_command = starts_with(fix, "$ ");
    all.fixes.push_back(
        {is_command, is_command ? std::string(fix.substr(2)) : filled_in(fix, one)});
  }
  return all;
}

// --- As text -----------------------------------------------------------------------------------

static std::string causes_text(const std::vector<explanation::cause>& causes) {
  std::string text;
  const bool several = causes.size() > 1;
  int number = 0;
  for (const explanation::cause& cause : causes) {
    const std::string lead = several ? "  " + std::to_string(++number) + ". " : "  cause: ";
    text += lead + cause.text + "   [" + cause.finding + "]\n";
    if (!cause.sign.empty()) text += (several ? "     sign: " : "   sign: ") + cause.sign + '\n';
  }
  return text;
}

static std::string lines_of(const char* label, const std::vector<std::string>& all) {
  std::string text;
  const std::string or_label = std::string(std::strlen(label) - 2, ' ') + "or";
  for (const std::string& one : all) {
    text += "  " + (text.empty() ? std::string(label) : or_label) + ": " + one + '\n';
  }
  return text;
}

static std::string text_of(const found_error& one) {
  const explanation all = explanation_of(one);
  std::string text = "line " + std::to_string(one.line) + ": " + std::string(one_line(one.text));
  if (one.count > 1) text += "   (" + std::to_string(one.count) + " times)";
  text += "\n  " + all.summary + '\n';
  text += one.known == nullptr ? std::string("  [") + to_string(one.finding) + "]\n"
                               : causes_text(all.causes);
  std::vector<std::string> fixes;
  for (const explanation::fix& fix : all.fixes) fixes.push_back(fix.text);
  return text + lines_of("check", all.checks) + lines_of("fix", fixes) + '\n';
}

static std::size_t count_of(const std::vector<const found_error*>& list, bool harmless) {
  return static_cast<std::size_t>(
      std::count_if(list.begin(), list.end(), [harmless](const found_error* one) {
        return (kind_of(*one) == error_kind::harmless) == harmless;
      }));
}

static std::string report_text(const error_scan& scan) {
  const std::vector<const found_error*> list = told(scan);
  const std::string lines = counted(static_cast<std::size_t>(scan.lines()), "line");
  if (list.empty()) {
    return "cudnn-checked: not known: no known cuDNN, CUDA or driver error in " + lines +
           "\n"
           "  check: cudnn-checked doctor\n";
  }
  std::string text;
  for (const found_error* one : list) text += text_of(*one);
  const std::size_t harmless = count_of(list, true);
  text +=
      "cudnn-checked: ok: " + std::string(counted(count_of(list, false), "error")) + " explained";
  if (harmless > 0) text += ", " + std::to_string(harmless) + " harmless";
  if (scan.left_out() > 0) text += ", " + std::to_string(scan.left_out()) + " more left out";
  return text + ", in " + lines + '\n';
}

// --- As JSON -----------------------------------------------------------------------------------

static json json_of(const found_error& one) {
  const explanation all = explanation_of(one);
  const auto cause_json = [](const explanation::cause& cause) {
    return object_of({{"finding", cause.finding}, {"cause", cause.text}, {"sign", cause.sign}});
  };
  const auto fix_json = [](const explanation::fix& fix) {
    return object_of({{"kind", fix.is_command ? "command" : "advice"}, {"text", fix.text}});
  };
  return object_of({{"text", one.text},
                    {"line", one.line},
                    {"count", one.count},
                    {"kind", kind_of(one) == error_kind::harmless ? "harmless" : "error"},
                    {"summary", all.summary},
                    {"causes", array_of(all.causes, cause_json)},
                    {"checks", list_of(all.checks)},
                    {"fixes", array_of(all.fixes, fix_json)},
                    {"seen", one.source}});
}

static json report_json(const command_line& given, const error_scan& scan) {
  const auto error_json = [](const found_error* one) { return json_of(*one); };
  return answer_of({{"file", given.log},
                    {"lines", scan.lines()},
                    {"errors", array_of(told(scan), error_json)},
                    {"left_out", scan.left_out()}});
}

static void print_scan(const command_line& given, const error_scan& scan) {
  if (given.json) {
    print_json(report_json(given, scan).print());
  } else {
    print(report_text(scan));
  }
}

bool explain_words(const command_line& given) {
  error_scan scan;
  scan.add(given.file());
  scan.finish();
  if (told(scan).empty()) return false;
  print_scan(given, scan);
  return true;
}

exit_status explain_text(const command_line& given) {
  error_scan scan;
  std::string wrong;
  if (!scan_file(given.log, scan, wrong)) {
    return error("explain: " + given.log + ": " + wrong);
  }
  print_scan(given, scan);
  return told(scan).empty() ? exit_unknown : exit_fine;
}

}  // namespace cudnn_checked::cli

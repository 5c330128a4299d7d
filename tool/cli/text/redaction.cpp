// SPDX-License-Identifier: BSD-3-Clause
#include "redaction.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "../../core/model/library_role.h"
#include "../../core/model/paths.h"
#include "../../core/model/platform_words.h"
#include "../../core/report/report.h"
#include "../../core/system/platform.h"
#include "../system/account.h"
#include "lists.h"

namespace cudnn_checked::cli {

/// Bytes of a character that is not ASCII belong to a word.
static bool is_word(char c) {
  return is_letter(c) || is_digit(c) || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

static bool is_same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

static bool is_slash(char c) { return c == '/' || c == '\\'; }

/// Does the text go on with that path, however it writes its slashes?
static bool has_path_at(std::string_view text, std::size_t at, std::string_view path) {
  const std::string_view there = text.substr(at, path.size());
  return there.size() == path.size() &&
         std::equal(there.begin(), there.end(), path.begin(),
                    [](char x, char y) { return x == y || (is_slash(x) && is_slash(y)); });
}

/// Where the name of a file or a user ends, in a path and in what stands around it.
static bool ends_component(char c) {
  return is_slash(c) || c == ' ' || c == '\'' || c == '"' || c == ':' || c == ';' || c == ',' ||
         c == ')' || c == '\n' || c == '=';
}

/// "graph", "ops", "engines", "precompiled": what the names of cuDNN's libraries are made of.
static const std::vector<std::string_view>& words_of_roles() {
  static const std::vector<std::string_view> words = [] {
    std::vector<std::string_view> made;
    for (int i = library_role::shim; i < library_role::none; ++i) {
      std::string_view name = to_string(library_role(static_cast<library_role::known>(i)));
      while (!name.empty()) {
        const std::size_t end = std::min(name.find('_'), name.size());
        made.push_back(name.substr(0, end));
        name.remove_prefix(std::min(end + 1, name.size()));
      }
    }
    return made;
  }();
  return words;
}

// Words of paths and of our own messages.  They reveal nothing about a person, and without them the
// text would be unreadable.
static bool is_common_word(std::string_view word) {
  static constexpr std::string_view common[] = {
      "root",   "user",    "users",  "home",      "admin", "ubuntu",     "debian", "nobody",
      "docker", "vagrant", "jovyan", "localhost", "host",  "container",  "linux",  "nvidia",
      "cuda",   "cudnn",   "python", "python3",   "torch", "tensorflow", "jax",    "conda",
      "lib",    "lib64",   "bin",    "opt",       "usr",   "local",      "share",  "site",
      "venv",   "env",     "app",    "apps",      "work",  "workspace",  "tmp",    "data",
      "srv",    "var",     "etc",    "src",       "build", "packages",   "gpu",    "none",
      "error",  "warning", "note",   "driver",    "wheel", "runtime",    "header"};
  const auto is_it = [word](std::string_view one) { return is_same(one, word); };
  return any_of(common, is_it) || any_of(words_of_roles(), is_it);
}

bool is_secret_name(std::string_view variable) {
  static constexpr std::string_view parts[] = {"key",  "token",  "secret",  "pass",    "pwd",
                                               "cred", "auth",   "cookie",  "session", "private",
                                               "cert", "signat", "license", "bearer"};
  std::string name(variable);
  std::transform(name.begin(), name.end(), name.begin(), lower);
  return any_of(parts,
                [&name](std::string_view part) { return name.find(part) != std::string::npos; });
}

// ---- one form each: where it matches at `at`, its length and what is printed instead

struct replacement {
  std::size_t length = 0;  ///< 0: it does not match
  std::string text;
};

static bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || !is_word(text[at - 1]);
}

/// "https://me:token@host/path?key=value": whatever is in it.  Of our own texts none has one.
static replacement url(std::string_view text, std::size_t at) {
  if (text.compare(at, 3, "://") != 0) return {};
  return {std::min(text.find_first_of(" \n", at), text.size()) - at, "://<url>"};
}

/// "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", "MIG-...".
static replacement uuid(std::string_view text, std::size_t at) {
  static constexpr std::size_t parts[] = {8, 4, 4, 4, 12};
  std::size_t end = at;
  for (const std::size_t part : parts) {
    if (end != at && (end >= text.size() || text[end++] != '-')) return {};
    for (std::size_t i = 0; i < part; ++i, ++end) {
      const char c = end < text.size() ? lower(text[end]) : '-';
      if (!is_digit(c) && (c < 'a' || c > 'f')) return {};
    }
  }
  return begins_word(text, at) ? replacement{end - at, "<uuid>"} : replacement{};
}

static replacement mail(std::string_view text, std::size_t at) {
  const auto belongs = [](char c) {
    return is_word(c) || c == '.' || c == '_' || c == '-' || c == '+';
  };
  if (at != 0 && belongs(text[at - 1])) return {};
  const auto end_of = [&](std::size_t begin) {
    std::size_t end = begin;
    while (end < text.size() && belongs(text[end])) ++end;
    return end;
  };
  const std::size_t name = end_of(at) - at;
  if (name == 0 || at + name >= text.size() || text[at + name] != '@') return {};
  const std::size_t host = end_of(at + name + 1) - at - name - 1;
  const std::string_view domain = text.substr(at + name + 1, host);
  const std::size_t dot = domain.rfind('.');
  const bool is_domain = dot != std::string_view::npos && dot != 0 && dot + 1 < domain.size() &&
                         is_letter(domain[dot + 1]);
  return is_domain ? replacement{name + 1 + host, "<mail>"} : replacement{};
}

static bool is_blank_in_name(std::string_view text, std::size_t begin, std::size_t at) {
  return text[at] == ' ' && at > begin && at + 1 < text.size() && !ends_component(text[at + 1]);
}

/// "/home/first last/x", whoever that is.  A word behind the name of a directory is taken for a
/// part of the name, because nothing distinguishes the two.
static replacement any_home(std::string_view text, std::size_t at) {
  for (const std::string_view above : {"/home/", "/Users/"}) {
    if (!has_path_at(text, at, above)) continue;
    const std::size_t begin = at + above.size();
    std::size_t end = begin;
    while (end < text.size() &&
           (!ends_component(text[end]) || is_blank_in_name(text, begin, end))) {
      ++end;
    }
    if (end == begin || text.compare(begin, end - begin, "..") == 0) continue;
    return {end - at, std::string(above) + "<user>"};
  }
  return {};
}

static replacement home(std::string_view text, std::size_t at, const private_words& own) {
  for (const std::string& directory : own.homes) {
    if (!has_path_at(text, at, directory)) continue;
    const std::size_t end = at + directory.size();
    if (end < text.size() && !ends_component(text[end])) continue;
    const bool is_own = at == 0 || !(is_word(text[at - 1]) || text[at - 1] == '.' ||
                                     text[at - 1] == '-' || text[at - 1] == '_');
    if (is_own) return {directory.size(), "~"};
  }
  return {};
}

/// A name as a word of its own.  A short one counts as a component of a path only: "so" is a user,
/// and a part of each library's name.
static replacement name(std::string_view text, std::size_t at,
                        const std::vector<std::string>& names, const char* shown) {
  if (!begins_word(text, at)) return {};
  for (const std::string& one : names) {
    const std::size_t end = at + one.size();
    if (!is_same(text.substr(at, one.size()), one)) continue;
    const bool ends = end == text.size() || ends_component(text[end]);
    const bool is_component = at != 0 && is_slash(text[at - 1]) && ends;
    const bool is_own_word = one.size() >= 4 && (end == text.size() || !is_word(text[end]));
    if (is_component || is_own_word) return {one.size(), shown};
  }
  return {};
}

/// A copy of the text in which each place where `match` finds something is replaced.
template <class function>
static std::string replaced_where(std::string_view text, const function& match) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const replacement found = match(text, at);
    if (found.length == 0) {
      out += text[at++];
    } else {
      out += found.text;
      at += found.length;
    }
  }
  return out;
}

std::string redacted(std::string_view text, const private_words& own) {
  return replaced_where(text, [&own](std::string_view all, std::size_t at) {
    replacement found = url(all, at);
    if (found.length == 0) found = uuid(all, at);
    if (found.length == 0) found = mail(all, at);
    if (found.length == 0) found = home(all, at, own);
    if (found.length == 0) found = any_home(all, at);
    if (found.length == 0) found = name(all, at, own.users, "<user>");
    if (found.length == 0) found = name(all, at, own.hosts, "<host>");
    return found;
  });
}

// ---- values of variables: what is known to be harmless is shown, and nothing else

static bool begins_path(std::string_view entry) {
  const bool has_drive =
      entry.size() > 2 && is_letter(entry[0]) && entry[1] == ':' && is_slash(entry[2]);
  return has_drive || is_slash(entry[0]) || entry[0] == '~' || entry[0] == '.';
}

/// "/usr/lib:~/lib", as it is shown.  What has an option or an assignment in it is something else.
static bool is_path_list(std::string_view text) {
  if (text.find('=') != text.npos || text.find(" -") != text.npos) return false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(search_separator(), begin), text.size());
    if (end > begin && !begins_path(text.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

/// "-1", "12.6", "9.0a"
static bool is_number(std::string_view word) {
  constexpr std::size_t longest = 12;
  const bool has_letter = word.size() > 1 && is_letter(word.back());
  const std::string_view digits = word.substr(word[0] == '-' ? 1 : 0);
  return word.size() <= longest && digits.find_first_of("0123456789") == 0 &&
         digits.find_first_not_of("0123456789.") >= digits.size() - (has_letter ? 1 : 0);
}

/// "--xla_gpu_autotune_level", "glibc.malloc.check"
static bool is_name_of_setting(std::string_view word) {
  const bool begins = word.substr(0, 6) == "--xla_" || word.substr(0, 6) == "glibc.";
  return begins && all_of(word, [](char c) {
           return (c >= 'a' && c <= 'z') || is_digit(c) || c == '_' || c == '-' || c == '.';
         });
}

static bool is_harmless(std::string_view word) {
  static constexpr std::string_view known[] = {
      // Of CUDA_VISIBLE_DEVICES, the driver's variables and architectures; GPU-<uuid>.
      "all", "none", "void", "GPU-", "MIG-", "uuid", "FASTEST_FIRST", "PCI_BUS_ID", "EAGER", "LAZY",
      "compute", "utility", "graphics", "video", "display", "compat32", "ngx", "PTX", "cuda",
      "driver", "brand",
      // Switches, frameworks and the settings of PyTorch's allocator.
      "true", "false", "on", "off", "yes", "no", "auto", "default", "native", "enforce", "warn",
      "stdout", "stderr", "cpu", "gpu", "tpu", "rocm", "jax", "pytorch", "tensorflow", "backend",
      "cudaMallocAsync", "expandable_segments", "max_split_size_mb", "garbage_collection_threshold",
      "roundup_power2_divisions", "pinned_use_cuda_host_register"};
  return is_number(word) || is_name_of_setting(word) ||
         any_of(known, [word](std::string_view one) { return is_same(one, word); });
}

std::string redacted_value(std::string_view value, const private_words& own) {
  constexpr std::string_view separators = " ,;:=<>+";
  if (value.find("://") != std::string_view::npos) return "<redacted>";
  const std::string text = redacted(value, own);
  if (is_path_list(text)) return text;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    const std::string_view word = std::string_view(text).substr(at, end - at);
    out += word.empty() || is_harmless(word) ? word : "<redacted>";
    if (end < text.size()) out += text[end];
    at = end + 1;
  }
  return out;
}

// ---- who and where

static std::string variable_of(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

static void add_new(const std::string& word, std::vector<std::string>& words) {
  if (!word.empty()) add_once(word, words);
}

static std::string in_single_quotes(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

/// A directory that the system gives to all users is no home.
static bool is_home(const std::string& directory) {
  if (directory.size() < 2 || !has_root(directory)) return false;
  const std::size_t second = directory.find('/', 1);
  const std::string first = directory.substr(0, second);
  for (const char* const system : {"/usr", "/bin", "/sbin", "/etc", "/lib", "/lib64", "/dev",
                                   "/proc", "/sys", "/nonexistent"}) {
    if (first == system) return false;
  }
  return second != std::string::npos || directory == "/root";
}

static void add_home(std::string directory, private_words& own) {
  directory = plain_spelling(directory);
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();
  if (!is_home(directory)) return;
  std::error_code absent;
  const std::string resolved =
      std::filesystem::canonical(std::filesystem::u8path(directory), absent).generic_u8string();
  for (const std::string& one : {directory, resolved}) {
    if (!is_home(one)) continue;
    const std::string quoted = in_single_quotes(one);
    for (const std::string& form :
         {one, quoted, std::string(one_line(one)), std::string(one_line(quoted))}) {
      add_new(form, own.homes);
    }
    const std::string last = one.substr(one.rfind('/') + 1);
    if (!is_common_word(last)) add_new(last, own.users);
  }
}

static void add_user(const std::string& user, private_words& own) {
  if (user.size() < 2 || is_common_word(user)) return;
  add_new(user, own.users);
  add_new(one_line(user), own.users);
}

static void add_host(const std::string& host, private_words& own) {
  const std::string label = host.substr(0, host.find('.'));
  for (const std::string& one : {host, label}) {
    if (one.size() >= 2 && !is_common_word(one)) add_new(one, own.hosts);
  }
}

private_words own_private_words() {
  private_words own;
  const account recorded = own_account();
  add_home(variable_of("HOME"), own);
  add_home(recorded.home, own);
  add_user(recorded.name, own);
  for (const char* const name : {"USER", "LOGNAME", "SUDO_USER", "USERNAME"}) {
    add_user(variable_of(name), own);
  }
  add_host(host_name(), own);
  for (const char* const name : {"HOSTNAME", "HOST", "SLURMD_NODENAME"}) {
    add_host(variable_of(name), own);
  }
  // The longest first: a home may lie in another, and a name begin with another.
  for (std::vector<std::string>* const words : {&own.homes, &own.users, &own.hosts}) {
    std::stable_sort(words->begin(), words->end(), [](const std::string& a, const std::string& b) {
      return a.size() > b.size();
    });
  }
  return own;
}

}  // namespace cudnn_checked::cli

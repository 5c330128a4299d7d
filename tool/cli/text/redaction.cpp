// SPDX-License-Identifier: BSD-3-Clause
#include "redaction.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>

#include "../../core/model/paths.h"
#include "../../core/report/report.h"

namespace cudnn_checked::cli {

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_alnum(char c) { return is_letter(c) || is_decimal_digit(c); }
/// Bytes of a character that is not ASCII belong to a word.
static bool is_word(char c) { return is_alnum(c) || (static_cast<unsigned char>(c) & 0x80U) != 0; }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

static bool is_same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

/// Where the name of a file or a user ends, in a path and in what stands around it.
static bool ends_component(char c) {
  return c == '/' || c == ' ' || c == '\'' || c == '"' || c == ':' || c == ';' || c == ',' ||
         c == ')' || c == '\n' || c == '=';
}

// Words of paths and of our own messages.  To replace them tells nothing of a person and makes the
// text unreadable.
static bool is_common_word(std::string_view word) {
  static constexpr std::string_view common[] = {
      "root",   "user",    "users",   "home",      "admin",  "ubuntu",      "debian",  "nobody",
      "docker", "vagrant", "jovyan",  "localhost", "host",   "container",   "linux",   "nvidia",
      "cuda",   "cudnn",   "python",  "python3",   "torch",  "tensorflow",  "jax",     "conda",
      "lib",    "lib64",   "bin",     "opt",       "usr",    "local",       "share",   "site",
      "venv",   "env",     "app",     "apps",      "work",   "workspace",   "tmp",     "data",
      "srv",    "var",     "etc",     "src",       "build",  "packages",    "gpu",     "none",
      "error",  "warning", "note",    "driver",    "graph",  "engines",     "ops",     "cnn",
      "adv",    "wheel",   "runtime", "heuristic", "header", "precompiled", "compiled"};
  return std::any_of(std::begin(common), std::end(common),
                     [word](std::string_view one) { return is_same(one, word); });
}

bool is_secret_name(std::string_view variable) {
  static constexpr std::string_view parts[] = {"key",  "token",  "secret",  "pass",    "pwd",
                                               "cred", "auth",   "cookie",  "session", "private",
                                               "cert", "signat", "license", "bearer"};
  std::string name(variable);
  std::transform(name.begin(), name.end(), name.begin(), lower);
  return std::any_of(std::begin(parts), std::end(parts), [&name](std::string_view part) {
    return name.find(part) != std::string::npos;
  });
}

// ---- one form each: where it matches at `at`, its length and what is printed instead
// ---------------

struct replacement {
  std::size_t length = 0;  ///< 0: it does not match
  std::string text;
};

static std::size_t length_while(std::string_view text, std::size_t at, bool (*belongs)(char)) {
  std::size_t end = at;
  while (end < text.size() && belongs(text[end])) ++end;
  return end - at;
}

static bool is_url_character(char c) {
  return static_cast<unsigned char>(c) > ' ' && c != '"' && c != '\'' && c != '<' && c != '>' &&
         c != '`';
}

static bool is_token_character(char c) { return is_alnum(c) || c == '_' || c == '-'; }

static bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || !is_word(text[at - 1]);
}

/// "https://me:token@host/path?key=value" without credentials and query.
static replacement url(std::string_view text, std::size_t at) {
  if (text.compare(at, 3, "://") != 0) return {};
  const std::size_t end = at + length_while(text, at, is_url_character);
  std::string_view rest = text.substr(at + 3, end - at - 3);
  const std::size_t authority = std::min(rest.find('/'), rest.size());
  const std::size_t credentials = rest.substr(0, authority).rfind('@');
  const std::size_t query = rest.find_first_of("?#");
  if (credentials == std::string_view::npos && query == std::string_view::npos) return {};
  std::string shown = "://";
  if (credentials != std::string_view::npos) shown += "<redacted>@";
  const std::size_t begin = credentials == std::string_view::npos ? 0 : credentials + 1;
  shown += rest.substr(begin, query == std::string_view::npos ? query : query - begin);
  if (query != std::string_view::npos) shown += "?<redacted>";
  return {end - at, shown};
}

/// Tokens whose makers have given them a beginning of their own.
static replacement token(std::string_view text, std::size_t at) {
  static constexpr std::string_view beginnings[] = {
      "ghp_",   "gho_",  "ghu_",  "ghs_",   "ghr_",   "github_pat_", "glpat-", "hf_",  "sk-",
      "nvapi-", "pypi-", "npm_",  "xoxb-",  "xoxp-",  "xoxa-",       "AKIA",   "ASIA", "AIza",
      "ya29.",  "eyJ",   "dckr_", "tskey-", "wandb_", "SG.",         "glrt-",  "dapi"};
  if (!begins_word(text, at)) return {};
  for (const std::string_view one : beginnings) {
    if (text.compare(at, one.size(), one) != 0) continue;
    const auto belongs = [](char c) { return is_token_character(c) || c == '.'; };
    const std::size_t length = length_while(text, at, belongs);
    if (length >= one.size() + 12) return {length, "<redacted>"};
  }
  return {};
}

/// "password=...", "Authorization: Bearer ...".
static replacement assignment(std::string_view text, std::size_t at) {
  if (!is_letter(text[at]) || !begins_word(text, at)) return {};
  const std::size_t name = length_while(text, at, is_token_character);
  const std::size_t sign = at + name;
  if (sign + 1 >= text.size() || !is_secret_name(text.substr(at, name))) return {};
  if (text[sign] != '=' && text.compare(sign, 2, ": ") != 0) return {};
  const std::size_t begin = sign + (text[sign] == '=' ? 1 : 2);
  std::size_t end = begin;
  while (end < text.size() && text[end] != ' ' && text[end] != '&' && text[end] != ',') ++end;
  if (end < text.size() && is_same(text.substr(begin, end - begin), "bearer")) {
    end = std::min(text.find(' ', end + 1), text.size());
  }
  if (end == begin) return {};
  return {end - at, std::string(text.substr(at, begin - at)) + "<redacted>"};
}

/// "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", "MIG-...".
static replacement uuid(std::string_view text, std::size_t at) {
  static constexpr std::size_t parts[] = {8, 4, 4, 4, 12};
  std::size_t end = at;
  for (const std::size_t part : parts) {
    if (end != at && (end >= text.size() || text[end++] != '-')) return {};
    for (std::size_t i = 0; i < part; ++i, ++end) {
      const char c = end < text.size() ? lower(text[end]) : '-';
      if (!is_decimal_digit(c) && (c < 'a' || c > 'f')) return {};
    }
  }
  return begins_word(text, at) ? replacement{end - at, "<uuid>"} : replacement{};
}

static replacement mail(std::string_view text, std::size_t at) {
  const auto belongs = [](char c) {
    return is_word(c) || c == '.' || c == '_' || c == '-' || c == '+';
  };
  if (at != 0 && belongs(text[at - 1])) return {};
  const std::size_t name = length_while(text, at, belongs);
  if (name == 0 || at + name >= text.size() || text[at + name] != '@') return {};
  const std::size_t host = length_while(text, at + name + 1, belongs);
  const std::string_view domain = text.substr(at + name + 1, host);
  const std::size_t dot = domain.rfind('.');
  const bool is_domain = dot != std::string_view::npos && dot != 0 && dot + 1 < domain.size() &&
                         is_letter(domain[dot + 1]);
  return is_domain ? replacement{name + 1 + host, "<mail>"} : replacement{};
}

/// "/home/anna/x": whoever that is.
static replacement any_home(std::string_view text, std::size_t at) {
  for (const std::string_view above : {"/home/", "/Users/"}) {
    if (text.compare(at, above.size(), above) != 0) continue;
    const std::size_t begin = at + above.size();
    std::size_t end = begin;
    while (end < text.size() && !ends_component(text[end])) ++end;
    if (end == begin || text.compare(begin, end - begin, "..") == 0) continue;
    return {end - at, std::string(above) + "<user>"};
  }
  return {};
}

static replacement home(std::string_view text, std::size_t at, const private_words& own) {
  for (const std::string& directory : own.homes) {
    if (text.compare(at, directory.size(), directory) != 0) continue;
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
    const bool is_component = at != 0 && text[at - 1] == '/' && ends;
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
  // What is left of a URL may have names in it.
  return replaced_where(replaced_where(text, url), [&own](std::string_view all, std::size_t at) {
    replacement found = token(all, at);
    if (found.length == 0) found = assignment(all, at);
    if (found.length == 0) found = uuid(all, at);
    if (found.length == 0) found = mail(all, at);
    if (found.length == 0) found = home(all, at, own);
    if (found.length == 0) found = any_home(all, at);
    if (found.length == 0) found = name(all, at, own.users, "<user>");
    if (found.length == 0) found = name(all, at, own.hosts, "<host>");
    return found;
  });
}

std::string redacted_value(std::string_view value, const private_words& own) {
  constexpr std::size_t longest = 32;
  const std::string text = redacted(value, own);
  const bool is_path = text.empty() || text[0] == '/' || text[0] == '~';
  if (is_path) return text;
  const auto belongs = [](char c) {
    return is_token_character(c) || c == '+' || c == '/' || c == '=';
  };
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(1, length_while(text, at, belongs));
    const std::string word = text.substr(at, length);
    const bool mixed = std::any_of(word.begin(), word.end(), is_decimal_digit) &&
                       std::any_of(word.begin(), word.end(), is_letter);
    out += length >= longest && mixed ? std::string("<redacted>") : word;
    at += length;
  }
  return out;
}

// ---- who and where
// ---------------------------------------------------------------------------------

static std::string variable_of(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

static void add_new(const std::string& word, std::vector<std::string>& words) {
  if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end()) {
    words.push_back(word);
  }
}

static std::string in_single_quotes(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

/// A directory that the system gives to everybody is nobody's home.
static bool is_home(const std::string& directory) {
  if (directory.size() < 2 || directory[0] != '/') return false;
  const std::size_t second = directory.find('/', 1);
  const std::string first = directory.substr(0, second);
  for (const char* const system : {"/usr", "/bin", "/sbin", "/etc", "/lib", "/lib64", "/dev",
                                   "/proc", "/sys", "/nonexistent"}) {
    if (first == system) return false;
  }
  return second != std::string::npos || directory == "/root";
}

static void add_home(std::string directory, private_words& own) {
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();
  if (!is_home(directory)) return;
  char real[PATH_MAX];
  const std::string resolved = ::realpath(directory.c_str(), real) == nullptr ? "" : real;
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
  const passwd* const entry = ::getpwuid(::getuid());
  add_home(variable_of("HOME"), own);
  if (entry != nullptr) {
    add_home(entry->pw_dir, own);
    add_user(entry->pw_name, own);
  }
  for (const char* const name : {"USER", "LOGNAME", "SUDO_USER", "USERNAME"}) {
    add_user(variable_of(name), own);
  }
  std::array<char, 256> host = {};
  if (::gethostname(host.data(), host.size() - 1) == 0) add_host(host.data(), own);
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

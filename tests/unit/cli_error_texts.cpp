// SPDX-License-Identifier: BSD-3-Clause
//
// The table of known errors, its patterns, and logs of every form.  Real texts:
// tests/cli/error_texts.
#include "cli/explain/error_pattern.cpp"
#include "cli/explain/error_scan.cpp"
#include "cli/explain/log_text.cpp"
#include "cli/explain/mentioned_text.cpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

namespace cudnn_checked::cli {

// Those of findings.def: the program's own are with its documentation.
std::vector<std::string> finding_names() {
  std::vector<std::string> names;
  for (unsigned char id = 0; id <= static_cast<unsigned char>(finding_id::bad_input); ++id) {
    names.emplace_back(to_string(static_cast<finding_id>(id)));
  }
  return names;
}

}  // namespace cudnn_checked::cli

namespace error_texts_test {

using namespace cudnn_checked::cli;

std::vector<found_error> scanned(const std::string& text, std::size_t piece = std::string::npos) {
  error_scan scan;
  for (std::size_t at = 0; at < text.size(); at += std::min(piece, text.size())) {
    scan.add(std::string_view(text).substr(at, piece));
  }
  scan.finish();
  return scan.errors();
}

// "shim_not_found:3" of the first line; "-" where nothing is found.
std::string names_in(const std::string& text, std::size_t piece = std::string::npos) {
  std::string names;
  for (const found_error& one : scanned(text, piece)) {
    names += (names.empty() ? "" : " ") +
             (one.known == nullptr ? std::string(to_string(one.finding)) : one.known->name) + ':' +
             std::to_string(one.line);
  }
  return names.empty() ? "-" : names;
}

const std::map<std::string, std::string>& sample_words() {
  static const std::map<std::string, std::string> words = {
      {"shim", "libcudnn.so.9"},
      {"part", "libcudnn_ops.so.9"},
      {"part8", "libcudnn_ops_infer.so.8"},
      {"cudnn", "libcudnn_cnn.so.9"},
      {"dll", "cudnn_ops64_9.dll"},
      {"shim_dll", "cudnn64_9.dll"},
      {"driver", "libcuda.so.1"},
      {"toolkit", "libcublasLt.so.12"},
      {"number", "12"},
      {"symbol", "sm_86"},
      {"cudnn_function", "cudnnCreate"},
      {"cublas_function", "cublasLtCreate"},
      {"nvrtc_function", "nvrtcCompileProgram"},
      {"built", "9.5.1"},
      {"found", "9.1.0"}};
  return words;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what)) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// A text that the pattern, one without choices, stands for.
std::string sample_of(const std::string& pattern) {
  std::string text = replaced(pattern, "{{", "\x01");
  const std::string star = text[0] == '*' ? "*" : "";  // stands for itself there
  text = star + replaced(text.substr(star.size()), "*", "some words");
  for (const auto& [word, value] : sample_words()) text = replaced(text, "{" + word + "}", value);
  return replaced(text, "\x01", "{");
}

std::set<std::string> words_in(const std::string& sentence) {
  std::set<std::string> words;
  for (std::size_t at = sentence.find('{'); at != std::string::npos;
       at = sentence.find('{', at + 1)) {
    if (sentence[at + 1] == '{') {
      ++at;
      continue;
    }
    const std::string word = sentence.substr(at + 1, sentence.find('}', at) - at - 1);
    const bool is_function = word.find("_function") != std::string::npos;
    words.insert(is_function ? "symbol" : word);
  }
  return words;
}

}  // namespace error_texts_test

using namespace error_texts_test;

template <class function>
void for_each_pattern(const function& test) {
  for (const known_error& error : known_errors()) {
    for (const error_text& text : error.texts) {
      for (const std::string& pattern : alternatives(text.pattern)) test(error, pattern);
    }
  }
}

TEST_CASE("each text of the table is found as what it is") {
  for_each_pattern([](const known_error& error, const std::string& pattern) {
    const std::string sample = sample_of(pattern);
    CAPTURE(sample);
    const std::vector<found_error> found = scanned("a line\nERROR: " + sample + "\nanother");
    if (error.kind == error_kind::silent) {
      CHECK(found.empty());
      return;
    }
    REQUIRE(found.size() == 1);
    REQUIRE(found[0].known != nullptr);
    CHECK(found[0].known->name == std::string(error.name));
    CHECK(found[0].line == 2);
  });
}

TEST_CASE("no text of the table is found where one word of it is cut") {
  for_each_pattern([](const known_error& error, const std::string& pattern) {
    const std::string sample = sample_of(pattern);
    const std::size_t space = sample.rfind(' ');
    const bool ends_in_word = pattern.back() == '}';
    const std::string cut = space != std::string::npos ? sample.substr(0, space)
                            : ends_in_word             ? pattern.substr(0, pattern.rfind('{'))
                                                       : sample.substr(0, sample.size() - 1);
    CAPTURE(cut);
    for (const found_error& one : scanned(cut)) CHECK(one.known->name != std::string(error.name));
  });
}

TEST_CASE("sentences name only what each text of their error has") {
  const std::vector<error_text>* texts = nullptr;
  for (const known_error& error : known_errors()) {
    CAPTURE(error.name);
    std::set<std::string> asked = words_in(error.summary);
    for (const error_cause& one : error.causes) {
      for (const char* sentence : {one.cause, one.tell}) asked.merge(words_in(sentence));
    }
    for (const char* command : error.checks) asked.merge(words_in(command));
    for (const char* fix : error.fixes) asked.merge(words_in(fix));
    asked.erase("major");
    // The two behind one of kind "releases" have its texts.
    if (!error.texts.empty()) texts = &error.texts;
    for (const error_text& text : *texts) {
      const std::set<std::string> has = words_in(text.pattern);
      CAPTURE(text.pattern);
      CHECK(std::includes(has.begin(), has.end(), asked.begin(), asked.end()));
    }
    const bool is_told = error.kind != error_kind::harmless && error.kind != error_kind::silent;
    CHECK(is_told == !error.causes.empty());
  }
}

TEST_CASE("a log in any encoding and dress") {
  const std::string plain =
      "start\nOSError: libcudnn.so.9: cannot open shared object file: No such file\nend\n";
  const auto utf16 = [](const std::string& text, bool big) {
    std::string out;
    for (const char c : text) out += big ? std::string{'\0', c} : std::string{c, '\0'};
    return out;
  };
  const std::string expected = "shim_not_found:2";
  CHECK(names_in(plain) == expected);
  CHECK(names_in(replaced(plain, "\n", "\r\x03")) == "shim_not_found:1");
  std::string crlf;
  for (const char c : plain) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(names_in(crlf) == expected);
  CHECK(names_in("\xEF\xBB\xBF" + plain) == expected);
  CHECK(names_in("\xFF\xFE" + utf16(plain, false)) == expected);
  CHECK(names_in("\xFE\xFF" + utf16(plain, true)) == expected);
  CHECK(names_in(utf16(plain, false)) == expected);
  CHECK(names_in(utf16(plain, true)) == expected);
  // Colours in the middle of a word, a link, a title.
  CHECK(names_in("a\n\x1b[1;31mlibcudnn\x1b[0m.so.9: cannot \x1b]8;;http://x\x1b\\open\x1b]8;;\a "
                 "shared object file") == expected);
  CHECK(names_in(std::string("a\nx\0libcudnn.so.9: cannot open shared object file\0y", 50)) ==
        expected);
  // Of a debugger or in JSON.
  CHECK(names_in("{\"m\":\"a\\nlibcudnn.so.9: cannot open shared object file\\n\"}") ==
        "shim_not_found:1");
  CHECK(names_in("b'\\nUnable to load any of {libcudnn_ops.so.9.1.0, x}'") == "part_not_loaded:1");
  CHECK(names_in("LIBCUDNN lib: CANNOT OPEN") == "-");
  CHECK(names_in("libcudnn.so.9: CANNOT Open shared OBJECT file") == "shim_not_found:1");
}

TEST_CASE("a message that a logger has wrapped") {
  const std::string first = "PyTorch was compiled  against (8, 7, 0) but found";
  for (const char* gap : {"\n", "\n      ", "\r\n\t", "  \n  \xE2\x94\x82   ", " \xC2\xA0 ",
                          "   \xE2\x94\x82\n\xE2\x94\x82 "}) {
    CHECK(names_in(first + gap + "runtime version (8, 2, 4).") == "older_release:1");
  }
  // `*` goes on in an indented line alone.
  CHECK(names_in("libcudnn.so.7, needed by libdark.so,\n   not found") == "link_needed:1");
  CHECK(names_in("libcudnn.so.7, needed by libdark.so,\nfile not found") == "-");
}

TEST_CASE("quotes of every kind, and none") {
  for (const char* text : {"'cudnn.h' file not found", "cudnn.h file not found",
                           "\"cudnn.h\" file not found", "`cudnn.h' file not found",
                           "\xE2\x80\x98"
                           "cudnn.h\xE2\x80\x99 file not found"}) {
    CHECK(names_in(text) == "header_missing:1");
  }
  const std::vector<found_error> found = scanned("x 'cudnnCreate' was not declared in this scope");
  REQUIRE(found.size() == 1);
  CHECK(found[0].text == "'cudnnCreate' was not declared");
  CHECK(found[0].words[0].second == "cudnnCreate");
}

TEST_CASE("the choices of a pattern") {
  CHECK(alternatives("a") == std::vector<std::string>{"a"});
  CHECK(alternatives("(found {built})") == std::vector<std::string>{"(found {built})"});
  CHECK(alternatives("(a|b) (c|)") == std::vector<std::string>{"a c", "a ", "b c", "b "});
}

TEST_CASE("it does not matter how a log is cut into pieces") {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += "step " + std::to_string(i) + " of nothing in particular\n";
  text += "Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9.1}\n";
  for (int i = 0; i < 3000; ++i)
    text += "step " + std::to_string(i) + " of nothing in particular\n";
  text += "CUDNN_STATUS_NOT_INITIALIZED";
  for (const std::size_t piece :
       {std::size_t{1}, std::size_t{7}, std::size_t{4096}, std::size_t{65536}}) {
    CHECK(names_in(text, piece) == "part_not_loaded:3001 not_initialized:6002");
  }
}

TEST_CASE("each error once, with how often it stands there, and not too many") {
  const std::vector<found_error> twice = scanned(
      "libcudnn.so.9: cannot open shared object file\nx\nlibcudnn.so.9: cannot open shared object "
      "file\n"
      "libcudnn.so.8: cannot open shared object file\n");
  REQUIRE(twice.size() == 2);
  CHECK(twice[0].count == 2);
  CHECK(twice[1].line == 4);
  error_scan scan;
  for (int i = 0; i < 1000; ++i) {
    scan.add("libcudnn.so." + std::to_string(i) + ": cannot open shared object file\n");
  }
  scan.finish();
  CHECK(scan.errors().size() == 200);
  CHECK(scan.left_out() == 800);
  CHECK(scan.lines() == 1000);
}

TEST_CASE("releases as programs write them") {
  const auto text_of = [](const char* text) {
    const cudnn_checked::version n = numbers_of(text);
    return std::to_string(n.major) + '.' + std::to_string(n.minor) + '.' + std::to_string(n.patch);
  };
  CHECK(text_of("(8, 3, 2)") == "8.3.2");
  CHECK(text_of("9.10.1") == "9.10.1");
  CHECK(text_of("8907") == "8.9.7");
  CHECK(text_of("90100") == "9.1.0");
  CHECK(text_of("100203") == "10.2.3");
  CHECK(text_of("9") == "9.0.0");
  CHECK(text_of("") == "0.0.0");
  CHECK(text_of("99999999999999999999") == "10000.0.0");
}

TEST_CASE("the older, the newer and the other major release") {
  const auto of = [](const std::string& built, const std::string& found) {
    return names_in("PyTorch was compiled against " + built + " but linked against " + found + ".");
  };
  CHECK(of("7401", "7301") == "older_release:1");
  CHECK(of("(8, 5, 0)", "(8, 5, 0)") == "-");
  CHECK(of("7102", "7600") == "newer_release:1");
  CHECK(of("(8, 5, 0)", "(9, 1, 0)") == "other_release:1");
  CHECK(of("(9, 1, 0)", "(8, 5, 0)") == "other_release:1");
  // MIOpen, of which PyTorch says the same.
  CHECK(of("(3, 2, 0)", "(3, 1, 0)") == "-");
}

TEST_CASE("this project's own messages") {
  const std::string message =
      "cudnn_checked: refused: this program was built with cuDNN 9.19.0 and would run on cuDNN "
      "9.14.0\n"
      "  fix: unset LD_LIBRARY_PATH\n  [cudnn-older] [mixed-sublibraries]\n";
  CHECK(names_in(message) == "cudnn-older:3 mixed-sublibraries:3");
  CHECK(names_in("CMake Error at cmake/CuDNNChecked/message.cmake:12:\n  [wrong-numbers]\n") ==
        "wrong-numbers:2");
  CHECK(names_in("INFO [no-device] heartbeat\n") == "-");
  CHECK(names_in("cudnn_checked: [quite-another]\n") == "-");
}

TEST_CASE("words of a text in sentences and commands") {
  const std::vector<found_error> found =
      scanned("Unable to load any of {libcudnn_ops.so.9.1.0, x}");
  REQUIRE(found.size() == 1);
  CHECK(filled_in("{part} of cuDNN {major}.", found[0]) == "libcudnn_ops.so.9.1.0 of cuDNN 9.");
  CHECK(command_for("cudnn-checked explain {part}", found[0]) ==
        "cudnn-checked explain libcudnn_ops.so.9");
  const std::vector<found_error> plain = scanned("libcudnn.so: cannot open shared object file");
  REQUIRE(plain.size() == 1);
  CHECK(filled_in("cuDNN {major} is not installed, or cuDNN {major}.", plain[0]) ==
        "cuDNN is not installed, or cuDNN.");
}

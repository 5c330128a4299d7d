// SPDX-License-Identifier: BSD-3-Clause
//
// Which variables a plan may change, on a machine where one file and two variables decide.
#include <doctest/doctest.h>

#include <functional>

#include "core/judge/advice/advice.h"
#include "fake_system.h"
#include "repair/adviser.h"

using namespace cudnn_checked;

namespace {

constexpr finding_id older = finding_id::cudnn_older;
const char* const older_file = "/older";

/// A machine with variables of the loader, on which `wrong` says what is wrong: one fault or none.
class machine_with_variables final : public repairs::check_again {
 public:
  test::fake_system os;
  std::function<finding_id(const system_interface&)> wrong;
  fix_line fix = remove_file(older_file);
  arena_string missing;  ///< a library of CUDA, where the variable is "/right"
  fix_line fix_of_missing = advice("");
  bool is_missing_before = false;
  arena_vector<fix_line> candidates;
  arena_vector<fix_line> later_candidates;  ///< once LD_LIBRARY_PATH has another value

  machine_with_variables() {
    os.files[older_file] = "";
    os.variables = {{"LD_LIBRARY_PATH", "/entry"}, {"LD_PRELOAD", "/preloaded.so"}};
  }

  repairs::checked look(const system_interface& view) const override {
    repairs::checked found;
    const finding_id id = wrong(view);
    if (id != finding_id::not_stamped) {
      finding f(id);
      f.found.value = view.real_path(older_file);
      if (id == older) f.fix.push_back(fix);
      found.findings.push_back(f);
    }
    arena_string value;
    (void)view.variable("LD_LIBRARY_PATH", value);
    if (!missing.empty() && (is_missing_before || value == "/right")) {
      finding note(finding_id::dependency_missing);
      note.weight = severity::note;
      note.expected.value = missing;
      if (!fix_of_missing.steps.empty()) note.fix.push_back(fix_of_missing);
      if (view.real_path("/right/" + missing).empty()) found.findings.push_back(note);
    }
    return found;
  }

  void add_candidates(const system_interface& view, repairs::checked& found) const override {
    found.candidates.append(candidates);
    if (value_of(view, "LD_LIBRARY_PATH") != "/entry") found.candidates.append(later_candidates);
  }

  std::string first_fix() const {
    const arena_vector<finding> findings = repairs::keep_what_works(os, *this, look(os));
    return std::string(findings.front().fix.front().text);
  }
};

bool is_set(const system_interface& view, const char* name) {
  arena_string value;
  return view.variable(name, value);
}

}  // namespace

TEST_CASE("a plan does not take what is in the way only of what it brings") {
  machine_with_variables m;
  bool entry_is_wrong = false;
  m.candidates = {set_library_path("")};
  m.wrong = [&entry_is_wrong](const system_interface& view) {
    const bool entry = is_set(view, "LD_LIBRARY_PATH");
    const bool there = !view.real_path(older_file).empty();
    if (there || (entry_is_wrong && entry)) return older;
    return entry ? finding_id::loader_override : finding_id::not_stamped;
  };
  CHECK(m.first_fix() ==
        "install cuDNN in a new environment: no command that was tried here mends this one");
  entry_is_wrong = true;
  CHECK(m.first_fix() == "rm /older && unset LD_LIBRARY_PATH");
}

TEST_CASE("a plan sets a variable once") {
  machine_with_variables m;
  m.candidates = {prepend_library_path("/a", "/entry")};
  m.later_candidates = {prepend_library_path("/b", "/a:/entry")};  // known only when /a is there
  m.wrong = [](const system_interface& view) {
    const arena_string value = value_of(view, "LD_LIBRARY_PATH");
    if (value == "/b:/a:/entry") return finding_id::not_stamped;
    return value == "/entry" ? older : finding_id::loader_override;
  };
  CHECK(m.first_fix() ==
        "install cuDNN in a new environment: no command that was tried here mends this one");
  // A whole value makes the one before it superfluous.
  m.later_candidates = {set_library_path("/b:/a:/entry")};
  CHECK(m.first_fix() == "export LD_LIBRARY_PATH=/b:/a:/entry");
}

TEST_CASE("no variable alone leads to a cuDNN that would end the process when it computes") {
  machine_with_variables m;
  m.os.files["/lib/libcublasLt.so.13"] = "";
  m.fix = prepend_library_path("/right", "");
  m.wrong = [](const system_interface& view) {
    arena_string value;
    (void)view.variable("LD_LIBRARY_PATH", value);
    return value == "/right" ? finding_id::not_stamped : older;
  };
  const auto fix = [&m] {
    const arena_vector<finding> findings = repairs::keep_what_works(m.os, m, m.look(m.os));
    const fix_line& line = findings.front().fix.front();
    return (line.tried == trial_result::green ? "fix " : "try ") + std::string(line.text);
  };
  CHECK(fix() == "fix export LD_LIBRARY_PATH=/right");
  // Where nothing can compute, a note tells of it.
  m.missing = "libcublasLt.so.13";
  CHECK(fix() == "try export LD_LIBRARY_PATH=/right");
  m.missing = "libnvrtc.so.13";
  CHECK(fix() == "fix export LD_LIBRARY_PATH=/right");
  // What mends that is typed, too.
  m.missing = "libcublasLt.so.13";
  m.fix_of_missing = link_file("/lib/libcublasLt.so.13", "/right/libcublasLt.so.13");
  CHECK(fix() ==
        "fix export LD_LIBRARY_PATH=/right && ln -s /lib/libcublasLt.so.13 "
        "/right/libcublasLt.so.13");
  m.fix_of_missing = advice("");
  // It was missing before.
  m.is_missing_before = true;
  CHECK(fix() == "fix export LD_LIBRARY_PATH=/right");
  m.is_missing_before = false;
  m.candidates = {remove_file(older_file)};
  m.wrong = [](const system_interface& view) {
    arena_string value;
    (void)view.variable("LD_LIBRARY_PATH", value);
    const bool there = !view.real_path(older_file).empty();
    return value == "/right" || !there ? finding_id::not_stamped : older;
  };
  CHECK(fix() == "fix rm /older");
}

TEST_CASE("LD_PRELOAD is undone before LD_LIBRARY_PATH") {
  machine_with_variables m;
  m.fix = set_library_path("");
  m.candidates = {unset_variable("LD_PRELOAD")};
  m.wrong = [](const system_interface& view) {
    const bool both = is_set(view, "LD_LIBRARY_PATH") && is_set(view, "LD_PRELOAD");
    return both ? older : finding_id::not_stamped;
  };
  CHECK(m.first_fix() == "unset LD_PRELOAD");
}

TEST_CASE("a folder of LD_LIBRARY_PATH that has other libraries than cuDNN's stays in it") {
  machine_with_variables m;
  m.fix = set_library_path("");
  m.candidates = {prepend_library_path("/right", "/entry")};
  m.wrong = [](const system_interface& view) {
    arena_string value;
    (void)view.variable("LD_LIBRARY_PATH", value);
    return value == "/entry" ? older : finding_id::not_stamped;
  };
  m.os.files["/entry/libcudnn.so.9"] = "";
  m.os.files["/entry/liberty.txt"] = "";
  CHECK(m.first_fix() == "unset LD_LIBRARY_PATH");
  m.os.files["/entry/libhelper.so.1"] = "";
  CHECK(m.first_fix() == "export LD_LIBRARY_PATH=/right:$LD_LIBRARY_PATH");
  // Where nothing else helps, it goes.
  m.candidates = {};
  CHECK(m.first_fix() == "unset LD_LIBRARY_PATH");
}

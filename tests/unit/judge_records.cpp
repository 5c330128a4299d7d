// SPDX-License-Identifier: BSD-3-Clause
//
// What the records of packages say against the files, and for them.
#include <doctest/doctest.h>

#include "catalogue_builder.h"
#include "catalogue_ids.h"
#include "core/check/cudnn_check.h"
#include "cudnn_installs.h"
#include "observation_builder.h"

using namespace cudnn_checked;

namespace {

const std::string packages = "/venv/lib/python3.12/site-packages";

/// A program whose RUNPATH leads to the wheel of a venv.
struct in_venv {
  test::fake_system os;
  std::string record;

  in_venv() { test::set_program(os, packages + "/nvidia/cudnn/lib"); }

  /// The file and its line in RECORD.
  void add(const std::string& role, const std::string& contents) {
    const std::string path = "nvidia/cudnn/lib/" + test::soname_of(role, 9);
    os.files[packages + "/" + path] = contents;
    record += path + ",sha256=x," + std::to_string(contents.size()) + "\n";
  }

  std::string& file(const std::string& role) {
    return os.files[packages + "/nvidia/cudnn/lib/" + test::soname_of(role, 9)];
  }

  void write_record(const std::string& number) {
    const std::string info = packages + "/nvidia_cudnn_cu13-" + number + ".dist-info/";
    os.files[info + "METADATA"] = "Name: nvidia-cudnn-cu13\nVersion: " + number + "\n\n";
    os.files[info + "RECORD"] = record;
  }

  /// What a guard is told of the files.
  std::string names() const {
    loader search(os);
    cudnn_check check(search);
    check.stamped.program = "app";
    check.stamped.cudnn_header = parse_version("9.14.0");
    check_program_files(check);
    std::string text;
    for (const finding& f : check.judged.findings) {
      text += (text.empty() ? "" : " ") + std::string(to_string(f.id));
    }
    return text;
  }

  std::string told_from_outside() const {
    loader search(os);
    observation observed;
    observe_files(search, 9, observed);
    observe_packages(os, observed);
    return findings_message(judge_records(observed, {}), "told", severity::note);
  }
};

std::string with_id(const std::string& role, const std::string& id, const char* word = "") {
  test::elf_builder b;
  b.soname = test::soname_of(role, 9);
  b.runpath = "$ORIGIN";
  b.build_id = id;
  if (*word != '\0') {
    const version v = parse_version(word);
    b.word_name = "cudnn_" + role + "_version";
    b.word = static_cast<std::uint32_t>(v.major << 16 | v.minor << 8 | v.patch);
  }
  return b.build();
}

std::string known_id(const std::string& role, const char* release) {
  return test::id_of(test::soname_of(role, 9), release, "13");
}

std::string newest_heuristic() {
  test::catalogue_row newest;
  for (const test::catalogue_row& row : test::read_catalogue_rows()) {
    if (row.role() != library_role::heuristic || row.cuda_major != "13") continue;
    if (newest.number.empty() || newest.release().number < row.release().number) newest = row;
  }
  return newest.build_id;
}

}  // namespace

TEST_CASE("one record that has every file with its length settles a release of tomorrow") {
  in_venv venv;
  int number = 0;
  for (const std::string& role : test::roles_9) {
    const bool has_word = role == "graph" || role == "ops" || role == "adv";
    // NVIDIA left the heuristic as it was, for the first time.
    const std::string id =
        role == "heuristic" ? newest_heuristic() : std::string(39, 'a') + char('0' + number++);
    REQUIRE(id.size() == 40);
    venv.add(role, with_id(role, id, has_word ? "9.99.0" : ""));
  }
  CHECK(venv.names() == "mixed-sublibraries");
  venv.write_record("9.99.0.7");
  CHECK(venv.names() == "");
  // One length that does not fit, and the record settles nothing.
  venv.file("ops") += '\0';
  CHECK(venv.names() == "mixed-sublibraries");
  // It is not the neighbour of a release that the catalogue holds, with others between.
  venv.file("ops").pop_back();
  venv.file("heuristic") = with_id("heuristic", known_id("heuristic", "9.14.0.64"));
  CHECK(venv.names() == "mixed-sublibraries");
}

TEST_CASE("a record identifies what nothing else does, for a guard too") {
  in_venv venv;
  for (const std::string& role : test::roles_9) {
    venv.add(role, with_id(role, std::string(40, 'b')));
  }
  CHECK(venv.names() == "version-unknown");
  venv.write_record("9.10.0.56");
  CHECK(venv.names() == "cudnn-older");
}

TEST_CASE("the library of a package, modified as patchelf does it") {
  in_venv venv;
  for (const std::string& role : test::roles_9) {
    venv.add(role, with_id(role, known_id(role, "9.14.0.64")));
  }
  venv.write_record("9.14.0.64");
  CHECK(venv.told_from_outside() == "");
  const std::size_t recorded = venv.file("ops").size();
  venv.file("ops") += std::string(4096, '\0');
  const std::string record = packages + "/nvidia_cudnn_cu13-9.14.0.64.dist-info/RECORD\n";
  CHECK(
      venv.told_from_outside() ==
      "told: libcudnn_ops.so.9 is not as long as the record of nvidia-cudnn-cu13 says\n"
      "  recorded:  " +
          std::to_string(recorded) + " bytes    " + record +
          "  found:     " + std::to_string(recorded + 4096) + " bytes   " + packages +
          "/nvidia/cudnn/lib/libcudnn_ops.so.9   chosen by RUNPATH of " + packages +
          "/nvidia/cudnn/lib/libcudnn.so.9\n"
          "  It was modified after the installation, as patchelf does; its build id is that of its "
          "release.\n"
          "  fix: nothing, if that was intended\n"
          "   or: python3 -m pip install --force-reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64\n"
          "  [record-differs]\n");
  CHECK(venv.names() == "");
}

TEST_CASE("a library of another release in the place of the package's") {
  in_venv venv;
  for (const std::string& role : test::roles_9) {
    venv.add(role, with_id(role, known_id(role, "9.14.0.64")));
  }
  venv.write_record("9.14.0.64");
  for (const char* role : {"cnn", "heuristic"}) {
    venv.file(role) = with_id(role, known_id(role, "9.19.0.56")) + std::string(8, '\0');
  }
  const std::string size = std::to_string(venv.file("cnn").size());
  const std::string message = venv.told_from_outside();
  CHECK(message.substr(0, message.find('\n')) ==
        "told: 2 libraries of cuDNN are not as long as the record of their package says");
  CHECK(message.find("  found:     " + size + " bytes   " + packages +
                     "/nvidia/cudnn/lib/libcudnn_cnn.so.9") != std::string::npos);
  CHECK(
      message.find(
          "  The package manager takes it for another file, and an upgrade can restore or mix it.\n"
          "  fix: python3 -m pip install --force-reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64\n"
          "  [record-differs]\n") != std::string::npos);
  // Which of the two it is, is not known of a file that nothing identifies.
  venv.file("heuristic") = with_id("heuristic", known_id("heuristic", "9.14.0.64"));
  venv.file("cnn") = with_id("cnn", std::string(40, 'c')) + std::string(8, '\0');
  CHECK(venv.told_from_outside().find(
            "  It was modified or replaced after the installation; which is not known.\n") !=
        std::string::npos);
}

TEST_CASE("the file that a wheel has lost is the cause, for a guard too") {
  in_venv venv;
  for (const std::string& role : test::roles_9) {
    venv.add(role, with_id(role, known_id(role, "9.14.0.64")));
  }
  venv.write_record("9.14.0.64");
  // A record of another release that pip install --target has left behind says nothing.
  const std::string left = packages + "/nvidia_cudnn_cu12-9.10.2.21.dist-info/RECORD";
  venv.os.files[left] =
      "nvidia/cudnn/lib/libcudnn.so.9,sha256=x,1\nnvidia/cudnn/lib/libcudnn_ext.so.9,sha256=x,1\n";
  CHECK(venv.names() == "");
  venv.os.files.erase(packages + "/nvidia/cudnn/lib/libcudnn_graph.so.9");
  CHECK(venv.names() == "library-missing");
  for (const std::string& role : test::roles_9) {
    venv.os.files["/usr/lib/" + test::soname_of(role, 9)] =
        with_id(role, known_id(role, "9.19.0.56"));
  }
  CHECK(venv.names() == "library-missing");
  venv.record.clear();
  venv.write_record("9.14.0.64");
  CHECK(venv.names() == "mixed-sublibraries");
}

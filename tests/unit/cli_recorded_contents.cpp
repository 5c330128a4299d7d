// SPDX-License-Identifier: BSD-3-Clause
//
// doctor --hash: libraries are read whole, and once.
#include <doctest/doctest.h>

#include "cli/survey/recorded_contents.cpp"
#include "fake_system.h"

using namespace cudnn_checked;

namespace cudnn_checked::cli {
void show_progress(const std::string&, std::size_t, std::size_t) {}
}  // namespace cudnn_checked::cli

namespace {

const std::string recorded_library = "/site/nvidia/cudnn/lib/libcudnn.so.9";
const std::string record_of_library = "/site/nvidia_cudnn_cu13-9.14.0.64.dist-info/RECORD";

survey survey_with_library() {
  cudnn_file file;
  file.path = file.real_path = recorded_library;
  file.state = file_state::whole;
  file.package.manager = package_manager::wheel;
  file.package.record = record_of_library;
  file.package.same_size = answer::yes;
  survey all;
  all.installs.resize(1);
  all.installs.in_place()[0].observed.files.push_back(file);
  return all;
}

struct recorded_machine {
  test::fake_system os;

  recorded_machine() {
    os.files[recorded_library] = "abc";
    // FIPS 180-2, appendix B.1, in base64url.
    os.files[record_of_library] =
        "nvidia/cudnn/lib/libcudnn.so.9,sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0,3\n";
  }

  file_state state(const survey* before, survey& all) const {
    cli::compare_contents(os, before, all);
    return all.installs[0].observed.files[0].state;
  }
};

}  // namespace

TEST_CASE("what was compared before a repair is not read again after it") {
  for (const bool damaged : {false, true}) {
    CAPTURE(damaged);
    recorded_machine m;
    const file_state expected = damaged ? file_state::altered : file_state::whole;
    if (damaged) m.os.files[recorded_library] = "abd";
    survey before = survey_with_library();
    CHECK(m.state(nullptr, before) == expected);
    CHECK(before.installs[0].compared == 1);
    CHECK(m.os.times_read[recorded_library] == 1);
    survey after = survey_with_library();
    CHECK(m.state(&before, after) == expected);
    CHECK(m.os.times_read[recorded_library] == 1);
    // The repair has written it, and a record without a hash.
    m.os.files[record_of_library] = "nvidia/cudnn/lib/libcudnn.so.9,,3\n";
    survey repaired = survey_with_library();
    CHECK(m.state(&before, repaired) == file_state::whole);
  }
}

TEST_CASE("a file that was not there before is read") {
  const recorded_machine m;
  survey before;
  survey after = survey_with_library();
  before.installs.resize(1);
  CHECK(m.state(&before, after) == file_state::whole);
  CHECK(m.os.times_read[recorded_library] == 1);
}

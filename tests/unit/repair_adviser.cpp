// SPDX-License-Identifier: BSD-3-Clause
//
// Which commands are printed, of those that are tried.
#include <doctest/doctest.h>

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "core/installers/installers.h"
#include "faulty_machine.h"
#include "repair/tools.h"

using namespace test::faulty;

TEST_CASE("one fault: what is printed of its commands") {
  const struct {
    const char* name;
    std::vector<fix_line> lines;
    std::string expected;
  } rows[] = {
      {"it works", {typed("rm", {file_without(older)})}, "+$ rm"},
      {"it changes nothing, so it would be typed for ever",
       {typed("loop", {step_of(repair_kind::variable, "X", "1")})},
       none},
      {"it does not help, and another does",
       {typed("loop", {step_of(repair_kind::removal, "/x")}), typed("rm", {file_without(older)})},
       "+$ rm"},
      {"it brings another fault", {typed("harm", {file_without(older), brings(mixed)})}, none},
      {"it brings another of the driver, which is one as well",
       {typed("harm", {file_without(older), brings(driver)})},
       none},
      {"two ways, and the third is not needed",
       {typed("1", {file_without(older)}), typed("2", {file_without(older)}),
        typed("3", {file_without(older)})},
       "+$ 1; +$ 2"},
      {"what changes least comes first, in whatever order they were",
       {typed("file", {file_without(older)}), typed("variable", {variable_against(older)})},
       "+$ variable; +$ file"},
      {"words stay", {advice("think"), typed("rm", {file_without(older)})}, "+$ rm; > think"},
      {"words alone", {advice("think")}, "> think"},
      {"a command of unknown effect, where nothing is known to help",
       {command("other")},
       "$ other"},
      {"and where something is", {command("other"), typed("rm", {file_without(older)})}, "+$ rm"},
      {"a step of which nothing is known",
       {typed("both", {file_without(older), step_of(repair_kind::package, "/none")})},
       none},
      {"the same package again, of which nothing is known",
       {typed("again", {again_in("/s", "nvidia-cudnn-cu13==9.14.0.64+site")})},
       "$ again"},
      {"Debian's, which is not tried, and is known to apt",
       {typed("apt-get install a", {step_of(repair_kind::debian, "a")})},
       "$ apt-get install a"},
      {"Debian's, which is not",
       {install_debian("b", "install the Toolkit, which has libb.so")},
       "> install the Toolkit, which has libb.so"},
      {"whichever Python is active",
       {typed("pip", {wheels_in("")})},
       "> install the wheel nvidia-nccl-cu12 in a Python environment, and name its directory of "
       "libraries in LD_LIBRARY_PATH"},
      {"nothing", {}, none},
  };
  for (const auto& row : rows) {
    INFO(std::string(row.name));
    faulty_machine m({older});
    m.os.files["/var/lib/apt/lists/x_Packages"] = "Package: a\nVersion: 1\n\nPackage: bb\n";
    m.fixes[older] = row.lines;
    CHECK(m.advice_for(older) == row.expected);
  }
}

TEST_CASE("the same package again changes nothing where it is as it was recorded") {
  const std::string info = "nvidia_cudnn_cu13-9.14.0.64+site.dist-info";
  const std::string library = "nvidia/cudnn/lib/libcudnn.so.9";
  repair step = again_in("/s", "nvidia-cudnn-cu13==9.14.0.64+site");
  step.where.wheels.push_back({"nvidia-cudnn-cu13", "9.14.0.64+site", info});
  const auto fix = [&](finding_id wrong, const std::string& record, const std::string& contents) {
    faulty_machine m({wrong});
    m.os.files["/s/" + info + "/RECORD"] = record;
    m.os.files["/s/" + library] = contents;
    m.fixes[wrong] = {typed("again", {step})};
    return m.advice_for(wrong);
  };
  const std::string record = library + ",sha256=x,4\n" + info + "/METADATA,sha256=y,9\n";
  CHECK(fix(older, record, "1234") == none);
  CHECK(fix(older, record, "123") == "$ again");
  CHECK(fix(older, library + ",,\n", "1234") == "$ again");
  CHECK(fix(older, "", "1234") == "$ again");
  // Other contents of the same length.
  CHECK(fix(finding_id::library_corrupt, record, "1234") == "$ again");
}

TEST_CASE("of lists of apt that are compressed nothing is known") {
  faulty_machine m({older});
  m.fixes[older] = {install_debian("a", "install the Toolkit, which has liba.so")};
  for (const char* ending : {".lz4", ".gz", ".xz"}) {
    m.os.files[std::string("/var/lib/apt/lists/x_Packages") + ending] = "Package: a\n";
  }
  CHECK(m.advice_for(older) == "> install the Toolkit, which has liba.so");
  m.os.files["/var/lib/apt/lists/x_Packages"] = "Package: a\n";
  CHECK(m.advice_for(older) == "$ apt-get install a");
}

TEST_CASE("what repairs an environment may repair the machine, and is printed for both") {
  faulty_machine m({older, mixed});
  m.places[mixed] = "/env";
  m.fixes[older] = {typed("machine", {file_without(older)})};
  m.fixes[mixed] = {typed("both", {file_without(older), file_without(mixed)})};
  CHECK(m.advice_for(older) == "+$ both");
  CHECK(m.advice_for(mixed) == "+$ both");
  m.fixes[mixed] = {typed("environment", {file_without(mixed)})};
  CHECK(m.advice_for(older) == "+$ machine");
}

TEST_CASE("what removes the last cuDNN repairs nothing") {
  faulty_machine m({older});
  m.has_cudnn = false;
  m.fixes[older] = {typed("rm", {file_without(older)})};
  CHECK(m.advice_for(older) == none);
  m.fixes[older] = {typed("variable", {variable_against(older)})};
  CHECK(m.advice_for(older) == "+$ variable");
}

TEST_CASE("two faults: each command that is printed mends both") {
  faulty_machine m({older, mixed});
  const fix_line one = typed("1", {file_without(older)});
  const fix_line other = typed("2", {file_without(mixed)});
  SUBCASE("in two steps") {
    m.fixes = {{older, {one}}, {mixed, {other}}};
    CHECK(m.advice_for(older) == "+$ 1 && 2");
    CHECK(m.advice_for(mixed) == m.advice_for(older));
  }
  SUBCASE("at once, before two steps") {
    m.fixes = {{older, {one}},
               {mixed, {other, typed("all", {file_without(older), file_without(mixed)})}}};
    CHECK(m.advice_for(older) == "+$ all");
  }
  SUBCASE("the second undoes the first") {
    m.fixes = {{older, {one}}, {mixed, {typed("2", {file_without(mixed), brings(older)})}}};
    CHECK(m.advice_for(older) == "+$ 2 && 1");
  }
  SUBCASE("of one nothing is known: what mends the other is printed, and not as tried") {
    m.fixes = {{older, {one}}};
    CHECK(m.advice_for(older) == "$ 1");
    CHECK(m.advice_for(mixed) == none);
  }
  SUBCASE("of one nothing is known: several steps that leave it are not printed") {
    m.fixes = {{older, {typed("1", {file_without(older), brings(corrupt)})}},
               {corrupt, {typed("3", {file_without(corrupt)})}}};
    CHECK(m.advice_for(older) == none);
    m.fixes[mixed] = {other};
    CHECK(m.advice_for(older) == "+$ 2 && 1 && 3");
  }
  SUBCASE("in two places, of which each has its own") {
    m.places = {{older, "/a"}, {mixed, "/b"}};
    m.fixes = {{older, {one}}, {mixed, {other}}};
    CHECK(m.advice_for(older) == "+$ 1");
    CHECK(m.advice_for(mixed) == "+$ 2");
  }
  SUBCASE("in two places, and the command of one breaks the other") {
    m.os.files.erase("/f/mixed-sublibraries");
    m.places = {{older, "/a"}, {mixed, "/b"}};
    m.fixes = {{older, {typed("1", {file_without(older), brings(mixed)})}}};
    CHECK(m.advice_for(older) == none);
  }
}

TEST_CASE("three faults, and four") {
  faulty_machine m({older, mixed, corrupt});
  m.fixes = {{older, {typed("1", {file_without(older)})}},
             {mixed, {typed("2", {file_without(mixed)})}},
             {corrupt, {typed("3", {file_without(corrupt)})}}};
  CHECK(m.advice_for(corrupt) == "+$ 1 && 2 && 3");
  m.os.files[std::string("/f/") + to_string(finding_id::loader_override)] = "";
  m.fixes[finding_id::loader_override] = {typed("4", {file_without(finding_id::loader_override)})};
  CHECK(m.advice_for(corrupt) == "$ 3");
}

TEST_CASE("what no command mends does not keep another from it; a note's own command is tried") {
  faulty_machine m({older, driver, unstamped});
  m.fixes = {{older, {typed("rm", {file_without(older)})}},
             {driver, {command("a newer driver")}},
             {unstamped, {typed("rm", {file_without(unstamped)})}}};
  CHECK(m.advice_for(older) == "+$ rm");
  CHECK(m.advice_for(driver) == "$ a newer driver");
  CHECK(m.advice_for(unstamped) == "+$ rm");
}

TEST_CASE("a command may lead to a release of which a warning is told, and not of an error") {
  faulty_machine m({older});
  m.fixes = {{older, {typed("rm", {file_without(older), brings(known_bad)})}}};
  CHECK(m.advice_for(older) == "+$ rm");
  m.of_defect = severity::error;
  CHECK(m.advice_for(older) == none);
}

TEST_CASE(
    "a wheel that no command was shown to be right for: not over another of the same folder") {
  faulty_machine m({older});
  repair wheel;
  wheel.what = repair_kind::wheels;
  wheel.order.requirements = {"nvidia-cudnn-cu11==8.9.6.50"};
  m.fixes[older] = {typed("pip", {wheel})};
  const std::string install = "> install the wheel nvidia-cudnn-cu11==8.9.6.50 in ";
  CHECK(m.advice_for(older) == install +
                                   "a Python environment, and name its directory of libraries in "
                                   "LD_LIBRARY_PATH");
  m.own_sites = {"/venv/lib/python3.12/site-packages"};
  m.own_wheels = {"nvidia-cublas-cu12", "nvidia-cudnn-cu11"};
  CHECK(m.advice_for(older) == install +
                                   "the environment of the program, and name its directory of "
                                   "libraries in LD_LIBRARY_PATH, unless its run path leads there");
  m.own_wheels = {"nvidia-cublas-cu12", "nvidia-cudnn-cu12"};
  CHECK(m.advice_for(older) ==
        install + "another environment: nvidia-cudnn-cu12 in this one has its folder");
}

TEST_CASE("candidates: where no command of a finding helps") {
  faulty_machine m({older});
  m.candidates = {typed("first", {file_without(older)}), typed("second", {file_without(older)})};
  CHECK(m.advice_for(older) == "+$ first");
  m.fixes[older] = {typed("own", {file_without(older)})};
  CHECK(m.advice_for(older) == "+$ own");
}

TEST_CASE("candidates are looked for only where something is to be repaired") {
  const auto asked = [](const std::vector<finding_id>& faults,
                        const std::map<finding_id, std::vector<fix_line>>& fixes) {
    faulty_machine m(faults);
    m.fixes = fixes;
    (void)m.advice_for(older);
    return std::make_pair(m.asked_for_candidates, m.looks);
  };
  const fix_line rm = typed("rm", {file_without(older)});
  CHECK(asked({}, {}) == std::make_pair(0, 1));
  CHECK(asked({driver}, {{driver, {command("a newer driver")}}}) == std::make_pair(0, 1));
  CHECK(asked({unstamped}, {{unstamped, {advice("build it")}}}) == std::make_pair(0, 1));
  CHECK(asked({unstamped}, {{unstamped, {rm}}}) == std::make_pair(1, 2));
  // Once for what is there, and not for what a command leads to, where nothing is wrong any more.
  CHECK(asked({older}, {{older, {rm}}}) == std::make_pair(1, 2));
  // From what is left after the first command another one goes on.  What was found there was not
  // kept, so it is looked at again.
  CHECK(asked({older, mixed}, {{older, {rm}}, {mixed, {typed("2", {file_without(mixed)})}}}) ==
        std::make_pair(2, 5));
}

TEST_CASE("another environment is never changed") {
  faulty_machine m({older});
  m.fixes[older] = {typed("pip", {wheels_in("/other/site-packages"), file_without(older)})};
  CHECK(m.advice_for(older) == "+$ pip");
  m.own_sites = {"/mine/site-packages"};
  CHECK(m.advice_for(older) == none);
  m.own_sites.push_back("/other/site-packages");
  CHECK(m.advice_for(older) == "+$ pip");
}

TEST_CASE("what is wrong in a container is typed there") {
  faulty_machine m({older});
  m.in_container = true;
  m.fixes[older] = {typed("rm", {step_of(repair_kind::removal, "/proc/x"), file_without(older)}),
                    command("ask"), advice("buy")};
  CHECK(m.advice_for(older) == "> in the container: rm; > buy");
  m.fixes[older] = {command("ask")};
  CHECK(m.advice_for(older) == "> in the container: ask");
}

TEST_CASE("a package of conda, and whether conda can be typed") {
  faulty_machine m({older});
  m.os.files["/c/conda-meta/cudnn-9.14.0.64-0.json"] = R"({"files":["lib/libcudnn.so.9"]})";
  repair again = step_of(repair_kind::package, "/c/conda-meta/cudnn-9.14.0.64-0.json", "9.14.0.64");
  again.by = &installers::conda();
  m.fixes[older] = {typed("conda", {again, file_without(older)})};
  CHECK(m.advice_for(older) == "$ conda");
  m.os.variables["PATH"] = "/bin:/c/bin";
  CHECK(m.advice_for(older) == "> with conda, which is not on PATH: conda");
  m.os.files["/c/bin/conda"] = "";
  CHECK(m.advice_for(older) == "$ conda");
  m.os.files.erase("/c/bin/conda");
  m.os.variables["CONDA_EXE"] = "/c/bin/conda";
  CHECK(m.advice_for(older) == "$ conda");
}

TEST_CASE("at most so many trials") {
  faulty_machine m({older, mixed});
  for (int i = 0; i < 200; ++i) {
    m.candidates.push_back(
        typed("c" + std::to_string(i), {step_of(repair_kind::variable, "X", "1")}));
  }
  CHECK(m.advice_for(older) == none);
  CHECK(m.looks == 1 + 96);
}

TEST_CASE("where this user may not write") {
  char folder[] = "/tmp/cudnn-checked-repair-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  REQUIRE(chmod(folder, 0755) == 0);
  const std::string place = std::string(folder) + "/site";
  REQUIRE(mkdir(place.c_str(), 0555) == 0);
  // A file that may not be written is replaced, in a folder that may be.
  const std::string mine = std::string(folder) + "/mine";
  const std::string lib = mine + "/nvidia/cudnn/lib";
  const std::string file = lib + "/libcudnn_cnn.so.9";
  std::filesystem::create_directories(lib);
  for (const char* below : {"", "/nvidia", "/nvidia/cudnn", "/nvidia/cudnn/lib"}) {
    REQUIRE(chmod((mine + below).c_str(), 0777) == 0);
  }
  std::ofstream(file).close();
  REQUIRE(chmod(file.c_str(), 0) == 0);
  const auto checks = [&place, &mine] {
    faulty_machine m({older});
    m.fixes[older] = {typed("pip", {wheels_in(place), file_without(older)})};
    const bool refused = m.advice_for(older) == "> by a user who may write to " + place + ": pip";
    repair again = wheels_in(mine);
    again.order.requirements = {"nvidia-cudnn-cu13==9.14.0.64"};
    m.fixes[older] = {typed("pip", {again, file_without(older)})};
    const bool replaced = m.advice_for(older) == "+$ pip";
    m.fixes[older] = {
        typed("rm", {step_of(repair_kind::removal, place + "/x"), file_without(older)})};
    const bool removal = m.advice_for(older) == "> by a user who may write to " + place + ": rm";
    m.fixes[older].push_back(typed("unset", {variable_against(older)}));
    return refused && replaced && removal && m.advice_for(older) == "+$ unset";
  };
  // The superuser may write anywhere.
  const pid_t child = fork();
  if (child == 0) _exit((geteuid() != 0 || setuid(65534) == 0) && checks() ? 0 : 1);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(std::filesystem::remove_all(folder) == 7);
}

namespace {

repairs::sound_user user_of(const char* directory, const version& number, int cuda_major) {
  repairs::sound_user user;
  user.package = "beta 1.0";
  user.site = "/s";
  user.release = to_string(number);
  user.directory = directory;
  user.number = number;
  user.cuda_major = cuda_major;
  return user;
}

}  // namespace

TEST_CASE("a repair takes no other user's cuDNN away") {
  const repairs::sound_user own = user_of("/s/nvidia/cudnn/lib", version::of(9, 14, 0), 12);
  const struct {
    const char* name;
    repairs::sound_user after;
    bool harmed;
  } rows[] = {
      {"the same", own, false},
      {"a newer minor release", user_of("/s/nvidia/cudnn/lib", version::of(9, 19, 0), 12), false},
      {"none", {}, true},
      {"an older one", user_of("/s/nvidia/cudnn/lib", version::of(9, 13, 0), 12), true},
      {"another major", user_of("/s/nvidia/cudnn/lib", version::of(10, 0, 0), 12), true},
      {"for another CUDA", user_of("/s/nvidia/cudnn/lib", version::of(9, 19, 0), 13), true},
      {"the machine's", user_of("/usr/lib", version::of(9, 19, 0), 12), true},
  };
  for (const auto& row : rows) {
    INFO(row.name);
    faulty_machine m({older});
    m.os.files["/u"] = "";
    m.users["beta"] = {own, row.after};
    m.fixes[older] = {typed("fix", {file_without(older), step_of(repair_kind::removal, "/u")})};
    CHECK(m.advice_for(older) == (row.harmed ? none : "+$ fix"));
  }
}

TEST_CASE("nor does that of a note") {
  const repairs::sound_user own = user_of("/s/nvidia/cudnn/lib", version::of(9, 14, 0), 12);
  faulty_machine m({known_bad});
  m.of_defect = severity::note;
  m.os.files["/u"] = "";
  m.users["beta"] = {own, own};
  m.fixes[known_bad] = {
      typed("fix", {file_without(known_bad), step_of(repair_kind::removal, "/u")})};
  CHECK(m.advice_for(known_bad) == "+$ fix");
  m.users["beta"].second = {};
  CHECK(m.advice_for(known_bad) == "> no command that is known here changes it");
}

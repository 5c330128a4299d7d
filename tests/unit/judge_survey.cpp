// SPDX-License-Identifier: BSD-3-Clause
//
// What doctor says of a machine beside the installs themselves.
#include <doctest/doctest.h>

#include "core/installers/installers.h"
#include "core/judge/survey/survey_rules.h"
#include "observation_builder.h"

using namespace cudnn_checked;

namespace {

/// A machine with a driver and a GPU, and a wheel that the loader does not find.
survey machine_with_a_wheel() {
  const test::machine m;
  survey all;
  all.python = "/venv/bin/python";
  cudnn_install wheel;
  wheel.directory = "/venv/site-packages/nvidia/cudnn/lib";
  wheel.found_by = {"packages of /venv/bin/python"};
  wheel.observed = m.observed;
  all.installs.push_back(wheel);
  all.by_default = m.observed;
  all.by_default.files.clear();
  return all;
}

survey sound_machine() {
  survey all = machine_with_a_wheel();
  all.by_default = test::machine().observed;
  return all;
}

arena_vector<finding> judged(const survey& all) { return judge_survey(all).machine.findings; }

std::string message(const survey& all) {
  return findings_message(judged(all), "doctor", severity::note);
}

std::string fix_of(const survey& all) { return test::fix_of(judged(all)[0]); }

constexpr const char* recipe =
    "  fix: export LD_LIBRARY_PATH=/venv/site-packages/nvidia/cudnn/lib\n";

}  // namespace

TEST_CASE("a sound machine") { CHECK(message(sound_machine()) == ""); }

TEST_CASE("a wheel that only programs with a run path find is no fault") {
  CHECK(message(machine_with_a_wheel()) ==
        std::string(
            "doctor: a program without a run path finds no cuDNN\n"
            "  installed:  /venv/site-packages/nvidia/cudnn/lib   packages of /venv/bin/python\n"
            "  looked in:  LD_LIBRARY_PATH, ld.so.cache, default path\n"
            "  A program that is linked with cuDNN starts only if it has a run path.\n") +
            recipe + "  [cudnn-not-found]\n");
  CHECK(judged(machine_with_a_wheel())[0].weight == severity::note);
}

TEST_CASE("LD_LIBRARY_PATH from a recipe that prints None") {
  survey all = machine_with_a_wheel();
  all.lost_entries = {{"/srv/None", 0}};
  CHECK(judged(all)[0].weight == severity::warning);
  CHECK(
      message(all).find(
          std::string(
              "doctor: LD_LIBRARY_PATH names a directory that does not exist\n"
              "  named:     /srv/None   LD_LIBRARY_PATH[0]\n"
              "  libcudnn:  not found by the loader\n"
              "  The loader skips it: a library comes from another directory, or is not found.\n") +
          recipe + "  [library-missing]\n") == 0);
  all = sound_machine();
  all.lost_entries = {{"/srv/None", 0}};
  CHECK(judged(all)[0].weight == severity::note);
  CHECK(fix_of(all) == "$ unset LD_LIBRARY_PATH");
}

TEST_CASE("lost entries of LD_LIBRARY_PATH are one message, and its fix leaves all of them out") {
  survey all = sound_machine();
  all.by_default.ld_library_path = "/srv/None/:/opt/lib:rel;/opt/x lib";
  all.lost_entries = {{"/srv/None", 0}, {"/here/rel", 2}};
  CHECK(message(all) ==
        "doctor: LD_LIBRARY_PATH names 2 directories that do not exist\n"
        "  named:     /srv/None                      LD_LIBRARY_PATH[0]\n"
        "  named:     /here/rel                      LD_LIBRARY_PATH[2]\n"
        "  libcudnn:  /opt/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of app\n"
        "  The loader skips them: a library comes from another directory, or is not found.\n"
        "  fix: export LD_LIBRARY_PATH='/opt/lib:/opt/x lib'\n"
        "  [library-missing]\n");
  all.lost_entries.clear();
  for (int i = 0; i < 7; ++i) all.lost_entries.push_back({"/gone", i});
  CHECK(message(all).find("  named:     /gone                          LD_LIBRARY_PATH[4]\n"
                          "  and:       2 more\n"
                          "  libcudnn:") != std::string::npos);
}

TEST_CASE("an entry of LD_LIBRARY_PATH that is a file, or in quotes") {
  survey all = sound_machine();
  all.by_default.ld_library_path = "/opt/lib:/opt/a.so:\"/opt/x\"";
  all.lost_entries = {{"/opt/a.so", 1, lost_reason::file}, {"\"/opt/x\"", 2, lost_reason::quoted}};
  CHECK(message(all) ==
        "doctor: LD_LIBRARY_PATH has 2 entries that are no directories\n"
        "  named:     /opt/a.so                      LD_LIBRARY_PATH[1], a file\n"
        "  named:     \"/opt/x\"                       LD_LIBRARY_PATH[2], in quotes\n"
        "  libcudnn:  /opt/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of app\n"
        "  The loader skips them: a library comes from another directory, or is not found.\n"
        "  fix: export LD_LIBRARY_PATH=/opt/lib\n"
        "  [library-missing]\n");
  all.lost_entries.pop_back();
  CHECK(message(all).find("doctor: LD_LIBRARY_PATH has an entry that is no directory\n") == 0);
}

TEST_CASE("an entry of LD_LIBRARY_PATH that is lost several times is left out wherever it is") {
  survey all = sound_machine();
  all.by_default.ld_library_path = "/gone:/opt/lib:/gone/:/gone:/opt/lib";
  all.lost_entries = {{"/gone", 0}};
  CHECK(fix_of(all) == "$ export LD_LIBRARY_PATH=/opt/lib:/opt/lib");
}

TEST_CASE("a variable that names where a cuDNN is, and leads nowhere") {
  survey all = sound_machine();
  all.lost_hints = {{"CUDNN_ROOT", "/opt/empty", true}};
  CHECK(message(all).find("CUDNN_ROOT names a directory without a library of cuDNN\n") !=
        std::string::npos);
  all.lost_hints = {{"CUDNN_ROOT", "/opt/none"}};
  CHECK(message(all) ==
        "doctor: CUDNN_ROOT names a directory that does not exist\n"
        "  named:  /opt/none   CUDNN_ROOT\n"
        "  What reads it takes a cuDNN from elsewhere, or finds none.\n"
        "  fix: name the directory above cuDNN's include and lib, or unset CUDNN_ROOT\n"
        "  [library-missing]\n");
  CHECK(judged(all)[0].weight == severity::note);
}

TEST_CASE("where there is more than is looked at, the verdict is unknown") {
  survey all = sound_machine();
  all.left_out = {{"/d64", "LD_LIBRARY_PATH[64]", 64}, {"/d65", "LD_LIBRARY_PATH[65]", 65}};
  CHECK(message(all) ==
        "doctor: not all was looked at: there are too many directories\n"
        "  looked at:  1 cuDNN         to /venv/site-packages/nvidia/cudnn/lib\n"
        "  left out:   2 directories   from /d64 on   LD_LIBRARY_PATH[64]\n"
        "  What lies there, and whether it is whole, is not known.\n"
        "  fix: name some of them, in a run of their own: cudnn-checked doctor DIRECTORY\n"
        "  [version-unknown]\n");
  CHECK(judge_survey(all).machine.result == verdict::unknown);
  all.left_out.pop_back();
  CHECK(message(all).find("left out:   1 directory   from /d64 on") != std::string::npos);
  CHECK(judge_directories(all).machine.result == verdict::unknown);
}

TEST_CASE("the loader's cache lists what is gone") {
  survey all = sound_machine();
  all.stale_entries = {{"libcudnn.so.8", "/old/libcudnn.so.8"},
                       {"libcudnn_ops_infer.so.8", "/old/libcudnn_ops_infer.so.8"}};
  CHECK(message(all) ==
        "doctor: the loader's cache lists files of cuDNN that do not exist\n"
        "  listed:  /old/libcudnn.so.8             ld.so.cache\n"
        "  listed:  /old/libcudnn_ops_infer.so.8   ld.so.cache\n"
        "  A program that NEEDs one of them finds another copy, or does not start.\n"
        "  fix: ldconfig\n"
        "  [library-missing]\n");
  CHECK(judged(all)[0].weight == severity::warning);
  all.by_default.files.clear();
  CHECK(judged(all)[0].weight == severity::error);
}

TEST_CASE("links that lead nowhere") {
  survey all = sound_machine();
  all.broken_links = {{"/opt/lib/libcudnn.so.9", "libcudnn.so.9.14.0", "ld.so.cache"}};
  CHECK(message(all) ==
        "doctor: a symbolic link of cuDNN is broken: libcudnn.so.9\n"
        "  link:      /opt/lib/libcudnn.so.9   ld.so.cache\n"
        "  leads to:  libcudnn.so.9.14.0       which does not exist\n"
        "  The loader skips it, and finds another install's file or none.\n"
        "  fix: reinstall the cuDNN of /opt/lib\n"
        "   or: rm /opt/lib/libcudnn.so.9\n"
        "  [library-missing]\n");
  CHECK(judged(all)[0].weight == severity::error);
  // The name that only linkers use.
  all.broken_links.in_place()[0].path = "/opt/lib/libcudnn.so";
  CHECK(judged(all)[0].weight == severity::warning);
}

TEST_CASE("libraries of cuDNN without the one that programs ask for") {
  survey all;
  all.without_shim = {
      {"/usr/lib", "command line", "libcudnn.so.9", {"libcudnn_adv.so.9", "libcudnn_ops.so.9"}}};
  const auto told = [&all] {
    const survey_judgement result = judge_directories(all);
    CHECK(result.machine.findings.size() <= 1);
    return findings_message(result.machine.findings, "doctor", severity::note);
  };
  CHECK(told() ==
        "doctor: libraries of cuDNN lie without libcudnn.so.9 in one directory\n"
        "  expected:  libcudnn.so.9                  /usr/lib\n"
        "  found:     libcudnn_adv.so.9 and 1 more   command line\n"
        "  A program that NEEDs it does not start, or takes that of another cuDNN.\n"
        "  fix: reinstall the cuDNN of /usr/lib\n"
        "  [library-missing]\n");
  CHECK(judge_directories(all).machine.result == verdict::refused);
  all.without_shim.in_place()[0].files.erase(all.without_shim[0].files.begin());
  CHECK(told().find("  found:     libcudnn_ops.so.9   command line\n") != std::string::npos);
  // A record tells it, with the package.
  all.environments.emplace_back();
  all.environments.in_place()[0].cudnn_packages.emplace_back();
  all.environments.in_place()[0].cudnn_packages.in_place()[0].has_record = true;
  all.environments.in_place()[0].cudnn_packages.in_place()[0].listed = 2;
  all.environments.in_place()[0].cudnn_packages.in_place()[0].absent = {"/usr/lib/libcudnn.so.9"};
  CHECK(told().find("that its record lists") != std::string::npos);
  CHECK(told().find("lie without") == std::string::npos);
  all.environments.clear();
  all.broken_links = {{"/usr/lib/libcudnn.so.9", "libcudnn.so.9.14.0", "command line"}};
  CHECK(told().find("a symbolic link of cuDNN is broken") != std::string::npos);
  CHECK(told().find("lie without") == std::string::npos);
}

TEST_CASE("no cuDNN at all") {
  survey all = machine_with_a_wheel();
  all.installs.clear();
  CHECK(message(all) ==
        "doctor: no cuDNN was found on this machine\n"
        "  looked in:  the loader's directories, toolkits, CUDNN_ROOT and similar\n"
        "  and in:     packages of /venv/bin/python\n"
        "  A program that is linked with cuDNN does not start here.\n"
        "  fix: python3 -m pip install nvidia-cudnn-cu13 && export LD_LIBRARY_PATH=\"$(python3 -c "
        "'import nvidia.cudnn as c; print(list(c.__path__)[0] + \"/lib\")')\"\n"
        "   or: apt-get install libcudnn9-cuda-13\n"
        "  [cudnn-not-found]\n");
  // One that its package's user takes from where that package alone looks.
  all.environments.emplace_back();
  cudnn_user cupy;
  cupy.takes.directory = "/home/me/.cupy/cuda_lib/12.x/cudnn/9.14.0/lib";
  cupy.result = verdict::warning;
  all.environments.in_place()[0].users.push_back(cupy);
  CHECK(message(all).find("no cuDNN was found") == std::string::npos);
  all.environments.in_place()[0].users.in_place()[0].result = verdict::refused;
  CHECK(message(all).find("no cuDNN was found") != std::string::npos);
}

TEST_CASE("no cuDNN in an environment: what its records, its packages and their extras name") {
  survey all = machine_with_a_wheel();
  all.installs.clear();
  all.environments.emplace_back();
  environment& place = all.environments.in_place().back();
  place.python.site = "/venv/lib/python3.12/site-packages";
  place.python.python = "/venv/bin/python";
  place.python.installer = &installers::pip();
  const auto fix = [&all] { return fix_of(all); };
  CHECK(fix().find("pip install 'nvidia-cudnn-cu13==9.*' && ") != std::string::npos);
  place.optional.text = "nvidia-cudnn-cu12==8.9.7.29";
  CHECK(fix().find("pip install nvidia-cudnn-cu12==8.9.7.29 && ") != std::string::npos);
  place.requirements.emplace_back();
  place.requirements.in_place().back().asked.text = "nvidia-cudnn-cu12==9.1.0.70";
  place.requirements.in_place().back().met = answer::no;
  CHECK(fix().find("pip install nvidia-cudnn-cu12==9.1.0.70 && ") != std::string::npos);
  place.python.wheels = {wheel_of_info("nvidia_cudnn_cu12-9.5.1.17.dist-info")};
  CHECK(fix().find("pip install --force-reinstall --no-deps nvidia-cudnn-cu12==9.5.1.17 && ") !=
        std::string::npos);
  // Somebody has installed it there already; otherwise nothing new comes into it (PEP 668).
  place.python.managed = true;
  CHECK(fix().find("pip install --break-system-packages --force-reinstall") != std::string::npos);
  place.python.wheels.clear();
  CHECK(fix() ==
        "> the packages of /venv/bin/python are the distribution's: install "
        "nvidia-cudnn-cu12==9.1.0.70 in a virtual environment, and name its directory in "
        "LD_LIBRARY_PATH");
}

TEST_CASE("no driver: an error where there is a GPU, a note where there is none") {
  survey all = sound_machine();
  all.by_default.driver = {};
  all.by_default.driver.present = answer::no;
  CHECK(test::names_of(judged(all)) == "driver-missing");
  CHECK(judged(all)[0].weight == severity::note);
  all.gpu_hardware = true;
  CHECK(judged(all)[0].weight == severity::error);
}

TEST_CASE("what the loader mixes of installs that are sound") {
  survey all = sound_machine();
  for (cudnn_file& file : all.by_default.files.in_place()) {
    if (file.role == "heuristic") file.name_version = {9, 19, 0};
  }
  CHECK(test::names_of(judged(all)) == "mixed-sublibraries");
}

// An install is judged for whoever uses it, and a user for itself: where there is a driver.
TEST_CASE("what an install lacks is told of its user, where it weighs more there") {
  survey all = sound_machine();
  cudnn_install& install = all.installs.in_place()[0];
  install.observed.driver = {};
  dependency absent;
  absent.kind = dependency_kind::cublaslt;
  absent.name = "libcublasLt.so.13";
  absent.state = file_state::missing;
  for (const cudnn_file& file : install.observed.files) {
    if (file.role == "graph") absent.asked_by = file.path;
  }
  install.observed.dependencies = {absent};
  const auto names_of_install = [&] {
    return test::names_of(judge_survey(all).installs[0].judged.findings);
  };
  CHECK(names_of_install() == "dependency-missing");
  CHECK(judge_survey(all).installs[0].judged.findings[0].weight == severity::note);
  CHECK(judged(all).empty());

  cudnn_user user;
  user.package = "acme 1.0";
  user.libraries = {"/venv/site-packages/acme/libacme.so"};
  user.result = verdict::refused;
  user.findings = judge_survey(all).installs[0].judged.findings;
  user.findings.in_place()[0].weight = severity::error;
  environment place;
  place.users = {user};
  all.environments = {place};
  CHECK(names_of_install() == "");
  REQUIRE(test::names_of(judged(all)) == "dependency-missing");
  CHECK(judged(all)[0].weight == severity::error);
  CHECK(judged(all)[0].more.back().label == "used by");

  // What weighs the same is told of the install.
  all.environments.in_place()[0].users.in_place()[0].findings.in_place()[0].weight = severity::note;
  CHECK(names_of_install() == "dependency-missing");
  CHECK(judged(all).empty());
}

TEST_CASE("what the machine lends an install is missing for who names its directory") {
  test::machine m;
  m.take_from("heuristic", "9.14.0", "/usr/lib", test::by_cache);
  survey all = sound_machine();
  all.installs.in_place()[0].observed = m.observed;
  for (const bool is_named : {true, false}) {
    CAPTURE(is_named);
    const survey_judgement judged = is_named ? judge_directories(all) : judge_survey(all);
    const finding& f = judged.installs[0].judged.findings[0];
    CHECK(f.id == finding_id::sublibrary_missing);
    CHECK(f.weight == (is_named ? severity::error : severity::warning));
    CHECK(judged.installs[0].kind == "partial");
  }
}

// SPDX-License-Identifier: BSD-3-Clause
//
// An errata file on the disk: one that is something else is never touched, and none is damaged.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "errata_folder.h"
#include "laboratory/sweep/disk/replace_file.h"
#include "laboratory/sweep/errata/errata_outcome.h"

using namespace cudnn_checked;
using test::errata_folder;
using test::one_failure;

static std::string errors_of(const std::string& path) {
  std::string error;
  CHECK_FALSE(sweep::begin_errata(path, error));
  return error;
}

TEST_CASE("a file is written whole, with the mode that it had, and a link stays one") {
  const errata_folder folder;
  std::string error;
  folder.write("{\"rules\":[]}", "other.json");
  REQUIRE(chmod(folder.file("other.json").c_str(), 0640) == 0);
  REQUIRE(symlink("other.json", folder.file("link.json").c_str()) == 0);
  CHECK(sweep::can_replace_file(folder.file("link.json"), error));
  REQUIRE(sweep::replace_file(folder.file("link.json"), "text\n", error));
  CHECK(folder.read("other.json") == "text\n");
  struct stat status;
  REQUIRE(lstat(folder.file("link.json").c_str(), &status) == 0);
  CHECK(S_ISLNK(status.st_mode));
  REQUIRE(stat(folder.file("other.json").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777U) == 0640);
}

TEST_CASE("sweeps that end at the same time lose no rule of each other") {
  const errata_folder folder;
  constexpr int sweeps = 8;
  int gate[2];
  REQUIRE(pipe(gate) == 0);
  for (int i = 0; i < sweeps; ++i) {
    if (fork() != 0) continue;
    close(gate[1]);
    char byte = 0;
    (void)!::read(gate[0], &byte, 1);  // until all are there
    const sweep::record seen = one_failure(i);
    const auto again = [](const std::string&, const std::vector<std::size_t>&) {
      return sweep::record();
    };
    _exit(sweep::finish_errata(folder.file(), {seen, {}}, again).error.empty() ? 0 : 1);
  }
  close(gate[0]);
  close(gate[1]);
  int status = 0;
  for (int i = 0; i < sweeps; ++i) {
    REQUIRE(wait(&status) > 0);
    CHECK(status == 0);
  }
  sweep::errata_file file;
  std::string error;
  REQUIRE(sweep::load_errata(folder.file(), file, error));
  CHECK(file.rules.size() == sweeps);
}

static std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename());
  }
  return names;
}

TEST_CASE("a signal leaves the old file or the new one, and nothing beside it") {
  const errata_folder folder;
  const std::string texts[] = {std::string(300000, 'a'), std::string(200000, 'b')};
  std::mt19937 random(46);
  for (int i = 0; i < 12; ++i) {
    folder.write(texts[1]);
    int ready[2];
    REQUIRE(pipe(ready) == 0);
    const int by[] = {SIGTERM, SIGINT, SIGHUP, SIGKILL};
    const pid_t child = fork();
    if (child == 0) {
      for (const int one : by) std::signal(one, SIG_DFL);  // doctest has handlers
      if (::write(ready[1], "", 1) != 1) _exit(1);
      std::string error;
      for (;;) {
        for (const std::string& text : texts) {
          if (!sweep::replace_file(folder.file(), text, error)) _exit(1);
        }
      }
    }
    char byte = 0;
    REQUIRE(::read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    close(ready[1]);
    usleep(std::uniform_int_distribution<useconds_t>(0, 5000)(random));
    REQUIRE(kill(child, by[i % 4]) == 0);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    const std::string left = folder.read();
    CHECK((left == texts[0] || left == texts[1]));
    for (const std::string& name : names_in(folder.path)) {
      const std::string path = folder.file(name.c_str());
      if (path == folder.file()) continue;
      // Nothing but SIGKILL leaves one, and nobody takes it for something else.
      CHECK(by[i % 4] == SIGKILL);
      CHECK(name.compare(0, 14, "cudnn_checked.") == 0);
      CHECK(path.compare(path.size() - 5, 5, ".part") == 0);
      REQUIRE(unlink(path.c_str()) == 0);
    }
  }
}

TEST_CASE("a name that has no room for more, a link that leads nowhere yet, a device") {
  const errata_folder folder;
  std::string error;
  const std::string name(255, 'n');
  REQUIRE(sweep::replace_file(folder.file(name.c_str()), "text", error));
  CHECK(folder.read(name.c_str()) == "text");
  REQUIRE(symlink("there.json", folder.file("link.json").c_str()) == 0);
  REQUIRE(sweep::replace_file(folder.file("link.json"), "text", error));
  CHECK(folder.read("there.json") == "text");
  CHECK(names_in(folder.path).size() == 3);
  CHECK(sweep::replace_file("/dev/null", "text", error));
  struct stat status;
  REQUIRE(stat("/dev/null", &status) == 0);
  CHECK(S_ISCHR(status.st_mode));
  CHECK(unlink(folder.file(name.c_str()).c_str()) == 0);
  CHECK(unlink(folder.file("there.json").c_str()) == 0);
}

TEST_CASE("a file that is write-protected is not replaced") {
  const errata_folder folder;
  folder.write("{\"rules\":[]}");
  REQUIRE(chmod(folder.path.c_str(), 0777) == 0);
  REQUIRE(chmod(folder.file().c_str(), 0444) == 0);
  const uid_t before = geteuid();
  if (before == 0) REQUIRE(seteuid(65534) == 0);  // root may write everything
  const std::string refusal = errors_of(folder.file());
  std::string error;
  CHECK_FALSE(sweep::replace_file(folder.file(), "text\n", error));
  if (before == 0) REQUIRE(seteuid(0) == 0);
  CHECK(refusal == folder.file() + ": cannot be written: Permission denied");
  CHECK(error == refusal);
  CHECK(folder.read() == "{\"rules\":[]}");
}

TEST_CASE("a file that cannot be an errata file is refused before anything is computed") {
  const errata_folder folder;
  CHECK(errors_of(folder.path) == folder.path + ": not a file");
  CHECK(errors_of("/dev/null") == "/dev/null: not a file");
  REQUIRE(mkfifo(folder.file("fifo").c_str(), 0600) == 0);
  CHECK(errors_of(folder.file("fifo")) == folder.file("fifo") + ": not a file");
  folder.write("{}");
  CHECK(errors_of(folder.file()) == folder.file() + ": no errata file: it has no array \"rules\"");
  folder.write("");
  CHECK(errors_of(folder.file()) == folder.file() + ": no errata file: it is empty");
  folder.write("{\"rules\":[],\"by\":\"\xE9mile\"}");
  CHECK(errors_of(folder.file()) == folder.file() + ": no errata file: it is not UTF-8 at byte 18");
  folder.write(std::string((4U << 20) + 1, ' '));
  CHECK(errors_of(folder.file()) == folder.file() + ": no errata file: more than 4 MiB");
  CHECK(errors_of(folder.file("none/rules.json")) ==
        folder.file("none/rules.json") + ": cannot be written: No such file or directory");
  REQUIRE(symlink("nowhere", folder.file("link.json").c_str()) == 0);
  CHECK(errors_of(folder.file("link.json")) ==
        folder.file("link.json") + ": cannot be read: No such file or directory");

  std::string error;
  CHECK(sweep::begin_errata(folder.file("other.json"), error));
  CHECK(access(folder.file("other.json").c_str(), F_OK) != 0);
}

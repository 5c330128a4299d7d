// SPDX-License-Identifier: BSD-3-Clause
//
// An errata file on the disk: one that is something else is never touched, and none is damaged.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "errata_folder.h"
#include "sweep/disk/replace_file.h"
#include "sweep/errata/errata_outcome.h"

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

// SPDX-License-Identifier: BSD-3-Clause
//
// The identity rule on every package of cuDNN on PyPI for x86-64 (the rows of build_ids.csv): as
// they are, with releases left out of the catalogue, and with one file swapped.  It prints the
// table of docs/measurements.md, "Releases that the catalogue lacks".
#include <doctest/doctest.h>

#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catalogue_builder.h"
#include "core/catalogue/catalogue.h"
#include "core/catalogue/measured_needs.h"
#include "core/judge/cudnn_set.h"
#include "core/judge/judge.h"
#include "world_catalogue.h"

using namespace cudnn_checked;

namespace {

using release_key = std::pair<std::string, int>;  // "9.14.0", 13

struct world_file {
  std::string role, build_id;
  int run_path_cuda_major = 0;
  bool has_word = false;
  version number;
};

struct world_package {
  release_key key;
  version number;
  std::string set;
  std::map<std::string, world_file> files;  // by role
};

std::vector<world_package> read_world() {
  std::map<std::pair<release_key, std::string>, world_package> packages;
  for (const test::catalogue_row& row : test::read_catalogue_rows()) {
    world_file file;
    file.role = row.role();
    file.build_id = row.build_id;
    file.run_path_cuda_major = row.run_path_cuda_major();
    file.has_word = file.role == "graph";
    file.number = row.release().number;
    const release_key key{to_string(file.number), row.release().cuda_major};
    world_package& package = packages[{key, row.set}];
    package.key = key;
    package.number = file.number;
    package.set = row.set;
    package.files[file.role] = file;
  }
  std::vector<world_package> world;
  for (const auto& entry : packages) world.push_back(entry.second);
  return world;
}

// What graph, ops and adv (8: ops_infer, ops_train, adv_infer) export; the survey read graph's.
enum class words { as_surveyed, all };

bool has_word(const world_file& file, words which) {
  static const std::set<std::string> roles = {"graph",     "ops",       "adv",
                                              "ops_infer", "ops_train", "adv_infer"};
  return file.has_word || (which == words::all && roles.count(file.role) != 0);
}

std::string name_of(const world_package& package, const std::string& role) {
  return "libcudnn" + (role == "shim" ? "" : "_" + role) + ".so." +
         std::to_string(package.number.major);
}

// What the file has that a swap changes.
void take(cudnn_file& file, const world_file& from, words which) {
  file.build_id = from.build_id;
  file.run_path_cuda_major = from.run_path_cuda_major;
  file.word = has_word(from, which) ? from.number : version();
}

observation observation_of(const world_package& package, words which = words::as_surveyed,
                           const char* record = nullptr) {
  observation observed;
  observed.linked = true;
  observed.cudnn_major = package.number.major;
  std::vector<const world_file*> files;
  for (const char* role : {"shim", "graph"}) {  // in the order of observe_files
    if (package.files.count(role) != 0) files.push_back(&package.files.at(role));
  }
  for (const auto& entry : package.files) {
    if (entry.first != "shim" && entry.first != "graph") files.push_back(&entry.second);
  }
  for (const world_file* f : files) {
    cudnn_file file;
    file.role = f->role;
    file.name = name_of(package, f->role);
    file.soname = file.name;
    file.path = file.real_path = "/opt/cudnn/lib/" + file.name;
    file.state = file_state::whole;
    take(file, *f, which);
    if (record != nullptr) {
      file.package.manager = package_manager::wheel;
      file.package.name = record;
      file.package.cudnn = package.number;
      file.package.cuda_major = package.key.second;
      file.package.same_size = answer::yes;
    }
    observed.files.push_back(file);
  }
  return observed;
}

// The observation of one package after another, each with one file at a time taken from elsewhere:
// of a hundred thousand swaps that is what differs.
class swapper {
 public:
  explicit swapper(words which = words::as_surveyed) : which_(which) {}

  template <typename visitor>
  void with(const world_package& base, const world_file& file, visitor visit) {
    if (base_ != &base) observed_ = observation_of(base, which_);
    base_ = &base;
    for (cudnn_file& own : observed_.files.in_place()) {
      if (own.role != file.role) continue;
      take(own, file, which_);
      visit(observed_);
      take(own, base.files.at(file.role), which_);
    }
  }

 private:
  words which_;
  const world_package* base_ = nullptr;
  observation observed_;
};

enum class outcome { refused, warned, unknown, silent };

outcome judge_it(const observation& observed) {
  const std::vector<finding> findings =
      judge_install_files(stamp(), observed, judge_options()).findings;
  for (const finding& f : findings) {  // the worst first
    if (f.weight == severity::error) return outcome::refused;
    if (f.weight == severity::warning) return outcome::warned;
  }
  for (const cudnn_set::member& m : make_set(observed.files, observed.cudnn_major).members) {
    if (m.member_of_set && m.identity.releases.empty()) return outcome::unknown;
  }
  return outcome::silent;
}

struct counts {
  int of[4] = {};
  void add(outcome o) { ++of[static_cast<int>(o)]; }
  int operator[](outcome o) const { return of[static_cast<int>(o)]; }
  int total() const { return of[0] + of[1] + of[2] + of[3]; }
  void print(const char* title) const {
    std::printf("| %s | %d | %d | %d | %d | %d |\n", title, total(), of[0], of[1], of[2], of[3]);
  }
};

// While it lives, the catalogue is all of the world but the releases that are left out.
class catalogue_of_world {
 public:
  explicit catalogue_of_world(const std::vector<world_package>& world,
                              const std::vector<release>& left_out = {})
      : builder_(rows_of(world, left_out)) {
    world_catalogue = &builder_.table();
  }
  ~catalogue_of_world() { world_catalogue = nullptr; }
  catalogue_of_world(const catalogue_of_world&) = delete;
  catalogue_of_world& operator=(const catalogue_of_world&) = delete;

 private:
  static std::vector<test::catalogue_row> rows_of(const std::vector<world_package>& world,
                                                  const std::vector<release>& left_out) {
    std::vector<test::catalogue_row> rows;
    for (const world_package& package : world) {
      bool is_left_out = false;
      for (const release& r : left_out) {
        if (r.number == package.number && r.cuda_major == package.key.second) is_left_out = true;
      }
      for (const auto& file : package.files) {
        if (is_left_out) continue;
        rows.push_back({name_of(package, file.first),
                        file.second.build_id,
                        package.key.first,
                        std::to_string(package.key.second),
                        package.set,
                        {}});
      }
    }
    return rows;
  }

  test::catalogue_builder builder_;
};

// The neighbours of a release among those for its CUDA major.
std::vector<release> with_neighbours(const std::vector<world_package>& world,
                                     const world_package& package) {
  std::vector<release> found = {{package.number, package.key.second}};
  version below, above;
  for (const world_package& other : world) {
    if (other.key.second != package.key.second) continue;
    if (other.number < package.number && below < other.number) below = other.number;
    if (package.number < other.number && (!above.known() || other.number < above)) {
      above = other.number;
    }
  }
  if (below.known()) found.push_back({below, package.key.second});
  if (above.known()) found.push_back({above, package.key.second});
  return found;
}

template <typename visitor>
void each_swap(const std::vector<world_package>& world, visitor visit) {
  for (const world_package& base : world) {
    for (const world_package& other : world) {
      if (base.key == other.key || base.number.major != other.number.major) continue;
      for (const auto& file : other.files) {
        const auto own = base.files.find(file.first);
        if (own == base.files.end() || own->second.build_id == file.second.build_id) continue;
        visit(base, other, file.second);
      }
    }
  }
}

// The JIT-only packages of 9.12.0 compute nothing as NVIDIA ships them.
bool computes(const world_package& package) {
  return package.set != "jit" || finalizes_as_jit_only(package.number) != answer::no;
}

}  // namespace

TEST_CASE("packages as they are") {
  counts seen;
  const std::vector<world_package> world = read_world();
  REQUIRE(world.size() >= 161);
  const catalogue_of_world all(world);
  int without_engines = 0;
  for (const world_package& package : world) {
    const outcome judged = judge_it(observation_of(package));
    if (computes(package)) {
      seen.add(judged);
    } else {
      CHECK(judged == outcome::refused);
      ++without_engines;
    }
  }
  CHECK(without_engines == 2);
  seen.print("untouched, all releases in the catalogue");
  CHECK(seen[outcome::refused] + seen[outcome::warned] == 0);
}

TEST_CASE("packages of releases that the catalogue lacks") {
  const std::vector<world_package> world = read_world();
  for (const bool neighbours : {false, true}) {
    counts by_files, by_words, by_record;
    int count = 0;
    std::unique_ptr<catalogue_of_world> reduced;  // one for all packages of a release, which follow
    const world_package* before = nullptr;
    for (const world_package& package : world) {
      if (!computes(package)) continue;
      ++count;
      std::vector<release> left_out = with_neighbours(world, package);
      if (!neighbours) left_out.resize(1);
      if (before == nullptr || before->key != package.key) {
        reduced.reset();
        reduced = std::make_unique<catalogue_of_world>(world, left_out);
      }
      before = &package;
      by_files.add(judge_it(observation_of(package)));
      by_words.add(judge_it(observation_of(package, words::all)));
      by_record.add(judge_it(observation_of(package, words::as_surveyed, "wheel")));
    }
    by_files.print(neighbours ? "untouched, left out with its neighbours" : "untouched, left out");
    by_words.print("the same, with all version words");
    by_record.print("the same, with the record of its package");
    for (const counts& seen : {by_files, by_words, by_record}) {
      CHECK(seen[outcome::refused] == 0);
      CHECK(seen[outcome::warned] == 0);
    }
    // A record with fitting lengths settles it.
    CHECK(by_record[outcome::silent] == count);
  }
}

// PyTorch 2.15.0 brings 9.26.0 for CUDA 13, whose libcudnn_ext.so.9 is that of 9.26.1 as well.
TEST_CASE("a newer PyTorch's cuDNN, which the catalogue lacks, is one set") {
  const std::vector<world_package> world = read_world();
  for (const world_package& package : world) {
    if (package.key != release_key("9.26.0", 13) || package.set != "full") continue;
    const catalogue_of_world reduced(world, {{package.number, 13}});
    observation observed = observation_of(package);
    for (const finding& f : judge_install_files(stamp(), observed, judge_options()).findings) {
      FAIL_CHECK(to_string(f.id) << ": " << f.summary);
    }
    const cudnn_set set = make_set(observed.files, 9);
    CHECK(set.coherent());
    CHECK(describe(set.common) == "9.26.0 for CUDA 13");
    CHECK(to_string(set.effective) == "9.26.0");
    CHECK(describe(set.find("ext")->identity.releases) ==
          "9.26.1 for CUDA 13 or 9.26.0 for CUDA 13");
    CHECK(set.find("cnn")->identity.releases.empty());
    // The same file among those of a release that is no neighbour.
    for (cudnn_file& file : observed.files.in_place()) {
      if (file.role == "graph") file.word = parse_version("9.25.0");
    }
    const std::vector<finding> found =
        judge_install_files(stamp(), observed, judge_options()).findings;
    REQUIRE(found.size() == 1);
    CHECK(found[0].id == finding_id::mixed_sublibraries);
    return;
  }
  FAIL("no such package");
}

// A sanitizer, which takes ten times as long, looks at every tenth swap: they go the same ways.
#if defined(CUDNN_CHECKED_SANITIZED_JUDGE)
static const int every = 10;
#else
static const int every = 1;
#endif

TEST_CASE("one file swapped, both releases in the catalogue") {
  const std::vector<world_package> world = read_world();
  const catalogue_of_world all(world);
  int swaps = 0;
  int unseen = 0;
  swapper swapped;
  each_swap(world, [&](const world_package& base, const world_package&, const world_file& file) {
    if (swaps % every != 0) {
      ++swaps;
      return;
    }
    swapped.with(base, file, [&](const observation& observed) {
      ++swaps;
      if (make_set(observed.files, observed.cudnn_major).coherent()) ++unseen;
    });
  });
  std::printf("| swapped, both in the catalogue | %d | %d | 0 | 0 | %d |\n", swaps, swaps - unseen,
              unseen);
  CHECK(swaps >= 101438);
  CHECK(unseen == 0);
}

TEST_CASE("one file swapped, one of the releases left out of the catalogue") {
  struct swap {
    const world_package* base;
    const world_file* file;
    bool base_left_out;
  };
  const std::vector<world_package> world = read_world();
  std::map<release_key, std::vector<swap>> by_release;  // a catalogue for each that is left out
  int count = 0;
  each_swap(world,
            [&](const world_package& base, const world_package& other, const world_file& file) {
              if (count++ % 20 != 0) return;
              by_release[base.key].push_back({&base, &file, true});
              by_release[other.key].push_back({&base, &file, false});
            });
  struct {
    swapper swapped;
    counts base_left_out, other_left_out;
  } seen[] = {{swapper(words::as_surveyed), {}, {}}, {swapper(words::all), {}, {}}};
  for (const auto& entry : by_release) {
    const catalogue_of_world reduced(world,
                                     {{parse_version(entry.first.first), entry.first.second}});
    for (auto& with : seen) {
      for (const swap& s : entry.second) {
        counts& counted = s.base_left_out ? with.base_left_out : with.other_left_out;
        with.swapped.with(*s.base, *s.file,
                          [&](const observation& o) { counted.add(judge_it(o)); });
      }
    }
  }
  for (const auto& with : seen) {
    with.base_left_out.print("swapped, the set's release left out");
    with.other_left_out.print("swapped, the file's release left out");
    for (const counts& counted : {with.base_left_out, with.other_left_out}) {
      CHECK(counted.total() > 5000);
      CHECK((counted[outcome::refused] + counted[outcome::warned]) * 100 >= counted.total() * 98);
    }
  }
}

// SPDX-License-Identifier: BSD-3-Clause
//
// Which files of cuDNN are in this process, or would come into it.
#include "../catalogue/catalogue.h"
#include "../model/cudnn_major.h"
#include "../model/library_name.h"
#include "../model/paths.h"
#include "../system/program_view.h"
#include "cudnn_search.h"
#include "near_miss.h"
#include "observe.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static arena_vector<mapped_cudnn> mapped_cudnn_files(const loader& search) {
  arena_vector<mapped_cudnn> found;
  for (const mapped_object& object : search.mapped()) {
    mapped_cudnn m;
    m.object = &object;
    m.role = identify_build_id(object.build_id).role;
    if (m.role == library_role::none) m.role = role_of_name(object.soname);
    if (m.role == library_role::none) m.role = role_of_name(base_name(object.path));
    if (m.role == library_role::none) continue;
    m.major = major_of_name(object.soname);
    if (m.major == 0) m.major = major_of_name(base_name(object.path));
    found.push_back(m);
  }
  return found;
}

// Other orders of the first calls.  A NEEDED entry can lead to another file than the shim's own
// question only for a library that is not loaded yet, and only graph and ops are NEEDED (8.x: the
// "infer" ones and ops_train).  So what matters is which library brings them in: ops brings graph;
// cnn and adv bring both, or, after a function of graph such as cudnnCreate(), ops alone.
static arena_vector<first_calls> orders_of_first_calls(int cudnn_major) {
  const arena_vector<library_role> called = called_roles(cudnn_major);
  arena_vector<first_calls> orders;
  for (const library_role& role : called) orders.push_back({{role.which(), library_role::none}});
  for (const library_role& role : called) {
    if (calls_of(role) != role_called::after_graph) continue;
    orders.push_back({{library_role::graph, role.which()}});
  }
  return orders;
}

static int needed_major(loader& search) {
  for (const arena_string name : search.file(search.program_path()).needed) {
    const arena_string file = base_name(name);
    if (role_of_name(file) == library_role::shim) return major_of_name(file);
  }
  return 0;
}

/// The major of a sub-library that something NEEDs, where nothing has loaded or NEEDs a shim: a
/// program of the graph API can be linked with the graph library alone.  0: it is not so.
static int major_without_shim(loader& search, const arena_vector<mapped_cudnn>& mapped) {
  const auto needs = [&](const arena_string& path, const arena_string& name) {
    return !is_cudnn_path(path) && contains(search.file(path).needed, name);
  };
  int major = 0;
  for (const mapped_cudnn& m : mapped) {
    if (m.role == library_role::shim) return 0;
    if (m.object->other_namespace || m.major == 0) continue;
    const bool needed = needs(search.program_path(), m.object->soname) ||
                        any_of(search.mapped(), [&](const mapped_object& object) {
                          return needs(object.path, m.object->soname);
                        });
    if (needed) major = m.major;
  }
  return major;
}

// A mapped shim decides; of several, the one that the program was built for.
static int choose_major(const arena_vector<mapped_cudnn>& mapped, int needed, int wanted) {
  int major = needed;
  bool found = false;
  for (const mapped_cudnn& m : mapped) {
    if (m.role != library_role::shim || m.major == 0 || m.object->other_namespace) continue;
    if (m.major == wanted) return wanted;
    if (!found) major = m.major;
    found = true;
  }
  if (major == 0) major = wanted;
  return major == 0 ? newest_cudnn : major;
}

static void note_alternatives(const arena_vector<cudnn_file>& others, observation& observed) {
  for (const cudnn_file& other : others) {
    if (other.path.empty()) continue;
    observed.alternatives.push_back({other, other.role, other.word, other.name_version});
  }
}

static bool has_file(const arena_vector<cudnn_file>& files, const cudnn_file& wanted) {
  return any_of(files, [&](const cudnn_file& file) {
    return file.role == wanted.role && file.real_path == wanted.real_path;
  });
}

// The files of every role for which the two do not have the same ones.
static arena_vector<cudnn_file> differing_files(const arena_vector<cudnn_file>& usual,
                                                const arena_vector<cudnn_file>& other) {
  arena_vector<cudnn_file> files;
  for (const cudnn_file& file : other) {
    bool differs = any_of(
        other, [&](const cudnn_file& f) { return (f.role == file.role && !has_file(usual, f)); });
    for (const cudnn_file& f : usual) {
      differs = differs || (f.role == file.role && !has_file(other, f));
    }
    if (differs) files.push_back(file);
  }
  return files;
}

// A package's own copy, which only that package's name leads to.
static bool has_renamed_shim(const arena_vector<mapped_cudnn>& mapped) {
  return any_of(mapped, [&](const mapped_cudnn& m) {
    return m.role == library_role::shim && is_renamed(m.object->soname);
  });
}

// The library that NEEDs the mapped shim, a plugin for example: its own run path counts, not the
// program's alone.
static arena_string needs_shim(loader& search, const arena_vector<mapped_cudnn>& mapped) {
  for (const mapped_cudnn& m : mapped) {
    if (m.role != library_role::shim || m.object->other_namespace) continue;
    for (const mapped_object& object : search.mapped()) {
      if (object.other_namespace) continue;
      for (const arena_string name : search.file(object.path).needed) {
        if (name == m.object->soname) return object.path;
      }
    }
  }
  return {};
}

static bool has_same_parts(const arena_vector<cudnn_file>& some,
                           const arena_vector<cudnn_file>& others) {
  return all_of(some, [&](const cudnn_file& file) {
    return file.role == library_role::shim || has_file(others, file);
  });
}

static bool is_shim_of_process(const mapped_cudnn& m) {
  return m.role == library_role::shim && !m.object->other_namespace;
}

// The first call decides, and in a process with two shims either of them can be called first.
static answer shims_agree(loader& search, int major, const arena_vector<mapped_cudnn>& mapped,
                          const arena_vector<preload>& preloaded,
                          const arena_vector<cudnn_file>& files) {
  int shims = 0;
  for (const mapped_cudnn& m : mapped) shims += is_shim_of_process(m) ? 1 : 0;
  if (shims < 2) return answer::unknown;
  const bool is_library = !search.file(search.program_path()).is_program;
  for (const mapped_cudnn& first : mapped) {
    if (!is_shim_of_process(first)) continue;
    arena_vector<mapped_cudnn> reordered = {first};
    for (const mapped_cudnn& other : mapped) {
      if (other.object != first.object) reordered.push_back(other);
    }
    // The run path of a library that is looked at as if it were the program is none of a shim's.
    const program_view alone(search.system(), first.object->path);
    loader from_shim(alone);
    cudnn_search of_first(is_library ? from_shim : search, loader::view::as_is, major, reordered,
                          preloaded);
    const arena_vector<cudnn_file> own = of_first.run(nullptr);
    if (!has_same_parts(files, own) || !has_same_parts(own, files)) return answer::no;
  }
  return answer::yes;
}

void observe_taken_files(loader& search, int cudnn_major, observation& observed) {
  observed.program_path = search.program_path();
  observed.ld_library_path = search.ld_library_path();
  observed.ld_preload = search.ld_preload();
  observed.secure = search.system().secure();
  const arena_vector<mapped_cudnn> mapped = mapped_cudnn_files(search);
  int needed = needed_major(search);
  const int alone = needed == 0 && cudnn_major == 0 ? major_without_shim(search, mapped) : 0;
  if (alone != 0) needed = alone;
  observed.cudnn_major = choose_major(mapped, needed, cudnn_major);
  observed.linked = needed != 0;
  for (const mapped_cudnn& m : mapped) {
    observed.linked =
        observed.linked || (m.role == library_role::shim && !m.object->other_namespace);
  }
  const arena_vector<preload> preloaded = search.preloads();
  cudnn_search usual(search, loader::view::as_is, observed.cudnn_major, mapped, preloaded);
  if (alone != 0) usual.leave_out_shim();
  observed.files = usual.run(nullptr);
  observed.other_rules = search.other_rules();
  observed.left_out = usual.left_out();
  observed.not_reached = usual.not_reached();
  observed.shims_agree =
      shims_agree(search, observed.cudnn_major, mapped, preloaded, observed.files);
  observed.orders.clear();
  if (alone != 0 || !usual.order_matters()) return;
  for (const first_calls& first : orders_of_first_calls(observed.cudnn_major)) {
    cudnn_search other(search, loader::view::as_is, observed.cudnn_major, mapped, preloaded);
    order_variant order;
    order.files = differing_files(observed.files, other.run(&first));
    if (order.files.empty()) continue;
    for (const library_role::known role : first.roles) {
      if (role != library_role::none) order.first_calls.push_back(role);
    }
    observed.orders.push_back(order);
  }
}

void observe_other_files(loader& search, observation& observed) {
  find_near_misses(search, observed);
  observed.alternatives.clear();
  const arena_vector<mapped_cudnn> mapped = mapped_cudnn_files(search);
  if (observed.ld_library_path.empty() || has_renamed_shim(mapped)) return;
  const arena_string opener =
      needed_major(search) == 0 ? needs_shim(search, mapped) : arena_string();
  const arena_vector<mapped_cudnn> nothing;
  cudnn_search other(search, loader::view::without_ld_library_path, observed.cudnn_major, nothing,
                     {}, opener);
  note_alternatives(other.run(nullptr), observed);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

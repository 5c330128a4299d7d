// SPDX-License-Identifier: BSD-3-Clause
#include "worker.h"

#include <cudnn.h>

#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "../../../convolution/gpu_uuid.h"
#include "../../../core/judge/advice/advice.h"
#include "../../../opened/opened.h"
#include "../model/line.h"
#include "../problems/problems.h"
#include "algorithm_plans.h"
#include "line_pipe.h"
#include "plan_list.h"
#include "plan_runner.h"
#include "problem_graph.h"

namespace cudnn_checked::sweep {

/// The reasons that people meet, in their words.
static bool find_gpu(int device, int& found, std::string& why) {
  arena_string error;
  if (!opened::open_driver(error)) {
    why = std::string("no NVIDIA driver can be used: ") + error.c_str();
    return false;
  }
  int count = 0;
  const cudaError_t told = cudaGetDeviceCount(&count);
  if (told == cudaErrorNoDevice || (told == cudaSuccess && count == 0)) {
    why = "there is no GPU that CUDA can use";
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (visible != nullptr) why += std::string(": CUDA_VISIBLE_DEVICES=") + visible;
  } else if (told == cudaSuccess && device >= count) {
    why = "there is no GPU " + std::to_string(device) + ": CUDA counts " + std::to_string(count) +
          ", from 0";
  }
  if (why.empty()) found = count;
  return why.empty();
}

namespace {

enum worker_exit : int {
  worker_done = 0,
  worker_parent_gone = 1,
  worker_lost = 2,
  worker_cannot = 3
};

/// Compiling a plan at run time takes 0.1 to 25 s on an H200 (measured, 9.19.0), and all that is
/// not compiled 0.2 s a problem.  So of an engine that is compiled only the best offer is run for
/// each problem, and what else there is of it where a cuDNN was seen to go wrong, and for one
/// problem in so many.
constexpr std::size_t compile_all_every = 8;
/// Of a recurrent network an algorithm is compiled, with each math type.
constexpr std::size_t compile_network_every = 64;

class worker_session {
 public:
  worker_session(const request& given, int input, int output, filter_maker make_filter)
      : asked_(given), input_(input), output_(output), make_filter_(make_filter) {}

  int run() {
    std::string why;
    if (!open(why)) {
      say(message(why, on_.gpus));
      return worker_cannot;
    }
    plan_runner runner(asked_.worker_bytes);
    runner_ = &runner;
    cuda_failure told;
    if (!runner.start(told)) {
      say(message(to_text(told), on_.gpus));
      return worker_cannot;
    }
    say(message(on_));
    line_source from(input_);
    std::string line;
    message given;
    while (from.next(line)) {
      if (!read_line(line, given) || given.what != message::kind::compute) return worker_cannot;
      if (!do_problem(given)) break;
    }
    return ending_;
  }

 private:
  bool open(std::string& why) {
    arena_string error;
    if (!opened::open_cudnn(arena_string(asked_.library.c_str()), error)) {
      const std::string directory = asked_.library.substr(0, asked_.library.rfind('/'));
      why = std::string(error.c_str()) + "; to learn more type: cudnn-checked probe " +
            quoted(arena_string(directory.c_str())).c_str();
      return false;
    }
    if (!find_gpu(asked_.devices.front(), on_.gpus, why)) return false;
    cuda_failure told;
    if (!describe_machine(told)) {
      why = to_text(told);
      return false;
    }
    compute::failure refused;
    if (!compute::noted(cudnnCreate(&handle_), "cudnnCreate", "", refused)) {
      why = to_text(refused);
      return false;
    }
    if (asked_.errata.empty() || make_filter_ == nullptr) return true;
    is_left_out_ = make_filter_(asked_.errata, on_.cudnn, why);
    return static_cast<bool>(is_left_out_);
  }

  bool describe_machine(cuda_failure& told) {
    on_.cudnn = decode_cudnn_version(cudnnGetVersion());
    on_.cudart = decode_cuda_version(cudnnGetCudartVersion());
    int driver = 0;
    cudaDeviceProp properties = {};
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    if (!did(cudaDriverGetVersion(&driver), "cudaDriverGetVersion", told) ||
        !did(cudaGetDeviceProperties(&properties, asked_.devices.front()),
             "cudaGetDeviceProperties", told) ||
        !did(cudaSetDevice(asked_.devices.front()), "cudaSetDevice", told) ||
        !did(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo", told)) {
      return false;
    }
    on_.driver = decode_cuda_version(static_cast<unsigned long long>(driver));
    on_.gpu = properties.name;
    on_.gpu_uuid = compute::gpu_uuid(properties.uuid).text;
    on_.capability = 10 * properties.major + properties.minor;
    on_.memory_free = free_bytes;
    on_.memory_total = total_bytes;
    return true;
  }

  /// False if this process computes no more: `ending_` says why.
  bool do_problem(const message& given) {
    left_ = {};
    problem_ = given.problem;
    what_ = problem_at(asked_, given.problem);
    const std::size_t every = is_network(what_.what) ? compile_network_every : compile_all_every;
    compiles_all_ = is_suspect(asked_, problem_) || problem_ % every == 0;
    if (given.number == 0) say({problem_, 0, plan()});
    const bool goes_on = has_algorithms(what_.what) ? do_algorithms(given) : do_graph(given);
    if (!goes_on) return false;
    message counts(message::kind::counts, problem_);
    counts.left = left_;
    say(counts);
    say(message(message::kind::end, problem_));
    return !parent_gone_ || end_with(worker_parent_gone);
  }

  bool do_graph(const message& given) {
    problem_graph graph(what_, cudnnGetVersion());
    plan_list plans;
    compute::failure refused;
    std::string words;
    const granted answered = plans.ask(handle_, graph, refused, words);
    if (answered == granted::unsupported) ++left_.unsupported;
    if (answered == granted::failed && given.number == 0 && !say_failed(refused, words, plan())) {
      return false;
    }
    say(message(message::kind::prepares, problem_));
    const std::size_t first = given.number > 0 ? given.number - 1 : 0;
    return first >= 2 * plans.size() || do_plans(graph, plans, first);
  }

  /// What no graph computes, with each algorithm.
  bool do_algorithms(const message& given) {
    say(message(message::kind::prepares, problem_));
    const std::unique_ptr<algorithm_plans> plans =
        make_algorithm_plans(handle_, asked_.devices.front(), what_, seed_of_numbers());
    for (std::size_t number = given.number > 0 ? given.number - 1 : 0; number < plans->size();
         ++number) {
      if (must_end()) return false;
      if (!do_algorithm(*plans, number)) return false;
    }
    return true;
  }

  bool do_algorithm(algorithm_plans& plans, std::size_t number) {
    const plan with = plans.at(number);
    say({problem_, number + 1, with});
    if (with.compiled_at_run && !compiles_all_) {
      ++left_.skipped;
      return true;
    }
    built_plan built;
    compute::failure refused;
    const granted made = plans.build(number, built, refused);
    if (made == granted::unsupported) ++left_.unsupported;
    if (made == granted::failed) return say_failed(refused, to_text(refused), with);
    if (made != granted::yes) return true;
    say(message(message::kind::built, problem_, number + 1));
    cuda_failure told;
    if (!runner_->begin(plans.numbers(), plans.execution(), device_memory::best_alignment, told)) {
      if (told.status != cudaErrorMemoryAllocation) return end_with(worker_lost);
      ++left_.too_large;
      return true;
    }
    return run_built(built);
  }

  /// `ending_` says why.
  bool must_end() {
    if (parent_gone_) return !end_with(worker_parent_gone);
    return has_ended(input_) && !end_with(worker_done);
  }

  /// Of a problem that is drawn or given, what repeats it has the same numbers.
  std::uint64_t seed_of_numbers() const {
    const bool is_of_list = !asked_.random && asked_.listed.empty();
    return is_of_list ? problem_ + 1 : compute::hash_of(to_string(what_));
  }

  /// Plans from `first` on, in two passes: those that are compiled at run time come last.
  bool do_plans(const problem_graph& graph, const plan_list& plans, std::size_t first) {
    const problem_numbers numbers = graph.numbers(seed_of_numbers());
    graph_execution execution(handle_, graph);
    // Parts of larger tensors lie so.
    const std::size_t alignment = (seed_of_numbers() - 1) % 4 == 3
                                      ? static_cast<std::size_t>(compute::declared_alignment)
                                      : device_memory::best_alignment;
    put_off_.assign(plans.size(), false);
    if (first > 0) find_put_off(plans);
    cuda_failure told;
    if (!runner_->begin(numbers, execution, alignment, told)) {
      if (told.status != cudaErrorMemoryAllocation) return end_with(worker_lost);
      left_.too_large += plans.size();
      return true;
    }
    for (std::size_t number = first; number < 2 * plans.size(); ++number) {
      if (must_end() || !do_plan(plans, number)) return false;
    }
    return true;
  }

  bool do_plan(const plan_list& plans, std::size_t number) {
    const bool first_pass = number < plans.size();
    const std::size_t position = first_pass ? number : number - plans.size();
    // In the second pass those that were put off are known.
    if (!first_pass && !put_off_[position]) return true;
    if (first_pass) say({problem_, number + 1, plans.at(position)});
    built_plan built;
    compute::failure refused;
    const granted described = plans.describe(position, built, refused);
    if (described == granted::unsupported) ++left_.unsupported;
    if (described == granted::failed) return say_failed(refused, to_text(refused), built.with);
    if (described != granted::yes || built.known) return true;
    if (is_blocked(built.with)) {
      ++left_.blocked;
      return true;
    }
    if (first_pass && built.with.compiled_at_run) {
      put_off_[position] = true;
      return true;
    }
    if (built.with.compiled_at_run && !built.best && !compiles_all_) {
      ++left_.skipped;
      return true;
    }
    if (!first_pass) say({problem_, number + 1, built.with});
    return build_and_run(plans, number, built);
  }

  bool build_and_run(const plan_list& plans, std::size_t number, built_plan& built) {
    const std::size_t position = number < plans.size() ? number : number - plans.size();
    compute::failure refused;
    const granted finished = plans.build(position, built, refused);
    if (finished == granted::unsupported) ++left_.unsupported;
    if (finished == granted::failed) return say_failed(refused, to_text(refused), built.with);
    if (finished != granted::yes) return true;
    say(message(message::kind::built, problem_, number + 1));
    return run_built(built);
  }

  bool run_built(const built_plan& built) {
    result came;
    const ran ended = runner_->run(built, came);
    if (ended == ran::too_large) ++left_.too_large;
    if (ended == ran::refused) ++left_.unsupported;
    if (ended == ran::too_large || ended == ran::refused) return true;
    say_result(came, built.with);
    return ended == ran::yes || end_with(worker_lost);
  }

  /// What the first pass of a process that died has put off.
  void find_put_off(const plan_list& plans) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      built_plan built;
      compute::failure refused;
      put_off_[i] = plans.describe(i, built, refused) == granted::yes && !built.known &&
                    built.with.compiled_at_run && !is_blocked(built.with);
    }
  }

  bool say_failed(const compute::failure& refused, const std::string& words, const plan& with) {
    if (opened::is_out_of_memory(refused.status)) {
      ++left_.too_large;
    } else {
      result came;
      came.what = outcome::failed;
      came.detail = words;
      say_result(came, with);
    }
    // What made it fail may have made the context unusable.
    cuda_failure told;
    return did(cudaDeviceSynchronize(), "cudaDeviceSynchronize", told) || end_with(worker_lost);
  }

  bool is_blocked(const plan& with) const { return is_left_out_ && is_left_out_(what_, with); }

  bool end_with(int ending) {
    ending_ = ending;
    return false;
  }
  void say(const message& what) {
    if (!write_line(output_, to_line(what))) parent_gone_ = true;
  }
  void say_result(result& came, plan with) {
    came.problem = problem_;
    came.with = std::move(with);
    say(message(came));
  }

  const request& asked_;
  int input_;
  int output_;
  bool parent_gone_ = false;
  int ending_ = worker_done;
  machine on_;
  filter_maker make_filter_;
  plan_filter is_left_out_;
  cudnnHandle_t handle_ = nullptr;  ///< never given back: the process ends with it
  plan_runner* runner_ = nullptr;
  std::size_t problem_ = 0;
  problem what_;
  bool compiles_all_ = false;
  std::vector<bool> put_off_;  ///< by the position of a plan
  not_run left_;
};

}  // namespace

int run_worker(const request& asked, int input, int output, filter_maker make_filter) {
  // Not destroyed: destructors of descriptors call a cuDNN whose context may be lost.
  return (new worker_session(asked, input, output, make_filter))->run();
}

}  // namespace cudnn_checked::sweep

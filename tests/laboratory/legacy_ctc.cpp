// SPDX-License-Identifier: BSD-3-Clause
//
// CTC: the reference against the sum over all paths that there are, and against slopes.
#include <cmath>
#include <vector>

#include "laboratory/legacy/ctc_sequence.h"
#include "legacy_arrays.h"

namespace legacy_test::of_ctc {

namespace {

using cudnn_checked::compute::ctc;
using cudnn_checked::compute::ctc_numbers;
using cudnn_checked::compute::ctc_sequence;

constexpr std::size_t classes = 3, steps = 6;

/// The labels that a path stands for: repetitions are one, then blanks are left out.
std::vector<int> labels_of(std::size_t path) {
  std::vector<int> made;
  int before = 0;
  for (std::size_t t = 0; t < steps; ++t, path /= classes) {
    const int now = static_cast<int>(path % classes);
    if (now != 0 && now != before) made.push_back(now);
    before = now;
  }
  return made;
}

double loss_of_all_paths(const numbers& logits, const std::vector<int>& labels) {
  std::size_t paths = 1;
  for (std::size_t t = 0; t < steps; ++t) paths *= classes;
  double probability = 0;
  for (std::size_t path = 0; path < paths; ++path) {
    if (labels_of(path) != labels) continue;
    double logarithm = 0;
    std::size_t rest = path;
    for (std::size_t t = 0; t < steps; ++t, rest /= classes) {
      double sum = 0;
      for (std::size_t k = 0; k < classes; ++k) sum += std::exp(logits[t * classes + k]);
      logarithm += logits[t * classes + rest % classes] - std::log(sum);
    }
    probability += std::exp(logarithm);
  }
  return -std::log(probability);
}

ctc_numbers of_reference(const numbers& logits, const std::vector<int>& labels) {
  ctc_sequence what;
  what.logits = logits.data();
  what.steps = steps;
  what.classes = what.step = classes;
  what.labels = labels;
  return ctc(what);
}

}  // namespace

TEST_CASE("ctc: the loss of all paths, and its slope") {
  const numbers logits = fused_test::elements_drawn(3, element::fp32, steps * classes);
  for (const std::vector<int>& labels :
       {std::vector<int>{1}, {1, 2}, {1, 1}, {2, 1, 2}, {1, 1, 2, 2}}) {
    const ctc_numbers made = of_reference(logits, labels);
    CHECK(made.loss == doctest::Approx(loss_of_all_paths(logits, labels)).epsilon(1e-12));
    CHECK(made.loss_bound < 1e-4);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      numbers more = logits, less = logits;
      more[i] += 1e-5;
      less[i] -= 1e-5;
      const double slope =
          (loss_of_all_paths(more, labels) - loss_of_all_paths(less, labels)) / 2e-5;
      CHECK(std::fabs(made.gradient.value[i] - slope) < 1e-8);
      CHECK(made.gradient.bound[i] < 1e-3);
    }
  }
}

TEST_CASE("ctc: gradients of a step add up to 0, and behind a sequence any is right") {
  const legacy_problem problem =
      problem_with(fused_operation::ctc_loss, element::fp32, "24x5x12x1 nchw, 6 labels, lengths");
  const bounded& dx = array_of(problem, "dx").expected;
  const std::vector<std::int32_t>& lengths = array_of(problem, "lengths").lengths;
  REQUIRE(lengths.size() == 5);
  CHECK(lengths[0] == 24);
  CHECK(lengths[1] == 20);
  for (std::size_t t = 0; t < 24; ++t) {
    for (std::size_t n = 0; n < 5; ++n) {
      double sum = 0;
      for (std::size_t k = 0; k < 12; ++k) {
        const std::size_t i = (t * 5 + n) * 12 + k;
        sum += dx.value[i];
        CHECK((dx.bound[i] == bounded::not_looked_at) ==
              (t >= static_cast<std::size_t>(lengths[n])));
      }
      CHECK(std::fabs(sum) < 1e-12);
    }
  }
  CHECK(array_of(problem, "labels").lengths.size() ==
        static_cast<std::size_t>(array_of(problem, "lengths of labels").lengths[0] * 5 - 4));
}

TEST_CASE("ctc: the loss of labels without their last is beyond the bound") {
  const numbers logits = fused_test::elements_drawn(4, element::fp32, steps * classes);
  const ctc_numbers right = of_reference(logits, {1, 2, 1});
  const ctc_numbers wrong = of_reference(logits, {1, 2});
  CHECK(std::fabs(right.loss - wrong.loss) > 4 * right.loss_bound);
}

}  // namespace legacy_test::of_ctc

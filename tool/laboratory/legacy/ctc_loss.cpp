// SPDX-License-Identifier: BSD-3-Clause
//
// CTC of a batch; x has an image for each step, with a channel for each sequence and a row of
// classes.  The last sixth of the steps of every second sequence is no part of it, unless all are
// alike; there any gradient is right.
#include "ctc_sequence.h"
#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const ctc_loss&, fused_operation what) { return what == fused_operation::ctc_loss; }

std::string text_of(const ctc_loss& what) {
  return std::to_string(what.longest) + " labels" + (what.alike ? "" : ", lengths") +
         (what.on_gpu ? ", v8" : "");  // the algorithm is a fact of its own
}

namespace {

ctc_sequence sequence_of(const ctc_loss& what, random_numbers& random, const tensor& x,
                         std::size_t number) {
  ctc_sequence made;
  const bool is_short = !what.alike && number % 2 == 1;
  made.steps = extent(x, 0) - (is_short ? extent(x, 0) / 6 : 0);
  made.classes = extent(x, 2);
  made.step = extent(x, 1) * made.classes;
  const std::size_t labels = static_cast<std::size_t>(what.longest) - (what.alike ? 0 : number % 3);
  for (std::size_t i = 0; i < labels; ++i) {
    made.labels.push_back(1 + static_cast<int>(random.next() % (made.classes - 1)));
  }
  // The same label twice has a blank between.
  if (labels > 1) made.labels[1] = made.labels[0];
  return made;
}

fused_array whole_numbers(const char* name, std::vector<std::int32_t> values) {
  fused_array made;
  made.name = name;
  made.type = element::fp32;
  made.count = values.size();
  made.lengths = std::move(values);
  return made;
}

}  // namespace

void add_arrays(const ctc_loss& what, random_numbers& random, legacy_problem& problem) {
  const std::size_t batch = extent(problem.x, 1);
  const std::size_t classes = extent(problem.x, 2);
  std::vector<double> x = numbers_of(random, element::fp32, problem.x.elements());
  for (double& value : x) value *= 2;
  std::vector<std::int32_t> labels, label_lengths, lengths;
  bounded loss(batch, 0);
  bounded dx(x.size(), bounded::not_looked_at);
  for (std::size_t n = 0; n < batch; ++n) {
    ctc_sequence one = sequence_of(what, random, problem.x, n);
    one.logits = &x[n * classes];
    const ctc_numbers numbers = ctc(one);
    loss.value[n] = numbers.loss;
    loss.bound[n] = numbers.loss_bound;
    for (std::size_t i = 0; i < numbers.gradient.value.size(); ++i) {
      const std::size_t at = i / classes * one.step + n * classes + i % classes;
      dx.value[at] = numbers.gradient.value[i];
      dx.bound[at] = numbers.gradient.bound[i];
    }
    labels.insert(labels.end(), one.labels.begin(), one.labels.end());
    label_lengths.push_back(static_cast<std::int32_t>(one.labels.size()));
    lengths.push_back(static_cast<std::int32_t>(one.steps));
  }
  problem.arrays = {given("x", x),
                    whole_numbers("labels", labels),
                    whole_numbers("lengths of labels", label_lengths),
                    whole_numbers("lengths", lengths),
                    expected("loss", loss),
                    expected("dx", dx)};
}

}  // namespace cudnn_checked::compute

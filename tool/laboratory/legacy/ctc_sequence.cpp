// SPDX-License-Identifier: BSD-3-Clause
#include "ctc_sequence.h"

#include <algorithm>
#include <cmath>

#include "../fused/rounding.h"

namespace cudnn_checked::compute {

namespace {

/// A probability, and what its logarithm is off by in fp32.
struct likely {
  double p = 0;
  double error = 0;

  /// Of the sum, each logarithm counts as much as its part.
  void add(const likely& other, double factor = 1) {
    const double part = other.p * factor;
    if (part <= 0) return;
    error = (error * p + other.error * part) / (p + part);
    p += part;
  }
};

/// Of one sequence: the probabilities of all paths to and from a place of the labels with blanks
/// around each.  Float64 has 308 orders of magnitude, which is enough for some hundred steps.
///
/// A kernel adds the logarithm of a softmax (a sum of all classes, an exp and a log) to that of a
/// sum of three (again an exp and a log).  What the GPU's own instructions lose of all of them is
/// below 2^-19; what is rounded is as large as the logarithm.
class ctc_lattice {
 public:
  explicit ctc_lattice(const ctc_sequence& what)
      : what_(what), places_(2 * what.labels.size() + 1) {
    for (std::size_t t = 0; t < what.steps; ++t) add_softmax(what.logits + t * what.step);
    forward_.resize(what.steps * places_);
    backward_.resize(what.steps * places_);
    for (std::size_t t = 0; t < what.steps; ++t) {
      for (std::size_t s = 0; s < places_; ++s) forward_[at(t, s)] = come_to(t, s);
    }
    for (std::size_t t = what.steps; t-- > 0;) {
      for (std::size_t s = 0; s < places_; ++s) backward_[at(t, s)] = go_on(t, s);
    }
  }

  likely all() const {
    likely made;
    for (std::size_t s = 0; s < places_; ++s) {
      if (ends(s)) made.add(forward_[at(what_.steps - 1, s)]);
    }
    return made;
  }
  double p(std::size_t t, std::size_t k) const { return p_[t * what_.classes + k]; }
  /// Of all paths that are at class k then, as a part of all.
  likely share(std::size_t t, std::size_t k) const {
    const likely whole = all();
    likely made;
    for (std::size_t s = 0; s < places_; ++s) {
      if (class_of(s) != k) continue;
      const likely& before = forward_[at(t, s)];
      const likely& behind = backward_[at(t, s)];
      // exp(before + behind - all), whose logarithms are rounded as they are added.
      const double rounded = 4 * fp32_roundoff * std::fabs(std::log(whole.p));
      made.add({before.p, before.error + behind.error + whole.error + rounded}, behind.p / whole.p);
    }
    return made;
  }

 private:
  std::size_t at(std::size_t t, std::size_t s) const { return t * places_ + s; }
  std::size_t class_of(std::size_t s) const {
    return s % 2 == 0 ? 0 : static_cast<std::size_t>(what_.labels[s / 2]);
  }
  bool ends(std::size_t s) const { return s + 2 >= places_; }
  /// A path may leave out the blank between two labels that differ.
  bool may_skip_to(std::size_t s) const {
    return s >= 2 && s % 2 == 1 && class_of(s) != class_of(s - 2);
  }

  void add_softmax(const double* logits) {
    double sum = 0;
    for (std::size_t k = 0; k < what_.classes; ++k) sum += std::exp(logits[k]);
    for (std::size_t k = 0; k < what_.classes; ++k) p_.push_back(std::exp(logits[k]) / sum);
  }

  likely one_step_more(likely made) const {
    if (made.p <= 0) return made;
    made.error += accumulation(static_cast<double>(what_.classes)) + 1.0 / 524288 +
                  4 * fp32_roundoff * std::fabs(std::log(made.p));
    return made;
  }

  likely come_to(std::size_t t, std::size_t s) const {
    likely before;
    if (t == 0) {
      if (s < 2) before.p = p(0, class_of(s));
      return one_step_more(before);
    }
    const double factor = p(t, class_of(s));
    before.add(forward_[at(t - 1, s)], factor);
    if (s >= 1) before.add(forward_[at(t - 1, s - 1)], factor);
    if (may_skip_to(s)) before.add(forward_[at(t - 1, s - 2)], factor);
    return one_step_more(before);
  }

  /// Without what the place itself costs.
  likely go_on(std::size_t t, std::size_t s) const {
    likely after;
    if (t + 1 == what_.steps) {
      after.p = ends(s) ? 1 : 0;
      return after;
    }
    for (std::size_t next = s; next < std::min(s + 3, places_); ++next) {
      if (next == s + 2 && !may_skip_to(next)) continue;
      after.add(backward_[at(t + 1, next)], p(t + 1, class_of(next)));
    }
    return one_step_more(after);
  }

  const ctc_sequence& what_;
  std::size_t places_;
  std::vector<double> p_;
  std::vector<likely> forward_, backward_;
};

}  // namespace

ctc_numbers ctc(const ctc_sequence& what) {
  const ctc_lattice lattice(what);
  const likely all = lattice.all();
  ctc_numbers made;
  made.loss = -std::log(all.p);
  made.loss_bound = all.error + fp32_roundoff * made.loss;
  made.gradient = bounded(what.steps * what.classes, 0);
  const double of_softmax = accumulation(static_cast<double>(what.classes)) + 64 * fp32_roundoff;
  for (std::size_t t = 0; t < what.steps; ++t) {
    for (std::size_t k = 0; k < what.classes; ++k) {
      const likely share = lattice.share(t, k);
      const std::size_t i = t * what.classes + k;
      made.gradient.value[i] = lattice.p(t, k) - share.p;
      made.gradient.bound[i] =
          share.error * share.p + of_softmax * lattice.p(t, k) + 4 * fp32_roundoff;
    }
  }
  return made;
}

}  // namespace cudnn_checked::compute

// SPDX-License-Identifier: BSD-3-Clause
#include "problems.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "../../../convolution/values.h"
#include "../../fused/problem_table.h"
#include "listed_algorithms.h"
#include "random_problem.h"

namespace cudnn_checked::sweep {

enum class shape_list { seen, ordinary, large };

struct curated_shape {
  shape_list list;
  const char* text;
};

static constexpr curated_shape curated_shapes[] = {
#define CUDNN_CHECKED_SHAPE(list, text, reason) {shape_list::list, text},
#include "shapes.def"
#undef CUDNN_CHECKED_SHAPE
};

static constexpr std::size_t count_of(shape_list wanted) {
  std::size_t count = 0;
  for (const curated_shape& one : curated_shapes) count += one.list == wanted ? 1 : 0;
  return count;
}

/// Where a list begins: its shapes stand together.
static constexpr std::size_t begin_of(shape_list wanted) {
  std::size_t at = 0;
  while (curated_shapes[at].list != wanted) ++at;
  return at;
}

/// What a row of problems is made of: a curated shape for each combination, or random ones.
struct row_of_problems {
  bool random = true;
  shape_list list = shape_list::seen;
  std::size_t number = 0;  ///< how many rows of that list come before
};

/// The order that the header explains.
static row_of_problems row_at(std::size_t row) {
  constexpr std::size_t seen_rows = count_of(shape_list::seen);
  if (row < seen_rows) return {false, shape_list::seen, row};
  const std::size_t round = (row - seen_rows) / 6;
  const std::size_t place = (row - seen_rows) % 6;
  if (place == 5) return {round >= count_of(shape_list::large), shape_list::large, round};
  const std::size_t number = 3 * round + place / 2;
  return {place % 2 == 1 || number >= count_of(shape_list::ordinary), shape_list::ordinary, number};
}

/// For each combination another shape, spread over the list; each is met once as `number` grows.
static shape curated_at(const row_of_problems& row, std::size_t combination,
                        std::size_t combinations) {
  const std::size_t count = count_of(row.list);
  const std::size_t step = count > combinations ? count / combinations : 1;
  const std::size_t place =
      row.list == shape_list::seen ? row.number : (row.number + combination * step) % count;
  shape of;
  (void)read_shape(curated_shapes[begin_of(row.list) + place].text, of);  // a test reads them all
  return of;
}

/// Those of one operation.
static std::vector<problem> fused_problems(operation what, const std::vector<element>& types) {
  if (has_algorithms(what)) return listed_with_algorithms(what, types);
  std::vector<problem> made;
  for (const compute::fused_choice& one : compute::fused_choices(fused_of(what))) {
    if (std::find(types.begin(), types.end(), one.type) == types.end()) continue;
    made.emplace_back();
    made.back().what = what;
    made.back().type = one.type;
    made.back().fused_shape = compute::fused_shape(fused_of(what), one.row);
  }
  return made;
}

/// One of each operation in turn.
static std::vector<problem> fused_problems(const request& asked) {
  std::vector<std::vector<problem>> all;
  std::size_t longest = 0;
  for (const operation what : asked.operations) {
    if (!is_fused(what)) continue;
    all.push_back(fused_problems(what, asked.types));
    longest = std::max(longest, all.back().size());
  }
  std::vector<problem> made;
  for (std::size_t i = 0; i < longest; ++i) {
    for (const std::vector<problem>& of_one : all) {
      if (i < of_one.size()) made.push_back(of_one[i]);
    }
  }
  return made;
}

static std::vector<operation> convolutions_of(const request& asked) {
  std::vector<operation> made;
  std::copy_if(asked.operations.begin(), asked.operations.end(), std::back_inserter(made),
               [](operation what) { return !is_fused(what); });
  return made;
}

static std::vector<element> convolution_types_of(const request& asked) {
  std::vector<element> made;
  std::copy_if(asked.types.begin(), asked.types.end(), std::back_inserter(made), has_convolutions);
  return made;
}

/// What a row of problems has: each operation in each type and layout.
static std::size_t combinations_of(const request& asked) {
  return convolutions_of(asked).size() * convolution_types_of(asked).size() * 2;
}

static problem convolution_at(const request& asked, std::size_t index) {
  const std::vector<operation> what = convolutions_of(asked);
  const std::vector<element> of_types = convolution_types_of(asked);
  const std::size_t operations = what.size();
  const std::size_t types = of_types.size();
  const std::size_t combinations = combinations_of(asked);
  const row_of_problems row = row_at(index / combinations);
  // Rows begin with different combinations: none is always at an even or an odd index.
  const std::size_t combination = (index + index / combinations / 2) % combinations;
  problem made;
  made.what = what[combination % operations];
  made.type = of_types[combination / operations % types];
  made.layout = combination / (operations * types) == 0 ? tensor_layout::nchw : tensor_layout::nhwc;
  if (row.random) {
    compute::random_numbers seeds(asked.seed);
    made.of = random_shape(seeds.next() + index, most_ordinary_products);
  } else {
    made.of = curated_at(row, combination, combinations);
  }
  return made;
}

problem problem_at(const request& asked, std::size_t index) {
  if (!asked.listed.empty()) return asked.listed[index % asked.listed.size()];
  if (asked.random) return random_problem(asked, index);
  const std::vector<problem> fused = fused_problems(asked);
  return index < fused.size() ? fused[index] : convolution_at(asked, index - fused.size());
}

std::vector<element> usual_types(const std::vector<operation>& operations) {
  std::vector<element> made = request().types;
  const bool has_e4m3 = any_of(operations, [](operation what) {
    return is_fused(what) && !fused_problems(what, {element::e4m3}).empty();
  });
  if (has_e4m3) made.push_back(element::e4m3);
  return made;
}

std::size_t problem_count(const request& asked) {
  if (!asked.listed.empty()) return asked.listed.size();
  if (asked.random) return has_random_problems(asked) ? endless : 0;
  return combinations_of(asked) == 0 ? fused_problems(asked).size() : endless;
}

bool is_suspect(const request& asked, std::size_t index) {
  if (!asked.listed.empty() || asked.random) return !asked.random;
  const std::size_t fused = fused_problems(asked).size();
  return index < fused || (index - fused) / combinations_of(asked) < count_of(shape_list::seen);
}

}  // namespace cudnn_checked::sweep

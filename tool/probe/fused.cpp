// SPDX-License-Identifier: BSD-3-Clause
//
// What the probe has besides where fused operations are asked for.
#include "../laboratory/fused/attention_graph.cpp"
#include "../laboratory/fused/attention_problem.cpp"
#include "../laboratory/fused/attention_reference.cpp"
#include "../laboratory/fused/biased_convolution_reference.cpp"
#include "../laboratory/fused/compare.cpp"
#include "../laboratory/fused/convolution_graph.cpp"
#include "../laboratory/fused/graph_builder.cpp"
#include "../laboratory/fused/matrix_graph.cpp"
#include "../laboratory/fused/matrix_reference.cpp"
#include "../laboratory/fused/norm_graph.cpp"
#include "../laboratory/fused/norm_reference.cpp"
#include "../laboratory/fused/problem.cpp"
#include "../laboratory/fused/problem_table.cpp"
#include "../laboratory/fused/values.cpp"
#include "fused_run.cpp"

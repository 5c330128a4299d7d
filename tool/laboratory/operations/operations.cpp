// SPDX-License-Identifier: BSD-3-Clause
//
// What a probe has besides where operations are asked for.
#include "../../probe/operations.h"

#ifdef CUDNN_CHECKED_PROBE_FUSED
#include "../fused/attention_graph.cpp"
#include "../fused/attention_problem.cpp"
#include "../fused/attention_reference.cpp"
#include "../fused/biased_convolution_reference.cpp"
#include "../fused/compare.cpp"
#include "../fused/convolution_graph.cpp"
#include "../fused/graph_builder.cpp"
#include "../fused/matrix_graph.cpp"
#include "../fused/matrix_reference.cpp"
#include "../fused/norm_graph.cpp"
#include "../fused/norm_reference.cpp"
#include "../fused/problem.cpp"
#include "../fused/problem_table.cpp"
#include "../fused/values.cpp"
#include "../recurrent/cells.cpp"
#include "../recurrent/network.cpp"
#include "../recurrent/problem.cpp"
#include "../recurrent/reference.cpp"
#include "../recurrent/run.cpp"
#include "fused_run.cpp"
#include "recurrent_operation.cpp"
#include "run_operation.cpp"
#endif

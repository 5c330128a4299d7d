// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// none: a single convolution.
enum class fused_operation : unsigned char {
  none,
#define FUSED(name, text) name,
#include "fused_operations.def"
#undef FUSED
};

/// All but none.
constexpr fused_operation fused_operations[] = {
#define FUSED(name, text) fused_operation::name,
#include "fused_operations.def"
#undef FUSED
};

/// "attention/backward"; empty for none.
const char* to_string(fused_operation operation);
/// None where the text is no whole name of one.
fused_operation parse_fused_operation(std::string_view text);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

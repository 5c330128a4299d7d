// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "arena_string.h"
#include "arena_vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The known word that was meant by one that is not known: the one with the fewest letters to
/// change, add, leave out or swap, in upper or lower case, or one that goes on behind a "_" where
/// the other ends ("cnn", "cnn_infer"), or that it begins with ("warning").  Empty: none is near.
arena_string nearest_word(std::string_view word, const arena_vector<arena_string>& known);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

// SPDX-License-Identifier: BSD-3-Clause
#include "end_words.h"

#include "../spawn/spawn.h"

namespace cudnn_checked::prove {

end_words words_of_end(const end_of_program& end) {
  if (end.ended == "timeout") {
    return {finding_id::probe_timeout, "the probe did not finish within " + end.detail, "limit",
            "A program that uses this cuDNN may hang in the same call."};
  }
  if (end.ended == "not-started") {
    return {finding_id::probe_crashed, "the probe could not be started", "ended with", ""};
  }
  if (end.ended == "crashed") {
    return {finding_id::probe_crashed, "the probe crashed with " + end.detail, spawn::signal_word(),
            "A program that uses this cuDNN would crash in the same call."};
  }
  return {finding_id::probe_crashed,
          "the probe ended with status " + end.detail + ", and its report gives no reason",
          "status", "A library, a sanitizer or a preloaded library ended it; nothing was proved."};
}

}  // namespace cudnn_checked::prove

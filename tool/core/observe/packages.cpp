// SPDX-License-Identifier: BSD-3-Clause
//
// The records that installers leave: wheels' RECORD and METADATA, conda-meta, dpkg, rpm.
#include "observe.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void observe_packages(const system_interface&, observation&) {}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

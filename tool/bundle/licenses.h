// SPDX-License-Identifier: BSD-3-Clause
//
// Where packages keep their licenses: <name>.dist-info/licenses of a wheel (PEP 639), or beside its
// METADATA; /usr/share/doc/<package>/copyright (Debian Policy 12.5); above lib in NVIDIA's
// archives.
#pragma once

#include "../core/model/observation.h"
#include "bundle.h"

namespace cudnn_checked::bundles {

/// Fills licenses and unlicensed for the files of the bundle.
void find_licenses(const system_interface& os, const observation& observed, bundle& chosen);

}  // namespace cudnn_checked::bundles

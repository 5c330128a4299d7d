// SPDX-License-Identifier: BSD-3-Clause
//
// Whether two findings are the same fault.
#include <doctest/doctest.h>

#include "core/judge/advice/advice.h"
#include "repair/adviser.h"

using namespace cudnn_checked;

TEST_CASE("two known defects of one release keep a fix each") {
  const auto defect = [](const char* summary, const char* fix) {
    finding f(finding_id::cudnn_known_bad);
    f.summary = summary;
    f.fix = {advice(fix)};
    return f;
  };
  const arena_vector<finding> tried = {defect("sdpa-kv-tail", "upgrade"),
                                       defect("sdpa-one-query", "give the row twice")};
  arena_vector<finding> told = {defect("sdpa-one-query", ""), defect("sdpa-kv-tail", "")};
  repairs::take_fixes(tried, told);
  CHECK(told[0].fix[0].text == "give the row twice");
  CHECK(told[1].fix[0].text == "upgrade");
}

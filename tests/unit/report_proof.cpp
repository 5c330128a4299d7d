// SPDX-License-Identifier: BSD-3-Clause
//
// The lines that CMake reads of a report.
#include "core/report/proof.h"

#include <doctest.h>

using namespace cudnn_checked;

TEST_CASE("the hash is that of RFC 1321, appendix A.5") {
  CHECK(md5_of("") == "d41d8cd98f00b204e9800998ecf8427e");
  CHECK(md5_of("abc") == "900150983cd24fb0d6963f7d28e17f72");
  CHECK(
      md5_of("12345678901234567890123456789012345678901234567890123456789012345678901234567890") ==
      "57edf4a22be3c955ac49da2e2107b67a");
  // A padding that fills its block, and one that needs another.
  CHECK(md5_of("1234567890123456789012345678901234567890123456789012345") ==
        "c9ccf168914a1bcfc3229f1948e67da0");
  CHECK(md5_of("12345678901234567890123456789012345678901234567890123456") ==
        "49f193adce178490e34d1b3a4ec0064c");
}

TEST_CASE("what divides lines and lists of CMake is hidden in a value") {
  proof_lines lines;
  lines.add("there", "a\nb\\c[d]e;f\x01\x05");
  CHECK(lines.whole().substr(0, 26) == "proof_there=a\1b\2c\3d\4e\5f??\n");
}

TEST_CASE("a report as facts") {
  json report;
  arena_string error;
  REQUIRE(parse_json(R"({"verdict": "ok", "level": "ran",
      "triple": {"architectures": ["sm_75", "unknown", "sm_90a"]},
      "cudnn": {"header": {"version": "9.14.0"}, "library": {"version": "9.14.0", "cudart": "unknown"}},
      "needs": ["graph", "ops"], "cuda": {"toolkit": "13.0", "runtime": "13.0", "driver": ""},
      "kernel": {"compiled": ["75-real"]}, "sweep": {"asked": 2, "counts": {"plans": 7}}})",
                     report, error));
  const arena_string facts =
      "proof_stage=\nproof_untried=\nproof_verdict=ok\nproof_level=ran\n"
      "proof_library_version=9.14.0\nproof_cudart_version=\nproof_toolkit=13.0\n"
      "proof_runtime=13.0\nproof_driver=\nproof_architectures=75\00590a\n"
      "proof_operations=\nproof_needs=graph\005ops\nproof_kernel_code=75-real\nproof_swept_seconds="
      "2\n"
      "proof_swept_plans=7\n";
  CHECK(proof_of(facts_in(report)) == facts + "whole=" + md5_of(facts) + "\n");
}

TEST_CASE("a report that is not finished names its stage") {
  json report;
  arena_string error;
  REQUIRE(parse_json(R"({"verdict": "ok", "stage": "cudnnGetVersion", "kernel": null})", report,
                     error));
  CHECK(proof_of(facts_in(report)).substr(0, 60) ==
        "proof_stage=cudnnGetVersion\nproof_untried=\nproof_verdict=ok\n");
  CHECK(proof_of(facts_in(report), true).find("\nproof_untried=yes\n") != arena_string::npos);
}

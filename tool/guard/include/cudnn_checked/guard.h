/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The guard, for C and C++ programs: is the cuDNN that this program would run on still the one that
 * it was configured with, and can it run on this machine's GPUs?
 *
 * A target gets the guard by the CMake function cudnn_checked_guard(); this header works in the
 * sources of such a target only.  Nothing here initialises CUDA, loads a library of cuDNN or leaves
 * anything mapped that the program would not have.
 */
#ifndef CUDNN_CHECKED_GUARD_H
#define CUDNN_CHECKED_GUARD_H

#include <stddef.h>

#ifndef CUDNN_CHECKED_STAMP
#error "this target has no guard: call cudnn_checked_guard(<target>) in its CMakeLists.txt"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The symbols carry the release, so that two releases can live in one program. */
#define cudnn_checked_check_stamp cudnn_checked_0_1_check_stamp
#define cudnn_checked_require_stamp cudnn_checked_0_1_require_stamp
#define cudnn_checked_verdict_of cudnn_checked_0_1_verdict_of
#define cudnn_checked_finding_count cudnn_checked_0_1_finding_count
#define cudnn_checked_finding_at cudnn_checked_0_1_finding_at
#define cudnn_checked_text cudnn_checked_0_1_text
#define cudnn_checked_json cudnn_checked_0_1_json
#define cudnn_checked_free cudnn_checked_0_1_free

/* Exit status of a program that refuses to start: EX_CONFIG of sysexits.h. */
#define CUDNN_CHECKED_EXIT_STATUS 78

typedef enum cudnn_checked_verdict {
  CUDNN_CHECKED_VERDICT_OK = 0,
  CUDNN_CHECKED_VERDICT_UNKNOWN = 1, /* the result is not known */
  CUDNN_CHECKED_VERDICT_WARNING = 2,
  CUDNN_CHECKED_VERDICT_REFUSED = 3
} cudnn_checked_verdict;

/* One finding.  The strings live as long as the report. */
typedef struct cudnn_checked_finding {
  const char* name;     /* stable: "cudnn-older" */
  const char* severity; /* "error", "warning", "unknown" or "note" */
  const char* summary;
  const char* expected;
  const char* found;
  const char* where; /* the file or variable that decided, and why the loader chose it */
  const char* because;
  const char* fix;
} cudnn_checked_finding;

typedef struct cudnn_checked_report cudnn_checked_report;

/* The stamp of the target that this source belongs to, as JSON. */
const char* CUDNN_CHECKED_STAMP(void);

/* Use cudnn_checked_check() and cudnn_checked_require() below. */
cudnn_checked_report* cudnn_checked_check_stamp(const char* stamp);
void cudnn_checked_require_stamp(const char* stamp);

cudnn_checked_verdict cudnn_checked_verdict_of(const cudnn_checked_report* report);
size_t cudnn_checked_finding_count(const cudnn_checked_report* report);
/* All fields are empty strings where `index` is too large. */
cudnn_checked_finding cudnn_checked_finding_at(const cudnn_checked_report* report, size_t index);
/* For a person; empty where there is nothing to say.  Lives as long as the report. */
const char* cudnn_checked_text(const cudnn_checked_report* report);
/* Schema 1, docs/report.md.  Lives as long as the report. */
const char* cudnn_checked_json(const cudnn_checked_report* report);
/* Null is allowed. */
void cudnn_checked_free(cudnn_checked_report* report);

/*
 * Looks at the files of cuDNN, the driver, the GPUs and the program's device code, and judges them
 * against the stamp.  Never ends the program; may be called at any time, again and from any thread.
 * The caller frees the report with cudnn_checked_free().
 */
static inline cudnn_checked_report* cudnn_checked_check(void) {
  return cudnn_checked_check_stamp(CUDNN_CHECKED_STAMP());
}

/*
 * The same; where the verdict is refused, writes the text to stderr and calls exit(78).  The
 * environment variable CUDNN_CHECKED=warn makes it go on with the text as a warning,
 * CUDNN_CHECKED=off skips it.
 */
static inline void cudnn_checked_require(void) {
  cudnn_checked_require_stamp(CUDNN_CHECKED_STAMP());
}

#ifdef __cplusplus
}
#endif

#endif

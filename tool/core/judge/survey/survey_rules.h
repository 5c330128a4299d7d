// SPDX-License-Identifier: BSD-3-Clause
//
// Faults between installs and the loader, for people who look at a machine.  No rule here decides
// which versions may run together.
#pragma once

#include "../../model/survey.h"
#include "../judge.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The kind and the release of an install, and what is wrong with it.
struct install_judgement {
  judgement judged;
  arena_string kind;     ///< "full", "JIT-only", "partial"
  arena_string release;  ///< "9.14.0 for CUDA 13"
  version number;
  int cuda_major = 0;
};

/// The cuDNN that a program takes, according to its judgement.
taken_cudnn taken_by(const judgement& judged, int cudnn_major);

/// An install that is named must be whole by itself: files that the machine would lend it do not
/// count.
install_judgement judge_install_of_survey(const cudnn_install& install, bool is_named = false);

/// Is something gone of that package without which cuDNN does not compute?
bool lacks_what_computes(const recorded_package& recorded);

/// Whether a user of cuDNN has the finding only because a package of cuDNN lacks files.  It is then
/// reported with that package.
bool follows_from_absent(const environment& place, const cudnn_user& user, const finding& f);

/// Adds what is wrong with an environment; `told` are the findings of the installs.
void judge_environment(const environment& place, const arena_vector<finding>& told,
                       arena_vector<finding>& findings);

/// Is it one of several users of its package, and lacks what is somebody else's?
bool is_unused_plugin(const environment& place, const cudnn_user& user);

/// The findings of a user of cuDNN that concern its package.  A missing driver is the machine's
/// fault, and a plugin that lacks a library of another vendor is not used.
arena_vector<finding> told_of_user(const environment& place, const cudnn_user& user);

/// Whether a user of cuDNN has the same finding with more weight.  It is then reported for that
/// user.
bool is_graver_for_user(const survey& all, const finding& f);

/// "[cudnn-older]": the worst that is found of a user, and where that is of the machine, the worst
/// of the package, too; empty where nothing is worse than a note.
arena_string names_of_worst(const cudnn_user& user);

/// What LD_PRELOAD does to programs that are linked with the installs, if no finding shows it.
void judge_preloads(const survey& all, const arena_vector<install_judgement>& installs,
                    arena_vector<finding>& findings);

/// Libraries that have no shim beside them.
void rule_without_shim(const survey& all, arena_vector<finding>& findings);

/// Variables that name where a cuDNN is, and lead nowhere.
void rule_lost_hints(const survey& all, arena_vector<finding>& findings);

/// There are more installs than are looked at.
void rule_installs_left_out(const survey& all, arena_vector<finding>& findings);

/// It points into the survey.
struct survey_judgement {
  arena_vector<install_judgement> installs;  ///< in the order of the survey's
  judgement machine;                         ///< what is wrong beside the installs themselves
};

survey_judgement judge_survey(const survey& all);

/// The same of directories that were looked at alone: nothing of the rest of the machine counts.
survey_judgement judge_directories(const survey& all);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

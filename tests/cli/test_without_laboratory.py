# SPDX-License-Identifier: BSD-3-Clause
"""What cudnn-checked says where tool/laboratory was not brought: what stands in its place, compiled alone."""

import subprocess

from support.environment import REPOSITORY, compiler
from support.scratch import ScratchTest

PROGRAM = """
#include <cstdio>
#include "cli/laboratory_door/door.h"
#include "cli/system/operating_system.h"
#include "cli/text/output.h"
#include "cli/words/command_line.h"
#include "core/model/arena.cpp"
#include "core/model/arena_string.cpp"

namespace cudnn_checked::cli {
std::string why_unable(ability) { return {}; }
exit_status error(std::string_view message, exit_status status) {
  std::puts(std::string(message).c_str());
  return status;
}
}  // namespace cudnn_checked::cli

int main(int count, char** arguments) {
  using namespace cudnn_checked::cli;
  work_for_sweep(count, arguments);
  std::puts(without_laboratory("probe: --operations").c_str());
  return sweep_command({});
}
"""


class WithoutLaboratory(ScratchTest):
    def test_one_line_says_what_is_missing(self):
        (self.scratch / "program.cpp").write_text(PROGRAM)
        subprocess.run([compiler(), "-std=c++17", f"-I{REPOSITORY / 'tool'}", "program.cpp", "-o", "program",
                        REPOSITORY / "tool/cli/laboratory_door/not_brought.cpp"], cwd=self.scratch, check=True)
        done = subprocess.run([self.scratch / "program"], stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (
            2, "probe: --operations: this cudnn-checked was built without tool/laboratory\n"
               "sweep: this cudnn-checked was built without tool/laboratory\n"))

# SPDX-License-Identifier: BSD-3-Clause
"""The code and the commands of README.md."""

import re
import textwrap

from support.environment import REPOSITORY

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def readme_blocks(title):
    """The indented blocks of a section; a blank line between two indented ones does not end one."""
    section = re.search(rf"(?ms)^## {title}\n(.*?)^## ", README)[1]
    return [textwrap.dedent(block).strip("\n") for block in
            re.findall(r"(?m)(?:^    .*\n(?:\n(?=    ))?)+", section)]

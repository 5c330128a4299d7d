# SPDX-License-Identifier: BSD-3-Clause
"""A file of this project that a comment or a document names is there, and no two modules of the tests have one name."""

import collections
import re
import unittest

from support.environment import REPOSITORY

FOLDERS = "cmake docs examples scripts templates tests tool".split()
READ = re.compile(r"\.(cpp|h|hpp|c|cu|py|def|inc|in|cmake|sh|md|rst)$")
NAME = re.compile(rf"(?<![\w/.$<{{*~-])((?:{'|'.join(FOLDERS)})(?:/[\w.-]+)+|[a-z]+(?:_[a-z0-9]+)+"
                  r"\.(?:cpp|h|hpp|c|cu|py|def|inc|cmake|sh|csv|rst|md))(?![\w/<{*$(-]|\.in\b)")
COMMENT = re.compile(r"(?m)^.*?(?://|#)( .*)$|^( \* .*)$|(\"\"\"[\s\S]*?\"\"\")")
# Of cuDNN, of CUDA, of frameworks; generated; and a name that stands for many.
OTHERS = re.compile(r"(cudnn_\w+|cuda_fp16|scaled_dot_product_flash_attention|sdpa_fp8_bwd|sdpa_support_surface)\.h|"
                    r"(fused_attn|sdp_utils)\.cpp|cmake/(FindCUDNN|cuDNN)\.cmake|conan_provider\.cmake|stamp_of_target\.inc")


class FileNames(unittest.TestCase):
    def test_each_is_there(self):
        there = [path for path in REPOSITORY.glob("*.md") if path.name != "CHANGELOG.md"]
        for folder in FOLDERS:
            there += (REPOSITORY / folder).rglob("*")
        paths = [str(path.relative_to(REPOSITORY)) for path in there]
        tests = [re.sub(r"^tests/([\w/]+)/test_(\w+)\.py$", r"\1/\2", path) for path in paths]
        names = {*FOLDERS, *paths, *tests, *(path.name for path in there)}
        stale = set()
        for path in filter(READ.search, paths):
            text = (REPOSITORY / path).read_text(encoding="utf-8")
            if not path.endswith((".md", ".rst")):
                text = "\n".join("".join(parts) for parts in COMMENT.findall(text))
            stale |= {(path, name) for name in NAME.findall(text)
                      if name.rstrip(".") not in names and not OTHERS.fullmatch(name)}
        self.assertEqual(stale, set())

    def test_no_two_modules_of_the_tests_have_one_name(self):
        modules = collections.Counter(path.name for path in (REPOSITORY / "tests").rglob("*.py"))
        self.assertEqual([name for name, count in modules.items() if count > 1 and name != "__init__.py"], [])

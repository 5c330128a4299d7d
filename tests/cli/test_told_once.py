# SPDX-License-Identifier: BSD-3-Clause
"""One cause is one finding, and what one command mends is one error."""

import os

from checked_program import call
from fake_packages import WHEEL, FakePackages, ids_of, make_library


class ToldOnce(FakePackages):
    def test_a_cut_shim_is_told_once(self):
        """By what the loader does, and not by what the set is as well."""
        shim = self.site / WHEEL / "libcudnn.so.9"
        os.truncate(shim, shim.stat().st_size // 2)
        out = call("verify", self.site / "torch/lib/libtorch_cuda.so", home=self.root)[1]
        self.assertEqual(out.count("[library-corrupt]"), 1, out)

    def test_what_one_command_mends_is_one_error_for_doctor(self):
        for name, build_id in ids_of("9.1.0.70", "11").items():
            make_library(self.root / "front" / name, "-Wl,-rpath,$ORIGIN", "-Wl,--build-id=0x" + build_id)
        out = call("doctor", self.site, home=self.root, LD_LIBRARY_PATH=self.root / "front")[1]
        self.assertEqual((out.count("\nerror: "), out.count("  fix: unset LD_LIBRARY_PATH\n")), (2, 2), out)
        self.assertTrue(out.endswith("cudnn-checked: refused: 1 cuDNN, 1 error, 0 warnings\n"), out)

# SPDX-License-Identifier: BSD-3-Clause
"""Which graphs of several operations the simulated cuDNN refuses; that the others come out right is
laboratory/probe_operations."""

import subprocess
import unittest

from support import ScratchTest
from support.environment import REPOSITORY, compiler
from support.simulated_sdk import simulated_sdk

SOURCE = REPOSITORY / "tests" / "laboratory" / "simulated" / "self_test_refusals.cpp"
REFUSED = """\
no product: 3001 CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR
three products: 3001 CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR
unknown mode: 3000 CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR
wrong order: 2000 CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR
other extents: 2000 CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR
missing input: 2000 CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR
"""


class Graphs(ScratchTest):
    def test_refused(self):
        sdk = simulated_sdk()
        program = self.scratch / "refusals"
        subprocess.run([compiler("CXX"), "-std=c++17", f"-I{sdk.include}", SOURCE, "-o", program,
                        f"-L{sdk.library_directory}", "-lcudnn", "-lcudart",
                        f"-Wl,-rpath,{sdk.library_directory}"], check=True)
        done = subprocess.run([program], check=True, capture_output=True, text=True,
                              env={**sdk.environment, "SIMULATED_GPUS": "sm_90"})
        self.assertEqual(done.stdout, REFUSED)


if __name__ == "__main__":
    unittest.main()

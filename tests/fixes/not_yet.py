# SPDX-License-Identifier: BSD-3-Clause
"""Rows whose first fix is wrong today.  A row here that works fails the suite."""

NOT_YET = {
    "Doctor: a package requires another release",
    "Doctor: cu12 over cu13 in one environment",
    "Doctor: no cuDNN",
    "Unstamped: package without its cuDNN",
    "WithGpu: cuBLAS not on the run path",
}

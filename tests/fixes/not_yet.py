# SPDX-License-Identifier: BSD-3-Clause
"""Rows whose first fix is wrong today.  A row here that works fails the suite."""

NOT_YET = set()

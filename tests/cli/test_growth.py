# SPDX-License-Identifier: BSD-3-Clause
"""Memory grows with what is looked at, not with its square: pages that each command touches, for n and for 2 n.
`./dev bench growth` prints memory and time of the same cases."""

from bench import growth
from support.command_line import cudnn_checked_program
from support.scratch import ScratchTest

FEW, SOME, MANY = 1, 100, 200
# What differs from run to run: 1 MB.
NOISE = 256


class Growth(ScratchTest):
    def setUp(self):
        super().setUp()
        self.machine = growth.Machine(self.scratch)

    def pages(self, arrange, count):
        result = growth.result_of(self.machine, str(cudnn_checked_program()), arrange, count)
        self.assertIn(result.status, (0, 1, 3))
        return result.pages

    def check(self, titles, count):
        for title in titles:
            with self.subTest(title):
                start = self.pages(growth.ROWS[title], FEW)
                one, twice = (self.pages(growth.ROWS[title], n) - start for n in (count, 2 * count))
                self.assertLessEqual(twice, 2.5 * max(one, 0) + NOISE)

    def test_twice_as_many_directories_programs_and_environments(self):
        self.check([title for title in growth.ROWS if not growth.is_of_names(title)], SOME)

    def test_twice_as_many_names(self):
        self.check([title for title in growth.ROWS if growth.is_of_names(title)], MANY)

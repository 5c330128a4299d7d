# SPDX-License-Identifier: BSD-3-Clause
"""CMake code as commands: enough of the language to see which variables a function reads and sets, and no more.

Not seen: what a command gets from a variable as its own arguments (`set(words set x 1)` and `${words}`), and names that are put
together, but for `<record>_${field}`, which counts as the whole record.
"""

import collections
import functools
import re

Command = collections.namedtuple("Command", "name arguments begin end")  # begin and end: of it all in the text
Argument = collections.namedtuple("Argument", "text quoted begin end")


class Function:
    def __init__(self, path, header, body):
        self.path = path
        self.name, *self.formals = [argument.text for argument in header.arguments]
        self.is_macro = header.name == "macro"
        self.body = body


TOKEN = re.compile(r'(?P<comment>#[^\n]*)|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<bracket>\[(=*)\[.*?\]\4\])|(?P<paren>[()])|(?P<word>(?:\\.|[^\s()#"\\])+)', re.S)
RST = re.compile(r"#?\[(=*)\[.*?\]\1\]", re.S)


def commands(text):
    """The commands of a file; of parentheses within one, as in if(), the words count and not the order."""
    blank = RST.sub(lambda found: re.sub(r"[^\n]", " ", found[0]) if found[0].startswith("#") else found[0], text)
    found, name, depth, arguments, begin = [], None, 0, [], 0
    for token in TOKEN.finditer(blank):
        kind, word = token.lastgroup, token[0]
        if kind == "comment":
            continue
        if kind == "paren" and word == "(":
            depth += 1
        elif kind == "paren":
            depth -= 1
            if depth == 0:
                found.append(Command(name.lower(), arguments, begin, token.end()))
                arguments = []
        elif depth == 0:
            name, begin = word, token.start()
        else:
            arguments.append(Argument(word[1:-1] if kind == "quoted" else word, kind == "quoted", token.start(), token.end()))
    return found


@functools.lru_cache(maxsize=None)
def functions(text, path=""):
    """The functions and macros of a file."""
    found, header, body = [], None, []
    for command in commands(text):
        if command.name in ("function", "macro"):
            header, body = command, []
        elif command.name in ("endfunction", "endmacro"):
            found.append(Function(path, header, body))
            header = None
        elif header:
            body.append(command)
    return found

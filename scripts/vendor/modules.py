# SPDX-License-Identifier: BSD-3-Clause
"""The CMake files of a copy: the parts of the find module in the place of what includes them."""

import re

from sources import WIDTH

BRACKET = re.compile(r"\[(=*)\[.*?\]\1\]", re.DOTALL)
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
INCLUDE = re.compile(r'(?m)^include\("\$\{CMAKE_CURRENT_(?:FUNCTION_)?LIST_DIR\}/([a-zA-Z_/.]+)"\)\n')
# The documents name parts that stand in the same file of a copy.
NAMED = re.compile(r"``CuDNNChecked/[a-z_/]+\.cmake``")
READ = re.compile(r'file\(READ "\$\{CMAKE_CURRENT_LIST_DIR\}/([a-zA-Z_/.]+)" (\w+)\)')


def pieces(text, with_documents):
    """(line, does its command go on in the next) of CMake code, without comments; a quoted text is never divided."""
    line, depth, place = "", 0, 0
    while place < len(text):
        found = None
        if text.startswith("#[", place):
            found = BRACKET.match(text, place + 1)
            line += "#" + NAMED.sub("below", found[0]) if with_documents else ""
        elif text[place] == "#":
            place = text.index("\n", place)
            continue
        elif text[place] == "\n":
            if line.strip():
                yield line.rstrip(), depth > 0
            line = ""
        elif text[place] in '["':
            found = (QUOTED if text[place] == '"' else BRACKET).match(text, place)
            line += found[0] if found else text[place]
        elif text[place] == "\\":
            line += text[place:place + 2]
            place += 1
        else:
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            line += text[place]
        place = found.end() if found else place + 1


def code(text, with_documents=False):
    """Without comments and empty lines; the lines of one command are joined, up to WIDTH columns."""
    result, goes_on = [], False
    for line, goes_on_after in pieces(text, with_documents):
        rest = line.lstrip()
        if goes_on and len(result[-1].split("\n")[-1]) + len(rest.split("\n", maxsplit=1)[0]) < WIDTH:
            result[-1] += rest if result[-1].endswith("(") or rest.startswith(")") else " " + rest
        else:
            result.append(line)
        goes_on = goes_on_after
    return "".join(line + "\n" for line in result)


def bracketed(text):
    """A text as one argument."""
    return f"[====[\n{text}]====]"


def choice(variable, texts):
    """Lines of CMake that set a variable to the text whose name another one has."""
    return "".join(f'{"else" if i else ""}if({variable} STREQUAL "{name}")\n{text}\n'
                   for i, (name, text) in enumerate(texts.items())) + "endif()\n"


def inlined(text, folder):
    """What the file includes by its own place, and reads from there, stands in it."""
    text = INCLUDE.sub(lambda found: code((folder / found[1]).read_text(encoding="utf-8")), text)
    return READ.sub(lambda found: f"set({found[2]} {bracketed((folder / found[1]).read_text(encoding='utf-8'))})", text)

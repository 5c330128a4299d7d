# SPDX-License-Identifier: BSD-3-Clause
"""The C++ of a copy: every source and header that some programs are compiled from once, in a few files.

What a file includes stands in front of it.  Where not all programs and platforms that read a file of the copy have a
part, it stands between #if and #endif.  Comments, empty lines and "#pragma once" stay behind; in front of each part is its
name.
"""

import itertools
import re

LOCAL = re.compile(r'#\s*include\s+"([^"]+)"$')
SYSTEM = re.compile(r"#include <[^>]+>$")
WIDTH = 140
# Parts that only some builds of a program have.
OPTIONS = {"#ifdef CUDNN_CHECKED_PROBE_FUSED": "fused", "#ifdef CUDNN_CHECKED_PROBE_KERNEL": "kernel",
           "#ifndef CUDNN_CHECKED_JUDGE_ALONE": "repairs", "#ifndef CUDNN_CHECKED_REPAIRS_ALONE": "judge",
           "#ifndef CUDNN_CHECKED_CORE_APART": "core"}
# What stands around a part that only some have: guards, other programs, those of these platforms.  A guard is on Linux or on
# Windows, and not where Linux reads DLLs.
NOT_GUARD, LINUX, WINDOWS = "!defined(CUDNN_CHECKED_ONE_UNIT)", "!defined(_WIN32)", "defined(_WIN32)"
DLLS = "defined(CUDNN_CHECKED_READS_DLLS)"
READS_DLLS = "windows_from_linux"
CONDITIONS = {
    ("linux", "windows", READS_DLLS): (),
    ("linux", "windows"): (f"!{DLLS}",),
    ("linux", READS_DLLS): (LINUX,),
    ("windows", READS_DLLS): (f"({WINDOWS} || {DLLS})",),
    ("linux",): (LINUX, f"!{DLLS}"),
    ("windows",): (WINDOWS,),
    (READS_DLLS,): (DLLS,),
}


def stripped(path):
    lines = (line.rstrip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.lstrip().startswith("//") and line != "#pragma once"]


class Part:
    """One file: its lines without those that include others, and what it includes, [(path, option)].

    A table is included amid the lines: a line is its path then.
    """

    def __init__(self, path, options):
        self.is_table = path.suffix in (".def", ".inc")
        self.head, self.lines, self.includes = [], [], []
        around = []
        for line in stripped(path):
            found = LOCAL.match(line)
            other = (path.parent / found[1]).resolve() if found else path
            if other.parent.name == "include":
                line, found = f"#include <{other.name}>", None
            if not found or not other.exists():
                # Text, or a header of a directory "include", which goes to the compiler, or what is generated.
                if line.startswith("#if"):
                    around.append(line)
                elif line.startswith("#endif") and around.pop() in OPTIONS and (self.lines or self.head)[-1] in OPTIONS:
                    (self.lines or self.head).pop()  # with nothing within
                    continue
                self.lines.append(line)
                continue
            option = next((OPTIONS[one] for one in around if one in OPTIONS), "")
            if other.suffix in (".def", ".inc"):
                self.lines.append(other)
            elif around and not option:
                raise SystemExit(f"{path} includes {found[1]} within {around}")
            elif other.suffix == ".cpp" and not self.includes:
                # What a unit says before all that it consists of.
                self.head, self.lines = self.lines, []
            if option in ("", *options):
                self.includes.append((other, option))


class Amalgamation:
    """The parts of some programs, in an order in which one file can have them all.

    roots: {(program, platform): source}; options: those of OPTIONS that are not left out.
    """

    def __init__(self, roots, options=()):
        self.options = options
        self.parts, self.members, self.option_of = {}, {}, {}
        self.platforms = {platform for _, platform in roots}
        self.order = []
        for root, source in roots.items():
            sequence = []
            self._visit(source.resolve(), root, "", set(), sequence)
            self.order = joined(self.order, sequence)
        # A table that is read more than once is a macro; what has directives cannot be one.
        tables = [line for part in self.parts.values() for line in part.lines if not isinstance(line, str)]
        self.macros = {table for table in tables if tables.count(table) > 1
                       and not any(str(line).startswith("#") for line in self.parts[table].lines)}

    def _visit(self, path, root, option, seen, sequence):
        if {(path, option), (path, "")} & seen:
            return
        seen.add((path, option))
        if path not in self.parts:
            self.parts[path] = Part(path, self.options)
        for other, needed in self.parts[path].includes:
            self._visit(other, root, option or needed, seen, sequence)
        if path not in sequence:
            sequence.append(path)
        # What two options have is in none of them alone.
        self.option_of[path] = option if self.option_of.get(path, option) == option else ""
        self.members.setdefault(path, set()).add(root)

    def programs_of(self, path):
        return {program for program, platform in self.members[path]}

    def _condition(self, path, readers):
        """Of a part in a file that these programs read, as the text behind #if; empty where all have it."""
        return " && ".join(self._around(path, readers))

    def _around(self, path, readers):
        platforms = {kind: {platform for program, platform in self.members[path] if (program == "guard") == kind} for kind in (True, False)}
        guards, others = platforms[True], platforms[False]
        if "guard" not in readers or readers == {"guard"}:
            guards = others = guards | others
        if "linux" in others and (READS_DLLS not in self.platforms or readers == {"guard"}):
            others = others | {READS_DLLS}
        around = [*CONDITIONS[tuple(sorted(others))]]
        guards = guards - {READS_DLLS}
        if not guards:
            around.insert(0, NOT_GUARD)
        elif guards != others - {READS_DLLS}:
            around.insert(0, f"({NOT_GUARD} || {LINUX if guards == {'linux'} else WINDOWS})")
        around += [f"{'!' * line.startswith('#ifndef')}defined({line.split()[1]})" for line, name in OPTIONS.items() if name == self.option_of[path]]
        return around

    @staticmethod
    def _name_of(table):
        return "CUDNN_CHECKED_ROWS_OF_" + table.stem.upper()

    def _lines(self, path):
        part = self.parts[path]
        if path in self.macros:
            rows = unwrapped([re.sub(r"\s+//.*$", "", line) for line in part.lines])
            return [f"#define {self._name_of(path)} \\", *(f"{row} \\" for row in rows[:-1]), rows[-1]]
        # Where a reader finds it in the repository, with its comments.
        lines = [] if part.is_table or not part.lines else ["// tool/" + path.as_posix().rpartition("/tool/")[2]]
        for line in part.lines:
            if isinstance(line, str):
                lines.append(line)
            elif line in self.macros:
                lines.append(self._name_of(line))
            else:
                lines += self._lines(line)
        return lines

    def file(self, paths, readers, known, first):
        """The text of a file with these parts, which these programs read.

        known: the headers of the system that are included before it, to which its own are added; first: its first lines.
        """
        paths = [path for path in self.order if path in paths]
        paths = [path for path in paths if not self.parts[path].is_table or path in self.macros]
        heads = dict.fromkeys(tuple(self.parts[path].head) for path in paths)
        if readers != {"guard"}:
            # What more programs have includes nothing that fewer have: it may stand in front, and many have one #if.  Sources of
            # the guard have macros of others in front of them.
            paths.sort(key=lambda path: len(self._around(path, readers)))
        groups = [(condition, [line for path in group for line in self._lines(path)])
                  for condition, group in itertools.groupby(paths, lambda path: self._condition(path, readers))]
        own = set()
        for condition, lines in groups:
            depth = 0
            for line in lines:
                depth += line.startswith("#if") - line.startswith("#endif")
                if SYSTEM.match(line) and not depth and not condition:
                    own.add(line)
        own -= known
        known |= own
        text = [*itertools.chain.from_iterable(heads), *first, *sorted(own)]
        for condition, lines in groups:
            lines = unwrapped([line for line in lines if line not in known])
            text += [f"#if {condition}", *lines, "#endif"] if condition and lines else lines
        return merged("\n".join(text) + "\n")


def joined(order, sequence):
    """Both, each in its order: in front of what both have stands what either has in front of it."""
    result, rest = {}, list(sequence)
    for path in order:
        if path in rest:
            place = rest.index(path)
            result.update(dict.fromkeys(rest[:place]))
            rest = rest[place + 1:]
        result[path] = None
    return list({**result, **dict.fromkeys(rest)})


def unwrapped(lines):
    """Lines that go on in the next are joined with it, up to WIDTH columns: half as many to scroll through."""
    result = [""]
    is_directive = False  # which ends with its line, or with the last of several
    for line in lines:
        before, rest = result[-1], line.lstrip()
        follows_directive = is_directive
        is_directive = line.startswith("#") or (is_directive and before.endswith("\\"))
        goes_on = (before.endswith((",", "(", "=", "&&", "||", "+", "?")) or rest.startswith(("? ", ": "))
                   or before[-1:] == rest[:1] == '"')
        if (goes_on and not is_directive and not follows_directive and "//" not in before
                and len(before) + len(rest) < WIDTH):
            result[-1] += rest if before.endswith("(") else " " + rest
        else:
            result.append(line)
    return with_short_blocks(result[1:])


def with_short_blocks(lines):
    """A statement that is alone between its braces stands on one line with them."""
    result = []
    for line in lines:
        head, body = ["", "", *result][-2:]
        texts = (head, body, line)
        if (line.strip() == "}" and head.endswith("{") and body.endswith(";") and len(head) + len(body.strip()) + 3 < WIDTH
                and not any(text.lstrip().startswith("#") or text.endswith("\\") or "//" in text or "{" in text[:-1]
                            for text in texts)):
            result[-2:] = [f"{head} {body.strip()} }}"]
        else:
            result.append(line)
    return result


def merged(text):
    """Without a namespace that ends where it begins again, in the next part."""
    count = 1
    while count:
        text, count = re.subn(r"(?m)^\}  // namespace (\S+)\n((?:// \S+\n)?)(?:inline )?namespace \1 \{\n", r"\2", text)
    return text

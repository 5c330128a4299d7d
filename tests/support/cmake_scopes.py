# SPDX-License-Identifier: BSD-3-Clause
"""Which variables the functions of the find module read, and where these come from.

A function may read what is in its signature, what it or a function that it calls has set before (above: a loop counts as its
lines stand), and fields of a record that its signature names or that it has made.  See cmake_code for what is not seen.
"""

import collections
import functools
import re

from support import cmake_code

OWN = "_cudnn_checked_"
NAME = r"[a-z][A-Za-z0-9_]*"
OUTPUT_WORDS = {"RESULT_VARIABLE", "RESULTS_VARIABLE", "OUTPUT_VARIABLE", "ERROR_VARIABLE", "RESULT", "COPY_FILE_ERROR"}
# Where the variable that a command sets stands among its words.
SET_BY_LIST = {"LENGTH": -1, "JOIN": -1, "GET": -1, "SUBLIST": -1, "FIND": -1}
SET_BY_STRING = {"FIND": 3, "REPLACE": 3, "REPEAT": 3, "SUBSTRING": 4, "ASCII": -1, "RANDOM": -1, "JOIN": 2, "TOLOWER": 2,
                 "TOUPPER": 2, "LENGTH": 2, "STRIP": 2, "CONFIGURE": 2, "MAKE_C_IDENTIFIER": 2, "HEX": 2}
SET_BY_FILE = {"GLOB": 1, "GLOB_RECURSE": 1, "READ": 2, "STRINGS": 2, "SIZE": 2, "TIMESTAMP": 2, "REAL_PATH": 2, "MD5": 2,
               "TO_CMAKE_PATH": 2, "RELATIVE_PATH": 1}
SET_FIRST = {"get_property", "get_cmake_property", "get_filename_component", "get_target_property", "get_directory_property",
             "separate_arguments", "find_program"}
WHERE = ["package_directory", "tool_directory", "work_directory"]


def records(facts):
    """{record: fields} of the table in every_configure/facts.cmake; and arg, what a function for projects has parsed."""
    found = collections.defaultdict(list)
    for record, fields in re.findall(r'(?m)^ +"([a-z]+) ([a-z_ ]+)"$', facts):
        found[record] += [f"{record}_{field}" for field in fields.split()]
    return {**found, "arg": []}


def words(command):
    return [argument.text for argument in command.arguments]


def is_bare(argument):
    return not argument.quoted and re.fullmatch(NAME, argument.text)


def builtin_sets(command):
    """(names that a command of CMake sets, those of them that it reads before)"""
    text = words(command)
    sub = text[0] if text else ""
    made, changed = [], []
    if command.name in ("set", "unset") and text and "PARENT_SCOPE" not in text:
        made = text[:1]
    elif command.name == "list":
        changed = text[1:2]
        made = [text[SET_BY_LIST[sub]]] if sub in SET_BY_LIST else text[1:2] + (text[2:] if sub.startswith("POP_") else [])
    elif command.name == "string" and sub == "REGEX":
        made = [text[4 if text[1] == "REPLACE" else 3]]
    elif command.name == "string" and sub in ("APPEND", "PREPEND"):
        made = changed = text[1:2]
    elif command.name == "string":
        made = [text[SET_BY_STRING.get(sub, 1)]]
    elif command.name == "file":
        made = [text[SET_BY_FILE[sub]]] if sub in SET_BY_FILE else []
    elif command.name in SET_FIRST:
        made = text[:1]
    elif command.name in ("math", "cmake_path"):
        made = text[1:2]
    elif command.name == "foreach":
        made = text[:text.index("IN")] if "IN" in text else text[:1]
    elif command.name == "cmake_parse_arguments":
        made = ["arg_*"]
    return made + [text[at + 1] for at, word in enumerate(text[:-1]) if word in OUTPUT_WORDS], changed


def reads(command):
    """The lower-case variables whose values a command takes; "place_*" where the field is put together."""
    found = []
    for argument in command.arguments:
        found += re.findall(rf"(?<!\\)\$\{{({NAME})\}}", argument.text)
        found += [record + "_*" for record in re.findall(r"\$\{([a-z]+)_\$\{", argument.text)]
    if command.name in ("if", "elseif", "while"):
        found += [argument.text for before, argument in zip([None, *command.arguments], command.arguments)
                  if is_bare(argument) and not (before and before.text in ("TARGET", "COMMAND"))]
    if command.name == "foreach":
        mode = ""
        for word in words(command):
            if word in ("LISTS", "ZIP_LISTS", "ITEMS", "IN"):
                mode = word
            elif mode.endswith("LISTS") and re.match(NAME, word):
                found.append(re.sub(r"_\$.*", "_*", word))
    return found


class Module:
    """The functions of one platform."""

    def __init__(self, texts, table):
        self.records = table
        self.functions = {}
        for path, text in texts.items():
            for function in cmake_code.functions(text, path):
                self.functions[function.name] = function

    def record_of(self, name):
        record = name.split("_")[0]
        return record if record in self.records and "_" in name else None

    @functools.lru_cache(maxsize=None)
    def outputs(self, function):
        """The places in its signature whose argument is the name of a variable that the function sets."""
        found = set()
        for command in function.body:
            text = words(command)
            if command.name in ("set", "unset") and text and ("PARENT_SCOPE" in text or function.is_macro):
                name = re.fullmatch(rf"\$\{{({NAME})\}}", text[0])
                if name and name[1] in function.formals:
                    found.add(function.formals.index(name[1]))
        return found

    @functools.lru_cache(maxsize=None)
    def hands_up(self, function):
        """The records that a function sets in its caller."""
        found = set()
        for command in function.body:
            text = words(command)
            if command.name == OWN + "hand_up":
                found.update(text)
            elif command.name == "set" and "PARENT_SCOPE" in text and self.record_of(text[0]):
                found.add(self.record_of(text[0]))
        return frozenset(found)

    def own_sets(self, command):
        """(names that a call of a function of the module sets, records of them)"""
        name, text = command.name[len(OWN):], words(command)
        if name == "get":
            return (WHERE if "where" in text else []) + [word for word in text if word == "refusal"], set(text) & set(self.records)
        if name == "new":
            return [], set(text)
        if name == "names":
            return text[:1], set()
        if name == "get_stamp":
            return text, {word for word in self.records if "${names}" in text}
        called = self.functions.get(command.name)
        if called is None:
            return [], set()
        made = [text[at] for at in self.outputs(called) if at < len(text)]
        known = self.hands_up(called)
        if name == "read_facts":
            known = set(text[2:])
        if called.is_macro:
            for inner in called.body:
                made += builtin_sets(inner)[0] if not inner.name.startswith(OWN) else self.own_sets(inner)[0]
        return made, known

    def problems(self, function):
        """What breaks the rules in a function, a sentence each."""
        signature = {formal for formal in function.formals if formal in self.records}
        known = set(function.formals)
        own_records = set(signature)
        found, used = [], set()

        def read(name):
            record = self.record_of(name)
            if record and (record in own_records or name in known):
                used.add(record)
                if name not in (*known, *self.records[record], record + "_*") and record != "arg":
                    found.append(f"reads {name}, which is no field")
            elif not (name in known or name.startswith(OWN) or put_together(name)):
                found.append(f"reads {name}")

        def put_together(name):
            fronts = [front[:-1] for front in known if front.endswith("*")]
            return any(name.startswith(front) for front in fronts) or name.endswith("*") and any(
                other.startswith(name[:-1]) for other in known)

        for command in function.body:
            for name in reads(command):
                read(name)
            if command.name.startswith(OWN):
                called = self.functions.get(command.name)
                text = words(command)
                if command.name == OWN + "names":
                    used.update(text)
                if called and not called.is_macro:
                    for at, formal in enumerate(called.formals):
                        if formal in self.records and (at >= len(text) or text[at] != formal):
                            found.append(f"calls {called.name[len(OWN):]} without {formal}")
                        elif formal in self.records:
                            makes = formal in self.hands_up(called)
                            used.add(formal)
                            if formal not in own_records and not makes:
                                found.append(f"hands {formal} to {called.name[len(OWN):]}")
                            if makes and formal in signature and formal not in self.hands_up(function):
                                found.append(f"keeps {formal} of {called.name[len(OWN):]}")
                        elif formal.startswith("in_out") and at < len(text):
                            read(text[at])
                made, records_made = self.own_sets(command)
                known.update(made)
                own_records |= records_made
            else:
                made, changed = builtin_sets(command)
                own_records.update(["arg"] if command.name == "cmake_parse_arguments" else [])
                for name in changed:
                    if re.fullmatch(NAME, name):
                        read(name)
                known.update(re.sub(r"\$\{.*", "*", name) for name in made if not name.startswith("$"))
        found += [f"hands up {record}" for record in self.hands_up(function) - signature]
        found += [f"has {record} for nothing" for record in signature - used - self.hands_up(function)]
        return found

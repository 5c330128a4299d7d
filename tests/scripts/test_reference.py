# SPDX-License-Identifier: BSD-3-Clause
"""The reference against the code, both ways: what exists is documented, and what is documented exists.

Sphinx is not needed for it: the texts are read as they are.
"""

import re
import unittest

from support import REPOSITORY
from support.library_roles import COMPONENTS

MODULE = "cmake/FindCuDNNChecked.cmake"
# Of CMake itself, of find_package, and of the loader: what they are is documented there.
FOREIGN = re.compile(r"CuDNNChecked_(FIND_\w*|DIR|CONFIG)")
# Environment of every program.  The probe's own runs set the other two.
EVERYWHERE = {"HOME", "PATH", "LC_ALL", "ASAN_OPTIONS"}


def read(name):
    return (REPOSITORY / name).read_text(encoding="utf-8")


def parts(name):
    """The RST of a CMake file, and its code without comments."""
    text = read(name)
    rst = "".join(re.findall(r"(?s)#\[=+\[\.rst:\n(.*?)#?\]=+\]", text))
    code = re.sub(r"(?s)#\[(=*)\[.*?\]\1\]", "", text)
    return rst, re.sub(r"(?m)^\s*#.*$", "", code)


def cmake_files():
    return sorted(str(p.relative_to(REPOSITORY)) for p in (REPOSITORY / "cmake").rglob("*")
                  if p.suffix == ".cmake" or p.name == "CMakeLists.txt")


def all_code():
    return "\n".join(parts(name)[1] for name in cmake_files())


def section(rst, title):
    return re.search(rf"(?ms)^{title}\n[-^]+\n(.*?)(?=^[A-Z][^\n]*\n[-^]+\n|\Z)", rst)[1]


def terms(text):
    """The terms of the definition lists at the left margin, in their order."""
    lines = re.findall(r"(?m)^(``.*``)\n(?=  \S)", text)
    return [term for line in lines for term in re.findall(r"``([^`]+)``", line)]


def words(text):
    return set(re.findall(r"``([^`]+)``", text))


def squeezed(text):
    return " ".join(text.split())


class Module(unittest.TestCase):
    def setUp(self):
        self.rst, _ = parts(MODULE)
        self.code = all_code()

    def published(self):
        body = parts("cmake/CuDNNChecked/every_configure/facts.cmake")[1]
        body = re.search(r"(?s)function\(_cudnn_checked_published_names(.*?)endfunction", body)[1]
        names = re.findall(r"[A-Z_]+", "".join(re.findall(r'"(.*?)"', body.replace('"\n', ';"\n'))))
        # The version file of a package leaves it behind; it is unset.
        names.remove("VERSION_TWEAK")
        own = re.findall(r"\bset\(CuDNNChecked_([A-Z_]+) ", parts(MODULE)[1])
        return [f"CuDNNChecked_{name}" for name in [*names, *own] if not name.startswith("FIND_")]

    def test_result_variables(self):
        documented = terms(section(self.rst, "Result variables"))
        for name in ("<component>_FOUND", "<sub-library>_LIBRARY"):
            documented.remove(f"CuDNNChecked_{name}")
        self.assertEqual(sorted(documented), sorted(self.published()))

    def test_inputs(self):
        internal = re.findall(r"\bset\(\s*(CuDNNChecked_\w+)[^)]*\bCACHE\s+INTERNAL\b", self.code)
        built = set(re.findall(r"try_compile\(\s*(CuDNNChecked_\w+)", self.code))
        read_in_code = {name for name in re.findall(r"\bCuDNNChecked_[A-Z][A-Z_]*[A-Z]\b", self.code)
                        if not FOREIGN.fullmatch(name)}
        # The guard's arguments have defaults of these names.
        for names in re.findall(r"foreach\(name IN ITEMS ([A-Z ]+)\)",
                                parts("cmake/CuDNNChecked/target/guard.cmake")[1]):
            read_in_code |= {f"CuDNNChecked_{name}" for name in names.split()}
        inputs = read_in_code - set(internal) - built - set(self.published())
        documented = terms(section(self.rst, "Inputs"))
        self.assertEqual(sorted({*documented, "CuDNNChecked_ROOT"}), sorted(inputs))

    def test_hints(self):
        table = re.findall(r'(?m)^SEARCHED\(hint, "(\w+)"\)', read("tool/core/observe/search_places.def"))
        self.assertEqual(terms(section(self.rst, "Hints")), table)

    def test_variables_of_others(self):
        request = parts("cmake/CuDNNChecked/every_configure/answer.cmake")[1]
        others = set(re.findall(r"\$\{((?:CUDA|Python)\w+)\}", request))
        self.assertEqual({word for word in words(self.rst) if re.fullmatch(r"(CUDAT|Python)\w+", word)},
                         others)

    def test_components_and_levels(self):
        code = parts("cmake/CuDNNChecked/input/read_inputs.cmake")[1]
        listed = section(self.rst, "Components").split(".")[0]
        self.assertEqual(re.findall(r"``(\w+)``", listed), COMPONENTS)
        possible = re.search(r"\bAUTO\s+LOCATED\s+LINKED\s+LOADED\s+RAN\b", code)[0].split()
        self.assertEqual(terms(section(self.rst, "Levels")), possible[1:])

    def test_targets(self):
        made = set(re.findall(r"(?:add_library|_cudnn_checked_(?:import|add_imported))\(\s*"
                              r"((?:CuDNNChecked|CUDNN)::[\w${}]+)", self.code))
        # NVIDIA's names are made in a loop over all of them.
        if "CUDNN::${name}" in made:
            made.remove("CUDNN::${name}")
            made |= {name.replace("CuDNNChecked", "CUDNN") for name in made
                     if name.startswith("CuDNNChecked::cudnn")}
        documented = {re.sub("<.*>", "${name}", term)
                      for term in terms(section(self.rst, "Imported targets"))}
        self.assertEqual(documented, made)

    def test_environment(self):
        """Every environment variable that CMake reads, or its program, is named, here or in environment.rst."""
        table = re.findall(r'(?m)^SEARCHED\((\w+), "(\w+)"\)', read("tool/core/observe/search_places.def"))
        page = read("docs/reference/environment.rst")
        configure = page[page.index("configure run\n"):]
        program = "".join(path.read_text(encoding="utf-8") for path in (REPOSITORY / "tool/configure").glob("*.cpp"))
        in_code = set(re.findall(r"\$ENV\{(\w+)\}", self.code) + re.findall(r'(?:variable\(|value_of\(os, )"(\w+)"', program))
        in_code |= {name for stage, name in table if stage != "hint"}
        in_code -= {name for stage, name in table if stage == "hint"} | EVERYWHERE
        self.assertEqual(sorted(in_code), sorted(terms(configure)))


class Functions(unittest.TestCase):
    """Each public function has a file, whose reference has its arguments, and a place in the pages."""

    def functions(self):
        return {name: file for file in cmake_files()
                for name in re.findall(r"(?m)^function\((cudnn_checked_\w+)", parts(file)[1])}

    def test_each_is_documented_in_its_file_and_has_its_place(self):
        found = self.functions()
        self.assertGreater(len(found), 0)
        for file in cmake_files():
            commands = re.findall(r"(?m)^\.\. command:: (\w+)$", parts(file)[0])
            self.assertEqual(commands, [name for name in found if found[name] == file], file)
        self.assertEqual(set(re.findall(r":command:`(\w+)`", section(parts(MODULE)[0], "Functions"))),
                         set(found))
        pages = read("docs/reference/functions.rst")
        self.assertEqual(sorted(re.findall(r"cmake-module:: \.\./\.\./(\S+)", pages)),
                         sorted(set(found.values())))

    def test_the_arguments(self):
        for name, file in self.functions().items():
            rst, code = parts(file)
            body = code[code.index(f"function({name}"):]
            parsed = re.search(r'cmake_parse_arguments\(PARSE_ARGV \d arg "(.*?)" "(.*?)" "(.*?)"\)', body)
            keywords = [key for group in parsed.groups() for key in group.split(";") if key]
            usage = squeezed(re.search(rf"(?m)^ +{name}\((?:.|\n)*?\)\n", rst)[0])
            words_of = re.sub(r"[\w]+(\|[\w]+)+|<[^>]*>", "", usage.split("(", 1)[1])
            self.assertEqual(sorted(re.findall(r"[A-Z]{2,}", words_of)), sorted(keywords), name)
            # The message that corrects a call has the same usage.
            texts = squeezed(re.sub(r'"\s+"', "", all_code()))
            self.assertIn(usage, texts, name)

    def test_the_operations(self):
        table = re.search(r"(?s)operation_names\[\] =(.*?);",
                          read("tool/core/judge/rules/known_defects.cpp"))[1]
        rst = parts("cmake/CuDNNChecked/every_configure/targets.cmake")[0]
        part = rst[rst.index("  ``OPERATIONS``"):rst.index("  The check is compiled")]
        self.assertEqual([word for word in re.findall(r"``([^`]+)``", part) if "/" in word],
                         "".join(re.findall(r'"([^"]+)"', table)).split())

    def test_the_operations_that_are_proved(self):
        proved = re.findall(r'(?m)^FUSED\(\w+, "([^"]+)"\)', read("tool/facts/fused_operations.def"))
        inputs = section(parts(MODULE)[0], "Inputs")
        part = inputs[inputs.index("``CuDNNChecked_OPERATIONS``"):inputs.index("``CuDNNChecked_KERNEL``")]
        self.assertEqual([word for word in re.findall(r"``([a-z][^`]+)``", part) if word in proved], proved)


def signatures(page, domain, kind):
    """What the directives of a page declare: `.. c:function:: SIGNATURE`."""
    return [squeezed(text) for text in
            re.findall(rf"(?m)^ *\.\. {domain}:{kind}:: (.*)$", read(f"docs/reference/{page}.rst"))]


def without_comments(text):
    return re.sub(r"(?s)/\*.*?\*/|//[^\n]*", "", text)


class Headers(unittest.TestCase):
    def test_stamp(self):
        defined = re.findall(r"(?m)^#define (\w+) \S", read("templates/stamp.h.in"))
        self.assertEqual(signatures("stamp", "c", "macro"), defined)

    def test_guard_h(self):
        text = without_comments(read("tool/guard/include/cudnn_checked/guard.h"))
        functions = [squeezed(f"{kind} {name}({arguments})") for kind, name, arguments in
                     re.findall(r"(?m)^(?:static inline )?((?:const )?\w+\*?) (cudnn_checked_\w+)"
                                r"\(([^)]*)\)\s*[;{]", text)]
        self.assertEqual(sorted(signatures("c", "c", "function")), sorted(functions))
        self.assertEqual(signatures("c", "c", "enumerator"),
                         re.findall(r"\b(CUDNN_CHECKED_VERDICT_\w+) =", text))
        members = re.search(r"(?s)struct cudnn_checked_finding \{(.*?)\}", text)[1]
        self.assertEqual(signatures("c", "c", "member"),
                         [squeezed(m) for m in members.split(";") if m.strip()])
        macros = set(re.findall(r"#define (CUDNN_CHECKED_\w+) ", text)) | set(
            re.findall(r"#ifndef (CUDNN_CHECKED_STAMP)\b", text))
        self.assertEqual(set(signatures("c", "c", "macro")), macros)
        types = re.findall(r"\btypedef (?:enum|struct) (\w+)", text)
        self.assertEqual(sorted(signatures("c", "c", "(?:struct|enum)")), sorted(types))

    def test_guard_hpp(self):
        text = without_comments(read("tool/guard/include/cudnn_checked/guard.hpp"))
        text = re.sub(r"(?s)\n private:.*?\n\};", "\n};", text)
        free = re.findall(r"(?m)^static inline (\w+ \w+\(\))", text)
        methods = [squeezed(m) for m in re.findall(
            r"(?m)^  (?:explicit )?((?:[\w:<>&]+ )*\w+\([^)]*\)(?: const)?) (?:\{|:)", text)]
        methods = [m for m in methods if not m.startswith(("for ", "for(", "if ", "if("))]
        self.assertEqual(sorted(signatures("cpp", "cpp", "function")), sorted(free + methods))
        members = re.search(r"(?s)struct finding \{(.*?)\}", text)[1]
        self.assertEqual(signatures("cpp", "cpp", "member"),
                         [squeezed(m) for m in members.split(";") if m.strip()])
        self.assertEqual(signatures("cpp", "cpp", "enumerator"),
                         re.search(r"enum class verdict \{(.*?)\}", text)[1].replace(" ", "").split(","))
        types = re.findall(r"(?m)^(?:enum class|class|struct) (\w+(?: : public [\w:]+)?)", text)
        self.assertEqual(sorted(signatures("cpp", "cpp", "(?:class|struct|enum-class)")), sorted(types))

    def test_environment_of_a_program(self):
        sources = [path for folder in ("core", "guard")
                   for path in (REPOSITORY / "tool" / folder).rglob("*.cpp")]
        asked = {name for path in sources for name in
                 re.findall(r'variable\("(CUDNN_CHECKED\w*)"', path.read_text(encoding="utf-8"))}
        self.assertEqual(set(signatures("environment", "cmake", "envvar")), asked)


class Pages(unittest.TestCase):
    def test_every_page_is_in_the_index(self):
        docs = REPOSITORY / "docs"
        pages = {str(path.relative_to(docs).with_suffix("")) for path in docs.rglob("*")
                 if path.suffix in (".md", ".rst")} - {"index"}
        trees = "".join(re.findall(r"(?ms)^```{toctree}\n(.*?)^```", read("docs/index.md")))
        listed = re.findall(r"(?m)^(\w+(?:/\w+)?)$", trees)
        self.assertEqual(sorted(listed), sorted(pages))

    def test_headings_and_links(self):
        """What Sphinx would complain about, for those who have none."""
        for path in sorted((REPOSITORY / "docs").glob("*.md")):
            text = re.sub(r"(?ms)^```.*?^```", "", path.read_text(encoding="utf-8"))
            levels = [len(mark) for mark in re.findall(r"(?m)^(#+) ", text)]
            jumps = [pair for pair in zip([0, *levels], levels) if pair[1] > pair[0] + 1]
            self.assertEqual(jumps, [], path)
            for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
                self.assertTrue((path.parent / link).exists(), f"{path}: {link}")
                self.assertFalse(link.startswith("../"), f"{path}: {link} is no page of the documentation")

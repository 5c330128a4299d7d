# SPDX-License-Identifier: BSD-3-Clause
"""The recipes of packaging/, as far as they can be read without their tools: ./dev channels builds them."""

import re
import shutil
import subprocess
import unittest

from support.environment import RELEASE, REPOSITORY

try:
    import yaml
except ImportError:
    yaml = None

PACKAGING = REPOSITORY / "packaging"
# Where a recipe says its version; None: it takes that of the sources.
VERSIONS = {
    "conan/conanfile.py": None,
    "conda/recipe.yaml": r'(?m)^  version: "(.+)"$',
    "debian/changelog": r"\Acudnn-checked \((.+)-1\) ",
    "rpm/cudnn-checked.spec": r"(?m)^Version: +(.+)$",
    "spack/spack_repo/cudnn_checked/packages/cudnn_checked/package.py": r'(?m)^    version\("(.+)", tag="v\1"\)$',
    "vcpkg/ports/cudnn-checked/vcpkg.json": r'(?m)^  "version-semver": "(.+)",$',
}
# What it is, in one line.
SUMMARIES = {
    "conan/conanfile.py": r'(?m)^    description = "(.+)"$',
    "conda/recipe.yaml": r"(?m)^  summary: (.+)$",
    "rpm/cudnn-checked.spec": r"(?m)^Summary: +(.+)$",
    "spack/spack_repo/cudnn_checked/packages/cudnn_checked/package.py": r'(?m)^    """(.+)\."""$',
    "vcpkg/ports/cudnn-checked/vcpkg.json": r'(?m)^  "description": "(.+)",$',
}


def text_of(name):
    return (PACKAGING / name).read_text(encoding="utf-8")


def tracked():
    """Every file of the sources; in an unpacked archive, where there is no git, all but those of build trees."""
    done = subprocess.run(["git", "-C", REPOSITORY, "ls-files", "-z"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if done.returncode == 0:
        return [path for path in map(REPOSITORY.joinpath, done.stdout.decode().split("\0")[:-1]) if path.is_file()]
    return [path for path in REPOSITORY.rglob("*") if path.is_file()
            and path.relative_to(REPOSITORY).parts[0] not in ("build", ".git") and path.suffix != ".pyc"]


class Recipes(unittest.TestCase):
    def test_no_version_differs_from_the_project_s(self):
        for name, pattern in VERSIONS.items():
            with self.subTest(name):
                if pattern is None:
                    self.assertNotIn(RELEASE, text_of(name))
                    self.assertIn("package_version.cmake", text_of(name))
                else:
                    self.assertEqual(re.findall(pattern, text_of(name)), [RELEASE])
        self.assertIn(f"> - {RELEASE}-1\n", text_of("rpm/cudnn-checked.spec"))

    def test_no_other_file_has_the_number(self):
        """All else takes it from its one place, or is a report or stamp of any release."""
        known = {f"packaging/{name}": 1 for name, pattern in VERSIONS.items() if pattern}
        known["packaging/rpm/cudnn-checked.spec"] += 1
        known["packaging/spack/spack_repo/cudnn_checked/packages/cudnn_checked/package.py"] += 1
        known |= {"cmake/CuDNNChecked/package_version.cmake": 1, "CHANGELOG.md": 1, "docs/command_line.md": 1}
        found = {}
        for path in tracked():
            try:
                count = len(re.findall(rf"(?<![\w.])v?{re.escape(RELEASE)}(?![\w.])", path.read_text(encoding="utf-8")))
            except UnicodeDecodeError:
                continue
            if count:
                found[str(path.relative_to(REPOSITORY))] = count
        self.assertEqual(found, known)

    def test_every_recipe_is_known(self):
        """A folder that is none is python: the wheels take the version from the sources."""
        folders = {path.name for path in PACKAGING.iterdir() if path.is_dir() and path.name != "__pycache__"}
        self.assertEqual(folders - {"python"}, {name.split("/")[0] for name in VERSIONS})
        for folder in folders - {"python"}:
            self.assertTrue((REPOSITORY / f"tests/channels/test_{folder}.py").is_file(), folder)
            self.assertRegex(text_of("README.md"), rf"(?m)^\| .*\]\({folder}\)")

    def test_all_describe_it_in_the_same_words(self):
        control = text_of("debian/control")
        summary, description = re.search(r"(?s)\nDescription: ([^\n]+)\n(.*)\Z", control).groups()
        for name, pattern in SUMMARIES.items():
            found, = re.findall(pattern, text_of(name))
            self.assertEqual(found[0].lower() + found[1:], summary)
        self.assertIn("\n%description\n" + re.sub(r"(?m)^ \.?", "", description) + "\n", text_of("rpm/cudnn-checked.spec"))

    def test_the_license_of_the_debian_package(self):
        license_text = (REPOSITORY / "LICENSE").read_text(encoding="utf-8")
        holder, conditions = re.search(r"(?s)\nCopyright \(c\) ([^\n]+)\n\n(.*)\Z", license_text).groups()
        copyright_text = text_of("debian/copyright")
        self.assertIn(f"\nCopyright: {holder}\n", copyright_text)
        self.assertTrue(copyright_text.endswith("\nLicense: BSD-3-Clause\n" + "".join(
            f" {line or '.'}\n" for line in conditions.splitlines())))

    def test_the_python_of_the_recipes_compiles(self):
        for path in PACKAGING.glob("*/**/*.py"):
            compile(path.read_text(encoding="utf-8"), path, "exec")

    @unittest.skipUnless(yaml, "there is no PyYAML here (python3-yaml)")
    def test_the_yaml_of_the_recipes_is_read(self):
        recipe = yaml.safe_load(text_of("conda/recipe.yaml"))
        self.assertEqual([output["package"]["name"] for output in recipe["outputs"]], ["cudnn-checked-cmake", "cudnn-checked"])

    @unittest.skipUnless(shutil.which("dpkg-parsechangelog"), "there is no dpkg-parsechangelog (dpkg-dev)")
    def test_dpkg_reads_the_changelog(self):
        done = subprocess.run(["dpkg-parsechangelog", "-l", PACKAGING / "debian/changelog", "-S", "Version"],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual((done.returncode, done.stdout), (0, f"{RELEASE}-1\n"))

    @unittest.skipUnless(shutil.which("rpmspec"), "there is no rpmspec (rpm)")
    def test_rpm_reads_the_recipe(self):
        done = subprocess.run(["rpmspec", "--query", "--queryformat", "%{name} %{version}\n",
                               f"--load={REPOSITORY}/tests/channels/rpm_macros", PACKAGING / "rpm/cudnn-checked.spec"],
                              text=True, stdout=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stdout), (0, f"cudnn-checked {RELEASE}\n"))

# SPDX-License-Identifier: BSD-3-Clause
"""./dev release: what it refuses, the same bytes twice, the SBOM, and what it leaves to a person."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import textwrap
import unittest

from home_cache import HOME_CACHE
from support.environment import RELEASE, REPOSITORY
from support.scratch import ScratchTest

REQUIREMENTS = REPOSITORY / "scripts/release/requirements.txt"
IDENTITY = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", "somebody"), ("EMAIL", "somebody@example.invalid"))}
IDENTITY |= {"GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z"}
# What takes minutes, in a second: each makes a file of the right name.
STAND_INS = {
    "scripts/install_missing.sh": "exit 0\n",
    "scripts/archive.sh": ': >"$1/CuDNNChecked-{release}.tar.gz"\n',
    "packaging/python/wheel.sh": 'zig=0.1\n: >"$1/cudnn_checked-{release}-py3-none-any.whl"\n',
    "docs/reference/build.sh": 'cd "$(dirname "$0")/../.." && mkdir -p build/docs/html && : >build/docs/html/index.html\n',
}
CPACK = """\
#!/bin/sh
for name in cudnn-checked_{release}-1_amd64.deb cudnn-checked-{release}-1.x86_64.rpm cudnn-checked-{release}-Linux-x86_64.tar.gz; do
  : >"$name"
done
"""


def spdx_tools():
    """The folder of its programs, where ./dev release has fetched it."""
    done = subprocess.run(["cksum"], input=REQUIREMENTS.read_bytes(), stdout=subprocess.PIPE, check=True)
    folder = HOME_CACHE / f"spdx-{done.stdout.decode().split()[0]}"
    python = folder / "bin/python"  # of the machine that fetched it: a link that may lead nowhere here
    works = (folder / "complete").exists() and python.exists() and subprocess.run([python, "-c", ""]).returncode == 0
    return folder / "bin" if works else None


@unittest.skipUnless(shutil.which("git"), "there is no git here")
class Release(ScratchTest):
    """In a repository of its own, which has of this one what ./dev release itself reads."""

    def setUp(self):
        super().setUp()
        self.clone = self.scratch / "clone"
        shutil.copytree(REPOSITORY / "scripts", self.clone / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("dev", "README.md", "cmake/CuDNNChecked/package_version.cmake"):
            (self.clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, self.clone / name)
        self.git("init", "-q")
        self.commit()

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.clone, check=True, env={**os.environ, **IDENTITY})

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "all")

    def release(self, *words, **variables):
        done = subprocess.run([self.clone / "dev", "release", *words], cwd=self.scratch, text=True, capture_output=True,
                              env={**os.environ, **variables})
        said = re.sub(r"\A== release: .*\n", "", done.stderr)
        return done.returncode, done.stdout, said.replace(str(self.scratch), "<scratch>")

    def test_changes_that_no_commit_has(self):
        (self.clone / "README.md").write_text("changed\n")
        (self.clone / "new file").write_text("\n")
        self.assertEqual(self.release("made"), (1, "", (
            'dev: error: a release is made of a commit, and these changes are in none: README.md "new file" \n')))
        self.assertFalse((self.scratch / "made").exists())

    def test_no_checkout(self):
        shutil.rmtree(self.clone / ".git")
        status, out, err = self.release("made", GIT_CEILING_DIRECTORIES=str(self.scratch))
        self.assertEqual((status, out, err.splitlines()[-1]), (
            1, "", "dev: error: a release is made of a commit, and this is no checkout of git"))

    def test_a_folder_that_exists(self):
        (self.scratch / "made").mkdir()
        self.assertEqual(self.release("made"), (1, "", (
            "dev: error: made exists\n  Remove it, or name another directory: files of two releases must not mix.\n")))

    def test_wrong_words(self):
        usage = "dev: error: usage: ./dev release [--check] [--only PART] [DIR]\n"
        for words, message in (
                (["a", "b"], usage), (["--chek"], usage), ([""], usage),
                (["--only", "rpm"], 'dev: error: --only: one of wheels archive sources packages documents, not "rpm"\n'),
                (["--only"], 'dev: error: --only: one of wheels archive sources packages documents, not ""\n')):
            with self.subTest(words):
                self.assertEqual(self.release(*words), (1, "", message))

    def test_the_same_bytes_twice(self):
        status, out, err = self.release("--check", "--only", "sources", "made")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("== the same bytes twice: 2 files\n", out)
        archive = self.scratch / f"made/cudnn-checked-{RELEASE}.tar.gz"
        self.assertEqual((self.scratch / "made/SHA256SUMS").read_text(),
                         f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}\n")
        self.assertNotIn("what a person must still do", out)

    def test_other_bytes(self):
        (self.clone / "scripts/archive.sh").write_text('echo $$ >"$1/new"\n')
        self.commit()
        status, _, err = self.release("--check", "--only", "archive", "made")
        self.assertEqual((status, err), (1, "dev: error: two runs have made different bytes\n"))

    def stand_ins(self):
        """A folder for PATH, and in the clone what stands in for what compiles."""
        for name, text in STAND_INS.items():
            (self.clone / name).parent.mkdir(parents=True, exist_ok=True)
            (self.clone / name).write_text(text.replace("{release}", RELEASE))
        changelog = self.clone / "CHANGELOG.md"
        changelog.write_text(f"# Changelog\n\n## [{RELEASE}] - unreleased\n")
        self.commit()
        for name, text in (("cmake", "#!/bin/sh\n"), ("cpack", CPACK.replace("{release}", RELEASE))):
            program = self.write(f"bin/{name}", text)
            program.chmod(0o755)
        return program.parent

    def test_what_is_not_made_is_said_once(self):
        here = self.stand_ins()
        for folder in ("/bin", "/usr/bin"):
            for program in pathlib.Path(folder).iterdir():
                if program.name != "rpmbuild" and not (here / program.name).exists():
                    (here / program.name).symlink_to(program)
        for name in ("dpkg-deb", "dpkg-shlibdeps", "readelf", "c++"):
            (here / name).unlink(missing_ok=True)
            self.write(f"bin/{name}", "#!/bin/sh\n").chmod(0o755)
        status, out, err = self.release("--check", "--only", "packages", "made", PATH=str(here))
        self.assertEqual(status, 0, err)
        self.assertEqual([line for line in out.splitlines() if line.startswith("== not made")],
                         ["== not made: the RPM (no rpmbuild)"])

    @unittest.skipUnless(spdx_tools(), "./dev release has not been run on this machine")
    def test_all_of_it(self):
        """With stand-ins for what compiles."""
        status, out, err = self.release("made", PATH=f"{self.stand_ins()}:{os.environ['PATH']}")
        self.assertEqual(status, 0, err)
        made = self.scratch / "made"
        commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=self.clone, text=True, stdout=subprocess.PIPE).stdout.strip()
        sums = (made / "SHA256SUMS").read_text()
        names = sorted(path.name for path in made.iterdir() if path.suffix != ".sha256" and path.name != "SHA256SUMS")
        self.assertEqual(names, sorted([
            f"CuDNNChecked-{RELEASE}.tar.gz", f"cudnn-checked-{RELEASE}.tar.gz", f"cudnn-checked-{RELEASE}-documents.tar.gz",
            f"cudnn-checked-{RELEASE}.spdx.json", f"cudnn_checked-{RELEASE}-py3-none-any.whl",
            f"cudnn-checked_{RELEASE}-1_amd64.deb", f"cudnn-checked-{RELEASE}-1.x86_64.rpm",
            f"cudnn-checked-{RELEASE}-Linux-x86_64.tar.gz"]))
        self.assertEqual(sums, "".join(f"{hashlib.sha256((made / name).read_bytes()).hexdigest()}  {name}\n" for name in names))
        tree = json.loads((made / f"cudnn-checked-{RELEASE}.spdx.json").read_text())
        self.assertEqual({one["name"] for one in tree["packages"] if one["name"].startswith("LLVM")}, {"LLVM-libcxx-of-zig-0.1"})
        _, told = out.split("== what a person must still do\n")
        self.assertEqual(told.replace(str(made), "made"), textwrap.indent(textwrap.dedent(f"""\
            CHANGELOG.md says "unreleased": write the date in its place, commit, and type ./dev release again.
            git tag -s v{RELEASE} -m "CuDNNChecked {RELEASE}" {commit}
            git push origin v{RELEASE}
            gpg --armor --detach-sign made/SHA256SUMS
            python3 -m venv build/twine && build/twine/bin/pip install twine
            build/twine/bin/twine upload made/*.whl
            gh release create v{RELEASE} --verify-tag --title "CuDNNChecked {RELEASE}" --notes-file CHANGELOG.md made/*
            """), "   "))


@unittest.skipUnless(spdx_tools(), "./dev release has not been run on this machine")
class Sbom(ScratchTest):
    def sbom(self, *linked):
        for name in ("a-1.whl", "b.deb"):
            self.write(f"made/{name}", name)
        target = self.scratch / "made/cudnn-checked-1.2.3.spdx.json"
        target.unlink(missing_ok=True)
        lines = self.write("linked", "".join(f"{line}\n" for line in linked))
        done = subprocess.run([spdx_tools() / "python", REPOSITORY / "scripts/release/sbom.py", self.scratch / "made", "--release",
                               "1.2.3", "--commit", "f00", "--time", "1767323045", "--linked", lines], text=True, capture_output=True)
        return done.returncode, done.stdout, done.stderr, target

    def test_what_is_in_it(self):
        status, out, err, target = self.sbom("*.whl=libcxx=9=Apache-2.0 WITH LLVM-exception")
        self.assertEqual((status, out, err), (0, "cudnn-checked-1.2.3.spdx.json, 4 packages\n", ""))
        done = subprocess.run([spdx_tools() / "pyspdxtools", "--infile", target], text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        tree = json.loads(target.read_text())
        self.assertEqual(tree["creationInfo"]["created"], "2026-01-02T03:04:05Z")
        self.assertEqual([(one["name"], one["licenseDeclared"], [sum_["checksumValue"] for sum_ in one.get("checksums", [])])
                          for one in tree["packages"]], [
            ("cudnn-checked", "BSD-3-Clause", []),
            ("a-1.whl", "BSD-3-Clause", [hashlib.sha256(b"a-1.whl").hexdigest()]),
            ("b.deb", "BSD-3-Clause", [hashlib.sha256(b"b.deb").hexdigest()]),
            ("libcxx-9", "Apache-2.0 WITH LLVM-exception", [])])
        self.assertEqual([(one["spdxElementId"], one["relatedSpdxElement"]) for one in tree["relationships"]
                          if one["relationshipType"] == "STATIC_LINK"], [("SPDXRef-a-1.whl", "SPDXRef-libcxx-9")])

    def test_the_same_bytes_twice(self):
        first = self.sbom()[3].read_bytes()
        self.assertEqual(self.sbom()[3].read_bytes(), first)

    def test_a_license_that_is_none(self):
        status, out, err, target = self.sbom("*.whl=libcxx=9=NoSuchLicense")
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, r"^sbom\.py: .*NoSuchLicense")
        self.assertFalse(target.exists())


if __name__ == "__main__":
    unittest.main()

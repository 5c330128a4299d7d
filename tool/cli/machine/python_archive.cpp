// SPDX-License-Identifier: BSD-3-Clause
#include "python_archive.h"

#include <cstdio>
#include <filesystem>
#include <string_view>

#include "../../core/model/paths.h"
#include "child_output.h"

namespace cudnn_checked::cli {

// Whether an archive begins behind the line that names the interpreter.
static bool begins_archive(const arena_string& script) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(std::string(script), ignored)) return false;
  std::FILE* const opened = std::fopen(script.c_str(), "rb");
  if (opened == nullptr) return false;
  char text[4096];
  const std::string_view begin(text, std::fread(text, 1, sizeof text, opened));
  std::fclose(opened);
  const std::size_t end = begin.substr(0, 2) == "#!" ? begin.find('\n') + 1 : 0;
  return begin.substr(end, 4) == "PK\3\4";
}

// shiv: bootstrap/__init__.py, cache_path(); of several builds of one name each has its own folder.
// It leaves PYTHONPATH in front of its packages, and pex does where it is told to.
// pex: pex/cache/dirs.py; the folders of a venv are links to those of the wheels, unless they are
// copies.
static constexpr const char* read_archive = R"(
import sys
sys.path[:] = [path for path in sys.path if path]
import glob, json, os, zipfile, zlib
FILE = sys.argv[1]
def tell(word, path):
    print(word + " " + path)
def there(*parts):
    return sorted(filter(os.path.isdir, glob.glob(os.path.join(*parts))))
def there_all(paths):
    return [os.path.abspath(path) for path in paths if path and os.path.isdir(path)]
def look(archive):
    names = archive.namelist()
    if "__main__.py" not in names:  # a wheel, or another archive
        sys.exit(1)
    info = lambda name: json.loads(archive.open(name).read(1 << 24).decode())
    def tell_all(places, after_variable):
        before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        for path in (there_all(before) if places and after_variable else []) + places:
            tell("place", path)
    if "environment.json" in names and any(name.startswith("_bootstrap/") for name in names):
        print("shiv")
        about = info("environment.json")
        root = os.environ.get("SHIV_ROOT") or about.get("root") or "~/.shiv"
        if root.startswith("$"):
            root = os.environ.get(root[1:], root[1:])
        name = os.path.basename(os.path.realpath(FILE)) + "_" + about["build_id"]
        folder = glob.escape(os.path.join(os.path.expanduser(root), name))
        tell_all(there(folder, "site-packages"), True)
    elif "PEX-INFO" in names:
        print("pex")
        about = info("PEX-INFO")
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        roots = [os.environ.get("PEX_ROOT") or about.get("pex_root")]
        roots = roots if roots[0] else [os.path.join(cache, "pex"), os.path.expanduser("~/.pex")]
        for root in map(glob.escape, map(os.path.expanduser, roots)):
            found = []
            if about.get("venv") and about.get("venv_site_packages_copies"):
                site = ("*", "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
                found = there(root, "venvs", "*", about["pex_hash"], *site)[:1]
            else:
                for name, digest in about.get("distributions", {}).items():
                    found += there(root, "installed_wheels", "*", digest, name)[:1]
            inherits = os.environ.get("PEX_INHERIT_PATH") or about.get("inherit_path")
            tell_all(found, inherits == "prefer")
            if found:
                break
    else:
        print("zipapp")
        for name in names:
            if os.path.basename(name).startswith("libcudnn"):
                tell("packed", os.path.basename(name))
try:
    with zipfile.ZipFile(FILE) as archive:
        look(archive)
except (zipfile.BadZipFile, zlib.error, ValueError, EOFError):
    print("damaged")
)";

python_archive read_python_archive(const arena_string& interpreter, const arena_string& script) {
  python_archive found;
  if (interpreter.empty() || script.empty() || !begins_archive(script)) return found;
  const child_output output = output_of_program(
      {std::string(interpreter), "-I", "-S", "-c", read_archive, std::string(script)}, 10);
  if (!output.ended || output.status != 0) return found;
  found.is_archive = true;
  for (const arena_string& line : split_path_list(output.text, "\n")) {
    const std::size_t space = line.find(' ');
    if (line == "shiv") found.by = packer::shiv;
    if (line == "pex") found.by = packer::pex;
    found.is_damaged = found.is_damaged || line == "damaged";
    if (space == arena_string::npos) continue;
    (starts_with(line, "place ") ? found.directories : found.packed)
        .push_back(line.substr(space + 1));
  }
  return found;
}

arena_string why_unknown(const python_archive& archive) {
  if (archive.is_damaged) {
    return "a damaged archive: its table of files, or a file in it, cannot be read; build or copy "
           "it again";
  }
  if (!archive.packed.empty()) {
    return "it has " + joined(archive.packed, ", ") +
           " in an archive that nothing unpacks, and no loader can open them there; build it with "
           "shiv or pex";
  }
  if (archive.by == packer::none || !archive.directories.empty()) return {};
  return arena_string(row_of(archive.by).name) + " has not unpacked its packages; " +
         row_of(archive.by).to_be_checked;
}

}  // namespace cudnn_checked::cli

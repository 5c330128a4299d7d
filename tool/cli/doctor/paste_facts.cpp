// SPDX-License-Identifier: BSD-3-Clause
#include "doctor.h"

#include <algorithm>
#include <map>
#include <string>

#include "../../core/model/paths.h"
#include "../../core/system/python_layout.h"
#include "../../repair/python_metadata.h"
#include "../../spawn/spawn.h"
#include "../machine/child_output.h"
#include "../machine/python.h"
#include "../process/python_import.h"
#include "../survey/environment.h"
#include "../system/operating_system.h"
#include "../system/process_facts.h"
#include "../text/progress.h"

namespace cudnn_checked::cli {

static constexpr int brief_time = 10;   // seconds: of a program that prints something
static constexpr int import_time = 60;  // of a framework

static arena_vector<arena_string> lines_of(const std::string& text) {
  arena_vector<arena_string> lines = split_path_list(text, "\n");
  for (arena_string& line : lines.in_place()) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
  }
  return lines;
}

static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// ---- where

static void add_site(const system_interface& os, const arena_string& directory,
                     arena_vector<arena_string>& sites) {
  if (has_metadata(os, directory)) add_once(directory, sites);
}

paste_place place_of_packages(const system_interface& os,
                              const std::vector<std::string>& directories) {
  paste_place place;
  if (directories.empty()) {
    const python_packages found = find_python_packages(os);
    place.python = found.interpreter;
    for (const candidate& site : found.directories) add_site(os, site.directory, place.sites);
  }
  for (const arena_string directory : directories) {
    if (place.python.empty()) place.python = python_below(directory);
    add_site(os, directory, place.sites);
    for (const arena_string& site : sites_below(os, directory, "site-packages")) {
      add_site(os, site, place.sites);
    }
  }
  return place;
}

// ---- system

static arena_string release_name(const system_interface& os) {
  constexpr std::string_view key = "PRETTY_NAME=";
  arena_string text;
  if (!os.read_text("/etc/os-release", text)) (void)os.read_text("/usr/lib/os-release", text);
  for (const arena_string& line : lines_of(text)) {
    if (!starts_with(line, key)) continue;
    const arena_string value = line.substr(key.size());
    return value.size() > 1 && value[0] == '"' ? value.substr(1, value.size() - 2) : value;
  }
  return name_of_system();
}

static arena_string container_name(const system_interface& os) {
  arena_string value;
  for (const char* const name : {"APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"}) {
    if (os.variable(name, value)) return "Apptainer";
  }
  if (os.variable("KUBERNETES_SERVICE_HOST", value)) return "Kubernetes";
  if (exists(os, "/.dockerenv")) return "Docker";
  if (exists(os, "/run/.containerenv")) return "Podman";
  if (os.variable("container", value)) return value.empty() ? "yes" : value;
  if (os.read_text("/proc/sys/kernel/osrelease", value) &&
      value.find("icrosoft") != arena_string::npos) {
    return "WSL";
  }
  if (os.read_text("/proc/1/cgroup", value)) {
    for (const char* const name : {"docker", "kubepods", "containerd", "libpod", "lxc"}) {
      if (value.find(name) != arena_string::npos) return name;
    }
  }
  return "none detected";
}

static arena_string python_text(const paste_place& place) {
  if (place.python.empty()) return "none";
  const child_output answer = output_of_program(
      {place.python, "-c", "import sys; print(sys.version.split()[0]); print(sys.prefix)"},
      brief_time);
  const arena_vector<arena_string> lines = lines_of(answer.text);
  if (answer.status != 0 || lines.size() < 2) return place.python + "   does not start";
  return lines[0] + "   " + place.python;
}

static arena_string nvcc_text(const system_interface& os) {
  const arena_string nvcc = program_on_path(os, "nvcc");
  if (nvcc.empty()) return "not on PATH";
  const std::string text = output_of_program({nvcc, "--version"}, brief_time).text;
  const std::size_t at = text.find(", V");
  const std::size_t end = at == std::string::npos ? at : text.find_first_of("\n ", at + 3);
  return (at == std::string::npos ? arena_string("unknown")
                                  : arena_string(text.substr(at + 3, end - at - 3))) +
         "   " + nvcc;
}

text_rows system_rows(const system_interface& os, const paste_place& place) {
  text_rows rows = {{"system:", release_name(os) + ", " + arena_string(describe_system())},
                    {"container:", container_name(os)},
                    {"Python:", python_text(place)},
                    {"nvcc:", nvcc_text(os)}};
  const arena_string smi = program_on_path(os, "nvidia-smi");
  if (smi.empty()) {
    rows.push_back({"nvidia-smi:", "not on PATH"});
    return rows;
  }
  show_progress("asking nvidia-smi");
  const child_output gpus =
      output_of_program({smi, "--query-gpu=index,name,compute_cap,memory.total,driver_version",
                         "--format=csv,noheader"},
                        brief_time);
  if (gpus.status != 0 || !gpus.ended) {
    rows.push_back({"nvidia-smi:", "fails: " + first_line(gpus.text)});
    return rows;
  }
  for (const arena_string& line : lines_of(gpus.text)) rows.push_back({"nvidia-smi:", line});
  return rows;
}

arena_string topology_text(const system_interface& os) {
  const arena_string smi = program_on_path(os, "nvidia-smi");
  if (smi.empty()) return {};
  const child_output answer = output_of_program({smi, "topo", "-m"}, brief_time);
  const std::string matrix = answer.text.substr(0, answer.text.find("\n\nLegend"));
  if (answer.status != 0 || !answer.ended || matrix.empty()) return {};
  arena_string text = "topology of the GPUs\n";
  for (const arena_string& line : lines_of(matrix)) {
    std::string plain;
    for (std::size_t i = 0; i < line.size(); ++i) {
      // It underlines words: "\x1b[4m".
      if (line[i] == '\x1b') {
        while (i + 1 < line.size() && line[i] != 'm') ++i;
      } else {
        plain += line[i] == '\t' ? ' ' : line[i];
      }
    }
    text += "  " + arena_string(plain) + "\n";
  }
  return text;
}

// ---- what frameworks load

struct framework {
  const char* package;  ///< the beginning of its names: "onnxruntime-gpu"
  const char* module;
};

static constexpr framework frameworks[] = {{"torch", "torch"},
                                           {"tensorflow", "tensorflow"},
                                           {"jaxlib", "jax"},
                                           {"onnxruntime", "onnxruntime"},
                                           {"paddlepaddle", "paddle"},
                                           {"cupy", "cupy"},
                                           {"ctranslate2", "ctranslate2"},
                                           {"nvidia_cudnn_frontend", "cudnn"}};

// A framework whose import succeeds is asked for its cuDNN, which makes it load that.
static constexpr const char* ask_framework = R"(
name = MODULES[0]
def say(key, value):
    tell("fact", key, str(value).split('\n')[0])
tell("import", name)
try:
    module = importlib.import_module(name)
    say('version', getattr(module, '__version__', 'unknown'))
    if name == 'torch':
        say('CUDA', module.version.cuda)
        say('cuDNN', module.backends.cudnn.version())
        if module.cuda.is_available():
            for i in range(module.cuda.device_count()):
                gpu = module.cuda.get_device_properties(i)
                say('GPU', '%d %s, sm_%d%d, %d SMs, %d MiB' % (i, gpu.name, gpu.major, gpu.minor,
                    gpu.multi_processor_count, gpu.total_memory >> 20))
    elif name == 'cudnn':
        say('cuDNN', module.backend_version())
    elif name == 'onnxruntime' and hasattr(module, 'preload_dlls'):
        module.preload_dlls()
    elif name == 'cupy':
        say('cuDNN', module.cuda.cudnn.getVersion())
except BaseException as error:
    say('error', type(error).__name__ + ': ' + str(error))
try:
    say('file', importlib.util.find_spec(name).origin)
except BaseException:
    pass
)";

static std::string how_it_ended(const spawn::program_end& end) {
  switch (end.kind) {
    case spawn::program_end::how::not_started:
      return "cannot be started";
    case spawn::program_end::how::timed_out:
      return "not done after " + std::to_string(end.number) + " s";
    case spawn::program_end::how::signalled:
      return "ended by " + spawn::signal_text(end.number);
    case spawn::program_end::how::exited:
      return "ended with status " + std::to_string(end.number);
    case spawn::program_end::how::runs:
      break;
  }
  return {};
}

static bool is_of_cuda(const arena_string& name) {
  for (const char* const stem : {"libcudnn", "libcublas", "libcudart", "libnvrtc", "libcuda.so"}) {
    if (starts_with(name, stem)) return true;
  }
  return false;
}

/// Directories of the libraries that have been mapped: "libcudnn, libcudnn_graph" of one directory.
static std::map<std::string, std::string> mapped_directories(const system_interface& os,
                                                             const python_import& python) {
  std::map<std::string, std::string> found;
  if (python.result() != import_result::waits) return found;
  for (const mapped_object& object : look_at_process(os, python.process()).mapped) {
    const arena_string name = base_name(object.path);
    if (!is_of_cuda(name)) continue;
    std::string& names = found[std::string(directory_part(object.path))];
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return found;
}

/// The type of an exception, and its words only if they are the loader's or Python's own: the text
/// of a package may contain anything, for example the address of an index.
static arena_string error_shown(const arena_string& text) {
  const std::size_t type = text.find(": ");
  if (type == arena_string::npos) return text;
  const arena_string words = text.substr(type + 2);
  const arena_string first = words.substr(0, words.find(": "));
  const bool is_of_loader = first.size() < words.size() &&
                            first.find(".so") != arena_string::npos &&
                            first.find(' ') == arena_string::npos;
  const bool is_known = is_of_loader || starts_with(words, "No module named '");
  return is_known ? text : text.substr(0, type) + " (its text is left out)";
}

static void add_loaded(const system_interface& os, const char* module, const python_import& python,
                       text_rows& rows) {
  std::string facts;
  for (const auto& [key, value] : python.facts()) {
    facts += (facts.empty() ? "" : "; ") + key + ' ' +
             (key == "error" ? std::string(error_shown(value)) : value);
  }
  const std::string end = how_it_ended(python.end());
  if (!end.empty()) facts += (facts.empty() ? "" : "; ") + end;
  rows.push_back({arena_string(module) + ":", facts});
  for (const auto& [directory, names] : mapped_directories(os, python)) {
    rows.push_back({"", "loads " + arena_string(names) + "   " + arena_string(directory)});
  }
}

text_rows loaded_rows(const system_interface& os, const paste_place& place) {
  text_rows rows;
  if (place.python.empty()) return rows;
  for (const framework& one : frameworks) {
    bool is_there = false;
    for (const arena_string& site : place.sites) {
      const std::vector<std::string> infos = repairs::infos_of(os, site, "");
      is_there = is_there || any_of(infos, [&one](const std::string& info) {
                   return starts_with(info, one.package);
                 });
    }
    if (!is_there) continue;
    add_loaded(os, one.module,
               python_import(place.python, {one.module}, import_time, ask_framework), rows);
  }
  return rows;
}

}  // namespace cudnn_checked::cli

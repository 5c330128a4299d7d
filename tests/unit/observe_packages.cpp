// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/observe/observe.h"
#include "fake_system.h"

using namespace cudnn_checked;

namespace {

const std::string site = "/venv/lib/python3.12/site-packages";

void add_dist_info(test::fake_system& os, const std::string& name, const std::string& number,
                   const std::string& record, const std::string& where = site) {
  std::string folder = name;
  for (char& c : folder) c = c == '-' ? '_' : c;
  const std::string info = where + "/" + folder + "-" + number + ".dist-info/";
  os.files[info + "METADATA"] =
      "Metadata-Version: 2.4\nName: " + name + "\nVersion: " + number + "\n\nName: no field\n";
  os.files[info + "RECORD"] = record;
}

cudnn_file& add_file(observation& observed, test::fake_system& os, const std::string& path,
                     const std::string& contents = "12345") {
  const std::string real = os.real_path(path);
  if (real.empty()) os.files[path] = contents;
  cudnn_file file;
  file.path = path;
  file.real_path = os.real_path(path);
  file.size = contents.size();
  observed.files.push_back(file);
  return observed.files.in_place().back();
}

std::string text(const package_record& p) {
  return std::string(to_string(p.manager)) + "|" + p.name + "|" + p.number + "|" +
         to_string(p.cudnn) + "|" + std::to_string(p.cuda_major) + "|" +
         std::to_string(static_cast<int>(p.same_size));
}

constexpr int yes = static_cast<int>(answer::yes);

}  // namespace

TEST_CASE("a wheel's RECORD and METADATA") {
  test::fake_system os;
  observation observed;
  add_dist_info(os, "nvidia-cudnn-cu13", "9.14.0.64",
                "nvidia/cudnn/include/cudnn.h,sha256=x,7\r\n"
                "nvidia/cudnn/lib/libcudnn.so.9,sha256=x,5\r\n"
                "nvidia_cudnn_cu13-9.14.0.64.dist-info/RECORD,,\r\n");
  add_file(observed, os, site + "/nvidia/cudnn/lib/libcudnn.so.9");
  add_file(observed, os, "/elsewhere/libcudnn_ops.so.9");
  observe_packages(os, observed);
  CHECK(text(observed.files[0].package) ==
        "wheel|nvidia-cudnn-cu13|9.14.0.64|9.14.0|13|" + std::to_string(yes));
  CHECK(observed.files[0].package.record == site + "/nvidia_cudnn_cu13-9.14.0.64.dist-info/RECORD");
  CHECK(observed.files[0].other_claims.empty());
  CHECK(observed.files[1].package.manager == cudnn_checked::package_manager::none);
  CHECK(observed.absent_files.empty());
}

TEST_CASE(
    "links from site-packages into an installer's cache, and a path through another package") {
  test::fake_system os;
  observation observed;
  add_dist_info(os, "nvidia-cudnn-jit-cu12", "9.27.0.42",
                "nvidia/cudnn_jit/lib/libcudnn.so.9,sha256=x,5\n");
  os.files["/cache/archive/nvidia/cudnn_jit/lib/libcudnn.so.9"] = "12345";
  os.links[site + "/nvidia/cudnn_jit/lib/libcudnn.so.9"] =
      "/cache/archive/nvidia/cudnn_jit/lib/libcudnn.so.9";
  os.files[site + "/torch/lib/libtorch.so"] = "";
  add_file(observed, os, site + "/torch/lib/../../nvidia/cudnn_jit/lib/libcudnn.so.9");
  observe_packages(os, observed);
  CHECK(text(observed.files[0].package) ==
        "wheel|nvidia-cudnn-jit-cu12|9.27.0.42|9.27.0|12|" + std::to_string(yes));
}

TEST_CASE("a copy inside another package: its release is not cuDNN's") {
  test::fake_system os;
  observation observed;
  add_dist_info(os, "torch", "2.11.0+cu130", "torch/lib/libcudnn.so.9,sha256=x,5\n");
  add_dist_info(os, "ctranslate2", "4.6.0", "ctranslate2.libs/libcudnn-0a1b2c3d.so.9,sha256=x,6\n");
  add_file(observed, os, site + "/torch/lib/libcudnn.so.9");
  add_file(observed, os, site + "/ctranslate2.libs/libcudnn-0a1b2c3d.so.9");
  observe_packages(os, observed);
  CHECK(text(observed.files[0].package) ==
        "wheel|torch|2.11.0+cu130|unknown|0|" + std::to_string(yes));
  CHECK(observed.files[1].package.name == "ctranslate2");
  CHECK(observed.files[1].package.same_size == answer::no);
}

TEST_CASE("two wheels unpacked over each other") {
  test::fake_system os;
  observation observed;
  add_dist_info(os, "nvidia-cudnn-cu11", "9.1.0.70",
                "nvidia/cudnn/lib/libcudnn_ops.so.9,sha256=x,4\n"
                "nvidia/cudnn/lib/libcudnn_adv.so.9,sha256=x,5\n");
  add_dist_info(os, "nvidia-cudnn-cu12", "9.1.0.70",
                "nvidia/cudnn/lib/libcudnn_ops.so.9,sha256=x,5\n"
                "nvidia/cudnn/lib/libcudnn_adv.so.9,sha256=x,6\n");
  add_file(observed, os, site + "/nvidia/cudnn/lib/libcudnn_ops.so.9");
  add_file(observed, os, site + "/nvidia/cudnn/lib/libcudnn_adv.so.9");
  observe_packages(os, observed);
  CHECK(observed.files[0].package.name == "nvidia-cudnn-cu12");
  REQUIRE(observed.files[0].other_claims.size() == 1);
  CHECK(observed.files[0].other_claims[0].name == "nvidia-cudnn-cu11");
  CHECK(observed.files[0].other_claims[0].same_size == answer::no);
  CHECK(observed.files[1].package.name == "nvidia-cudnn-cu11");
  CHECK(observed.files[1].other_claims[0].name == "nvidia-cudnn-cu12");
}

TEST_CASE("a RECORD that lists what is not there") {
  test::fake_system os;
  observation observed;
  const std::string lib = site + "/nvidia/cudnn/lib/";
  add_dist_info(os, "nvidia-cudnn-cu13", "9.14.0.64",
                "nvidia/cudnn/lib/libcudnn.so.9,sha256=x,5\n"
                "nvidia/cudnn/lib/libcudnn_ops.so.9,sha256=x,5\n"
                "nvidia/cudnn/lib/libcudnn_cnn.so.9,sha256=x,5\n"
                "nvidia/cudnn/lib/libcudnn_static_v9.a,sha256=x,5\n"
                "nvidia/cudnn/lib/libcudnn_graph.so,sha256=x,5\n"
                "nvidia/cudnn/lib/gone.py,sha256=x,5\n");
  // Of a package that none of the files came with nothing is said, and of a record of another
  // release that pip install --target has left behind.
  add_dist_info(os, "nvidia-cudnn-cu13", "9.10.2.21",
                "nvidia/cudnn/lib/libcudnn.so.9,sha256=x,4\n"
                "nvidia/cudnn/lib/libcudnn_engines_tensor_ir.so.9,sha256=x,5\n");
  add_dist_info(os, "nvidia-cudnn-cu12", "9.14.0.64", "other/lib/libcudnn_adv.so.9,sha256=x,5\n");
  add_file(observed, os, lib + "libcudnn.so.9");
  os.files[lib + "libcudnn_cnn.so.9"] = "";
  os.denied.insert(lib + "libcudnn_cnn.so.9");
  observe_packages(os, observed);
  REQUIRE(observed.absent_files.size() == 1);
  CHECK(observed.absent_files[0].path == lib + "libcudnn_ops.so.9");
  CHECK(observed.absent_files[0].package.name == "nvidia-cudnn-cu13");
  // Asked again, it is told once.
  observe_packages(os, observed);
  CHECK(observed.absent_files.size() == 1);
}

TEST_CASE("conda's records") {
  test::fake_system os;
  observation observed;
  os.files["/conda/conda-meta/libcudnn-9.10.1.4-h7d33bf5_0.json"] =
      R"({"name":"libcudnn","version":"9.10.1.4","build":"h7d33bf5_0",)"
      R"("depends":["cuda-version >=12,<13.0a0","libzlib"],)"
      R"("paths_data":{"paths":[{"_path":"lib/libcudnn.so.9","size_in_bytes":5}]}})";
  os.files["/old/conda-meta/cudnn-8.9.2.26-cuda11_0.json"] =
      R"({"name":"cudnn","version":"8.9.2.26","build":"cuda11_0","files":["lib/libcudnn.so.8"]})";
  os.files["/bad/conda-meta/cudnn-9.0.0.1-0.json"] = "{";
  add_file(observed, os, "/conda/lib/libcudnn.so.9");
  add_file(observed, os, "/old/lib/libcudnn.so.8");
  add_file(observed, os, "/bad/lib/libcudnn.so.9");
  observe_packages(os, observed);
  CHECK(text(observed.files[0].package) ==
        "conda|libcudnn|9.10.1.4|9.10.1|12|" + std::to_string(yes));
  CHECK(text(observed.files[1].package) == "conda|cudnn|8.9.2.26|8.9.2|11|0");
  CHECK(observed.files[2].package.manager == cudnn_checked::package_manager::none);
}

TEST_CASE("dpkg's records, through links and a merged /usr") {
  test::fake_system os;
  observation observed;
  os.files["/var/lib/dpkg/status"] =
      "Package: libcudnn8\nVersion: 8.9.7.29-1+cuda12.2\n\n"
      "Package: libcudnn9-cuda-13\nStatus: install ok installed\nVersion: 9.14.0.64-1\n\n"
      "Package: libcudnn9-cuda-13-more\nVersion: 1\n";
  os.files["/var/lib/dpkg/info/libcudnn9-cuda-13:amd64.list"] =
      "/.\n/lib/x86_64-linux-gnu/libcudnn.so.9.14.0\n/lib/x86_64-linux-gnu/libcudnn.so.9\n";
  os.files["/var/lib/dpkg/info/libcudnn8.list"] = "/usr/lib/x86_64-linux-gnu/libcudnn.so.8.9.7\n";
  os.links["/lib"] = "/usr/lib";
  os.files["/usr/lib/x86_64-linux-gnu/libcudnn.so.9.14.0"] = "12345";
  os.links["/usr/lib/x86_64-linux-gnu/libcudnn.so.9"] = "libcudnn.so.9.14.0";
  add_file(observed, os, "/usr/lib/x86_64-linux-gnu/libcudnn.so.9");
  add_file(observed, os, "/usr/lib/x86_64-linux-gnu/libcudnn.so.8.9.7");
  observe_packages(os, observed);
  CHECK(text(observed.files[0].package) == "dpkg|libcudnn9-cuda-13|9.14.0.64-1|9.14.0|13|0");
  CHECK(text(observed.files[1].package) == "dpkg|libcudnn8|8.9.7.29-1+cuda12.2|8.9.7|12|0");
}

TEST_CASE("a missing file and a machine without records") {
  test::fake_system os;
  observation observed;
  observed.files.resize(1);
  add_file(observed, os, "/lib/libcudnn.so.9");
  observe_packages(os, observed);
  CHECK(observed.files[0].package.manager == cudnn_checked::package_manager::none);
  CHECK(observed.files[1].package.manager == cudnn_checked::package_manager::none);
}

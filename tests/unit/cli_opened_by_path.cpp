// SPDX-License-Identifier: BSD-3-Clause
//
// The cuDNN that a package opens by its path: the file, and not what has its name already.
#include <doctest/doctest.h>

#include "site_packages.h"

using namespace cudnn_checked;
using test::site;
using test::wheel;

namespace {

struct machine_with_frontend : test::venv {
  const std::string library = "cudnn/_compiled_module.cpython-312-x86_64-linux-gnu.so";

  machine_with_frontend() {
    os.files["/venv/bin/python"] = "";
    os.files["/venv/pyvenv.cfg"] = "";
    add_cudnn("9.10.2.21", "12");
    add_cudnn("9.14.0.64", "12", "/usr/lib/system");
    os.cache["libcudnn.so.9"] = "/usr/lib/system/libcudnn.so.9";
    add_library(library, {}, "$ORIGIN/../nvidia/cudnn/lib");
    add_package("nvidia_cudnn_frontend", "1.32.0", {}, library);
  }
};

}  // namespace

TEST_CASE("what is opened by a path is a second cuDNN where the process has another one") {
  machine_with_frontend m;
  const std::string own = wheel + "/libcudnn.so.9";
  const mapped_object others{"/usr/lib/system/libcudnn.so.9", "libcudnn.so.9", "", false};
  const auto opened = [&](const std::vector<mapped_object>& memory) {
    m.os.mapped = memory;
    return std::string(m.look(m.library).program.opened_path);
  };
  CHECK(opened({others}) == own);
  CHECK(opened({}).empty());
  CHECK(opened({{own, "libcudnn.so.9", "", false}}).empty());
  // It is imported already.
  CHECK(opened({others, {site + "/" + m.library, "", "", false}}).empty());
  // By its name it gets the one that is there.
  for (const std::string& role : test::roles_9)
    m.os.files.erase(wheel + "/" + test::soname_of(role, 9));
  CHECK(opened({others}).empty());
}

TEST_CASE("a cut cuDNN that a package opens is told with its lengths") {
  machine_with_frontend m;
  std::string& shim = m.os.files[wheel + "/libcudnn.so.9"];
  const std::size_t size = shim.size();
  shim.resize(size - 100);
  const std::string lengths = std::to_string(size - 100) + " bytes of " + std::to_string(size);
  const std::string message = m.look(m.library).message;
  CHECK(message.find(lengths) != std::string::npos);
  CHECK(message.find("0 bytes of 0") == std::string::npos);
}

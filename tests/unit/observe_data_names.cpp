// SPDX-License-Identifier: BSD-3-Clause
//
// Names of cuDNN and of CUDA's runtime in the read-only data of a library.
#include <doctest/doctest.h>

#include "core/library/data_names.h"
#include "elf_builder.h"
#include "fake_system.h"

using namespace cudnn_checked;

namespace {

const std::string end_of_text(1, '\0');

/// Each of these texts has a zero byte on both sides.
std::string texts(const std::vector<std::string>& all) {
  std::string data = end_of_text;
  for (const std::string& text : all) data += text + end_of_text;
  return data;
}

data_names names_in(const std::string& data, const std::string& section = ".rodata") {
  test::fake_system os;
  test::elf_builder b;
  b.sections.push_back({section, data});
  os.files["/l.so"] = b.build();
  return read_data_names(os, "/l.so");
}

}  // namespace

TEST_CASE("a library or a function of cuDNN in the data") {
  struct row {
    std::string text;
    const char* library;
    const char* function;
  };
  for (const row& r : {
           row{"libcudnn.so", "libcudnn.so", ""},
           row{"libcudnn.so.8.8.1", "libcudnn.so.8.8.1", ""},
           row{"libcudnn_ops.so.9", "libcudnn_ops.so.9", ""},
           row{"cudnnCreate", "", "cudnnCreate"},
           row{"cudnnGetVersion", "", "cudnnGetVersion"},
           row{"Unable to find symbol cudnnCreate", "", ""},
           row{"cudnnCreate(&handle)", "", ""},
           row{"path for loading libcudnn.so", "", ""},
           row{"/opt/cudnn/libcudnn.so", "", ""},
           row{"libcudnn_frontend.txt", "", ""},
       }) {
    CAPTURE(r.text);
    const data_names names = names_in(texts({"before", r.text, "behind"}));
    CHECK(names.library == r.library);
    CHECK(names.function == r.function);
    CHECK(names.open_cudnn() == (names.library.size() + names.function.size() > 0));
  }
  CHECK(names_in("libcudnn.so.9" + end_of_text).library == "libcudnn.so.9");
  CHECK(names_in("libcudnn.so.9").library == "");
  CHECK(names_in("xlibcudnn.so.9" + end_of_text).library == "");
  CHECK(names_in(texts({"libcudnn.so.9"}), ".rodata.str1.1").library == "libcudnn.so.9");
  CHECK(names_in(texts({"libcudnn.so.9"}), ".data").library == "");
}

TEST_CASE("CUDA's runtimes in the data, of which a second one is refused") {
  const data_names names =
      names_in(texts({"libcudart.so.13", "Multiple libcudart libraries found: ", "libcudart.so.12",
                      "libcudart.so.13", "libcudart_static.a"}));
  CHECK(names.one_runtime);
  REQUIRE(names.runtimes.size() == 2);
  CHECK(names.runtimes[0] == "libcudart.so.13");
  CHECK(names.runtimes[1] == "libcudart.so.12");
  CHECK(!names.open_cudnn());
  CHECK(!names_in(texts({"libcudart.so.12"})).one_runtime);
}

TEST_CASE("a name at each place where the data is read in pieces") {
  for (const std::size_t before :
       {(1U << 20) - 140U, (1U << 20) - 128U, (1U << 20) - 5U, 1U << 20}) {
    CAPTURE(before);
    CHECK(names_in(std::string(before - 1, 'u') + texts({"libcudnn.so.9"})).library ==
          "libcudnn.so.9");
  }
}

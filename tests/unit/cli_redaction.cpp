// SPDX-License-Identifier: BSD-3-Clause
//
// What is taken out of a bug report, and what stays in it.
#include "cli/linux/account.cpp"
#include "cli/text/redaction.cpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace cudnn_checked::cli;

namespace {

const private_words anna = {
    {"/home/anna", "/data/people/anna"}, {"anna", "so"}, {"node17.example.org", "node17"}};

std::string shown(const std::string& text) { return redacted(text, anna); }

}  // namespace

TEST_CASE("redaction: home directories") {
  CHECK(shown("/home/anna") == "~");
  CHECK(shown("/home/anna/venv/lib") == "~/venv/lib");
  CHECK(shown("'/home/anna/a b/x'") == "'~/a b/x'");
  CHECK(shown("A=/home/anna:/data/people/anna/b") == "A=~:~/b");
  CHECK(shown("/home/annabel/x") == "/home/<user>/x");
  CHECK(shown("/home/bob.smith/x") == "/home/<user>/x");
  CHECK(shown("/Users/bob") == "/Users/<user>");
  CHECK(shown("/srv/root/home/bob/x") == "/srv/root/home/<user>/x");
  CHECK(shown("/srv/home/anna/x") == "/srv/home/<user>/x");
  CHECK(shown("/home/../etc") == "/home/../etc");
  CHECK(shown("/usr/lib/x86_64-linux-gnu/libcudnn.so.9") ==
        "/usr/lib/x86_64-linux-gnu/libcudnn.so.9");
}

TEST_CASE("redaction: names of people and machines") {
  CHECK(shown("/scratch/anna/x") == "/scratch/<user>/x");
  CHECK(shown("/tmp/pip-anna_1/x") == "/tmp/pip-<user>_1/x");
  CHECK(shown("/scratch/Anna") == "/scratch/<user>");
  CHECK(shown("susanna and annals") == "susanna and annals");
  CHECK(shown("/mnt/node17/x node17.example.org NODE17") == "/mnt/<host>/x <host> <host>");
  CHECK(shown("node170") == "node170");
  // A short name is a part of other words.
  CHECK(shown("/data/so/libcudnn.so.9") == "/data/<user>/libcudnn.so.9");
  CHECK(shown("so it is") == "so it is");
}

TEST_CASE("redaction: a name that is a word of every path stays where it is one") {
  private_words own;
  for (const char* const one : {"lib", "cuda", "root", "Torch", "a", ""}) add_user(one, own);
  add_host("localhost", own);
  add_host("gpu", own);
  CHECK(own.users.empty());
  CHECK(own.hosts.empty());
  CHECK(redacted("/home/lib/lib/torch", own) == "/home/<user>/lib/torch");
}

TEST_CASE("redaction: a home that is not a person's") {
  private_words own;
  for (const char* const one : {"", "/", "/usr/sbin", "/nonexistent", "/opt", "relative", "//"}) {
    add_home(one, own);
  }
  CHECK(own.homes.empty());
  add_home("/root/", own);
  CHECK(own.homes == std::vector<std::string>{"/root"});
  CHECK(own.users.empty());
}

TEST_CASE("redaction: a home with characters of its own") {
  private_words own;
  add_home("/people/o'brien\nx", own);
  CHECK(redacted("'/people/o'\\''brien\\x0ax/lib' /people/o'brien\\x0ax", own) == "'~/lib' ~");
  CHECK(redacted("/people/o'brien\nx/lib", own) == "~/lib");
  private_words other;
  add_home("/people/J\xC3\xBCrgen", other);
  CHECK(redacted("/people/J\xC3\xBCrgen/x /tmp/J\xC3\xBCrgen", other) == "~/x /tmp/<user>");
}

TEST_CASE("redaction: a name with a blank") {
  CHECK(shown("/home/first last/x") == "/home/<user>/x");
  CHECK(shown("/home/first last") == "/home/<user>");
  CHECK(shown("'/home/first last' is") == "'/home/<user>' is");
  CHECK(shown("/home/first last   chosen by x") == "/home/<user>   chosen by x");
  CHECK(shown("/home/bob and /home/first last/x") == "/home/<user> /home/<user>/x");
  CHECK(shown("/home/first last:/opt") == "/home/<user>:/opt");
}

TEST_CASE("redaction: addresses") {
  CHECK(shown("https://me:pw@host/simple end") == "https://<url> end");
  CHECK(shown("https://u:SEC/RET@h/x") == "https://<url>");
  CHECK(shown("cudnn @ git+ssh://git@node17/home/anna/x") == "cudnn @ git+ssh://<url>");
  CHECK(shown("'file:///home/anna/\"x' y") == "'file://<url> y");
  CHECK(shown("write to anna.b@example.org now") == "write to <mail> now");
  CHECK(shown("@anna a@b") == "@<user> a@b");
  CHECK(
      shown("GPU-8932f937-d72c-4106-c12f-20bd9faed9f6,MIG-8932F937-d72c-4106-c12f-20bd9faed9f6") ==
      "GPU-<uuid>,MIG-<uuid>");
}

TEST_CASE("redaction: of the value of a variable only what is known to be harmless is shown") {
  const auto value = [](const std::string& text) { return redacted_value(text, anna); };
  for (const char* const one :
       {"", "0,1,2", "-1", "all", "7.5;8.0;8.6;9.0a", "8.6+PTX",
        "max_split_size_mb:128,expandable_segments:True",
        "--xla_gpu_autotune_level=0 --xla_gpu_enable_triton_gemm=false", "glibc.malloc.check=3",
        "cuda>=12.6", "compute,utility", "FASTEST_FIRST",
        "/usr/lib:./x::/nix/store/0c5b1mz2k9vq-cudnn/lib"}) {
    CHECK(value(one) == one);
  }
  CHECK(value("GPU-8932f937-d72c-4106-c12f-20bd9faed9f6") == "GPU-<uuid>");
  CHECK(value("/home/first last/x:/home/anna/y") == "/home/<user>/x:~/y");
  for (const char* const secret :
       {"ghp_0123456789abcdef0123", "hunter2", "0123456789abcdef", "1234567890123", "SECRET",
        "https://h/SECRET", "'SECRET", "-SECRET", "a/b", "--token", "--xla_SECRET", "\nSECRET"}) {
    CHECK(value(secret) == "<redacted>");
  }
  CHECK(value("--auth_token SECRET") == "<redacted> <redacted>");
  // Of what begins like a path too.
  CHECK(value("/opt/x --auth_token SECRET") == "<redacted> <redacted> <redacted>");
  CHECK(value("/tmp/x:/tmp/token=SECRET") == "<redacted>:<redacted>=<redacted>");
  CHECK(value("--token=SECRET --xla_dump_to=/tmp/x") ==
        "<redacted>=<redacted> --xla_dump_to=<redacted>");
  CHECK(value("https://u:SEC/RET@h/x") == "<redacted>");
  CHECK(value("/opt:https://u:SEC/RET@h/x").find("RET") == std::string::npos);
  CHECK(value("cuda>=12.6 brand=tesla,driver>=470") == "cuda>=12.6 brand=<redacted>,driver>=470");
}

TEST_CASE("redaction: names of variables") {
  for (const char* const one :
       {"NVIDIA_API_KEY", "HF_TOKEN", "cuda_password", "AWS_SECRET", "X_AUTH"}) {
    CHECK(is_secret_name(one));
  }
  for (const char* const one : {"LD_LIBRARY_PATH", "CUDA_HOME", "CUDNN_LOGLEVEL_DBG", "PATH"}) {
    CHECK(!is_secret_name(one));
  }
}

TEST_CASE("redaction: no text takes long, and none is left where it should not be") {
  const auto begin = std::chrono::steady_clock::now();
  for (const char* const part : {"://", "a@", "/home/", "/home/anna", "0-", "/home/a b", " ",
                                 "\xC3\xBC", "anna", "@", "'", "`", "://a@"}) {
    std::string text;
    while (text.size() < 20000) text += part;
    const std::string out = shown(text);
    CHECK(out.find("/home/anna") == std::string::npos);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  CHECK(took.count() < 10);
}

// SPDX-License-Identifier: BSD-3-Clause
//
// Names of machines, folded and unfolded as Slurm does it (scontrol show hostlist, hostnames).
#include "cli/fleet/machine_names.cpp"

#include <doctest/doctest.h>

using cudnn_checked::cli::folded_names;
using cudnn_checked::cli::name_part;
using cudnn_checked::cli::unfold_names;

namespace {

using machine_names = std::vector<std::string>;

std::string folded(const machine_names& names) {
  std::string text;
  for (const name_part& part : folded_names(names)) text += part.text;
  return text;
}

std::string unfolded(const std::string& list) {
  machine_names names;
  if (!unfold_names(list, names)) return "no list";
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

}  // namespace

TEST_CASE("names of machines are folded") {
  CHECK(folded({}) == "");
  CHECK(folded({"gpu"}) == "gpu");
  CHECK(folded({"node7"}) == "node7");
  CHECK(folded({"node001", "node000", "node002", "node012"}) == "node[000-002,012]");
  CHECK(folded({"node9", "node10", "node11"}) == "node[9-11]");
  CHECK(folded({"node09", "node10"}) == "node[09-10]");
  CHECK(folded({"node099", "node100"}) == "node[099-100]");
  CHECK(folded({"node08", "node9"}) == "node[08,9]");
  CHECK(folded({"node01", "node1", "node2"}) == "node[1,01,2]");
  CHECK(folded({"a1", "a2", "b1", "login"}) == "a[1-2],b1,login");
  CHECK(folded({"node", "node1", "node1"}) == "node,node1");
  CHECK(folded({"n1.cluster", "n2.cluster"}) == "n[1-2].cluster");
  // The number in which they differ.
  CHECK(folded({"ip-10-0-3-17.ec2", "ip-10-0-3-18.ec2"}) == "ip-10-0-3-[17-18].ec2");
  CHECK(folded({"r1n1", "r1n2", "r2n1"}) == "r1n[1-2],r2n1");
  CHECK(folded({"n1234567890123456789", "n1234567890123456790"}) ==
        "n1234567890123456789,n1234567890123456790");
}

TEST_CASE("a part of a folded list knows how many names it has") {
  const std::vector<name_part> parts = folded_names({"n1", "n2", "n3", "n7", "login"});
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].text == "login,");
  CHECK(parts[0].names == 1);
  CHECK(parts[1].text == "n[1-3,");
  CHECK(parts[1].names == 3);
  CHECK(parts[2].text == "7]");
}

TEST_CASE("a list of names is unfolded") {
  CHECK(unfolded("node7") == "node7");
  CHECK(unfolded("node[000-002,012],login") == "node000 node001 node002 node012 login");
  CHECK(unfolded("n[9-11]") == "n9 n10 n11");
  CHECK(unfolded("n[099-100].cluster") == "n099.cluster n100.cluster");
  CHECK(unfolded("r[1-2]n[1-2]") == "r1n1 r1n2 r2n1 r2n2");
  CHECK(unfolded("gpu-a_1.x,b") == "gpu-a_1.x b");
  for (const char* wrong :
       {"", ",", "a,", "n[", "n]", "n[]", "n[1", "n1]", "n[a]", "n[3-1]", "n[1-]", "n[1,]",
        "n[[1]]", "a b", "dir/a", "n[0-1000000]", "n[0-999]m[0-9999]", "n[1234567890123456789]"}) {
    CAPTURE(wrong);
    CHECK(unfolded(wrong) == "no list");
  }
}

TEST_CASE("folding and unfolding give the same names") {
  machine_names names;
  for (int i = 0; i < 3000; i += 1 + i % 3)
    names.push_back("rack" + std::to_string(i % 7) + "-gpu" + std::to_string(i));
  machine_names back;
  REQUIRE(unfold_names(folded(names), back));
  std::sort(names.begin(), names.end());
  std::sort(back.begin(), back.end());
  CHECK(names == back);
}

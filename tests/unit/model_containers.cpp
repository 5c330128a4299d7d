// SPDX-License-Identifier: BSD-3-Clause
#include <doctest.h>
#include <sys/resource.h>

#include <cstring>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/judge/advice/advice.h"
#include "core/model/arena.h"
#include "core/model/arena_string.h"
#include "core/model/arena_vector.h"
#include "core/model/one_line.h"
#include "core/model/paths.h"
#include "core/model/python_environment.h"

using namespace cudnn_checked;

TEST_CASE("copies of a string share characters, and what is appended to one is not the other's") {
  arena_string first = "libcudnn";
  arena_string second = first;
  first += "_graph";
  second += "_ops";
  CHECK(first == "libcudnn_graph");
  CHECK(second == "libcudnn_ops");
  const arena_string third = first;
  first += ".so.9";
  CHECK(third == "libcudnn_graph");
  CHECK(std::strcmp(third.c_str(), "libcudnn_graph") == 0);
  CHECK(std::strcmp(first.c_str(), "libcudnn_graph.so.9") == 0);
}

TEST_CASE(
    "a string that was cut ends where it ends, also for C, and grows into memory of its own") {
  arena_string text = "folder.libs";
  const arena_string before = text;
  text.shorten(6);
  CHECK(std::strcmp(text.c_str(), "folder") == 0);
  text += '!';
  CHECK(text == "folder!");
  CHECK(before == "folder.libs");
  text.clear();
  CHECK(text.empty());
  CHECK(std::strcmp(text.c_str(), "") == 0);
}

TEST_CASE("an empty string has room for nothing and is no null pointer") {
  arena_string text;
  text += "";
  text.append(0, 'x');
  CHECK(std::strcmp(text.c_str(), "") == 0);
  text.extend(0);
  CHECK(text.empty());
  text += text;
  CHECK(text == "");
}

TEST_CASE("a string appended to itself") {
  arena_string text = "ab";
  for (int i = 0; i < 4; ++i) text += text;
  CHECK(text.size() == 32);
  CHECK(text == "abababababababababababababababab");
}

TEST_CASE("parts of a string, and what is searched in it") {
  const arena_string path = "/usr/lib/libcudnn.so.9";
  CHECK(path.substr(path.rfind('/') + 1) == "libcudnn.so.9");
  CHECK(path.substr(100) == "");
  CHECK(path.find(".so.") == 17);
  CHECK(path.find("no") == arena_string::npos);
  CHECK(path.compare(0, 4, "/usr") == 0);
  CHECK(path.compare(100, 4, "/usr") < 0);
  CHECK(arena_string("12a").find_first_not_of("0123456789") == 2);
  CHECK(arena_string("a b").find_first_of(" \n") == 1);
}

TEST_CASE("numbers as text") {
  CHECK(to_string(0) == "0");
  CHECK(to_string(-1) == "-1");
  CHECK(to_string(INT64_MIN) == "-9223372036854775808");
  CHECK(to_string(UINT64_MAX) == "18446744073709551615");
}

TEST_CASE("what is appended to a copy of a vector is not in the other") {
  arena_vector<arena_string> first = {"a"};
  first.push_back("b");
  arena_vector<arena_string> second = first;
  first.push_back("c");
  second.push_back("d");
  second.push_back("e");
  CHECK(first == arena_vector<arena_string>{"a", "b", "c"});
  CHECK(second == arena_vector<arena_string>{"a", "b", "d", "e"});
  const arena_vector<arena_string> third = first;
  first.pop_back();
  first.push_back("x");
  first.clear();
  first.push_back("y");
  CHECK(third == arena_vector<arena_string>{"a", "b", "c"});
}

TEST_CASE("what is inserted into a copy of a vector, or taken out, stays in the other") {
  arena_vector<arena_string> first = {"a", "b", "c"};
  arena_vector<arena_string> second = first;
  second.erase(second.begin());
  arena_vector<arena_string> third = first;
  third.insert(third.begin(), "x");
  CHECK(first == arena_vector<arena_string>{"a", "b", "c"});
  CHECK(second == arena_vector<arena_string>{"b", "c"});
  CHECK(third == arena_vector<arena_string>{"x", "a", "b", "c"});
}

TEST_CASE("elements of a copy are its own") {
  // The compiler refuses `second[0] = "changed"`: in_place() says that something is changed.
  static_assert(std::is_same_v<decltype(std::declval<arena_vector<int>&>()[0]), const int&>);
  static_assert(std::is_same_v<decltype(std::declval<arena_vector<int>&>().begin()), const int*>);
  arena_vector<arena_string> first = {"a", "b"};
  arena_vector<arena_string> second = first;
  second.in_place()[0] = "changed";
  CHECK(first == arena_vector<arena_string>{"a", "b"});
  first.in_place()[1] = "x";
  CHECK(second == arena_vector<arena_string>{"changed", "b"});
  second = first;
  first.in_place()[0] = "y";
  CHECK(second == arena_vector<arena_string>{"a", "x"});
  CHECK(arena_vector<arena_string>(arena_vector<arena_string>()).empty());
}

TEST_CASE("so are vectors in the elements of a copy, however they got there") {
  using row = arena_vector<int>;
  const auto change_first_of = [](arena_vector<row>& rows) {
    rows.in_place()[0].in_place()[0] = 2;
  };
  const row one = {1};
  arena_vector<row> listed = {one};
  arena_vector<row> pushed;
  pushed.push_back(one);
  arena_vector<row> inserted;
  inserted.insert(inserted.begin(), one);
  arena_vector<row> appended;
  appended.append(listed);
  arena_vector<row> copied = listed;
  for (arena_vector<row>* rows : {&listed, &pushed, &inserted, &appended}) {
    change_first_of(*rows);
    CHECK((*rows)[0] == row{2});
    CHECK(one == row{1});
    CHECK(copied[0] == row{1});
  }
}

TEST_CASE("what a vector was moved from is empty, and what is put into it is its own") {
  arena_vector<int> first = {1, 2};
  arena_vector<int> second = std::move(first);
  CHECK(first.empty());
  first.push_back(3);
  CHECK(second == arena_vector<int>{1, 2});
  first = std::move(second);
  CHECK(first == arena_vector<int>{1, 2});
  CHECK(second.empty());
  arena_vector<int>& itself = first;
  first = std::move(itself);
  CHECK(first == arena_vector<int>{1, 2});
}

TEST_CASE("elements of a vector that are put into it again, in front, and taken out") {
  arena_vector<arena_string> row = {"a", "b"};
  for (int i = 0; i < 5; ++i) row.push_back(row[static_cast<std::size_t>(i)]);
  CHECK(row == arena_vector<arena_string>{"a", "b", "a", "b", "a", "b", "a"});
  row.insert(row.begin() + 1, "x");
  row.erase(row.begin());
  CHECK(row == arena_vector<arena_string>{"x", "b", "a", "b", "a", "b", "a"});
  row.resize(9);
  CHECK(row.back() == "");
  row.resize(1);
  CHECK(row == arena_vector<arena_string>{"x"});
  arena_vector<int> none;
  none.insert(none.end(), none.begin(), none.end());
  CHECK(none.empty());
}

TEST_CASE(
    "what is made in a block lies in its arena, and larger pieces than a chunk have their place") {
  arena memory;
  {
    const arena_block block(memory);
    arena_string text(100000, 'x');
    text += "y";
    CHECK(text.size() == 100001);
    CHECK(text.back() == 'y');
    CHECK(reinterpret_cast<std::uintptr_t>(memory.take(3, alignof(std::max_align_t))) %
              alignof(std::max_align_t) ==
          0);
  }
  memory.release();
  const arena_string outside = "of the process";
  CHECK(outside == "of the process");
}

static long most_kilobytes() {
  rusage used = {};
  ::getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

TEST_CASE("a long text that others wrote takes memory for its length, not for its square") {
  std::string text;
  for (int i = 0; i < 30000; ++i) text += "a'/:";
  const arena_string list = text;
  const long before = most_kilobytes();
  CHECK(quoted(list).size() == 120000 + 3 * 30000 + 2);
  CHECK(one_line(list) == list);
  CHECK(normalized_name(list) == list);
  CHECK(plain_directory(list).size() == 1 + 120000 + 1);
  CHECK(split_path_list(list, ":").size() == 30001);
  CHECK(path_list_of(split_path_list(list, ":")) == list);
  CHECK(remove_from_library_path("b", list).text == "export LD_LIBRARY_PATH=" + quoted(list));
  // The square of its length is 14 GB.
  CHECK(most_kilobytes() - before < 256 * 1024);
}

// A guard has no standard strings and vectors, and compiles the same types.
TEST_CASE("standard strings and vectors, to and from those of core") {
  const std::string text = "ab";
  const arena_string own = text;
  const std::string back = own;
  CHECK(back == text);
  CHECK(own == text);
  CHECK(text == own);
  CHECK_FALSE(own != text);
  CHECK(own + text == "abab");
  CHECK(text + own == "abab");
  static_assert(std::is_same_v<decltype(own + text), std::string>);
  arena_string longer = own;
  longer += text;
  CHECK(longer == "abab");
  std::ostringstream out;
  out << own << 1;
  CHECK(out.str() == "ab1");
  const std::vector<std::string> list = {"a", "b"};
  const arena_vector<arena_string> row = list;
  CHECK(row == list);
  const std::vector<std::string> again = row;
  CHECK(again == list);
  // A string is no list of characters, and a vector no string.
  static_assert(!std::is_convertible_v<std::string, arena_vector<char>>);
  static_assert(!std::is_convertible_v<std::vector<char>, arena_string>);
  static_assert(!std::is_convertible_v<std::u16string, arena_string>);
}

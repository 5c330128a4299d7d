// SPDX-License-Identifier: BSD-3-Clause
//
// What tool/spawn, tool/bundle and tool/cli have for Windows, called: the test windows/platform
// compares what is printed.  With an argument it is a program that the others start.
#include <io.h>
#include <windows.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "bundle/files.h"
#include "cli/machine/child_output.h"
#include "cli/system/console.h"
#include "cli/system/executable.h"
#include "cli/system/input_file.h"
#include "cli/system/own_process.h"
#include "core/library/library_file.h"
#include "core/pe/pe_file.h"
#include "core/system/program_arguments.h"
#include "core/system/replace_file.h"
#include "repair/library_image.h"
#include "spawn/supervised.h"

using namespace cudnn_checked;

static int print_words(int count, char** words) {
  for (int i = 2; i < count; ++i) std::printf("[%s]", words[i]);
  std::printf("\n");
  return 7;
}

static int report(const std::string& what) {
  (void)::_write(spawn::supervised_program::report_number, "one\ntwo\n", 8);
  char end = 0;
  if (what == "waits") return ::_read(spawn::supervised_program::hold_number, &end, 1);
  if (what == "hangs") ::Sleep(INFINITE);
  if (what == "dies") ::ExitProcess(0xC0000005);
  std::printf("last words");
  return 5;
}

static void start_supervised(const char* what, std::size_t lines) {
  spawn::supervised_program program(cli::own_program(), {"report", what}, 2);
  std::string line;
  std::string all;
  while (lines-- > 0 && program.next_line(line)) all += line + ',';
  std::printf("%s: %s kind %d, number %d, '%s'\n", what, all.c_str(),
              static_cast<int>(program.end().kind), program.end().number, program.output().c_str());
}

static void start_children() {
  cli::child_output done = cli::output_of_program(
      {cli::own_program(), "words", "a b", "c\"d", "e\\", "f\\\\\"g h\\", "", "\xC3\xA4"}, 60);
  std::printf("child: %d, status %d, %s", done.ended ? 1 : 0, done.status, done.text.c_str());
  done = cli::output_of_program({cli::own_program(), "report", "hangs"}, 1);
  std::printf("hangs: started %d, ended %d\n", done.started ? 1 : 0, done.ended ? 1 : 0);
  done = cli::output_of_program({"C:/none.exe"}, 1);
  std::printf("none: started %d\n", done.started ? 1 : 0);
  start_supervised("ends", 9);
  start_supervised("waits", 2);
  start_supervised("hangs", 9);
  start_supervised("dies", 9);
}

static void tell(const char* what, const std::string& wrong) {
  std::printf("%s: %s\n", what, wrong.c_str());
}

/// std::filesystem::remove_all waits here for ever where a file is in use.
static void remove_all(const std::string& folder) {
  std::vector<std::filesystem::path> names;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::u8path(folder), ignored)) {
    names.push_back(entry.path());
  }
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    bundles::remove_one(name->generic_u8string());
  }
  bundles::remove_one(folder);
}

static void make_files(const std::string& folder) {
  const std::string file = folder + "/x/\xC3\xA4.txt";
  std::vector<std::string> made;
  tell("folders", bundles::make_directories(folder + "/x", made));
  for (const std::string& one : made) tell("made", one);
  tell("folder again", bundles::make_directory(folder + "/x"));
  tell("file", std::string(replace_file(file.c_str(), "hello")));
  tell("file again", std::string(replace_file(file.c_str(), "hello")));
  tell("copy", bundles::copy_file(file, folder + "/x/b", 5));
  tell("copy again", bundles::copy_file(file, folder + "/x/b", 5));
  tell("copy of more", bundles::copy_file(file, folder + "/x/c", 6));
  tell("copy of nothing", bundles::copy_file(folder + "/none", folder + "/x/c", 5));
  tell("link", bundles::make_link("b", folder + "/x/l"));
  tell("not empty", bundles::look_for_room(folder + "/x"));
  tell("absent", bundles::look_for_room(folder + "/none"));
  tell("renamed", bundles::rename_path(folder + "/x", folder + "/z"));
  tell("rename of nothing", bundles::rename_path(folder + "/none", folder + "/y"));
  {
    cli::input_file read(folder + "/z/\xC3\xA4.txt");
    char bytes[16] = {};
    (void)read.read(bytes, sizeof bytes - 1);
    tell("read", read.wrong() + bytes);
    // A file that is in use stays, and nothing waits for it.
    remove_all(folder);
    std::printf("in use: %d\n", cli::has_execute_right(folder) ? 1 : 0);
  }
  for (const std::string& name : {folder, folder + "/none", std::string("NUL")}) {
    tell("read", cli::input_file(name).wrong());
  }
  remove_all(folder);
  std::printf("left: %d\n", cli::has_execute_right(folder) ? 1 : 0);
}

namespace {

class text_in_memory final : public byte_source {
 public:
  explicit text_in_memory(const arena_string& text) : text_(text) {}
  unsigned long long size() const override { return text_.size(); }
  bool read(unsigned long long offset, void* target, std::size_t count) const override {
    if (offset > text_.size() || count > text_.size() - offset) return false;
    std::memcpy(target, text_.data() + offset, count);
    return true;
  }

 private:
  arena_string text_;
};

}  // namespace

static void read_an_assumed_dll() {
  repairs::assumed_library library;
  library.soname = "cudnn_cnn64_9.dll";
  library.build_id = "002c4eb61a6ad";
  library.needed = {"cudnn_ops64_9.dll", "cudnn_graph64_9.dll"};
  const library_file read = read_pe(text_in_memory(repairs::library_image(library)), 62);
  std::printf("dll: %s, %s, needs %s and %s, %s\n", read.soname.c_str(), read.build_id.c_str(),
              read.needed[0].c_str(), read.needed[1].c_str(),
              read.state == file_state::whole ? "whole" : "damaged");
}

int main(int count, char** given) {
  (void)cli::open_closed_streams();
  char** const words = program_arguments(count, given);
  if (count > 2 && std::strcmp(words[1], "words") == 0) return print_words(count, words);
  if (count > 2) return report(words[2]);
  start_children();
  remove_all("C:/folder");  // of a run that was cut off
  make_files("C:/folder");
  read_an_assumed_dll();
  return 0;
}

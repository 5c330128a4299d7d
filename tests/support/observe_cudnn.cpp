// SPDX-License-Identifier: BSD-3-Clause
//
// Test tool: `observe_cudnn PROGRAM` prints as JSON which files of cuDNN the loader would take for
// that program, if it were started with this environment.  Compared with the real loader.
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "core/json/json.h"
#include "core/linux/linux_system.h"
#include "core/loader/loader.h"
#include "core/observe/observe.h"
#include "core/system/program_view.h"

using namespace cudnn_checked;

static const char* state_name(file_state state) {
  switch (state) {
    case file_state::whole:
      return "whole";
    case file_state::missing:
      return "missing";
    case file_state::empty:
      return "empty";
    case file_state::truncated:
      return "truncated";
    case file_state::overlong:
      return "overlong";
    case file_state::unwritten:
      return "unwritten";
    case file_state::altered:
      return "altered";
    case file_state::not_elf:
      return "not_elf";
    case file_state::no_exec:
      return "no_exec";
    case file_state::directory:
      return "directory";
    case file_state::fifo:
      return "fifo";
    case file_state::socket:
      return "socket";
    case file_state::device:
      return "device";
    case file_state::refused:
      return "refused";
    case file_state::foreign:
      return "foreign";
    case file_state::unreadable:
      return "unreadable";
  }
  return "";
}

static json files_as_json(const std::vector<cudnn_file>& files) {
  json list = json::array();
  for (const cudnn_file& file : files) {
    json item = json::object();
    item.add_string("role", to_string(file.role));
    item.add_string("path", file.path);
    item.add_string("chosen_by", to_string(file.chosen_by));
    item.add_string("state", state_name(file.state));
    item.add_string("build_id", file.build_id);
    list.add(std::move(item));
  }
  return list;
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: observe_cudnn PROGRAM\n", stderr);
    return 2;
  }
  const linux_system os(
      environ, ::getauxval(AT_SECURE) != 0 ? execution_mode::secure : execution_mode::ordinary);
  observation observed;
  const program_view view(os, argv[1]);
  loader search(view);
  observe_files(search, 9, observed);
  json orders = json::array();
  for (const order_variant& order : observed.orders) {
    json item = json::object();
    item.add_string("first_call", to_string(order.first_calls));
    item.add("files", files_as_json(order.files));
    orders.add(std::move(item));
  }
  json all = json::object();
  all.add("files", files_as_json(observed.files));
  all.add("orders", std::move(orders));
  std::fputs(all.print().c_str(), stdout);
  return 0;
}

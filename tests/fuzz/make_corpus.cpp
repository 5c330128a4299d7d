// SPDX-License-Identifier: BSD-3-Clause
//
// usage: make_corpus FOLDER [LIBRARY...]
//
// Writes the inputs that the fuzzer begins with: small files of every kind that is read, sound and
// damaged, and of each library named the ELF header and the program headers, nothing behind them.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "laboratory/sweep/model/line.h"
#include "unit/elf_builder.h"
#include "unit/pe_builder.h"

namespace {

std::string folder;

void write(const std::string& name, const std::string& bytes) {
  std::ofstream stream(folder + "/" + name, std::ios::binary);
  stream << bytes;
  if (!stream.flush()) std::perror(name.c_str());
}

std::string changed(std::string bytes, std::size_t at, std::uint64_t value, unsigned width) {
  test::put_at(bytes, at, value, width);
  return bytes;
}

std::string packed_entry(unsigned kind, unsigned capability, std::uint64_t flags,
                         const std::string& payload) {
  return test::fatbinary_entry(kind, capability, flags, payload, payload.size() * 3);
}

std::string loader_cache() {
  const std::string names = std::string("libcudnn.so.9\0/opt/lib/libcudnn.so.9\0", 38);
  std::string bytes = "glibc-ld.so.cache1.1";
  test::put_all(bytes, {{1, 4}, {names.size(), 4}});
  bytes.resize(48, '\0');
  test::put_all(bytes, {{0x0303, 4}, {48 + 24, 4}, {48 + 24 + 14, 4}, {0, 12}});
  return bytes + names;
}

void write_elf_files() {
  test::elf_builder b;
  b.soname = "libcudnn_graph.so.9";
  b.build_id = "563e348c73f66b6c374ff082af576922b0397648";
  b.other_note = "ABI";
  b.runpath = "$ORIGIN:$ORIGIN/../../cu13/lib";
  b.needed = {"libz.so.1", "libc.so.6"};
  b.word_name = "cudnn_graph_version";
  b.word = 0x00091300;
  const std::string sound = b.build();
  write("library", sound);
  write("cut_headers", sound.substr(0, 64 + 3 * 56));
  write("cut_header", sound.substr(0, 64));
  write("cut_notes", sound.substr(0, 64 + 3 * 56 + 20));
  write("cut_sections", sound.substr(0, sound.size() - 1));
  write("segments_most", changed(sound, 56, 0xffff, 2));
  write("headers_beyond", changed(sound, 32, ~std::uint64_t{0} - 8, 8));
  write("sections_beyond", changed(sound, 40, ~std::uint64_t{0} - 8, 8));
  write("sections_in_first", changed(sound, 60, 0, 2));
  write("load_beyond", changed(sound, 64 + 32, ~std::uint64_t{0}, 8));
  write("load_address_wraps", changed(sound, 64 + 16, ~std::uint64_t{0} - 64, 8));
  write("dynamic_beyond", changed(sound, 64 + 56 + 8, sound.size() - 8, 8));
  write("note_beyond", changed(sound, 64 + 112 + 32, std::uint64_t{1} << 63, 8));
  write("note_name_most", changed(sound, 64 + 3 * 56, 0xffffffff, 4));
  write("note_id_most", changed(sound, 64 + 3 * 56 + 4, 0xfffffff0, 4));
  test::elf_builder moved = b;
  moved.stale_note = true;
  moved.sections = {{".note.gnu.build-id", test::gnu_note(std::string(20, 'i'), 3, 4), true, 7}};
  const std::string stale = moved.build();
  write("library_moved_note", stale);
  write("moved_note_beyond", changed(stale, stale.size() - 128 + 24, ~std::uint64_t{0} - 8, 8));
  write("moved_note_most", changed(stale, stale.size() - 128 + 32, std::uint64_t{1} << 63, 8));
  b.gnu_hash = false;
  b.note_alignment = 8;
  write("library_old_hash", b.build());
  b.file_class = 1;
  write("library_32_bits", b.build());
}

void write_pe_files() {
  test::pe_builder b;
  b.name = "cudnn_graph64_9.dll";
  b.exports = {"cudnnBackendExecute", "cudnnCreate"};
  b.word_name = "cudnn_graph_version";
  b.word = 0x00091c00;
  b.imports = {{"cudnn_ops64_9.dll", {"cudnnOne", "#7"}}, {"KERNEL32.dll", {"LoadLibraryA"}}};
  b.delayed = {{"cublas64_13.dll", {"cublasCreate_v2"}}};
  b.file_version = {9, 28, 0, 42};
  b.guid = "00112233445566778899aabbccddeeff";
  b.texts = std::string("cudnn_heuristic64_9.dll\0cudnn_cnn64_9.dll\0", 42);
  b.signature = std::string(24, 's');
  const std::string sound = b.build();
  write("dll", sound);
  write("dll_cut_header", sound.substr(0, b.optional_at + 100));
  write("dll_cut_sections", sound.substr(0, b.sections_at + 40));
  write("dll_cut_data", sound.substr(0, b.data_at + 100));
  write("dll_unwritten", sound.substr(0, sound.size() - 32) + std::string(32, '\0'));
  write("dll_sections_most", changed(sound, b.header_at + 6, 96, 2));
  write("dll_start_beyond", changed(sound, 60, 0xffff, 4));
  const std::size_t tables = b.optional_at + 112;
  write("dll_exports_beyond", changed(sound, tables, 0xfffffff0, 4));
  write("dll_imports_in_headers", changed(sound, tables + 8, 0, 4));
  write("dll_resources_in_themselves", changed(sound, tables + 16, b.data_address, 4));
  write("dll_section_wraps", changed(sound, b.sections_at + 12, 0xffffff00, 4));
  write("dll_section_of_all",
        changed(changed(sound, b.sections_at + 20, 0, 4), b.sections_at + 16, sound.size(), 4));
  b.signature.clear();
  b.relocations = false;
  b.forward = "cudnn_ops64_9.cudnn_graph_version";
  write("dll_forwards", b.build());
  b.machine = 0x14c;
  write("dll_32_bits", b.build());
}

void write_others() {
  test::elf_builder program;
  program.type = 2;
  test::elf_builder cubin;
  cubin.machine = 190;
  cubin.sections = {{".text.kernel", "code"}};
  const std::string entries = packed_entry(1, 90, 0, "ptx") +
                              packed_entry(2, 86, 0x100000, cubin.build()) +
                              packed_entry(2, 75, 0x8000, "packed");
  program.sections = {{".nv_fatbin", test::fatbinary(entries) + std::string(8, '\0') +
                                         test::fatbinary(packed_entry(8, 90, 0, "relocatable"))}};
  write("program", program.build());
  program.sections[0].contents.resize(100);
  write("program_cut_fatbinary", program.build());
  write("loader_cache", loader_cache());
  write("loader_cache_count", changed(loader_cache(), 20, 0xffffffff, 4));
  write("loader_cache_old", std::string("ld.so-1.7.0") + std::string(9, '\0') + loader_cache());
  write("stamp",
        R"({"schema":1,"program":"app","package":"0.1.0","cudnn":{"header":"9.14.0","library":)"
        R"("9.14.0"},"components":["graph"],"compiled":["90","86-virtual"],"policy":"exact"})");
  write("json", R"([null,true,-1.5e3,"\u00e9\ud83d\ude00\n",{"a":[{}]}])");
  write("errata",
        R"({"version": 1, "rules": [{"rule_id": "]", "operation": "ConvFwd", "engine": 7, "knob": )"
        R"(["k2=1_"], "cudnn_version_start": 91900, "cudnn_version_end": -1, "shape_format": )"
        R"("NHWC", "input_shape": [-1, 8, 5, 7], "filter_shape": [1, 2, 3, 4], "x": "\\\""}]})");
  write("errata_empty", R"({"a": ["rules", {"rules": 1}], "rules" : [ ]})");
  write("json_deep", std::string(100, '['));
  write("record",
        "lib/libcudnn.so.9,sha256=x,0\r\nlib/libcudnn_ops.so.9,,99999999999999999999\nlibcudnn\n");
  write("metadata",
        "Metadata-Version: 2.4\nName: nvidia-cudnn-cu13\nVersion: 9.14.0.64\n\nName: x\n");
  write("conda",
        R"({"name":"cudnn","version":"9.14.0.64","build":"h0_0","depends":["cuda-version >=13"],)"
        R"("paths_data":{"paths":[{"_path":"lib/libcudnn.so.9","size_in_bytes":1}]}})");
  write("dpkg_list", "/.\n/opt/lib\n/opt/lib/libcudnn.so.9\n");
  write("dpkg_status",
        "Package: libcudnn9-cuda-13\nStatus: install ok installed\nVersion: 9.14.0.64-1\n\n");
  write("problems",
        "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2\n"
        "dgrad bf16 nhwc 2x8x4x9x9 * 6x4x3x3x3, padding 0x1x2, stride 1x2x1, dilation 2, groups "
        "2\n");
  write("empty", "");
}

void write_lines_of_a_worker() {
  using namespace cudnn_checked;
  sweep::result came;
  came.with.engine = 72;
  came.with.knobs = {{2, 14}, {13, 0}};
  came.with.offers = {{sweep::heuristic::a, 1}, {sweep::heuristic::fallback, 3}};
  came.what = sweep::outcome::wrong;
  came.relative_error = 1.4;
  came.detail = "cudnnBackendExecute\t\\\n";
  sweep::request asked;
  asked.library = "/opt/lib/libcudnn.so.9";
  asked.errata = "{\"version\": 1,\n \"rules\": []}\n";
  using sweep::message;
  message first(message::kind::request);
  first.asked = asked;
  std::string lines;
  for (const message& said :
       {first, message(message::kind::compute, 3, 2), message(sweep::machine()),
        message(std::string("no GPU")), message(3, 1, came.with),
        message(message::kind::built, 3, 1), message(came), message(message::kind::counts, 3),
        message(message::kind::end, 3)}) {
    lines += sweep::to_line(said) + "\n";
  }
  write("worker", lines);
}

void write_headers_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string start(64 + 32 * 56, '\0');
  stream.read(&start[0], static_cast<std::streamsize>(start.size()));
  const std::size_t count = static_cast<unsigned char>(start[56]);
  start.resize(64 + count * 56);
  write("headers_of_" + path.substr(path.rfind('/') + 1), start);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fputs("usage: make_corpus FOLDER [LIBRARY...]\n", stderr);
    return 2;
  }
  folder = arguments[1];
  write_elf_files();
  write_pe_files();
  write_others();
  write_lines_of_a_worker();
  for (int i = 2; i < count; ++i) write_headers_of(arguments[i]);
  return 0;
}

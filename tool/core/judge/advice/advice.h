// SPDX-License-Identifier: BSD-3-Clause
//
// What a person types: commands that work when they are pasted, and the packages in them.
#pragma once

#include "../../model/arena_string.h"
#include "../../model/finding.h"
#include "../../model/observation.h"
#include "../../model/platform_words.h"
#include "../../model/unstamped_program.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct lost_entry;

#define PACKAGE(identifier, name) inline constexpr char identifier[] = name;
#include "packages.def"
#undef PACKAGE

fix_line command(const arena_string& text);
/// One whose effect is known.
fix_line command(const arena_string& text, const repair& step);
/// Both, one after the other.
fix_line then(const fix_line& first, const fix_line& second);
fix_line advice(const arena_string& text);
void append(const fix_lines& more, fix_lines& lines);

/// A command for whichever Python is active, which installs what satisfies the requirement.
fix_line install_wheel(const arena_string& text, const arena_string& requirement);

/// "apt-get install NAME"; `otherwise` is for a person whose apt knows no such package.
fix_line install_debian(const arena_string& package, const arena_string& otherwise);

/// The same of Debian's package of a part of the toolkit, which contains that library.  Its name is
/// made of the library's: there may be none of that name.
fix_line install_toolkit_part(const char* package, const version& toolkit,
                              const arena_string& library, int cuda_major);

/// The way to build what a packer has made again, without what was found in it.
fix_line build_again(const finding& f, packer by);

/// "ldconfig".
fix_line refresh_cache();

/// "ln -s TARGET PATH".
fix_line link_file(const arena_string& target, const arena_string& path);

/// "rm FILE", "rm -r FOLDER".
fix_line remove_file(const arena_string& path);
fix_line remove_folder(const arena_string& path);

/// One word for sh, in quotes where it holds more than letters, digits and `@%+=:,./_-`.
arena_string quoted_for_sh(const arena_string& word);

/// Puts the directory before the entries of LD_LIBRARY_PATH; `value` is the variable's value.
fix_line prepend_library_path(const arena_string& directory, const arena_string& value);

/// The list of directories that a person can add to, and the loader obeys.
const char* searched_list(const observation& observed);

/// Lets LD_LIBRARY_PATH, whose only or wrong entry decided, lead to the directory or to none.
fix_lines replace_library_path(const arena_string& directory, const arena_string& value);

/// The same for the wheel of the Python that is active.
fix_line prepend_wheel_path(const arena_string& value);

/// The whole value; an empty one unsets it.
fix_line set_library_path(const arena_string& value);
fix_line unset_variable(const arena_string& name);

/// Leaves the entry of that index out, and all that are like it.
fix_line remove_from_library_path(int index, const arena_string& value);
fix_line remove_from_library_path(const arena_string& entry, const arena_string& value);
/// Removes all lost entries, however they are spelt.
fix_line remove_from_library_path(const arena_vector<lost_entry>& lost, const arena_string& value);
/// The value without the lost entries, which are in the order of the value.
arena_string library_path_without(const arena_vector<lost_entry>& lost, const arena_string& value);
fix_line remove_from_loader_cache(const arena_string& directory);

/// "nvidia-cublas-cu12": a wheel of a toolkit's part for that CUDA.
arena_string wheel_for_cuda(const char* wheel, int cuda_major);

/// "python3 -m pip install nvidia-cublas" and "apt-get install libcublas-13-0".
fix_lines install_package(const arena_string& wheel, const arena_string& debian);

enum class cudnn_kind : unsigned char { full, jit_only, any };

/// Where a new cuDNN is needed: with its headers for a build, or where the loader searches.
enum class install_where : unsigned char { with_headers, on_library_path };

/// Is that a wheel of cuDNN, full or JIT-only, for whichever CUDA?
bool is_cudnn_wheel(const arena_string& name);

/// Below site-packages: "/nvidia/cudnn/lib"; of a requirement likewise.
arena_string folder_of_cudnn(const arena_string& wheel);

/// Has another wheel the folder of that one of cuDNN?  The JIT-only ones have one of their own.
bool share_a_folder(const arena_string& cudnn, const arena_string& other);

/// The wheel, with a number where what comes without one is another major release; 0 where the
/// CUDA major is not known.
arena_string wheel_of_cudnn(int major, int cuda_major, cudnn_kind kind);

/// The commands that install cuDNN; `value` is the value of LD_LIBRARY_PATH.
fix_lines install_cudnn(int major, int cuda_major, cudnn_kind kind, install_where where,
                        const arena_string& value);

/// The command that installs that release of Debian's packages, older or newer than what is there.
fix_line install_debian_release(const version& number, int cuda_major);

/// The command that installs the same release of a package again; of a wheel whose environment is
/// not known, with the Python that is active.
fix_line reinstall(const package_record& package);

/// For two packages that have recorded the same files: removes both, and installs one of them
/// again.
fix_line keep_one_package(const package_record& kept, const package_record& other);

/// The command that installs what a package requires.
fix_line install_requirement(const cudnn_requirement& asked);

/// For a cuDNN that LD_PRELOAD (its value is `value`) or /etc/ld.so.preload brings: removes it, and
/// leaves all other preloaded libraries.
fix_line remove_from_preload(const choice& chosen_by, const arena_string& value);
/// The entries of the variable that are not unwanted.
fix_line remove_from_preload(const arena_vector<arena_string>& unwanted, const arena_string& value);

// What the files of this room share.

/// "export LD_LIBRARY_PATH=WORD:$LD_LIBRARY_PATH"; `value` is its value.
arena_string prepend_word(const char* word, const arena_string& value);
fix_line set_variable(const char* name, const arena_string& value, const arena_string& text);
/// Names of wheels differ by the CUDA major at their end.
arena_string without_number(const arena_string& wheel);
/// 13 where it is 0.
int known_cuda(int major);

inline constexpr char instead_of_jit_only[] =
    "install the full cuDNN package instead of the JIT-only one";

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

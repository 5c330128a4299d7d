// SPDX-License-Identifier: BSD-3-Clause
//
// Facts, as they were seen.  Nothing here has an opinion: what the facts mean is decided in judge/.
#pragma once

#include "../../facts/words.h"
#include "../namespace.h"
#include "architecture.h"
#include "arena_string.h"
#include "arena_vector.h"
#include "found_file.h"
#include "library_role.h"
#include "python_environment.h"
#include "version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// "Unknown" is a value of its own.
enum class answer : unsigned char { unknown, no, yes };

/// Who installed a package.
enum class package_manager : unsigned char { none, wheel, conda, dpkg };

/// "wheel", "conda", "dpkg"; empty for none.
const char* to_string(package_manager manager);

/// The package that a file came with, from the records that the package's installer left.
struct package_record {
  package_manager manager = package_manager::none;  ///< none: no record names the file
  /// Who installs it again; null: of a wheel whoever installs in its environment.
  const package_installer* installer = nullptr;
  arena_string name;    ///< "nvidia-cudnn-cu13", "libcudnn9-cuda-13"
  arena_string number;  ///< its own version, whole: "9.14.0.64", "9.14.0.64-1"
  arena_string record;  ///< path of the record
  version cudnn;        ///< its first three components
  int cuda_major = 0;   ///< of the package's name; 0 where that does not say
  /// Is the file as long as the record says?  Unknown where it does not say.
  answer same_size = answer::unknown;
  unsigned long long size = 0;  ///< bytes of the file, where the record says it
};

/// A library of cuDNN that a package's record lists and that is not there.
struct absent_file {
  arena_string path;
  package_record package;
};

/// One file of cuDNN: mapped in this process, or the one that the loader would take.
struct cudnn_file : found_file {
  library_role role;       ///< from the name
  arena_string name;       ///< the name that the loader finds it under: "libcudnn_graph.so.9"
  arena_string asked_by;   ///< path of the file that asks for it; empty: the program
  bool mapped = false;     ///< already in this process
  version word;            ///< exported version word (graph, ops and adv only)
  version name_version;    ///< x.y.z of a versioned file name behind symbolic links
  package_record package;  ///< of several that name it, the one of its size
  arena_vector<package_record> other_claims;  ///< other packages that say that it is theirs
  int run_path_cuda_major = 0;  ///< 13 where RPATH or RUNPATH lead into ".../cu13/..."; else 0
  /// Mapped by dlmopen, in a namespace of its own: no member of the program's own set.
  bool other_namespace = false;
  /// Where it is mapped and was not asked for by the program's own search: path of the mapped
  /// object that NEEDs it; empty where none does (it was opened by its path, or preloaded).
  arena_string loaded_by;
  /// Where it is mapped: the file that the program's own search leads to now, if that is another.
  arena_string search_path;
  version search_release;  ///< of that file; unknown where it is not identified or more than one
};

/// where_of(found_file); its name where it is missing.
arena_string where_of(const cudnn_file& file);

/// The files that the loader takes if a program's first calls into cuDNN come in another order than
/// the one that `observation::files` stands for (a function of the graph library first).
struct order_variant {
  /// The role whose functions come first, ops, cnn or adv, or both of the first two, in their
  /// order: graph and cnn.
  arena_vector<library_role> first_calls;
  arena_vector<cudnn_file> files;  ///< the files that differ from `observation::files`, by role
};

/// The libraries that cuDNN uses and does not ship.
enum class dependency_kind : unsigned char {
  none,
  libz,
  cublas,
  cublaslt,
  cudart,
  nvrtc,
  nvrtc_builtins,
  nvjitlink,
  driver  ///< libcuda.so, the link without a number
};

/// A dependency, as one file of cuDNN asks for it.
struct dependency : found_file {
  dependency_kind kind = dependency_kind::none;
  arena_string name;      ///< the name that is asked for: "libcublasLt.so.13"
  arena_string asked_by;  ///< path of the file of cuDNN that asks; of libnvrtc for its builtins
  bool needed = false;    ///< a NEEDED entry: without it that file cannot be loaded; else dlopen
  bool mapped = false;
  version release;     ///< x.y.z of its versioned name behind links; unknown where there is none
  int cuda_major = 0;  ///< of the CUDA that it belongs to: 13 for libcublasLt.so.13
  /// Where it is mapped: the file that the asker's own search leads to, if that is another, and its
  /// release.
  arena_string search_path;
  version search_release;
};

/// The same library as found when LD_LIBRARY_PATH is left out: what an advice can point to.
struct alternative_file : found_file {
  library_role role;
  version word;
  version name_version;
};

/// cuDNN's answers about itself.  Filled only if it is safe to call it.
/// A convolution or a fused operation that was not computed, which is no failure.
struct skipped_work {
  arena_string what;  ///< "graph/fp32/nchw", "attention/forward on GPU 0"
  arena_string why;
  bool of_operation = false;  ///< else of a convolution

  friend bool operator==(const skipped_work& one, const skipped_work& other) {
    return one.what == other.what && one.why == other.why;
  }
};

struct cudnn_answers {
  bool asked = false;
  version library;     ///< cudnnGetVersion()
  version cudart;      ///< cudnnGetCudartVersion()
  int max_device = 0;  ///< cudnnGetMaxDeviceVersion(): major*100 + minor*10; 0: not asked or absent
  struct check {
    arena_string name;  ///< "cudnnOpsVersionCheck"
    int status = 0;
    arena_string status_name;
  };
  arena_vector<check> checks;
};

/// The NVIDIA driver: its user-space library and its kernel module.
struct driver_facts : found_file {
  answer present = answer::unknown;  ///< a libcuda.so.1 that the loader would take
  bool stub = false;                 ///< the toolkit's stub, which has no driver behind it
  bool compat = false;  ///< of a cuda-compat package: newer than the kernel module, on purpose
  bool wsl = false;     ///< WSL2, where the driver is Windows' and has no kernel module of its own
  version library;      ///< 580.159.04, from the file's name; unknown where it has none
  version kernel_module;  ///< from /proc/driver/nvidia/version
  version cuda;           ///< cuDriverGetVersion() or cudaDriverGetVersion()
};

/// A GPU that this process may use.
struct gpu {
  int index = 0;
  arena_string uuid;
  arena_string name;
  architecture capability;
};

/// How the GPUs were found.
enum class gpu_source : unsigned char { none, pci, nvml, cuda };

/// The GPUs, and how they were detected.
struct gpu_facts {
  answer visible = answer::unknown;  ///< is there at least one that this process may use
  gpu_source source = gpu_source::none;
  arena_string hidden_by;  ///< "CUDA_VISIBLE_DEVICES=" where the environment hides all of them
  arena_vector<gpu> gpus;
  arena_string failed_call;  ///< "cudaGetDeviceCount", where CUDA could not be used at all
  int status = 0;            ///< its status number,
  arena_string status_name;  ///< name,
  arena_string status_text;  ///< and the runtime's own words
};

/// The device code that one translation unit put into a program (one fatbinary container).
struct code_container {
  arena_vector<device_code> codes;
};

/// The fatbinary containers of a finished program.
struct program_code {
  answer readable =
      answer::unknown;  ///< yes: `containers` is complete; no device code: it is empty
  arena_string path;
  arena_vector<code_container> containers;
};

/// One convolution of the probe, or one run of a fused operation.
struct convolution {
  /// Not none: the run has no api, layout, math and products.
  fused_operation operation = fused_operation::none;
  convolution_api api = convolution_api::legacy;
  element type = element::fp32;
  tensor_layout layout = tensor_layout::nchw;
  arena_string shape;  ///< "1x32x16x16 * 32x32x3x3"
  convolution_math math = convolution_math::unknown;
  long long engine = -1;  ///< global engine index (graph), algorithm (legacy)
  int device = 0;
  int turn = 0;     ///< its place in what was asked of the GPU; for sorting alone
  int problem = 0;  ///< number of the shape of a convolution; for comparing with the kernel alone
  bool ran = false;
  arena_string failed_call;            ///< where !ran: the call that failed
  int status = 0;                      ///< its status number
  arena_string status_name;            ///< and name, "CUDNN_STATUS_NOT_SUPPORTED"
  arena_string status_text;            ///< the library's own words (cudnnGetLastErrorString)
  unsigned long long memory_free = 0;  ///< bytes free on the GPU when the call failed
  unsigned long long memory_total = 0;
  int products = 0;           ///< length of each sum: channels * kernel height * kernel width
  double relative_error = 0;  ///< ||y - r|| / ||r||, r the float64 reference
  /// Largest |y - r| / sum |x*w| over all elements; of a fused operation over all elements of all
  /// outputs, in units of the first-order bound that its reference computes.
  double element_error = 0;
  arena_string output;  ///< of a fused operation: the one that is farthest from its reference, "dQ"
  unsigned long long unwritten = 0;   ///< elements that still hold the poison
  unsigned long long not_finite = 0;  ///< others that are NaN or infinite
  double milliseconds = 0;
  /// Largest |y - z| / sum |x*w| between what cuDNN and what the kernel computed on the same GPU;
  /// negative where one of them computed nothing.
  double difference = -1;
};

inline bool is_fused(const convolution& run) { return run.operation != fused_operation::none; }

/// The kernel of the probe, which the project's own CUDA compiler compiled.
struct kernel_facts {
  arena_string compiler;  ///< "nvcc 13.0.88"; empty: there is no kernel
  version release;        ///< of the toolkit that the compiler belongs to; unknown for clang
  version headers;        ///< CUDART_VERSION of the CUDA headers that it took
  arena_vector<convolution> runs;  ///< of each GPU, up to the first that fails
  arena_string cmake;              ///< the CMake that configures the project
  arena_string build_directory;    ///< of the project; empty: not known
};

/// A directory, or the cache, in which the loader looked for a name, and why it did.
struct searched_place {
  arena_string directory;
  choice chosen_by;
  bool closed = false;  ///< this user may not search it: what is in it is not found
};

/// A library that the loader maps before the first instruction of a program: a NEEDED entry of the
/// program, or of another such library.
struct start_library : found_file {
  arena_string name;                       ///< as it is asked for: "libcudnn.so.9"
  arena_string asked_by;                   ///< path of the program or library that NEEDs it
  bool delayed = false;                    ///< loaded when the first function of it is called
  arena_vector<searched_place> looked_in;  ///< where it is missing
};

/// A function of cuDNN that is called and that no library of the program's start exports.
struct missing_symbol {
  arena_string name;      ///< "cudnnBackendFinalize"
  arena_string asked_by;  ///< path of the program or library
  bool bind_now = false;  ///< the loader looks for it at the start, not at the first call
};

/// The functions of one sub-library of cuDNN that a program calls, or a library in its process.
struct called_functions {
  library_role role;
  arena_string name;  ///< the first of them: "cudnnCreatePoolingDescriptor"
  arena_string path;  ///< of the file that calls it
  int count = 0;
};

/// A version of symbols that is needed and that the library which would be mapped lacks.
struct missing_version {
  arena_string name;      ///< "GLIBC_2.99"
  arena_string asked_by;  ///< path of the program or library
  arena_string library;   ///< path of the one that lacks it
  arena_string newest;  ///< the version of that family that it has: "GLIBC_2.36"; empty where none
  choice chosen_by = {};  ///< of the library that lacks it
};

/// A cuDNN that lies where the loader does not look for the program.
struct cudnn_place {
  arena_string directory;
  version number;
  int cuda_major = 0;  ///< 0: not known
};

/// What the loader does before any code of the program runs.  Filled for programs that are judged
/// from outside.
struct program_start {
  answer stamped = answer::unknown;
  /// Is the loader that the program asks for the one whose rules are known here?  `no`: it asks for
  /// none, it is linked statically.
  answer known_loader = answer::unknown;
  arena_vector<start_library> libraries;  ///< in the order in which they are mapped
  arena_vector<missing_symbol> missing_symbols;
  arena_vector<missing_version> missing_versions;
  arena_string missing_interpreter;  ///< the loader that it asks for, where there is no such file
  answer executable = answer::unknown;       ///< may it be executed
  arena_vector<start_library> other_majors;  ///< where no cuDNN is found: what is, of other majors
  arena_vector<cudnn_place> elsewhere;       ///< where no cuDNN is found: what lies somewhere else
};

struct unstamped_program;

/// Everything that was seen.
struct observation {
  arena_string program_path;
  arena_string header_path;    ///< of cudnn_version.h; configure time only
  version header_found;        ///< of that file, before anything was compiled; configure time only
  arena_string library_found;  ///< real path of what is linked; configure time only
  arena_string compile_flags;  ///< of the project; configure time only
  arena_string ld_library_path;  ///< its value; empty where unset or ignored (AT_SECURE)
  arena_string ld_preload;       ///< its value; empty where unset
  bool secure = false;           ///< AT_SECURE: the loader obeys no variable of whoever starts it
  /// What decides by rules that are not known here which libraries the program gets: its loader
  /// ("/lib/ld-musl-x86_64.so.1"), or auditors ("LD_AUDIT=/x/liba.so"); empty if nothing does.
  arena_string other_rules;
  int cudnn_major = 0;             ///< of the shim that is mapped or asked for
  bool linked = false;             ///< a shim is mapped, or the program NEEDs one
  arena_vector<cudnn_file> files;  ///< the shim first, then the sub-libraries
  int left_out = 0;                ///< libraries beside them, beyond the most that are asked for
  arena_vector<library_role> beside_shim;  ///< of whole files in its directory; configure time only
  arena_vector<alternative_file> alternatives;  ///< without LD_LIBRARY_PATH; none where it is unset
  arena_vector<absent_file> absent_files;       ///< of the packages that `files` came with
  /// Shims that packages list where the program's run path leads, and that are gone: the loader
  /// takes another.  Programs from outside only.
  arena_vector<absent_file> passed_over;
  arena_vector<python_environment> environments;  ///< that the files and dependencies lie in
  arena_vector<arena_string>
      replaced;  ///< mapped files of a process that have no name on the disk any more
  arena_vector<order_variant> orders;  ///< other orders of calls that lead to other files
  /// Libraries of cuDNN 8 that another one NEEDs and its own search does not find.  The shim finds
  /// them, so they are loaded if the program calls their functions first.
  arena_vector<cudnn_file> not_reached;
  /// The called functions of sub-libraries that a JIT-only package does not have.  Read only if one
  /// of these is missing.
  arena_vector<called_functions> called;
  answer calls_graph = answer::unknown;  ///< functions of the graph API
  /// If several shims are mapped: does each of them get these files when it asks first?
  answer shims_agree = answer::unknown;
  arena_vector<dependency> dependencies;
  /// Versions of symbols that the files which are not loaded yet, or their NEEDED libraries,
  /// require of the system's libraries and would not get.  Empty in a guard.
  arena_vector<missing_version> missing_versions;
  /// Major versions of the CUDA runtimes in this process, or that the program NEEDs; each once.
  arena_vector<int> cudart_majors;
  cudnn_answers answers;
  version runtime;  ///< cudaRuntimeGetVersion()
  driver_facts driver;
  gpu_facts devices;
  program_code code;
  program_start start;
  const unstamped_program* unstamped = nullptr;  ///< of a program without a stamp, from outside
  arena_vector<convolution> convolutions;
  kernel_facts kernel;  ///< its device code is `code`
  arena_vector<skipped_work> skipped;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

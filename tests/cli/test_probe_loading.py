# SPDX-License-Identifier: BSD-3-Clause
"""`cudnn-checked probe` on a libcudnn that cannot be opened, or not as it lies there."""

from checked_program import compiled
from support import simulated_sdk
from test_probe import ProbeTest


class Loading(ProbeTest):
    """A libcudnn that does not come to its first function."""

    def library(self, source):
        """A copy of the SDK whose shim is that code."""
        sdk = self.sdk.copy(self.scratch / "sdk")
        compiled(sdk.library(), source, "-shared", "-fPIC", "-Wl,-soname,libcudnn.so.9", "-Wl,-rpath,$ORIGIN",
                 "-Wl,--enable-new-dtags", language="C")
        return sdk

    def test_it_ends_the_process(self):
        sdk = self.library("#include <stdio.h>\n#include <unistd.h>\n__attribute__((constructor)) static void f(void) "
                           "{ puts(\"no licence\"); fflush(stdout); _exit(5); }")
        status, out, _ = self.probe(sdk.prefix)
        self.assertEqual(status, 1)
        self.assertIn("""\
error: the probe ended with status 5, and its report gives no reason
  status:  5
  during:  loading the libraries
  cuDNN:   9.14.0   <scratch>/sdk/lib/libcudnn.so.9
  A library, a sanitizer or a preloaded library ended it; nothing was proved.
  fix: find what ends the probe, in its words below or with a debugger
  [probe-crashed]
  | no licence

cudnn-checked: refused: the probe ended with status 5, and its report gives no reason
""", out)

    def test_it_prints_much(self):
        """The last 64 KiB are kept, the last 20 lines shown, and what was left out is counted to the byte."""
        sdk = self.library("#include <stdio.h>\n#include <unistd.h>\n__attribute__((constructor)) static void f(void) "
                           "{ for (int i = 1; i <= 300000; ++i) printf(\"line %d\\n\", i); fflush(stdout); _exit(5); }")
        _, out, _ = self.probe(sdk.prefix)
        before = sum(len(f"line {number}\n") for number in range(1, 299981))
        self.assertIn(f"  [probe-crashed]\n  | ({before} bytes before this are left out)\n" + "".join(
            f"  | line {number}\n" for number in range(299981, 300001)) + "\n", out)

    def test_the_loader_refuses_it(self):
        sdk = self.library("extern int nowhere_at_all(void); int f(void) { return nowhere_at_all(); }")
        status, out, _ = self.probe(sdk.prefix)
        self.assertEqual(status, 1)
        self.assertIn("""\
error: the loader does not load this cuDNN
  library:     <scratch>/sdk/lib/libcudnn.so.9
  the loader:  <scratch>/sdk/lib/libcudnn.so.9: undefined symbol: nowhere_at_all
  A program that uses this cuDNN would not start either.
  fix: correct what the loader complains of
  [probe-crashed]
""", out)

    def test_what_is_damaged_is_not_loaded(self):
        sdk = self.sdk.copy(self.scratch / "sdk")
        sdk.library().write_bytes(b"")
        self.assertEqual(self.found(sdk.prefix), (1, "refused", [("library-corrupt", "error")]))
        with self.subTest("nor is a library for another machine"):
            whole = bytearray(self.sdk.library().resolve().read_bytes())
            whole[18:20] = b"\xb7\0" if whole[18:20] != b"\xb7\0" else b"\x3e\0"
            sdk.library().write_bytes(whole)
            status, verdict, findings = self.found(sdk.prefix)
            self.assertEqual((status, verdict, findings[0]), (1, "refused", ("wrong-machine", "error")))

    def test_a_mixed_path(self):
        other = simulated_sdk(cudnn="9.19.0", gpus="sm_75")
        sdk = self.sdk.copy(self.scratch / "sdk")
        # As in a wheel: no name has the whole release, so that the variable decides.
        for path in sorted(sdk.library_directory.glob("libcudnn_*.so.9.14.0")):
            path.replace(path.with_name(path.name[:-len(".14.0")]))
        status, verdict, findings = self.found(sdk.prefix, LD_LIBRARY_PATH=str(other.library_directory))
        self.assertEqual((status, verdict), (1, "refused"))
        self.assertIn(("mixed-sublibraries", "error"), findings)

set -x
./dev gpu > $OUT/gpu.txt 2>&1; echo gpu rc $?
tar czf $OUT/kept.tgz -C build/gpu . 
(cmake -S . -B /tmp/cli -G Ninja -DCMAKE_PREFIX_PATH=$PWD/.carry -DCUDNN_CHECKED_BUILD_TESTING=OFF -DCUDNN_CHECKED_BUILD_CLI=ON -DCMAKE_BUILD_TYPE=Release && cmake --build /tmp/cli -j 16) > $OUT/cli.txt 2>&1; echo cli rc $?
C=$(find /tmp/cli -name cudnn-checked -type f)
{ time $C doctor; echo rc $?; } > $OUT/doctor.txt 2>&1
P=$(python3 -c "import torch,os;print(os.path.dirname(torch.__file__))")
{ for f in $P/lib/libtorch_cuda.so $P/_C*.so; do echo "== verify $f"; $C verify $f; echo rc $?; done; for f in $P/../nvidia/cudnn/lib/libcudnn_heuristic.so.9; do $C inspect $f; done; LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu:$LD_LIBRARY_PATH $C verify $P/lib/libtorch_cuda.so; echo rc $?; } > $OUT/verify.txt 2>&1
tail -c 9000 $OUT/gpu.txt

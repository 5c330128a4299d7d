set -x
./dev gpu > $OUT/gpu.txt 2>&1; echo gpu rc $?
tar czf $OUT/kept.tgz -C build/gpu . 
(cmake -S . -B /tmp/cli -G Ninja -DCMAKE_PREFIX_PATH=$PWD/.carry -DCUDNN_CHECKED_BUILD_TESTING=OFF -DCUDNN_CHECKED_BUILD_CLI=ON -DCMAKE_BUILD_TYPE=Release && cmake --build /tmp/cli -j 16) > $OUT/cli.txt 2>&1; echo cli rc $?
C=$(find /tmp/cli -name cudnn-checked -type f)
P=$(python3 -c "import torch,os;print(os.path.dirname(torch.__file__))")
W=$P/../nvidia/cudnn/lib
mkdir -p /tmp/bad; cp -l $W/*.so.9 /tmp/bad/ || cp $W/*.so.9 /tmp/bad/; rm /tmp/bad/libcudnn_heuristic.so.9; cp /usr/lib/x86_64-linux-gnu/libcudnn_heuristic.so.9 /tmp/bad/
{ $C doctor; echo rc $?; $C verify $P/lib/libtorch_cuda.so; echo rc $?; LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu:$LD_LIBRARY_PATH $C verify $P/lib/libtorch_cuda.so; echo rc $?; LD_LIBRARY_PATH=/tmp/bad:$LD_LIBRARY_PATH $C verify $P/lib/libtorch_cuda.so; echo rc $?; time $C verify $P/lib/libtorch_cuda.so; LD_LIBRARY_PATH=/tmp/bad:$LD_LIBRARY_PATH $C doctor; echo rc $?; } > $OUT/verify.txt 2>&1
timeout 200 ./dev bench > $OUT/bench.txt 2>&1; echo bench rc $?; cat $OUT/bench.txt
tail -c 6000 $OUT/gpu.txt

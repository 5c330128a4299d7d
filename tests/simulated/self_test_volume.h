// SPDX-License-Identifier: BSD-3-Clause
//
// Convolutions and their gradients of small integers, with a reference of its own: nothing here is
// shared with what is tested.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

enum class number_type { fp32, fp16, bf16 };

struct volume {
  int dimensions = 2;
  std::int64_t extent[5] = {1, 1, 1, 1, 1};  // n, c, d, h, w
  std::int64_t stride[5] = {};
  std::vector<double> values;  // as they lie in memory

  std::int64_t count() const { return extent[0] * extent[1] * extent[2] * extent[3] * extent[4]; }
  void lay_out(bool nhwc) {
    const int outwards[2][5] = {{4, 3, 2, 1, 0}, {1, 4, 3, 2, 0}};
    std::int64_t step = 1;
    for (const int i : outwards[nhwc ? 1 : 0]) {
      stride[i] = step;
      step *= extent[i];
    }
    values.assign(static_cast<std::size_t>(count()), 0);
  }
  /// The four or five numbers that cuDNN is given.
  std::vector<std::int64_t> shown(const std::int64_t (&of)[5]) const {
    std::vector<std::int64_t> all(of, of + 5);
    if (dimensions == 2) all.erase(all.begin() + 2);
    return all;
  }
  double& at(const std::int64_t (&i)[5]) {
    std::int64_t place = 0;
    for (int d = 0; d < 5; ++d) place += i[d] * stride[d];
    return values[static_cast<std::size_t>(place)];
  }
  std::vector<unsigned char> bytes(number_type type) const {
    const std::size_t width = type == number_type::fp32 ? 4 : 2;
    std::vector<unsigned char> all(width * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto single = static_cast<float>(values[i]);
      std::uint32_t bits;
      std::memcpy(&bits, &single, 4);
      if (type == number_type::bf16) bits >>= 16;
      if (type == number_type::fp16 && (bits & 0x7fffffff) != 0) {
        bits = (bits >> 16 & 0x8000) | (((bits >> 23 & 0xff) - 112) << 10) | (bits >> 13 & 0x3ff);
      }
      std::memcpy(all.data() + width * i, &bits, width);
    }
    return all;
  }
};

struct problem {
  int operation = 0;  // forward, data gradient, filter gradient
  number_type type = number_type::fp32;
  volume x, w, y;
  std::int64_t padding = 1, stride = 2, dilation = 1, groups = 1;

  problem(const std::string& what, const std::string& number, const std::string& layout,
          const std::string& shape)
      : operation(what == "fwd"     ? 0
                  : what == "dgrad" ? 1
                                    : 2),
        type(number == "fp32"   ? number_type::fp32
             : number == "fp16" ? number_type::fp16
                                : number_type::bf16) {
    if (shape == "groups") groups = 2;
    if (shape == "dilation") dilation = 2;
    const int dimensions = shape == "volume" ? 3 : 2;
    const std::int64_t image[3] = {dimensions == 3 ? 5 : 1, 7, 6};
    const std::int64_t heads[3][2] = {{2, 4}, {6, 4 / groups}, {2, 6}};
    for (int i = 0; i < 3; ++i) {
      volume& made = array(i);
      made.dimensions = dimensions;
      made.extent[0] = heads[i][0];
      made.extent[1] = heads[i][1];
      for (int d = 0; d < 3; ++d) {
        const bool flat = d == 0 && dimensions == 2;
        const std::int64_t kernel = flat ? 1 : 3;
        const std::int64_t room = flat ? 0 : image[d] + 2 * padding - (dilation * (kernel - 1) + 1);
        made.extent[2 + d] = i == 0 ? image[d] : i == 1 ? kernel : room / stride + 1;
      }
      made.lay_out(layout == "nhwc");
    }
    fill();
  }

  volume& array(int i) { return i == 0 ? x : i == 1 ? w : y; }
  const volume& array(int i) const { return i == 0 ? x : i == 1 ? w : y; }
  int output_index() const { return operation == 0 ? 2 : operation == 1 ? 0 : 1; }
  const volume& output() const { return array(output_index()); }

  /// What an array holds before: the output is full of 0xff.
  std::vector<unsigned char> content(int i) const {
    std::vector<unsigned char> all = array(i).bytes(type);
    if (i == output_index()) std::memset(all.data(), 0xff, all.size());
    return all;
  }

  /// One bit more or less is right.
  std::string judge(const std::vector<unsigned char>& computed) const {
    const std::vector<unsigned char> expected = output().bytes(type);
    const std::size_t width = type == number_type::fp32 ? 4 : 2;
    const std::vector<unsigned char> poison(width, 0xff);
    bool wrong = false;
    for (std::size_t i = 0; i < computed.size(); i += width) {
      if (std::memcmp(computed.data() + i, poison.data(), width) == 0) return "unwritten";
      for (std::size_t b = 0; b < width; ++b) {
        const int difference = computed[i + b] ^ expected[i + b];
        const bool zero_of_other_sign =
            b == width - 1 && difference == 0x80 && expected[i + b] == 0;
        wrong = wrong || (difference != 0 && !(b == 0 && difference == 1) && !zero_of_other_sign);
      }
    }
    return wrong ? "wrong" : "right";
  }

 private:
  void fill() {
    unsigned state = 12345;
    for (int i = 0; i < 3; ++i) {
      if (i == output_index()) continue;
      for (double& value : array(i).values) {
        state = state * 1664525U + 1013904223U;
        value = static_cast<int>((state >> 24) % 3) - 1;
      }
    }
    std::int64_t o[5], k[5];
    for (o[0] = 0; o[0] < y.extent[0]; ++o[0]) {
      for (o[1] = 0; o[1] < y.extent[1]; ++o[1]) {
        for (k[1] = 0; k[1] < w.extent[1]; ++k[1]) {
          k[0] = o[1];
          add_channel(o, k);
        }
      }
    }
  }

  void add_channel(std::int64_t (&o)[5], std::int64_t (&k)[5]) {
    for (o[2] = 0; o[2] < y.extent[2]; ++o[2]) {
      for (o[3] = 0; o[3] < y.extent[3]; ++o[3]) {
        for (o[4] = 0; o[4] < y.extent[4]; ++o[4]) {
          for (k[2] = 0; k[2] < w.extent[2]; ++k[2]) {
            for (k[3] = 0; k[3] < w.extent[3]; ++k[3]) {
              for (k[4] = 0; k[4] < w.extent[4]; ++k[4]) add_product(o, k);
            }
          }
        }
      }
    }
  }

  void add_product(const std::int64_t (&o)[5], const std::int64_t (&k)[5]) {
    std::int64_t i[5] = {o[0], o[1] / (w.extent[0] / groups) * w.extent[1] + k[1], 0, 0, 0};
    for (int d = 2; d < 5; ++d) {
      const bool flat = d == 2 && x.dimensions == 2;
      i[d] = flat ? 0 : o[d] * stride + k[d] * dilation - padding;
      if (i[d] < 0 || i[d] >= x.extent[d]) return;
    }
    if (operation == 0) y.at(o) += x.at(i) * w.at(k);
    if (operation == 1) x.at(i) += y.at(o) * w.at(k);
    if (operation == 2) w.at(k) += y.at(o) * x.at(i);
  }
};

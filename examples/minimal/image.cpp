// SPDX-License-Identifier: BSD-3-Clause
#include "image.h"

#include <cmath>
#include <cstdint>
#include <cstdio>

namespace {

/// Grey value of the scene at a point; both coordinates run from 0 to 1, y downwards.
double scene(double x, double y) {
  double grey = 210 - 70 * y;  // the sky

  const double from_sun = std::hypot(x - 0.78, y - 0.2);
  if (from_sun < 0.09) return 255;
  if (from_sun < 0.2 && std::fmod(std::atan2(y - 0.2, x - 0.78) + 7, 0.5236) < 0.12) return 245;

  if (y > 0.55 + 0.12 * std::sin(5 * x + 0.6)) grey = 120;  // far hills, near hills
  if (y > 0.68 + 0.06 * std::sin(8 * x + 2.2)) grey = 80 + 40 * x;

  const bool wall = x > 0.2 && x < 0.52 && y > 0.5 && y < 0.82;
  const bool roof = y > 0.3 && y <= 0.5 && std::fabs(x - 0.36) < (y - 0.3) * 1.1;
  const bool chimney = x > 0.43 && x < 0.47 && y > 0.3 && y < 0.44;
  if (chimney || roof) grey = 50;
  if (wall) {
    grey = 190;
    const bool door = x > 0.33 && x < 0.40 && y > 0.66;
    const bool window = (std::fabs(x - 0.265) < 0.035 || std::fabs(x - 0.46) < 0.035) &&
                        std::fabs(y - 0.61) < 0.045;
    const bool bar =
        std::fabs(x - 0.265) < 0.004 || std::fabs(x - 0.46) < 0.004 || std::fabs(y - 0.61) < 0.004;
    if (door) grey = 60;
    if (window) grey = bar ? 190 : 35;
  }
  if (y > 0.82 && std::fabs(x - 0.365) < 0.035 + (y - 0.82) * 0.5) {  // the path, in slabs
    const bool dark = (static_cast<int>(y * 40) + static_cast<int>(x * 30)) % 2 == 0;
    grey = dark ? 140 : 225;
  }
  return grey;
}

void put_number(std::vector<unsigned char>& bytes, std::size_t at, std::uint32_t value, int size) {
  for (int i = 0; i < size; ++i) {
    bytes[at + static_cast<std::size_t>(i)] = static_cast<unsigned char>(value >> (8 * i));
  }
}

}  // namespace

image draw_scene(int width, int height) {
  image picture(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      picture.at(x, y) =
          static_cast<unsigned char>(scene((x + 0.5) / width, (y + 0.5) / height) + 0.5);
    }
  }
  return picture;
}

image side_by_side(const std::vector<image>& pictures) {
  constexpr int gap = 8;
  int width = -gap;
  for (const image& p : pictures) width += p.width + gap;
  image all(width, pictures.front().height);
  int left = 0;
  for (const image& p : pictures) {
    for (int y = 0; y < p.height; ++y) {
      for (int x = 0; x < p.width; ++x) all.at(left + x, y) = p.at(x, y);
    }
    left += p.width + gap;
  }
  return all;
}

// BITMAPFILEHEADER (14 bytes), BITMAPINFOHEADER (40 bytes), then rows from the bottom, each padded
// to four bytes (Microsoft, "Bitmap Storage").
bool write_bmp(const image& picture, const std::string& path) {
  const std::size_t row = (static_cast<std::size_t>(picture.width) * 3 + 3) / 4 * 4;
  const std::size_t size = 54 + row * static_cast<std::size_t>(picture.height);
  std::vector<unsigned char> bytes(size);
  bytes[0] = 'B';
  bytes[1] = 'M';
  put_number(bytes, 2, static_cast<std::uint32_t>(size), 4);
  put_number(bytes, 10, 54, 4);
  put_number(bytes, 14, 40, 4);
  put_number(bytes, 18, static_cast<std::uint32_t>(picture.width), 4);
  put_number(bytes, 22, static_cast<std::uint32_t>(picture.height), 4);
  put_number(bytes, 26, 1, 2);
  put_number(bytes, 28, 24, 2);
  for (int y = 0; y < picture.height; ++y) {
    std::size_t at = 54 + row * static_cast<std::size_t>(picture.height - 1 - y);
    for (int x = 0; x < picture.width; ++x, at += 3) {
      bytes[at] = bytes[at + 1] = bytes[at + 2] = picture.at(x, y);
    }
  }
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(bytes.data(), 1, size, file) == size;
  return (std::fclose(file) == 0) && written;
}

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// A grey picture, one byte a pixel, row by row from the top left.
struct image {
  int width = 0;
  int height = 0;
  std::vector<unsigned char> pixels;

  image() = default;
  image(int w, int h)
      : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}

  unsigned char& at(int x, int y) {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
  unsigned char at(int x, int y) const { return const_cast<image*>(this)->at(x, y); }
};

/// A house between hills under a sun: soft and hard edges in every direction.
image draw_scene(int width, int height);

/// The pictures side by side; all of them of one height.
image side_by_side(const std::vector<image>& pictures);

/// Writes a 24-bit BMP file.  False, with errno set, where that fails.
bool write_bmp(const image& picture, const std::string& path);

// SPDX-License-Identifier: BSD-3-Clause
//
// Grid and sampler have one descriptor, of the output.
#include "call.h"

namespace cudnn_checked::probe {

namespace {

class spatial_caller : public legacy_caller {
 public:
  bool prepare(legacy_call& c) override {
    int extents[4];
    for (int i = 0; i < 4; ++i) extents[i] = static_cast<int>(c.problem.y.extent[i]);
    return succeeded(cudnnCreateSpatialTransformerDescriptor(transformer_.receive()),
                     "cudnnCreateSpatialTransformerDescriptor", c.result) &&
           succeeded(
               cudnnSetSpatialTransformerNdDescriptor(transformer_.get(), CUDNN_SAMPLER_BILINEAR,
                                                      number_type_of(c.problem.type), 4, extents),
               "cudnnSetSpatialTransformerNdDescriptor", c.result);
  }

  bool execute(legacy_call& c) override {
    switch (c.problem.what) {
      case fused_operation::spatial_grid_forward:
        return succeeded(
            cudnnSpatialTfGridGeneratorForward(c.handle, transformer_.get(), c.at(0), c.at(1)),
            "cudnnSpatialTfGridGeneratorForward", c.result);
      case fused_operation::spatial_grid_backward:
        return succeeded(
            cudnnSpatialTfGridGeneratorBackward(c.handle, transformer_.get(), c.at(0), c.at(1)),
            "cudnnSpatialTfGridGeneratorBackward", c.result);
      case fused_operation::spatial_sampler_forward:
        return succeeded(
            cudnnSpatialTfSamplerForward(c.handle, transformer_.get(), &c.one, c.x.get(), c.at(0),
                                         c.at(1), &c.zero, c.y.get(), c.at(2)),
            "cudnnSpatialTfSamplerForward", c.result);
      default:
        return succeeded(
            cudnnSpatialTfSamplerBackward(c.handle, transformer_.get(), &c.one, c.x.get(), c.at(0),
                                          &c.zero, c.x.get(), c.at(3), &c.one, c.y.get(), c.at(2),
                                          c.at(1), &c.zero, c.at(4)),
            "cudnnSpatialTfSamplerBackward", c.result);
    }
  }

 private:
  compute::owner<cudnnSpatialTransformerDescriptor_t, cudnnDestroySpatialTransformerDescriptor>
      transformer_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::spatial_grid&) {
  return std::make_unique<spatial_caller>();
}
std::unique_ptr<legacy_caller> caller_of(const compute::spatial_sampler&) {
  return std::make_unique<spatial_caller>();
}

}  // namespace cudnn_checked::probe

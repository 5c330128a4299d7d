// SPDX-License-Identifier: BSD-3-Clause
//
// Creating objects of the graph API, setting and getting their attributes.  The statuses are those
// of cuDNN 9.14 and 9.19, asked one by one.
#include <cstring>

#include "attribute_rules.h"
#include "descriptor.h"

namespace simulated {

static std::size_t size_of(cudnnBackendAttributeType_t type) {
  switch (type) {
    case CUDNN_TYPE_BOOLEAN:
      return sizeof(bool);
    case CUDNN_TYPE_INT64:
    case CUDNN_TYPE_DOUBLE:
      return 8;
    case CUDNN_TYPE_HANDLE:
    case CUDNN_TYPE_VOID_PTR:
    case CUDNN_TYPE_BACKEND_DESCRIPTOR:
      return sizeof(void*);
    default:
      return 4;  // float and the enumerations
  }
}

const attribute* descriptor::find(cudnnBackendAttributeName_t name) const {
  for (const attribute& candidate : attributes) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

const descriptor* descriptor::part(cudnnBackendAttributeName_t name,
                                   cudnnBackendDescriptorType_t kind) const {
  const auto* const found = static_cast<const descriptor*>(value<void*>(name, nullptr));
  return found != nullptr && found->type == kind && found->finalized ? found : nullptr;
}

static int set(descriptor& d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
               std::int64_t count, const void* elements) {
  const attribute_rule* const rule = find_rule(d.type, name);
  if (rule == nullptr || rule->how == use::answered || d.finalized || elements == nullptr) {
    return failed(2000,
                  "ptrDesc->set(attributeName, attributeType, elementCount, arrayOfElements)");
  }
  if (rule->type != type) return failed(2010, "attribute type");
  if (count <= 0 || (rule->how == use::one && count != 1)) return failed(2000, "1 != elemCount");
  if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (static_cast<void* const*>(elements)[i] == nullptr) return failed(2000, "nullptr == ptr");
    }
  }
  const auto* const first = static_cast<const unsigned char*>(elements);
  const std::size_t size = size_of(type) * static_cast<std::size_t>(count);
  for (attribute& old : d.attributes) {
    if (old.name != name) continue;
    old.count = count;
    old.bytes.assign(first, first + size);
    return 0;
  }
  d.attributes.push_back({name, type, count, {first, first + size}});
  return 0;
}

/// Copies as many of the values as there is room for; with no room at all, tells how many there
/// are.
template <typename T>
static int give(const std::vector<T>& values, std::int64_t room, std::int64_t* count,
                void* elements) {
  const auto all = static_cast<std::int64_t>(values.size());
  const std::int64_t given = room < all ? room : all;
  if (count != nullptr) *count = room == 0 || elements == nullptr ? all : given;
  if (elements != nullptr && given > 0) {
    std::memcpy(elements, values.data(), static_cast<std::size_t>(given) * sizeof(T));
  }
  return 0;
}

/// Turns an object that the caller made into the engine or configuration of one offer.
static int become(void* target, const descriptor& from, const offer& chosen,
                  cudnnBackendDescriptorType_t type) {
  auto* const made = static_cast<descriptor*>(target);
  if (made == nullptr || made->type != type) return failed(2000, "wrong descriptor to fill");
  made->what = from.what;
  std::memcpy(made->uids, from.uids, sizeof from.uids);
  made->several = from.several;
  made->handle = from.handle;
  made->offers = {chosen};
  made->finalized = true;
  return 0;
}

/// Fills in as many of the caller's objects as there is room for.
template <typename T, typename Fill>
static int fill_objects(const std::vector<T>& values, std::int64_t room, std::int64_t* count,
                        void* elements, Fill fill) {
  const auto all = static_cast<std::int64_t>(values.size());
  const std::int64_t given = room < all ? room : all;
  if (count != nullptr) *count = room == 0 ? all : given;
  for (std::int64_t i = 0; i < given; ++i) {
    const int status = fill(static_cast<void**>(elements)[i], values[static_cast<std::size_t>(i)]);
    if (status != 0) return status;
  }
  return 0;
}

// Before they are asked for, the real heuristic B promises more than it then gives.
static int get_results(const descriptor& d, std::int64_t room, std::int64_t* count,
                       void* elements) {
  const auto mode = d.value(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_HEUR_MODE_INSTANT);
  if (room == 0 && count != nullptr && mode == CUDNN_HEUR_MODE_B) {
    *count = static_cast<std::int64_t>(d.offers.size()) + 2;
    return 0;
  }
  return fill_objects(d.offers, room, count, elements, [&](void* target, const offer& chosen) {
    return become(target, d, chosen, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  });
}

static void put(descriptor& d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                std::int64_t value) {
  attribute made{name, type, 1, std::vector<unsigned char>(size_of(type))};
  const auto narrow = static_cast<std::int32_t>(value);
  std::memcpy(made.bytes.data(),
              type == CUDNN_TYPE_INT64 ? static_cast<const void*>(&value) : &narrow,
              made.bytes.size());
  d.attributes.push_back(made);
}

static descriptor* empty_object(void* target, cudnnBackendDescriptorType_t type) {
  auto* const made = static_cast<descriptor*>(target);
  if (made == nullptr || made->type != type) return nullptr;
  made->attributes.clear();
  made->finalized = true;
  return made;
}

static int fill_knob_info(void* target, const knob& from) {
  descriptor* const made = empty_object(target, CUDNN_BACKEND_KNOB_INFO_DESCRIPTOR);
  if (made == nullptr) return failed(2000, "wrong descriptor to fill");
  put(*made, CUDNN_ATTR_KNOB_INFO_TYPE, CUDNN_TYPE_KNOB_TYPE, from.type);
  put(*made, CUDNN_ATTR_KNOB_INFO_MINIMUM_VALUE, CUDNN_TYPE_INT64, from.lowest);
  put(*made, CUDNN_ATTR_KNOB_INFO_MAXIMUM_VALUE, CUDNN_TYPE_INT64, from.highest);
  put(*made, CUDNN_ATTR_KNOB_INFO_STRIDE, CUDNN_TYPE_INT64, 1);
  return 0;
}

static int fill_knob_choice(void* target, const knob_choice& from) {
  descriptor* const made = empty_object(target, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
  if (made == nullptr) return failed(2000, "wrong descriptor to fill");
  put(*made, CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, from.type);
  put(*made, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, from.value);
  return 0;
}

static std::vector<int> behavior_notes(const offer& chosen) {
  if (chosen.from.precompiled) return {};
  constexpr int supports_cuda_graph = 3;  // newer than some of the releases
  return CUDNN_MAJOR >= 9
             ? std::vector<int>{CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION, supports_cuda_graph}
             : std::vector<int>{CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION};
}

static int get(const descriptor& d, cudnnBackendAttributeName_t name,
               cudnnBackendAttributeType_t type, std::int64_t room, std::int64_t* count,
               void* elements) {
  if (!d.finalized) return failed(1001, "status");
  const attribute_rule* const rule = find_rule(d.type, name);
  if (rule == nullptr) return failed(2000, "status");
  if (rule->type != type) return failed(2010, "attribute type");
  switch (name) {
    case CUDNN_ATTR_ENGINEHEUR_RESULTS:
      return get_results(d, room, count, elements);
    case CUDNN_ATTR_ENGINECFG_ENGINE:
      if (count != nullptr) *count = 1;
      if (room < 1) return 0;
      return become(*static_cast<void**>(elements), d, d.offers[0],
                    CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    case CUDNN_ATTR_ENGINECFG_KNOB_CHOICES:
      // Without room the real one says that there are none, whatever it then gives (H200, 9.19).
      if (room == 0 && count != nullptr) *count = 0;
      if (room == 0) return 0;
      return fill_objects(d.offers[0].choices, room, count, elements, fill_knob_choice);
    case CUDNN_ATTR_ENGINE_GLOBAL_INDEX:
      return give(std::vector<std::int64_t>{d.offers[0].from.number}, room, count, elements);
    case CUDNN_ATTR_ENGINE_KNOB_INFO:
      return fill_objects(d.offers[0].from.knobs, room, count, elements, fill_knob_info);
    case CUDNN_ATTR_ENGINE_NUMERICAL_NOTE:
      return give(d.offers[0].from.notes, room, count, elements);
    case CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE:
      return give(behavior_notes(d.offers[0]), room, count, elements);
    case CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE:
      return give(std::vector<std::int64_t>{d.offers[0].workspace()}, room, count, elements);
    case CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT:
      if (room != 1 && elements != nullptr) return failed(2000, "1 != requestedElemCount");
      return give(std::vector<std::int64_t>{d.several != nullptr ? engine_count(*d.several)
                                                                 : engine_count(d.what)},
                  room, count, elements);
    default:
      break;
  }
  const attribute* const found = d.find(name);
  if (found == nullptr) return failed(2000, "attribute was not set");
  const std::int64_t given = room < found->count ? room : found->count;
  if (count != nullptr) *count = given;
  if (elements != nullptr && given > 0) {
    std::memcpy(elements, found->bytes.data(), static_cast<std::size_t>(given) * size_of(type));
  }
  return 0;
}

}  // namespace simulated

using namespace simulated;

SIMULATED_EXPORT cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type,
                                                            cudnnBackendDescriptor_t* made) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnBackendCreateDescriptor);
  if (!is_known(type)) {
    return status_of_release(
        failed(4003, "CUDNN_STATUS_SUCCESS != getSizeOfDescriptor(descriptorType, size)"));
  }
  auto* const object = new descriptor;
  object->type = type;
  *made = object;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t d) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnBackendDestroyDescriptor);
  if (d == nullptr) return status_of_release(failed(2002, "nullptr == descriptor"));
  delete static_cast<descriptor*>(d);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnBackendInitialize(cudnnBackendDescriptor_t d) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnBackendInitialize);
  if (d == nullptr) return status_of_release(failed(2002, "nullptr == descriptor"));
  const cudnnBackendDescriptorType_t type = static_cast<descriptor*>(d)->type;
  *static_cast<descriptor*>(d) = descriptor();
  static_cast<descriptor*>(d)->type = type;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t d,
                                                        cudnnBackendAttributeName_t name,
                                                        cudnnBackendAttributeType_t type,
                                                        int64_t count, const void* elements) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnBackendSetAttribute);
  if (d == nullptr) return status_of_release(failed(2002, "nullptr == descriptor"));
  return status_of_release(set(*static_cast<descriptor*>(d), name, type, count, elements));
}

SIMULATED_EXPORT cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t const d,
                                                        cudnnBackendAttributeName_t name,
                                                        cudnnBackendAttributeType_t type,
                                                        int64_t room, int64_t* count,
                                                        void* elements) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnBackendGetAttribute);
  if (d == nullptr) return status_of_release(failed(2002, "nullptr == descriptor"));
  return status_of_release(get(*static_cast<descriptor*>(d), name, type, room, count, elements));
}

SIMULATED_EXPORT cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t d) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnBackendFinalize);
  if (d == nullptr) return status_of_release(failed(2002, "nullptr == descriptor"));
  descriptor& object = *static_cast<descriptor*>(d);
  if (object.finalized) return status_of_release(failed(2000, "ptrDesc->finalize()"));
  const int status = finalize(object);
  object.finalized = status == 0;
  return status_of_release(status);
}

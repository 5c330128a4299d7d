// SPDX-License-Identifier: BSD-3-Clause
//
// A part of graph_program.cpp: numbers with their errors, their storage, and the inputs.

constexpr double fast_function = 1.0 / 1048576;  // 2^-20, the error of fast exp and log

/// Numbers of types that are not in the table, which are integers and booleans, lose nothing.
constexpr number_type type_of(cudnnDataType_t type) {
  for (const number_type& one : number_types) {
    if (one.type == type) return one;
  }
  return {type, 0, 0, 0};
}
constexpr double fp32_rounding = type_of(CUDNN_DATA_FLOAT).roundoff;

/// A number in float64, and first-order bounds on the error of a right kernel.
struct number {
  double value = 0;
  double error = 0;   // the error of arithmetic in fp32
  double spread = 0;  // the sum of the squares of independent errors: roundings to fewer bits

  double bound() const { return error + std::sqrt(spread); }
};

static number made_of(double value, double error, double spread) {
  if (!std::isfinite(value)) return {value, 0, 0};
  return {value, error + fp32_rounding * std::fabs(value), spread};
}
static number operator+(const number& a, const number& b) {
  const double rounded = fp32_rounding * (std::fabs(a.value) + std::fabs(b.value));
  return made_of(a.value + b.value, a.error + b.error + rounded, a.spread + b.spread);
}
static number operator-(const number& a, const number& b) {
  return a + number{-b.value, b.error, b.spread};
}
static number operator*(const number& a, const number& b) {
  return made_of(a.value * b.value, std::fabs(a.value) * b.error + std::fabs(b.value) * a.error,
                 a.value * a.value * b.spread + b.value * b.value * a.spread);
}
/// The result of a function of x with this value and slope, and its own error `lost`.
static number function(const number& x, double value, double slope, double lost) {
  return made_of(value, std::fabs(slope) * x.error + lost, slope * slope * x.spread);
}
static number operator/(const number& a, const number& b) {
  return a * function(b, 1 / b.value, 1 / (b.value * b.value), 0);
}

/// A sum in fp32, in any order.  A sum of n numbers loses at most n + 1 roundings of their absolute
/// values, and with many numbers a multiple of the square root of n.  Independent errors add up to
/// at most 3 times the root of the sum of their squares.
struct sum {
  number total;
  double magnitude = 0;
  double count = 0;

  void add(const number& one) {
    total.value += one.value;
    total.error += one.error;
    total.spread += one.spread;
    magnitude += std::fabs(one.value);
    ++count;
  }
  number finish() const {
    const double length = count < 7 ? 8 : count + 1;
    const double roundings = std::fmin(length, 32 * std::sqrt(length));
    return made_of(total.value, total.error + roundings * fp32_rounding * magnitude,
                   total.spread * std::fmin(count, 9));
  }
};

/// The storage of a number in memory.
struct storage {
  cudnnDataType_t type;
  std::size_t bytes;
  void (*encode)(double value, unsigned char* bytes);
  double (*decode)(const unsigned char* bytes);
};

template <typename stored, stored (*from_float)(float)>
static void encode_as(double value, unsigned char* bytes) {
  const stored made = from_float(static_cast<float>(value));
  std::memcpy(bytes, &made, sizeof made);
}
template <typename stored, float (*to_float)(stored)>
static double decode_as(const unsigned char* bytes) {
  stored read{};
  std::memcpy(&read, bytes, sizeof read);
  return static_cast<double>(to_float(read));
}
template <typename stored, stored (*from_float)(float), float (*to_float)(stored)>
static storage stored_as(cudnnDataType_t type) {
  return {type, sizeof(stored), encode_as<stored, from_float>, decode_as<stored, to_float>};
}
template <typename to, typename from>
static to converted(from value) {
  return static_cast<to>(value);
}

static const storage storages[] = {
    stored_as<float, converted, converted>(CUDNN_DATA_FLOAT),
    stored_as<std::int32_t, converted, converted>(CUDNN_DATA_INT32),
    stored_as<std::uint16_t, half_from_float, float_from_half>(CUDNN_DATA_HALF),
    stored_as<std::uint16_t, bfloat16_from_float, float_from_bfloat16>(CUDNN_DATA_BFLOAT16),
    stored_as<std::uint8_t, e4m3_from_float, float_from_e4m3>(CUDNN_DATA_FP8_E4M3),
    stored_as<std::uint8_t, e5m2_from_float, float_from_e5m2>(CUDNN_DATA_FP8_E5M2),
};
static const storage& storage_of(cudnnDataType_t type) {
  for (const storage& one : storages) {
    if (one.type == type) return one;
  }
  end(2, "not tried: no numbers of data type " + std::to_string(type));
}

static std::size_t size_of(cudnnDataType_t type) { return storage_of(type).bytes; }
static void encode(cudnnDataType_t type, double value, unsigned char* bytes) {
  storage_of(type).encode(value, bytes);
}
static double decode(cudnnDataType_t type, const unsigned char* bytes) {
  return storage_of(type).decode(bytes);
}
static double rounded(cudnnDataType_t type, double value) {
  unsigned char bytes[4];
  encode(type, value, bytes);
  return decode(type, bytes);
}

static std::size_t count_of(const tensor& t) {
  std::size_t count = 1;
  for (const std::int64_t extent : t.extent) count *= static_cast<std::size_t>(extent);
  return count;
}

/// The indices of an element along each axis, from its number in a packed tensor.
struct place {
  std::int64_t at[4] = {};

  place(const tensor& t, std::size_t element) {
    auto rest = static_cast<std::int64_t>(element);
    for (std::size_t axis = t.extent.size(); axis-- > 0; rest /= t.extent[axis]) {
      at[axis] = rest % t.extent[axis];
    }
  }
  /// The element's index in memory.
  std::size_t in_memory(const tensor& t) const {
    std::int64_t where = 0;
    for (std::size_t axis = 0; axis < t.extent.size(); ++axis) where += at[axis] * t.stride[axis];
    return static_cast<std::size_t>(where);
  }
  /// The element of t that belongs to this element of `larger`.  Neighbours along an axis share an
  /// element if t has fewer elements there.
  std::size_t shared(const tensor& t, const tensor& larger) const {
    std::int64_t element = 0;
    for (std::size_t axis = 0; axis < t.extent.size(); ++axis) {
      element = element * t.extent[axis] + at[axis] * t.extent[axis] / larger.extent[axis];
    }
    return static_cast<std::size_t>(element);
  }
};

/// The numbers of each tensor by its name, in their order in memory.
using arrays = std::map<std::string, std::vector<double>>;

/// splitmix64.  Its upper 24 bits give a multiple of 2^-23 in [-1, 1).
static double next_number(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  z ^= z >> 31;
  return static_cast<double>(static_cast<std::int64_t>(z >> 40) - 0x800000) / 8388608;
}

static std::vector<double> drawn_for(const tensor& t) {
  std::vector<double> values;
  for (const drawn_input& one : drawn) {
    if (std::string(one.name) != t.name) continue;
    std::uint64_t state = one.seed;
    for (std::size_t i = 0; i < count_of(t); ++i) {
      const double random = rounded(one.rounded_to, next_number(state));
      values.push_back(one.period != 0 && i % one.period == 0 ? one.first : random);
    }
  }
  for (const fixed_input& one : fixed) {
    if (std::string(one.name) == t.name) values = one.values;
  }
  return values;
}

static void draw(const graph& what, arrays& inputs) {
  for (const tensor& t : what.tensors) {
    const std::vector<double> values = drawn_for(t);
    if (!values.empty()) inputs[t.name] = values;
  }
}

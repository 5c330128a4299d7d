// SPDX-License-Identifier: BSD-3-Clause
//
// The module `blurring`: blur(rows) and report().  Python.h comes first, as its documentation
// wants.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <cudnn_checked/guard.hpp>

#include <stdexcept>
#include <string>

#include "blur.h"

namespace {

/// Fills in a picture from a list of rows of numbers; false, with a Python error, where it is none.
bool read_rows(PyObject* rows, picture& result) {
  result = {0, static_cast<int>(PyList_Size(rows)), {}};
  for (Py_ssize_t r = 0; r < result.height; ++r) {
    PyObject* row = PyList_GetItem(rows, r);  // borrowed
    if (!PyList_Check(row) || (r > 0 && PyList_Size(row) != result.width)) {
      PyErr_SetString(PyExc_ValueError, "rows must be lists of one length");
      return false;
    }
    result.width = static_cast<int>(PyList_Size(row));
    for (Py_ssize_t c = 0; c < result.width; ++c) {
      const double value = PyFloat_AsDouble(PyList_GetItem(row, c));
      if (PyErr_Occurred() != nullptr) return false;
      result.values.push_back(static_cast<float>(value));
    }
  }
  if (!result.values.empty()) return true;
  PyErr_SetString(PyExc_ValueError, "the picture is empty");
  return false;
}

PyObject* to_rows(const picture& y) {
  PyObject* rows = PyList_New(y.height);
  for (Py_ssize_t r = 0; rows != nullptr && r < y.height; ++r) {
    PyObject* row = PyList_New(y.width);
    for (Py_ssize_t c = 0; row != nullptr && c < y.width; ++c) {
      const std::size_t i = static_cast<std::size_t>(r * y.width + c);
      PyList_SetItem(row, c, PyFloat_FromDouble(static_cast<double>(y.values[i])));
    }
    PyList_SetItem(rows, r, row);
  }
  if (PyErr_Occurred() == nullptr) return rows;
  Py_XDECREF(rows);
  return nullptr;
}

PyObject* py_blur(PyObject*, PyObject* arguments) {
  PyObject* rows = nullptr;
  picture x;
  if (!PyArg_ParseTuple(arguments, "O!:blur", &PyList_Type, &rows) || !read_rows(rows, x)) {
    return nullptr;
  }
  if (!has_gpu()) {
    PyErr_SetString(PyExc_RuntimeError, "blur needs an NVIDIA GPU, and there is none here");
    return nullptr;
  }
  try {
    return to_rows(blur(x));
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
    return nullptr;
  }
}

// The process may have loaded other libraries since the import: each call checks again.
PyObject* py_report(PyObject*, PyObject*) {
  return PyUnicode_FromString(cudnn_checked::check().json().c_str());
}

PyMethodDef methods[] = {
    {"blur", py_blur, METH_VARARGS, "blur(rows): a list of rows of floats, blurred by cuDNN."},
    {"report", py_report, METH_NOARGS, "report(): what the check finds now, as JSON."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT,
                      "blurring",
                      "Pictures, blurred by cuDNN.",
                      -1,
                      methods,
                      nullptr,
                      nullptr,
                      nullptr,
                      nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_blurring() {
  // Never require(): it would end the interpreter.
  try {
    cudnn_checked::require_or_throw();
  } catch (const cudnn_checked::refused& refusal) {
    PyErr_SetString(PyExc_ImportError, refusal.what());
    return nullptr;
  }
  return PyModule_Create(&module);
}

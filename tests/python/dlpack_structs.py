"""DLPack's structs made by hand, with a deleter that counts: what a library may hand over, and what none should."""

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
    py_object,
)

READ_ONLY, COPIED = 1, 2


class Tensor(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_kind", c_int32),
        ("device_number", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


Deleter = CFUNCTYPE(None, c_void_p)


class Unversioned(Structure):
    _fields_ = [("tensor", Tensor), ("context", c_void_p), ("deleter", Deleter)]


class Versioned(Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("context", c_void_p),
        ("deleter", Deleter),
        ("flags", c_uint64),
        ("tensor", Tensor),
    ]


NAMES = {Versioned: b"dltensor_versioned", Unversioned: b"dltensor"}

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
_name = ctypes.pythonapi.PyCapsule_GetName
_name.restype, _name.argtypes = c_char_p, [py_object]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [py_object, c_char_p]


def name_of(capsule):
    return _name(capsule).decode()


def struct_of(capsule):
    """What a capsule holds that was not taken."""
    name = _name(capsule)
    kind = {name: kind for kind, name in NAMES.items()}[name]
    return kind.from_address(_pointer(capsule, name))


class Lender:
    """An object with __dlpack__ over one dimension of f32, which keeps all that its struct points to.

    changes   attributes of the struct or its tensor that are to differ.
    """

    def __init__(self, values, kind=Versioned, **changes):
        self.deleted = 0
        self.memory = (ctypes.c_float * max(1, len(values)))(*values)
        self.shape = (c_int64 * 1)(len(values))
        self.struct = kind(deleter=Deleter(self._delete))
        self.struct.tensor = Tensor(ctypes.addressof(self.memory), 1, 0, 1, 2, 32, 1, self.shape, None, 0)
        if kind is Versioned:
            self.struct.major = 1
        for name, value in changes.items():
            setattr(self.struct if hasattr(self.struct, name) else self.struct.tensor, name, value)

    def _delete(self, struct):
        self.deleted += 1

    def capsule(self):
        return _new(ctypes.addressof(self.struct), NAMES[type(self.struct)], None)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        self.asked = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
        return self.capsule()

    def __dlpack_device__(self):
        return (self.struct.tensor.device_kind, 0)

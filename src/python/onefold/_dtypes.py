"""Element types: the 13 scalars, and functions that describe vectors and matrices of them."""

from onefold import _core

bool_ = _core.dtype("bool", ())
i8 = _core.dtype("i8", ())
i16 = _core.dtype("i16", ())
i32 = _core.dtype("i32", ())
i64 = _core.dtype("i64", ())
u8 = _core.dtype("u8", ())
u16 = _core.dtype("u16", ())
u32 = _core.dtype("u32", ())
u64 = _core.dtype("u64", ())
f16 = _core.dtype("f16", ())
bf16 = _core.dtype("bf16", ())
f32 = _core.dtype("f32", ())
f64 = _core.dtype("f64", ())


def vec(n, dtype=f32):
    """The type of vectors of `n` components, 2 to 4, each a scalar of type `dtype`.

    ValueError: another n. TypeError: dtype is no type of scalars.
    """
    return _core.dtype(dtype, (n,))


def mat(rows, columns, dtype=f32):
    """The type of matrices of up to 4 rows and columns, stored by rows, each component a scalar of type `dtype`.

    ValueError: more rows or columns. TypeError: dtype is no type of scalars.
    """
    return _core.dtype(dtype, (rows, columns))


def vec2(dtype=f32):
    """The type of vectors of 2 components."""
    return vec(2, dtype)


def vec3(dtype=f32):
    """The type of vectors of 3 components."""
    return vec(3, dtype)


def vec4(dtype=f32):
    """The type of vectors of 4 components."""
    return vec(4, dtype)


def mat2(dtype=f32):
    """The type of matrices of 2 rows and 2 columns."""
    return mat(2, 2, dtype)


def mat3(dtype=f32):
    """The type of matrices of 3 rows and 3 columns."""
    return mat(3, 3, dtype)


def mat4(dtype=f32):
    """The type of matrices of 4 rows and 4 columns."""
    return mat(4, 4, dtype)

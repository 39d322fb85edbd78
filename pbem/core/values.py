"""`dataclass` for values that never change: as that of the standard library, and made five times as fast.

The standard library writes and compiles six methods for each class when its module is loaded, which was a
quarter of a command's time. Here a method is compiled when it is first called, and most never are. Whatever
else a class may be (not frozen, ordered) is left to the standard library. `fields`, `replace`, `asdict`,
`match`, `pickle` and inheritance work with either.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import MISSING
from inspect import get_annotations
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen: bool = False, slots: bool = False, kw_only: bool = False, order: bool = False):
        """Return what makes a dataclass of a class, with these of the standard library's arguments."""
        if not frozen or order:
            return dataclasses.dataclass(frozen=frozen, slots=slots, kw_only=kw_only, order=order)
        return lambda cls: _value(cls, slots, kw_only)


__all__ = ["dataclass"]

Method = Callable[..., Any]


@dataclasses.dataclass(init=False, repr=False, eq=False, frozen=True)
class _Frozen:
    """Has what the standard library asks of a class from which others inherit: that it is frozen."""


_PARAMS: Final = _Frozen.__dict__["__dataclass_params__"]


def _value(cls: type, slots: bool, kw_only: bool) -> type:
    """Return a class as a frozen dataclass: a new one if it has slots, as the standard library does it."""
    found: dict[str, Any] = {}
    for base in cls.__mro__[-1:0:-1]:
        found.update(base.__dict__.get("__dataclass_fields__", ()))
    own = _own_fields(cls, kw_only)
    made: Any = _with_slots(cls, own) if slots else _with_defaults(cls, own)
    made.__dataclass_fields__ = {**found, **own}
    made.__dataclass_params__ = _PARAMS
    _add_methods(made)
    return made  # type: ignore[no-any-return]


def _own_fields(cls: type, kw_only: bool) -> dict[str, Any]:
    """Return the fields that a class adds to those of its bases, as the standard library reads them."""
    named = get_annotations(cls)
    body = {name: cls.__dict__[name] for name in named if name in cls.__dict__}
    body |= {"__annotations__": named, "__module__": cls.__module__, "__doc__": cls.__name__}
    bare: Any = type(cls.__name__, (), body)
    dataclasses.dataclass(init=False, repr=False, eq=False, match_args=False, kw_only=kw_only)(bare)
    return {one.name: one for one in dataclasses.fields(bare)}


def _with_slots(cls: type, own: Mapping[str, Any]) -> type:
    """Return a class anew, with a slot for each field that no base has one for."""
    taken = {slot for base in cls.__mro__[1:-1] for slot in base.__dict__.get("__slots__", ())}
    body = {name: value for name, value in cls.__dict__.items() if name not in own}
    body.pop("__dict__", None)
    body.pop("__weakref__", None)
    body["__slots__"] = tuple(name for name in own if name not in taken)
    body.setdefault("__getstate__", _getstate)
    body.setdefault("__setstate__", _setstate)
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def _with_defaults(cls: type, own: Mapping[str, Any]) -> type:
    """Return a class whose attributes are the defaults of its fields."""
    for name in own.keys() & cls.__dict__.keys():
        if own[name].default is MISSING:
            delattr(cls, name)
        else:
            setattr(cls, name, own[name].default)
    return cls


def _add_methods(cls: Any) -> None:
    """Give a class what a frozen dataclass has, but for what it has of its own."""
    body = cls.__dict__
    for name, write in _WRITTEN.items():
        if body.get(name) is None:
            setattr(cls, name, _when_needed(cls, name, write))
    if "__repr__" not in body:
        cls.__repr__ = _repr
    if "__match_args__" not in body:
        fields = dataclasses.fields(cls)
        positional = tuple(one.name for one in fields if one.init and not one.kw_only)
        setattr(cls, "__match_args__", positional)  # noqa: B010
    cls.__setattr__, cls.__delattr__ = _refuse_to_set, _refuse_to_delete


# --- what all share


def _repr(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in dataclasses.fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


def _refuse_to_set(self: Any, name: str, value: Any) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


# --- what is written for each class, when it is first called


def _when_needed(cls: Any, name: str, write: Callable[[Any], Method]) -> Method:
    """Return a method that at its first call writes the true one, and puts it in its own place."""

    def first(*values: Any, **named: Any) -> Any:
        method = write(cls)
        method.__qualname__, method.__module__ = f"{cls.__qualname__}.{name}", cls.__module__
        setattr(cls, name, method)
        return method(*values, **named)

    return first


def _init(cls: Any) -> Method:
    known: dict[str, Any] = {"_unset": MISSING, "_set": object.__setattr__}
    lines: list[str] = []
    asked: list[str] = []
    by_name: list[str] = []
    for one in dataclasses.fields(cls):
        name, slot = one.name, getattr(cls, one.name, None)
        value, default = name, ""
        if one.default_factory is not MISSING:
            known[f"_make_{name}"] = one.default_factory
            value, default = f"_make_{name}() if {name} is _unset else {name}", "=_unset"
        elif one.default is not MISSING:
            known[f"_default_{name}"] = one.default
            default = f"=_default_{name}"
        if one.init:
            (by_name if one.kw_only else asked).append(f"{name}{default}")
        elif default:
            value = f"_make_{name}()" if default == "=_unset" else f"_default_{name}"
        else:
            continue
        if isinstance(slot, MemberDescriptorType):
            known[f"_set_{name}"] = slot.__set__
            lines.append(f"_set_{name}(self, {value})")
        else:
            lines.append(f"_set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    words = ", ".join(["self", *asked, *(["*", *by_name] if by_name else ())])
    return _compiled(f"def written({words}):", lines or ["pass"], known)


def _eq(cls: Any) -> Method:
    one, two = (_compared(cls, name) for name in ("self", "other"))
    compare = f"return {one} == {two} if other.__class__ is self.__class__ else NotImplemented"
    return _compiled("def written(self, other):", [compare], {})


def _hash(cls: Any) -> Method:
    return _compiled("def written(self):", [f"return hash({_compared(cls, 'self')})"], {})


_WRITTEN: Final[Mapping[str, Callable[[Any], Method]]] = {"__init__": _init, "__eq__": _eq, "__hash__": _hash}


def _compared(cls: Any, name: str) -> str:
    """Return the tuple of the values that are compared, as code."""
    values = [f"{name}.{one.name}" for one in dataclasses.fields(cls) if one.compare]
    return f"({', '.join(values)}{',' * (len(values) == 1)})"


def _compiled(head: str, lines: list[str], known: dict[str, Any]) -> Method:
    exec("\n ".join([head, *lines]), known)
    method: Method = known["written"]
    return method

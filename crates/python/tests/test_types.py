"""What users call has types: py.typed promises them."""

import inspect

import pytest
import stickslip
from stickslip import contact, law


def functions():
    for module in (stickslip, contact, law):
        for name in module.__all__:
            found = getattr(module, name)
            if inspect.isfunction(found):
                yield f"{module.__name__}.{name}", found
            elif inspect.isclass(found) and found.__module__.startswith("stickslip"):
                for own, member in vars(found).items():
                    member = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
                    if inspect.isfunction(member) and (not own.startswith("_") or own in ("__init__", "__getitem__", "__call__")):
                        # What dataclasses write themselves is not in a file.
                        if member.__code__.co_filename.endswith(".py"):
                            yield f"{module.__name__}.{name}.{own}", member


@pytest.mark.parametrize(("name", "function"), list(functions()), ids=lambda one: one if isinstance(one, str) else "")
def test_typed(name, function):
    signature = inspect.signature(function)
    untyped = [p.name for p in signature.parameters.values() if p.annotation is p.empty and p.name not in ("self", "cls")]
    assert not untyped and signature.return_annotation is not signature.empty, (name, untyped)

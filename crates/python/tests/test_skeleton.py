import stickslip
from stickslip import _native


def test_imports():
    assert stickslip.__version__
    assert len(_native.scenarios()) > 50
    assert 'model = "wheel"' in _native.Scenario.named("wheel-sport-braking", []).text

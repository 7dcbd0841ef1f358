"""The notebooks run from top to bottom, each as a reader would run it, within 30 s of a quiet machine."""

import csv

import pytest
from conftest import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    kept = [cell for cell in notebook.cells if cell.cell_type == "code" and (cell.outputs or cell.execution_count)]
    assert not kept, "notebooks are kept without outputs"
    nbclient.NotebookClient(notebook, timeout=180, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()


def test_the_numbers_in_the_notebook_are_those_of_the_files():
    """They are typed into it, so that it needs no files."""
    notebook = nbformat.read(ROOT / "notebooks" / "creep-forces-beside-contact.ipynb", as_version=4)
    typed = {}
    for cell in notebook.cells:
        if cell.cell_type == "code" and ("contact = {" in cell.source or "kalker = [" in cell.source):
            exec(cell.source, {}, typed)
    folder = ROOT / "reference" / "rolling"

    def column(name, key, **only):
        with (folder / name).open() as file:
            rows = csv.DictReader(file)
            return [float(row[key]) for row in rows if all(row[k] == v for k, v in only.items())]

    names = {
        "longitudinal": [("xi", "creepage"), ("fx", "CONTACT44_Fx_over_muN")],
        "lateral": [("eta", "creepage"), ("fy", "CONTACT44_Fy_over_muN"), ("mz", "CONTACT44_Mz_over_muNc")],
        "spin": [("phi", "spin_1_per_m"), ("fy_spin", "CONTACT44_Fy_over_muN"), ("mz_spin", "CONTACT44_Mz_over_muNc")],
    }
    for direction, pairs in names.items():
        for ours, theirs in pairs:
            assert typed["contact"][ours] == column(f"creep-{direction}-42kn.csv", theirs), ours
    grids = column("creep-grid-convergence-42kn.csv", "Fx_over_muN", code="CONTACT", xi="0.0017", eta="0")
    assert typed["contact"]["fx_at_0.0017"] == grids
    with (folder / "kalker-coefficients.csv").open() as file:
        table = {
            (float(row["g"]) if row["axis_ratio_type"] == "a/b" else 1 / float(row["g"])): row for row in csv.DictReader(file)
        }
    assert len(typed["kalker"]) == 7
    for ratio, *printed in typed["kalker"]:
        assert printed == [float(table[ratio][f"C{k}_nu0.25"]) for k in (11, 22, 23, 33)], ratio

"""The wheel and the sdist are whole: the command works from an installed wheel, away from the source."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import graphveil

ROOT = Path(__file__).parent.parent


def run(*words: str | Path, **options: object) -> str:
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both archives; nothing is fetched."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


def test_archives_hold_what_they_should(built: Path) -> None:
    (wheel,) = built.glob(f"graphveil-{graphveil.__version__}-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    source = ROOT / "src"
    missing = {str(p.relative_to(source)) for p in (source / "graphveil").rglob("*.py")} - set(names)
    assert not missing
    assert "graphveil/py.typed" in names
    assert any(name.endswith(".html") for name in names)  # the collector's pages
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as sdist:
        inside = {name.partition("/")[2] for name in sdist.getnames()}
    tracked = run("git", "ls-files", cwd=ROOT).splitlines() if (ROOT / ".git").exists() else []
    hidden = {name for name in tracked if name.startswith(".")}
    assert {name for name in tracked if (ROOT / name).exists()} - hidden <= inside  # so the tests run from it too
    assert not [name for name in inside if "__pycache__" in name]


def test_the_wheel_works_in_a_clean_environment(built: Path, tmp_path: Path) -> None:
    """Its libraries are borrowed from here, graphveil itself is not."""
    venv.create(tmp_path / "clean", with_pip=False, symlinks=True)
    python = tmp_path / "clean" / "bin" / "python"
    (wheel,) = built.glob("*.whl")
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    options = ("--no-deps", "--no-index", "--quiet", "--ignore-installed", "--prefix", tmp_path / "clean")
    run(sys.executable, "-m", "pip", "install", *options, wheel)
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = run(python, "-c", "import graphveil; print(graphveil.__file__, graphveil.__version__)", cwd=tmp_path)
    assert where.split() == [str(site / "graphveil" / "__init__.py"), graphveil.__version__]
    command = tmp_path / "clean" / "bin" / "graphveil"
    script = command.read_text().replace(f"#!{sys.executable}", f"#!{python}", 1)
    command.write_text(script)
    assert "release" in run(command, "--help", cwd=tmp_path)
    assert graphveil.__version__ in run(command, "doctor", cwd=tmp_path)

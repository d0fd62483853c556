#!/usr/bin/python3
"""The corpus of a fuzz target: an archive of its inputs, corpora/TARGET.tar.gz.

    corpus.py unpack ARCHIVE FOLDER    FOLDER has the inputs of the archive then, and nothing else
    corpus.py pack FOLDER ARCHIVE      the other way round; the same inputs make the same bytes
"""
import gzip
import io
import os
import pathlib
import shutil
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent


def archive_of(target):
    return HERE / "corpora" / f"{target}.tar.gz"


def read(archive):
    """{name: bytes} of all inputs."""
    with tarfile.open(archive) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}


def write(archive, inputs):
    """Neither times nor owners are in it, and names are in order."""
    with open(archive, "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted(inputs):
            member = tarfile.TarInfo(name)
            member.size = len(inputs[name])
            tar.addfile(member, io.BytesIO(inputs[name]))


def add(target, inputs):
    """Puts these inputs into the target's corpus; one that has the name of another takes its place."""
    archive = archive_of(target)
    old = read(archive) if archive.exists() else {}
    archive.parent.mkdir(exist_ok=True)
    write(archive, {**old, **inputs})


def unpack(archive, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, content in read(archive).items():
        (pathlib.Path(folder) / os.path.basename(name)).write_bytes(content)


def pack(folder, archive):
    write(archive, {file.name: file.read_bytes() for file in pathlib.Path(folder).iterdir() if file.is_file()})


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("unpack", "pack"):
        sys.exit(__doc__)
    (unpack if sys.argv[1] == "unpack" else pack)(*sys.argv[2:])

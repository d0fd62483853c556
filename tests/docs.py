#!/usr/bin/python3
"""Whether the files and functions that the documentation names are there.

    docs.py SOURCE_ROOT

It looks at what stands in back-ticks, and at blocks of code, in README.md, SECURITY.md and docs/:

    `rfb/net/stream.c`       a path below one of the folders of the tree: it has to be there
    `confined/serve.c`       the end of a path: some file of the tree has to end so
    `experiments/NAME.toml`  a word in capitals or `*` stands for anything, `{a,b}` for either
    `session_tell()`         a function: some source has to have it
    `watch()` in `sender.c`  a function of a file: that file has to have it

What is made by the build, what is installed and what a user makes are no paths of the tree: they begin
with another folder, or stand in a block of code without one. Nor are the functions of libraries that the
text compares ours with.
"""
import fnmatch
import os
import re
import sys

SOURCES = (".c", ".h", ".cpp", ".hpp", ".py", ".sh", ".S")
FILES = SOURCES + (".toml", ".md", ".build", ".trace")
FOREIGN = ("SDL_", "gnutls_")
SPAN = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
PATH = re.compile(r"[\w{][\w.*{},/+-]*")
FUNCTION = re.compile(r"[A-Za-z_]\w*\(\)")
OF_FILE = re.compile(r"`(\w+)\(\)` (?:in|of)\s+`([\w./-]+\.(?:c|h|cpp|hpp|py))`")
WILD = re.compile(r"\b[A-Z][A-Z0-9_]*\b(?![a-z])")


def tree(root):
    """The paths of all files and folders below the root, but for those of builds and of git."""
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if not f.startswith((".", "build")) and f != "__pycache__"]
        found += [os.path.relpath(os.path.join(folder, f), root) for f in folders + files]
    return found


def alternatives(word):
    """`a.{c,h}` is a.c and a.h."""
    braces = re.search(r"\{([^{}]*)\}", word)
    if not braces:
        return [word]
    return [w for one in braces[1].split(",")
            for w in alternatives(word[:braces.start()] + one + word[braces.end():])]


class Tree:
    def __init__(self, root):
        self.root = root
        self.paths = tree(root)
        self.tops = {p for p in self.paths if os.sep not in p and os.path.isdir(os.path.join(root, p))}
        self.called = {}  # by file: the names in it that are followed by a parenthesis
        for path in self.paths:
            if path.endswith(SOURCES) and os.path.isfile(os.path.join(root, path)):
                with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
                    self.called[path] = set(re.findall(r"(\w+)\s*\(", file.read()))

    def find(self, word):
        """The paths that are meant."""
        pattern = WILD.sub("*", word)
        return [p for p in self.paths if fnmatch.fnmatchcase(p, pattern)
                or fnmatch.fnmatchcase(p, "*/" + pattern)]

    def names_path(self, word):
        """Whether this means a path of the tree."""
        top, slash, _ = word.partition("/")
        return bool(slash) and top in self.tops and PATH.fullmatch(word)

    def names_end(self, word):
        """Whether this means the end of such a path."""
        return word.endswith(FILES) and PATH.fullmatch(word) and not word.startswith("build")

    def has_function(self, name, path=None):
        files = self.find(path) if path else self.called
        return any(name in self.called.get(f, ()) for f in files)


def trimmed(word):
    """Without punctuation, the name of an option, or the place in a page."""
    word = word.split("#")[0].split("=")[-1].lstrip("'\"(")
    return word.rstrip("'\",;:") if word.endswith("()") else word.rstrip("'\",;:)/.")


def complaints(source, text):
    """What this text names, and the tree does not have."""
    wrong = set()
    blocks = FENCE.findall(text)
    spans = SPAN.findall(FENCE.sub("", text))
    for spelled, in_block in [(s, False) for s in spans] + [(b, True) for b in blocks]:
        for word in map(trimmed, spelled.split()):
            if FUNCTION.fullmatch(word):
                if not word.startswith(FOREIGN) and not source.has_function(word[:-2]):
                    wrong.add(f"no source has {word}")
            elif source.names_path(word) or not in_block and source.names_end(word):
                wrong.update(f"there is no {one}" for one in alternatives(word) if not source.find(one))
    for name, path in OF_FILE.findall(" ".join(text.split())):
        if source.find(path) and not source.has_function(name, path):
            wrong.add(f"{path} has no {name}()")
    return sorted(wrong)


def main(root):
    """The exit status."""
    source = Tree(root)
    documents = [p for p in source.paths
                 if p.endswith(".md") and (p in ("README.md", "SECURITY.md") or p.startswith("docs" + os.sep))]
    wrong = 0
    for path in sorted(documents):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for line in complaints(source, file.read()):
                print(f"{path}: {line}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""docs.py: on a tree made for the purpose."""
import os
import tempfile
import unittest

import docs

FILES = {
    "rfb/net/socket.c": "static int notice(int fd)\n{\n    return recv (fd);\n}\n",
    "rfb/net/stream.c": "void stream_cut(void) {}\n",
    "tools/lab.sh": "",
    "build/rfb/made.c": "int made(void);\n",
}


class Docs(unittest.TestCase):
    """Texts beside that tree."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = temporary.name
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name, text):
        """A file of the tree."""
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def wrong(self, text):
        """What is said of this text."""
        return docs.complaints(docs.Tree(self.root), text)

    def test_what_is_there(self):
        for text in ("`rfb/net/socket.c`", "`socket.c`", "`net/socket.c`", "`rfb/net/`", "`rfb/NAME/socket.c`",
                     "`rfb/*/s*.c`", "`rfb/net/{socket,stream}.c`", "`notice()`", "`recv()` is called",
                     "`notice()` in `rfb/net/socket.c`", "`tools/lab.sh peers --out DIR`", "rfb/net/none.c",
                     "`build/none.c`", "`/etc/none.md`", "`../none.md`", "`SDL_None()`", "`HOST/none`",
                     "```sh\nvnchl --trace none.trace\n```"):
            self.assertEqual(self.wrong(text), [], text)

    def test_what_is_not(self):
        for text, said in (
                ("see `rfb/net/none.c`.", "there is no rfb/net/none.c"),
                ("`none.c`", "there is no none.c"),
                ("`rfb/none`", "there is no rfb/none"),
                ("`rfb/net/{socket,none}.c`", "there is no rfb/net/none.c"),
                ("`made()`", "no source has made()"),
                ("`notice()` in\n`stream.c`", "stream.c has no notice()"),
                ("```sh\ntools/none.sh --out=x\n```", "there is no tools/none.sh")):
            self.assertEqual(self.wrong(text), [said], text)

    def test_documents(self):
        self.write("README.md", "`tools/lab.sh`")
        self.assertEqual(docs.main(self.root), 0)
        self.write("docs/decisions/one.md", "`tools/none.sh`")
        self.assertEqual(docs.main(self.root), 1)


if __name__ == "__main__":
    unittest.main()

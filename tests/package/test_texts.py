#!/usr/bin/env python3
"""What is installed beside the program: man pages, completions, desktop file, icon, AppStream metadata.

    test_texts.py BUILT_FOLDER SOURCE_ROOT VNCHL

BUILT_FOLDER holds what the build has written from the table of options. VNCHL's --help is made of the same
table, so it says which options there are.
"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

PATIENCE = 120  # s; against hangs only
BUILT, SOURCE, VNCHL = sys.argv[1:4]
DATA = os.path.join(SOURCE, "viewer/data")


def need(program):
    """Skips the test where the program is not installed; in CI that is a failure."""
    if shutil.which(program):
        return
    if os.environ.get("VNCHL_REQUIRE_SERVERS") == "1":
        raise AssertionError(f"{program} is not installed")
    raise unittest.SkipTest(f"{program} is not installed")


def run(*argv, **more):
    return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE,
                          check=False, **more)


def built(name):
    return os.path.join(BUILT, name)


def text_of(name):
    with open(built(name), encoding="utf-8") as f:
        return f.read()


def options():
    return re.findall(r"^  (--[a-z0-9-]+)", run(VNCHL, "--help").stdout, re.M)


def keys():
    return re.findall(r"^  ((?:Ctrl|F\d).*?)  ", run(VNCHL, "--help").stdout, re.M)


class Shell:
    """A shell on a terminal of its own, for what only an interactive one does."""

    def __init__(self, *argv, **env):
        self.said = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(env, TERM="dumb", LC_ALL="C.UTF-8", LINES="50", COLUMNS="200")
            os.execvp(argv[0], argv)

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait_for(self, mark):
        """Reads until the mark comes."""
        while mark not in self.said:
            if not select.select([self.fd], [], [], PATIENCE)[0]:
                raise AssertionError(f"no '{mark}' in: {self.said}")
            self.said += os.read(self.fd, 4096).decode(errors="replace")

    def end(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def completed(shell, typed):
    """What the program is started with when somebody types this; a tab is pressed after it."""
    # the shell echoes what is typed, so the mark is put together by the shell itself
    shell.type("vnchl() { printf '%s%s<%s>' GO T: \"$*\"; }\n")
    shell.type(f"vnchl {typed}\t\n")
    shell.wait_for("GOT:<")
    shell.wait_for(">")
    return re.search(r"GOT:<([^>]*)>", shell.said).group(1).strip()


class Texts(unittest.TestCase):
    def test_there_are_options(self):
        self.assertGreater(len(options()), 40)
        self.assertIn("--quality", options())
        self.assertIn("Ctrl+Alt+Enter", keys())

    def test_man_page_names_each_option_and_key(self):
        page = text_of("vnchl.1").replace("\\-", "-")
        self.assertEqual(re.findall(r"^\\fB(--[a-z0-9-]+)\\fR", page, re.M), options())
        for key in keys():
            self.assertIn(f"\n\\fB{key}\\fR\n", page)
        self.assertIn(run(VNCHL, "--version").stdout.strip(), page)
        self.assertNotIn("@", re.sub(r"\[USER@\]|me@gateway", "", page))

    def test_man_pages_are_well_formed(self):
        need("mandoc")
        for page in [built("vnchl.1"), os.path.join(SOURCE, "tools/replay/vnchl-replay.1")]:
            self.assertEqual(run("mandoc", "-T", "lint", "-W", "warning", page).stdout, "")

    def test_bash_knows_each_option(self):
        need("bash")
        script = f"source {built('vnchl')}; COMP_WORDS=(vnchl --) COMP_CWORD=1; _vnchl; echo ${{COMPREPLY[@]}}"
        self.assertEqual(run("bash", "--norc", "-c", script).stdout.split(), options())

    def test_bash_knows_values(self):
        need("bash")

        def values(*words):
            line = " ".join(f"'{w}'" for w in words)
            script = (f"source {built('vnchl')}; COMP_WORDS=(vnchl {line}) COMP_CWORD={len(words)}; _vnchl; "
                      "echo ${COMPREPLY[@]}")
            return run("bash", "--norc", "-c", script).stdout.split()

        self.assertEqual(values("--ask", "w"), ["window"])
        self.assertEqual(values("--ask", "="), ["auto", "window", "terminal"])
        self.assertEqual(values("--ask", "=", "t"), ["terminal"])
        self.assertEqual(values("--quality", ""), ["auto"] + [str(i) for i in range(10)])
        self.assertEqual(values("--user", ""), [])
        self.assertEqual(values("--se"), ["--security-types"])

    def test_bash_completes_files(self):
        need("bash")
        with tempfile.TemporaryDirectory() as folder:
            for name in ["my desk.vnc", "my.tigervnc", "my.txt"]:
                open(os.path.join(folder, name), "w", encoding="ascii").close()
            script = (f"source {built('vnchl')}; COMP_WORDS=(vnchl my) COMP_CWORD=1; _vnchl; "
                      "printf '%s\\n' \"${COMPREPLY[@]}\"")
            self.assertEqual(run("bash", "--norc", "-c", script, cwd=folder).stdout,
                             "my desk.vnc\nmy.tigervnc\n")

    def test_bash_completes_while_somebody_types(self):
        need("bash")
        shell = Shell("bash", "--norc", "--noprofile", "-i")
        shell.type(f"source {built('vnchl')}\n")
        self.assertEqual(completed(shell, "--save-p"), "--save-password")
        shell.end()

    def test_zsh_knows_each_option(self):
        self.assertEqual(re.findall(r"^    '(--[a-z0-9-]+)", text_of("_vnchl"), re.M), options())

    def test_zsh_completes_while_somebody_types(self):
        need("zsh")
        for typed, becomes in [("--se", "--security-types"), ("--ask w", "--ask window"),
                               ("--ask=t", "--ask=terminal")]:
            with self.subTest(typed), tempfile.TemporaryDirectory() as home:
                shell = Shell("zsh", "-f", "-i", ZDOTDIR=home, HOME=home)
                shell.type(f"fpath=('{BUILT}' $fpath); autoload -U compinit; compinit -u -D\n")
                self.assertEqual(completed(shell, typed), becomes)
                shell.end()

    def test_fish_knows_each_option(self):
        need("fish")
        with tempfile.TemporaryDirectory() as home:
            env = dict(os.environ, HOME=home, XDG_CONFIG_HOME=home, XDG_DATA_HOME=home)

            def offered(line):
                script = f"source {built('vnchl.fish')}; complete -C '{line}'"
                return [w.split("\t")[0] for w in run("fish", "--no-config", "-c", script, env=env).stdout.split("\n")
                        if w]

            # one whose value may be left out is offered twice, with a "=" and without
            self.assertEqual({w.rstrip("=") for w in offered("vnchl --")}, set(options()))
            self.assertEqual(offered("vnchl --ask w"), ["window"])


class Package(unittest.TestCase):
    def test_builds_with_what_setup_installs(self):
        with open(os.path.join(SOURCE, "tools/setup.sh"), encoding="utf-8") as f:
            wanted = re.search(r"^build_set=\(([^)]*)\)", f.read(), re.M).group(1).replace("'", "").split()
        with open(os.path.join(SOURCE, "tools/deb/debian/control"), encoding="utf-8") as f:
            control = f.read()
        for names in set(wanted) - {"gcc", "g++", "ninja-build"}:  # every Debian package is built with these
            self.assertTrue(any(f" {name}" in control for name in names.split("|")), names)

    def test_recommends_what_is_loaded_while_it_runs(self):
        # the package's dependencies name only the libraries that the program is linked with
        loaded = set()
        for folder, _, files in os.walk(os.path.join(SOURCE, "viewer")):
            for name in files:
                if name.endswith((".c", ".cpp")):
                    with open(os.path.join(folder, name), encoding="utf-8") as f:
                        loaded |= set(re.findall(r'"(lib[^"]+)\.so\.(\d+)"', f.read()))
        with open(os.path.join(SOURCE, "tools/deb/debian/control"), encoding="utf-8") as f:
            recommended = re.search(r"^Recommends: (.*)$", f.read(), re.M).group(1).split(", ")
        for library, number in loaded:
            self.assertIn(f"{library}-{number}", recommended)


class Guide(unittest.TestCase):
    def test_links_and_pictures_are_there(self):
        docs = os.path.join(SOURCE, "docs")

        def anchors(page):
            with open(os.path.join(docs, page), encoding="utf-8") as f:
                headings = re.findall(r"^#+ (.*)$", f.read(), re.M)
            return {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}

        for page in ["user-guide.md", "packaging.md"]:
            with open(os.path.join(docs, page), encoding="utf-8") as f:
                links = re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", f.read())
            for target, anchor in links:
                target = target or page
                self.assertTrue(os.path.exists(os.path.join(docs, target)), target)
                if anchor:
                    self.assertIn(anchor, anchors(target), target)
                if target.endswith(".png"):
                    self.assertLessEqual(os.path.getsize(os.path.join(docs, target)), 60000, target)


class Desktop(unittest.TestCase):
    def test_desktop_file(self):
        need("desktop-file-validate")
        done = run("desktop-file-validate", os.path.join(DATA, "vnchl.desktop"))
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_metadata(self):
        need("appstreamcli")
        allowed = "cid-desktopapp-is-not-rdns=info"  # the project has no domain that the name could begin with,
        if "AppStream version: 0." not in run("appstreamcli", "--version").stdout:
            allowed += ",url-homepage-missing=info"  # nor a page; older ones do not know this name
        done = run("appstreamcli", "validate", "--no-net", "--override", allowed,
                   os.path.join(DATA, "vnchl.metainfo.xml"))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_file_types(self):
        need("update-mime-database")
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "packages"))
            shutil.copy(os.path.join(DATA, "vnchl.xml"), os.path.join(folder, "packages"))
            done = run("update-mime-database", folder, env=dict(os.environ, XDG_DATA_DIRS=folder))
            self.assertEqual(done.returncode, 0, done.stdout)
            with open(os.path.join(folder, "globs"), encoding="ascii") as f:
                globs = f.read()
        self.assertIn("application/x-tigervnc:*.tigervnc\n", globs)
        self.assertIn("application/x-vnc:*.vnc\n", globs)

    def test_one_list_of_types(self):
        ns = "{http://www.freedesktop.org/standards/shared-mime-info}"
        types = {t.get("type") for t in xml.parse(os.path.join(DATA, "vnchl.xml")).iter(ns + "mime-type")}
        types.add("x-scheme-handler/vnc")
        told = {t.text for t in xml.parse(os.path.join(DATA, "vnchl.metainfo.xml")).iter("mediatype")}
        self.assertEqual(told, types)
        with open(os.path.join(DATA, "vnchl.desktop"), encoding="utf-8") as f:
            registered = re.search(r"^MimeType=(.*);$", f.read(), re.M).group(1)
        self.assertEqual(set(registered.split(";")), types)

    def test_pictures_are_the_drawing(self):
        for program in ["rsvg-convert", "convert", "compare", "optipng"]:
            need(program)
        with tempfile.TemporaryDirectory() as folder:
            done = run(os.path.join(DATA, "icons.sh"), folder)
            self.assertEqual(done.returncode, 0, done.stdout)
            for side in [48, 64, 128]:
                png = f"hicolor/{side}x{side}/apps/vnchl.png"
                done = run("compare", "-metric", "AE", "-fuzz", "3%", os.path.join(folder, png),
                           os.path.join(DATA, "icons", png), "null:")
                self.assertEqual((done.returncode, done.stdout.strip()), (0, "0"), png)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

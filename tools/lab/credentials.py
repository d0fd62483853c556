"""What a run with security needs: the password, its file, and a certificate. Made in the run's folder,
which both ends of the link see; for this run only, so none of it is secret.
"""
import base64
import os
import subprocess

PASSWORD = "lab-pass"  # VNC authentication takes 8 characters
USER = "lab"
KINDS = ("none", "default", "x509")  # the setting `security`; docs/lab.md says what each means
_PROGRAMS = {"vncpasswd": "tigervnc-tools", "openssl": "openssl", "xdotool": "xdotool"}

# Remmina keeps passwords encrypted under a key of each user; here that is a fixed one.
_REMMINA_KEY = bytes(range(1, 33))


def programs(settings):
    """What has to be installed for a run with these settings: program -> Debian package."""
    return {} if settings["security"] == "none" else dict(_PROGRAMS)


def password_file(folder):
    """The file with the password, as VNC servers and viewers read it."""
    path = os.path.join(folder, "passwd")
    if not os.path.exists(path):
        made = subprocess.run(["vncpasswd", "-f"], input=PASSWORD.encode(), capture_output=True, check=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(made.stdout)
    return path


def certificate(folder, host=None):
    """A certificate for the host, which is the server's end of the link if none is given, and its key:
    two PEM files. Whoever starts the server makes them."""
    cert, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
    if not os.path.exists(cert):
        host = host or os.environ["LINKEM_SERVER"]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                        f"/CN={host}", "-addext", f"subjectAltName=IP:{host}", "-keyout", key, "-out", cert],
                       capture_output=True, check=True)
    return cert, key


def remmina(home):
    """Writes the key, and returns the password as a profile of Remmina's has it."""
    folder = os.path.join(home, ".config/remmina")
    os.makedirs(folder)
    with open(os.path.join(folder, "remmina.pref"), "w", encoding="ascii") as file:
        file.write(f"[remmina_pref]\nsecret={base64.b64encode(_REMMINA_KEY).decode()}\n")
    text = PASSWORD.encode()
    text += bytes(8 - len(text) % 8)
    done = subprocess.run(["openssl", "enc", "-des-ede3-cbc", "-K", _REMMINA_KEY[:24].hex(), "-iv",
                           _REMMINA_KEY[24:].hex(), "-nopad"], input=text, capture_output=True, check=True)
    return base64.b64encode(done.stdout).decode()

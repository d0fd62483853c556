"""Says how far an experiment is: a bar on a terminal, a line per run elsewhere."""
import shutil
import sys


def duration(s):
    """Seconds for people: 45 s, 12 min, 3 h 05 min."""
    if s < 90:
        return f"{s:.0f} s"
    minutes = round(s / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02d} min"


class Progress:
    """Follows runs whose durations were estimated; corrects the estimate by what they took."""

    WIDTH = 24

    def __init__(self, name, estimates, total, out=None):
        self.name, self.estimates, self.total = name, estimates, total
        self.out = out or sys.stderr
        self.bar = self.out.isatty()
        self.finished, self.took, self.expected = 0, 0.0, 0.0
        self.line = ""

    def __enter__(self):
        before = self.total - len(self.estimates)
        if before:
            self.say(f"{before} of {self.total} runs were made before")
        return self

    def __exit__(self, *_):
        self._clear()

    def left(self):
        """Seconds still to go, as far as one can tell."""
        scale = self.took / self.expected if self.expected else 1
        return sum(self.estimates[self.finished:]) * scale

    def _clear(self):
        if self.bar:
            self.out.write("\r\033[K")
            self.out.flush()

    def say(self, text):
        """A line that stays."""
        self._clear()
        print(f"{self.name}: {text}", file=self.out, flush=True)

    def begin(self, line):
        """A run starts."""
        self.line = line
        if self.bar:
            count = self.total - len(self.estimates) + self.finished
            full = self.WIDTH * count // max(self.total, 1)
            text = (f"{self.name} [{'#' * full}{'.' * (self.WIDTH - full)}] {count}/{self.total}  "
                    f"{duration(self.left())} left  {line}")
            self.out.write("\r\033[K" + text[:shutil.get_terminal_size().columns - 1])
            self.out.flush()

    def done(self, took, figures):
        """A run has ended."""
        self.took += took
        self.expected += self.estimates[self.finished]
        self.finished += 1
        if not self.bar:
            count = self.total - len(self.estimates) + self.finished
            self.say(f"{count}/{self.total}  {self.line}: {figures}; {duration(self.left())} left")

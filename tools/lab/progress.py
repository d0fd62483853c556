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
    """Follows runs whose durations were estimated, some of which are made at a time; corrects the
    estimate by what they took."""

    WIDTH = 24

    def __init__(self, name, estimates, total, jobs=1, out=None):
        self.name, self.total, self.jobs = name, total, jobs
        self.todo, self.estimated = len(estimates), sum(estimates)
        self.out = out or sys.stderr
        self.bar = self.out.isatty()
        self.finished, self.took, self.expected = 0, 0.0, 0.0
        self.line = ""

    def __enter__(self):
        if self._before():
            self.say(f"{self._before()} of {self.total} runs were made before")
        return self

    def __exit__(self, *_):
        self._clear()

    def _before(self):
        return self.total - self.todo

    def left(self):
        """Seconds still to go, as far as one can tell."""
        scale = self.took / self.expected if self.expected else 1
        lanes = max(min(self.jobs, self.todo - self.finished), 1)
        return (self.estimated - self.expected) * scale / lanes

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
        self._draw()

    def _draw(self):
        if self.bar:
            count = self._before() + self.finished
            full = self.WIDTH * count // max(self.total, 1)
            text = (f"{self.name} [{'#' * full}{'.' * (self.WIDTH - full)}] {count}/{self.total}  "
                    f"{duration(self.left())} left  {self.line}")
            self.out.write("\r\033[K" + text[:shutil.get_terminal_size().columns - 1])
            self.out.flush()

    def done(self, line, estimate, took, figures):
        """A run has ended."""
        self.took += took
        self.expected += estimate
        self.finished += 1
        if self.bar:
            self._draw()
        else:
            self.say(f"{self._before() + self.finished}/{self.total}  {line}: {figures}; "
                     f"{duration(self.left())} left")

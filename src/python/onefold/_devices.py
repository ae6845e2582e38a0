"""Where arrays are held and work runs. None of it ever changes a bit of a result."""

from dataclasses import dataclass

from onefold import _core


@dataclass(frozen=True)
class Device:
    """A place that holds arrays and computes; `device` makes one of a name."""

    name: str

    @property
    def description(self):
        """One line for a person: the processor, the instruction set in use, the threads."""
        return _core.device_describe(self.name)

    def sync(self):
        """Waits until all that is queued on the device is done. The CPU queues nothing."""
        _core.device_sync(self.name)

    def __str__(self):
        return self.name


@dataclass(frozen=True)
class Backend:
    """What a kind of device can do."""

    name: str
    supports_f64: bool
    supports_f16: bool
    supports_i64: bool
    supports_unified_memory: bool
    supports_workgroups: bool


BACKENDS = {
    "cpu": Backend(
        name="cpu",
        supports_f64=True,
        supports_f16=True,
        supports_i64=True,
        supports_unified_memory=True,
        supports_workgroups=False,
    )
}


def device(name=None):
    """The device of that name, "cpu" for example, or the default one.

    RuntimeError: there is none; the message lists those there are.
    """
    return Device(_core.device_find(name))


def devices():
    """All devices of this machine; the first is the CPU."""
    return [Device(name) for name in _core.device_names()]


def set_default_device(name):
    """Makes a device, or the one of that name, hold the arrays of calls that name none, in every thread.

    None returns to the environment variable ONEFOLD_DEVICE, or the CPU. RuntimeError: there is none of that name.
    """
    _core.device_set_default(name)


def get_backend(name=None):
    """What the device of that name, or the default one, can do: a Backend.

    RuntimeError: there is none of that name.
    """
    return BACKENDS[_core.device_find(name).partition(":")[0]]


def get_threads():
    """How many threads a call may use."""
    return _core.threads_get()


def set_threads(count):
    """Sets how many threads a call may use, 1 to 1024; 0: what ONEFOLD_THREADS or the processors say.

    ValueError: count is out of range.
    """
    _core.threads_set(count)


def get_instruction_set():
    """The name of the instruction set in use: "baseline", "avx2", "avx512"."""
    return _core.isa_get()


def set_instruction_set(name):
    """Chooses the instruction set by name; None: what ONEFOLD_ISA says, or the best there is.

    ValueError: there is no such name. NotImplementedError: this machine does not have it.
    """
    _core.isa_set(name)


def instruction_sets():
    """The names of the instruction sets that this machine has, plainest first."""
    return list(_core.isa_names())

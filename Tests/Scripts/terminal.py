# Runs the program in a pseudo-terminal, does something to it, and tells whether the terminal is as it was: terminal.py WHAT
# PROGRAM ARGUMENT... The last line that is printed tells.
import os, pty, sys, signal, select, termios, fcntl, struct, time, random
signal.pthread_sigmask(signal.SIG_SETMASK, [])
signal.alarm(600)
what, program = sys.argv[1], sys.argv[2:]
main, side = pty.openpty()
def size(rows, columns): fcntl.ioctl(main, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
size(24, 80)
before = termios.tcgetattr(side)
child = os.fork()
if child == 0:
    os.close(main); os.setsid(); fcntl.ioctl(side, termios.TIOCSCTTY, 0)
    for number in 0, 1, 2: os.dup2(side, number)
    os.environ.update(TERM="xterm-256color", STATE_INSPECT_HISTORY="", SWIFT_BACKTRACE="enable=no")
    os.environ.pop("NO_COLOR", None)
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP: signal.signal(number, signal.SIG_DFL)
    os.execv(program[0], program)
seen = b""
def read(seconds, until=None):
    global seen
    end = time.time() + seconds
    while time.time() < end:
        if until and until in seen: return True
        if not select.select([main], [], [], 0.02)[0]: continue
        try: data = os.read(main, 65536)
        except OSError: return False
        seen += data
        if not data: return False
    return until is None
def status():
    for _ in range(5000):
        read(0.02)
        done, code = os.waitpid(child, os.WNOHANG)
        if done: return code
    os.kill(child, signal.SIGKILL); return "hangs"
assert read(100, b"quit"), seen[-2000:]
os.set_blocking(main, False)
def send(data):
    # What the program draws is read meanwhile: each would wait for the other where both sides are full.
    while data:
        try: data = data[os.write(main, data):]
        except BlockingIOError: read(0.02)
wanted = 0
if what == "quit": send(b"q")
elif what == "interrupt-key": send(b"\x03\x03"); read(0.2); send(b"q")
elif what.startswith("SIG"):
    wanted = getattr(signal, what); os.kill(child, wanted)
elif what == "storm":
    for turn in range(1000):
        size(5 + turn % 60, 10 + turn % 190); os.kill(child, signal.SIGWINCH)
        if turn % 20 == 0: read(0.001)
    size(30, 100); os.kill(child, signal.SIGWINCH); seen = b""
    assert read(100, b"quit"), seen[-2000:]
    send(b"q")
elif what == "paste":
    source = random.Random(7)
    for turn in range(20):
        data = bytes(source.randrange(256) for _ in range(2000)).replace(b"\x1b[201~", b"")
        send(b"\x1b[200~" + data + b"\x1b[201~"); read(0.01)
    seen = b""; send(b"\x0c"); assert read(100, b"quit"), seen[-2000:]
    send(b"q")
elif what == "stop":
    os.kill(child, signal.SIGSTOP); os.waitpid(child, os.WUNTRACED)
    termios.tcsetattr(side, termios.TCSANOW, before); seen = b""
    os.kill(child, signal.SIGCONT); assert read(100, b"quit"), seen[-2000:]
    send(b"q")
code = status()
after = termios.tcgetattr(side)
end = seen[seen.rfind(b"\x1b[?1049h"):]
restored = after == before and b"\x1b[?1049l" in seen[-400:] and b"\x1b[?25h" in seen[-400:] and b"\x1b[?2004l" in seen[-400:]
ended = (os.WTERMSIG(code) if wanted else code) == wanted if code != "hangs" else False
print("restored" if restored and ended else f"NOT restored: status {code}, {after == before}, {seen[-400:]!r}")

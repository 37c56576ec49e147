"""Controls an Agent as docs/agent.md describes, and fails where it responds differently.

Arguments: the program, an empty directory, and a file with calls as JSON: "open", "begin", "step" and "long_step" for the
directory, and "prepare" for a job on a file in it that would run for a minute.
"""

import json
import os
import signal
import socket
import struct
import sys
import threading
import time

PROGRAM, DIRECTORY, CALLS = sys.argv[1:]
END_S_MAX = 2
FRAME_S_MAX = 60
HELLO = {"hello": {"wire": 4, "program": "agent_wire.py"}}


class Agent:
    """An Agent, and this side of its socket. It must not keep an inheritable pipe open."""

    def __init__(self, says_hello=True):
        self.socket, theirs = socket.socketpair()
        self.socket.settimeout(FRAME_S_MAX)
        pipe = os.pipe()
        for end in pipe:
            os.set_inheritable(end, True)
        self.pid = os.fork()
        if self.pid == 0:
            nothing = os.open("/dev/null", os.O_RDWR)
            os.dup2(theirs.fileno(), 0)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            os.execv(PROGRAM, ["cardiograph-agent", "words", "are", "ignored"])
        theirs.close()
        for end in pipe:
            os.close(end)
        self.bytes = b""
        if says_hello:
            self.send(HELLO)
            hello = self.take()["hello"]
            expect(hello["wire"] == 4 and hello["program"].startswith("cardiograph "), hello)

    def send(self, message):
        content = json.dumps(message).encode()
        self.send_bytes(struct.pack("<I", len(content)) + content)

    def send_bytes(self, content):
        self.socket.sendall(content)

    def take(self):
        """The next message; None at the end."""
        while len(self.bytes) < 4 or len(self.bytes) < 4 + struct.unpack_from("<I", self.bytes)[0]:
            try:
                read = self.socket.recv(1 << 16)
            except ConnectionResetError:
                return None
            if not read:
                return None
            self.bytes += read
        end = 4 + struct.unpack_from("<I", self.bytes)[0]
        message, self.bytes = json.loads(self.bytes[4:end]), self.bytes[end:]
        return message

    def call(self, call, when=lambda kind, what: None):
        """The reply to a call; `when` receives the messages before it."""
        self.send({"call": call})
        while True:
            message = self.take()
            expect(isinstance(message, dict) and len(message) == 1, message)
            ((kind, what),) = message.items()
            if kind == "reply":
                return what
            expect(kind in ("event", "began", "run", "part", "overwrites"), message)
            when(kind, what)

    def wait_for(self, kind):
        """Receives messages until one of this kind."""
        while True:
            message = self.take()
            expect(message is not None and "failed" not in message, message)
            if kind in message:
                # Some are words only.
                return message[kind] if isinstance(message, dict) else None

    def ends(self, is_well):
        """Checks that it ends before the deadline, with this kind of status, and leaves nothing behind."""
        late = time.monotonic() + END_S_MAX
        ended, status = 0, 0
        while not ended and time.monotonic() < late:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            time.sleep(0.01)
        if not ended:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        expect(ended, "the Agent does not end")
        expect(os.WIFEXITED(status) and (os.WEXITSTATUS(status) == 0) == is_well, f"status {status:#x}")
        expect(os.listdir(DIRECTORY) == [], os.listdir(DIRECTORY))
        self.socket.close()

    def hangs_up(self):
        self.socket.shutdown(socket.SHUT_WR)
        self.ends(is_well=True)


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def begun(calls):
    """An Agent with an open path in which steps can run."""
    agent = Agent()
    opened = agent.call({"open": calls["open"]})
    expect(opened["kind"] == "directory" and "drive" in opened, opened)
    agent.call("look")
    agent.call({"make_ready": {"needs": [], "file_bytes_max": 1 << 20, "is_dry": False}})
    agent.call({"begin": calls["begin"]})
    return agent


def a_step(calls):
    agent, heard = begun(calls), []
    run = agent.call({"step": calls["step"]}, lambda kind, what: heard.append((kind, what)))
    result = run["result"]
    expect(result["outcome"] == {"kind": "done"} and result["result"]["workers"], result["outcome"])
    kinds = [kind for kind, _ in heard]
    expect({"began", "event", "part"} <= set(kinds), kinds)
    jobs = next(what for kind, what in heard if kind == "began")
    expect(len(jobs["jobs"]) == 1 and len(jobs["result"]["workers"]) == 1, jobs)
    left = agent.call({"leave": {"is_interrupted": False, "is_fake": False}})
    expect(left["not_restored"] == [], left)
    expect(agent.call("health") is not None, "no list")
    agent.call({"clean": {"unneeded": None}})
    expect(os.listdir(DIRECTORY) == [], os.listdir(DIRECTORY))
    agent.hangs_up()


def ready(calls):
    """An Agent whose workers wait for the moment at which those of other hosts start, too."""
    agent = begun(calls)
    agent.send({"call": {"step": {**calls["step"], "starts_together": True}}})
    agent.wait_for("ready")
    return agent


def workers_that_are_ready_wait_for_the_start(calls):
    agent = ready(calls)
    at_ns = time.monotonic_ns() + 200_000_000
    agent.send({"start": {"at_ns": at_ns}})
    result = agent.wait_for("reply")["result"]
    # Two clocks are read one after the other.
    expect(result["result"]["started_monotonic_ns"] + 1_000 >= at_ns, result["result"])
    expect(result["outcome"] == {"kind": "done"}, result["outcome"])
    agent.hangs_up()
    agent = ready(calls)
    agent.send({"stop": {"signal": int(signal.SIGINT)}})
    result = agent.wait_for("reply")["result"]
    expect(result["outcome"] == {"kind": "interrupted"}, result["outcome"])
    agent.hangs_up()
    ready(calls).hangs_up()


def a_job_is_looked_at_and_stopped(calls):
    agent = Agent()
    prepared = agent.call({"prepare": calls["prepare"]})
    run = dict(calls["run"], set=prepared["set"])
    agent.send({"call": {"run": run}})
    agent.wait_for("began")
    agent.send("look")
    # On request a part has latencies, even before it is due.
    while True:
        part = agent.wait_for("part")
        expect(all("windows_before" in worker for worker in part["workers"]), part)
        if part["is_last"] and part["workers"] and part["workers"][0]["has_latency"]:
            break
    asked = time.monotonic()
    agent.send({"stop": {"signal": int(signal.SIGINT)}})
    ran = agent.wait_for("reply")
    expect(ran["result"]["outcome"] == "stopped", ran["result"]["outcome"])
    expect(time.monotonic() - asked < END_S_MAX, "it does not stop")
    expect(agent.call({"end_logs": prepared["set"]}) is None, "logs")
    expect(agent.call({"finish": prepared["set"]}) == [], "something stays")
    agent.hangs_up()


def questions(calls):
    agent, missing = Agent(), os.path.join(DIRECTORY, "missing")
    for call, answer in [
        ({"file": missing}, "missing"),
        ({"file": DIRECTORY}, {"other": {"what": "a directory"}}),
        ({"is_directory": DIRECTORY}, True),
        ({"is_directory": missing}, False),
    ]:
        expect(agent.call(call) == answer, call)
    expect("Err" in agent.call({"pattern_file": missing}), "a pattern that is not there")
    expect(agent.call({"free_bytes": DIRECTORY}) > 0, "no room")
    # Impossible requests do not end it.
    for call in ["look", {"finish": 7}]:
        agent.send({"call": call})
        expect(agent.take()["failed"]["code"] == 2, call)
    agent.hangs_up()


def hangs_up_within_a_step(calls):
    agent = begun(calls)
    agent.send({"call": {"step": calls["long_step"]}})
    agent.wait_for("part")
    agent.hangs_up()


def hangs_up_within_a_job(calls):
    agent = Agent()
    prepared = agent.call({"prepare": calls["prepare"]})
    agent.send({"call": {"run": dict(calls["run"], set=prepared["set"])}})
    agent.wait_for("part")
    agent.hangs_up()


def signals_do_not_end_it(calls):
    agent = Agent()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(agent.pid, number)
        expect(agent.call({"is_directory": DIRECTORY}) is True, number)
    agent.hangs_up()


def descriptors(calls):
    agent = Agent()
    links = {int(fd): os.readlink(f"/proc/{agent.pid}/fd/{fd}") for fd in os.listdir(f"/proc/{agent.pid}/fd")}
    expect([links.pop(fd, None) for fd in range(3)] == ["/dev/null"] * 3, links)
    # Its own: the socket, which its threads share, and the pair that reports signals.
    expect(links and all(link.startswith("socket:") for link in links.values()), links)
    with open(f"/proc/{agent.pid}/oom_score_adj", encoding="ascii") as score:
        expect(score.read().strip() == "1000", "oom_score_adj")
    agent.hangs_up()


def framed(content):
    return struct.pack("<I", len(content)) + content


def nonsense(calls):
    hello = framed(json.dumps(HELLO).encode())
    for content in [
        framed(b'{"hello":{"wire":999,"program":"another"}}'),
        framed(b'{"call":"look"}'),
        framed(b'"look"'),
        hello + hello,
        hello + struct.pack("<I", (1 << 28) + 1),
        hello + framed(b"no JSON"),
        hello + framed(b'{"call":"no such call"}'),
        hello + framed(b""),
        b"\xff" * 64,
    ]:
        agent = Agent(says_hello=False)
        agent.send_bytes(content)
        agent.ends(is_well=False)
    # Also while it is working.
    agent = begun(calls)
    agent.send({"call": {"step": calls["long_step"]}})
    agent.wait_for("part")
    drain = threading.Thread(target=lambda: [None for _ in iter(agent.take, None)])
    drain.start()
    agent.send_bytes(b"\xff" * 64)
    agent.ends(is_well=False)
    drain.join()


with open(CALLS, encoding="utf-8") as file:
    ALL_CALLS = json.load(file)
SCENES = [questions, descriptors, signals_do_not_end_it, nonsense, a_step, workers_that_are_ready_wait_for_the_start]
SCENES += [a_job_is_looked_at_and_stopped, hangs_up_within_a_step, hangs_up_within_a_job]
for scene in SCENES:
    scene(ALL_CALLS)
    print(scene.__name__)

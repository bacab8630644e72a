"""A running JupyterLab, and a second way into the kernel behind a notebook."""

import json
import time
import urllib.error
import urllib.request
from pathlib import Path


class Lab:
    """The running server: its address, and a way into the kernel behind a notebook."""

    def __init__(self, address: str, runtime: Path):
        self.address = address
        self.runtime = runtime

    def kernels(self) -> set[str]:
        """The ids of the kernels that run.

        The server answers 500 if a kernel starts or ends while it lists them: ask again.
        """
        for _ in range(40):
            try:
                with urllib.request.urlopen(self.address + "api/kernels") as answer:
                    return {kernel["id"] for kernel in json.load(answer)}
            except urllib.error.HTTPError as error:
                if error.code != 500:
                    raise
                time.sleep(0.25)
        raise AssertionError("JupyterLab could not list its kernels for 10 seconds")

    def shut_down(self, kernel_id: str) -> None:
        address = f"{self.address}api/kernels/{kernel_id}"
        urllib.request.urlopen(urllib.request.Request(address, method="DELETE")).close()

    def kernel_client(self, kernel_id: str):
        """A second client of the notebook's kernel: what Python knows, not what the page shows."""
        from jupyter_client import BlockingKernelClient

        client = BlockingKernelClient(
            connection_file=str(self.runtime / f"kernel-{kernel_id}.json")
        )
        client.load_connection_file()
        client.start_channels()
        client.wait_for_ready(timeout=30)
        return client


def ask(client, expression: str):
    """Evaluate an expression in the kernel and return its JSON value."""
    code = f"import json as _json; _json.dumps({expression})"
    message = client.execute(code, store_history=False, silent=False)
    while True:
        reply = client.get_iopub_msg(timeout=30)
        if reply["parent_header"].get("msg_id") != message:
            continue
        if reply["msg_type"] == "error":
            raise AssertionError("\n".join(reply["content"]["traceback"]))
        if reply["msg_type"] == "execute_result":
            return json.loads(eval(reply["content"]["data"]["text/plain"]))

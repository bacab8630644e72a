"""The server of the site says what went wrong, and nothing of a reader who left."""

import pytest

from web.builder.server.http_server import make_server


@pytest.mark.parametrize(
    ("error", "said"),
    [(BrokenPipeError(), False), (ConnectionResetError(), False), (ValueError(), True)],
)
def test_a_reader_who_left_is_not_reported(tmp_path, capfd, error, said):
    server = make_server(tmp_path, port=0)
    try:
        raise error
    except type(error):
        server.handle_error(None, ("127.0.0.1", 1))
    finally:
        server.server_close()
    assert (type(error).__name__ in capfd.readouterr().err) == said

"""The classes of the suites: each module makes the files of one folder, or of two that belong together."""


def escaped(data):
    r"""Writes bytes as a suite does: printable ASCII as it is, a backslash twice, anything else as \xNN."""
    if isinstance(data, str):
        data = data.encode()
    return "".join(
        "\\\\" if byte == 0x5C else chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}"
        for byte in data
    )


def table(head, rows):
    """Returns a file of rows in columns under its description."""
    lines = [f"# {line}" for line in head.strip().splitlines()]
    lines += ["\t".join(map(str, row)) for row in rows]
    return "\n".join(lines) + "\n"

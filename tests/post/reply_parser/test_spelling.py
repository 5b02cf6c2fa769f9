"""Plain text that looks right in any mail program."""

import pytest

from beanpost.post.compose.plain_text import fold_line


@pytest.mark.parametrize("start", ["", "  ", "- ", "12. "])
def test_a_long_line_is_wrapped_with_its_indentation(start):
    first, *others = fold_line(start + "beans " * 30).splitlines()
    assert first.startswith(start + "beans")
    assert len(first) <= 76
    assert all(line.startswith(" " * len(start) + "beans") and len(line) <= 76 for line in others)


def test_a_link_is_never_broken():
    link = "https://beans.example/move/" + "x-" * 60
    assert fold_line(link) == link
    assert fold_line(f"Look here, please, whenever you have a minute for it, all of you: {link}").endswith("\n" + link)

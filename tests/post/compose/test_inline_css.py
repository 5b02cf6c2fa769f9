"""The stylesheet of a letter is inlined, since mail programs drop it."""

from beanpost.post.compose.letter import inline_styles

RULES = "a { color: green } .panel p { margin: 0 } @media print { a { color: black } }"


def inlined(body):
    return inline_styles(f"<!DOCTYPE html><html><head><style>{RULES}</style></head><body>{body}</body></html>\n")


def test_a_rule_is_inlined_on_its_elements():
    html = inlined('<p>1</p><div class="panel"><p>2</p></div><a href="/x/?a=1&amp;b=2">3</a>')
    assert "<p>1</p>" in html
    assert '<p\nstyle="margin: 0;">2</p>' in html
    assert "color: green" in html.partition("<body>")[2]
    assert 'href="/x/?a=1&amp;b=2"' in html


def test_a_media_rule_stays_in_the_stylesheet():
    head, _, body = inlined('<a href="/x/">1</a>').partition("<body>")
    assert "@media print" in head
    assert "black" not in body


def test_text_content_is_not_changed():
    assert "O'Neil &lt;b&gt;&amp;" in inlined("<p>O&#39;Neil &lt;b&gt;&amp;</p>")


def test_inlined_styles_never_make_a_line_too_long_for_email():
    html = inlined("".join(f'<a href="/{n}/">{n}</a>' for n in range(200)))
    assert max(map(len, html.splitlines())) < 998

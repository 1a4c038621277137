"""What the tests of the documents lean on: how blocks, marks, links and anchors are read, and faults that they find."""

from __future__ import annotations

import pytest

from scripts.site_hooks import rewritten
from tests.documents.commands import fault_of
from tests.documents.reading import anchors, blocks, code_spans, links, prose
from tests.documents.site import read_page

PAGE = """# The `one` page

<!-- not run: it needs a person -->
```sh
buraco play
```

```python
print(1)
```

```output
1
```

Text between, with [a link](other.md#place) and `buraco
rules`.

```output
2
```

## A heading, with [link](x.md)!
## A heading, with [link](x.md)!
"""


def test_blocks_have_their_language_line_mark_and_whether_they_follow_one() -> None:
    found = [(one.language, one.text, one.line, one.not_run, one.follows) for one in blocks(PAGE)]
    assert found == [
        ("sh", "buraco play\n", 4, "it needs a person", False),
        ("python", "print(1)\n", 8, "", True),
        ("output", "1\n", 12, "", True),
        ("output", "2\n", 19, "", False),
    ]


def test_what_stands_in_blocks_is_no_prose() -> None:
    assert "print" not in prose(PAGE)
    assert list(code_spans(PAGE)) == ["one", "buraco rules"]
    assert ("other.md", "place") in list(links(PAGE))


def test_anchors_are_those_that_a_forge_makes() -> None:
    assert anchors(PAGE) == {"the-one-page", "a-heading-with-link", "a-heading-with-link-1"}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("buraco rules diff aberto FILE", ""),
        ("buraco serve --public-url https://cards.example   # for all", ""),
        ("buraco COMMAND --help", ""),
        ("buraco dance", "no command dance"),
        ("buraco arena run club greedy --dealz 3", "no option --dealz"),
    ],
)
def test_a_line_that_names_no_command_or_option_is_found(line: str, fault: str) -> None:
    assert fault_of(line) == fault


@pytest.mark.parametrize(
    ("path", "place", "link", "there"),
    [
        ("docs/howto/simulate.md", "howto/simulate.md", "../../benchmarks/results.md", "../benchmarks.md"),
        ("docs/bot-protocol.md", "bot-protocol.md", "../examples/bridge.py", "files/examples/bridge.py"),
        ("CONTRIBUTING.md", "contributing.md", "docs/glossary.md", "glossary.md"),
        ("docs/faq.md", "faq.md", "rules/index.md#where-they-differ", "rules/index.md#where-they-differ"),
        ("docs/faq.md", "faq.md", "https://cards.example/x.md", "https://cards.example/x.md"),
    ],
)
def test_a_link_of_the_checkout_becomes_one_of_the_site(path: str, place: str, link: str, there: str) -> None:
    assert rewritten(f"see [it]({link}).", path, place) == f"see [it]({there})."


def test_a_page_is_read_with_what_it_loads_apart_from_what_it_links_to() -> None:
    page = read_page(
        '<link rel="stylesheet" href="a.css"><link rel="next" href="b.html"><a id="x" href="c.html">c</a>'
        '<img src="d.png" style="color:red"><script>load("e")</script><style>f{}</style>'
    )
    assert (page.loads, page.links) == (["a.css", "d.png"], ["b.html", "c.html"])
    assert (page.identifiers, page.scripts, page.styles) == ({"x"}, ['load("e")'], ["color:red", "f{}"])

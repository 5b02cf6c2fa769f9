"""The lenient reader, line by line. Nothing here needs a database."""

from dataclasses import replace
from time import process_time

import pytest

import games
from beanpost.post.reply_parser.html_to_text import convert_html
from beanpost.post.reply_parser.lines import interpret_lines
from beanpost.post.reply_parser.move_meaning import Question, find_meaning
from beanpost.post.reply_parser.quotes import find_own_words
from games.contract.replies.words import PLAIN_REPLIES


def question(
    game: str, *menu: str, labels=(), also=lambda line: False, names=("Ann", "Bob", "Cleo", "Dora")
) -> Question:
    """A question with these moves."""
    labels_by_line = dict(zip(menu, labels or menu, strict=True))
    return Question(
        replies=games.get(game).replies,
        names=names,
        printed={f"m{number}": line for number, line in enumerate(menu[:12], 1)},
        menu=labels_by_line,
        labels={label: line for line, label in labels_by_line.items()},
        vocabulary=games.get(game).vocabulary,
        is_legal=lambda line: line in menu or also(line),
    )


HARICOTS = question("haricots", "play 6", "play 6 6", "play 9", "pass", "fold")
BOHNANZA = question(
    "bohnanza", "plant coffee in 1", "plant coffee in 2", "harvest 1", "no deal", "accept 1", "decline 1", "buy",
    "reveal", "done", also=lambda line: line.startswith("offer") and line.endswith("to D"),
)  # fmt: skip
FAGIOLI = question(
    "fagioli", "play 2 left plant 5 9", "play 2 left plant 5 5", "play 9 right down plant 1 3 5", "play 9 right",
    "play 7 left",
)  # fmt: skip
CARDS = question("pas_de_haricots", "play 7S", "play 10H", "play KD", "play 0C")
TAKING = question(
    "pas_de_haricots", "take B", "take C",
    labels=("Take 7S from Bob (your score: +7)", "Take 7D from Cleo (your score: +7)"),
)  # fmt: skip
STALK = question(
    "haricot_magique", "stack eye trunk eye", "stack eye eye trunk", "skip",
    also=lambda line: line.startswith("stack"),
)  # fmt: skip
CHOOSING = question("haricot_magique", "choose 2", "choose 5", "choose 7")

READ = [
    (HARICOTS, "play 6 6", ["m2", "M2", "m2.", "m2)", "(m2)", "m 2", "m-2", "m２", "m2, please", "Move m2", "m2 svp",
                            "Je joue le m2", "I'll take m2", "m2 - play 6 6", "m2 – Play 6 6!", "m2: play 6 6",
                            "m2. play sixes", "Play 6 6 m2", "m2 !", "le m2 merci", "my answer is m2",
                            "play two sixes", "Play 6 6!", "Je joue deux six",
                            "6 6", "2x6", "play 2 × 6", "a pair of sixes", "une paire de six s'il vous plaît",
                            "play sixes", "play both 6s"]),
    (HARICOTS, "pass", ["je passe", "I'll pass, thanks!", "PASS.", "Passe !", "On passe", "I pass this time",
                        "“pass”"]),
    (HARICOTS, "fold", ["Je me couche.", "I fold", "m5"]),
    (HARICOTS, "play 9", ["play nine please", "joue le 9", "je pose un neuf", "9", "9.", "nine", "neuf", "Option 9",
                          "n° 9 svp", "#9", "9)", "(9)", "9.)", "no. 9", "No 9", "Nr. 9", "nr 9", "n°9", "№ 9", "# 9.",
                          "9️⃣", "9⃣", "９", "9️⃣ please", "9 - play 9", "9: play 9", "number nine please",
                          "nine please", "Nine, please", "neuf, s’il vous plaît", "Nine thanks", "neuf merci", "Nine.",
                          "Nine)", "I would like nine", "je veux neuf", "nine is my choice", "cheers, nine",
                          "my answer is 9", "the nine", "card 9", "la carte 9", "9!", "Nine!", "Nine,", "le 9",
                          "I'll take 9", "je prends le 9"]),
    (BOHNANZA, "plant coffee in 2", ["plant coffee in 2", "Plant the coffee bean in field 2 please", "coffee in 2",
                                     "plante le café dans le champ 2", "Harry Cogné dans 2",
                                     "coffee into the second field", "m2"]),
    (BOHNANZA, "no deal", ["no deal", "No trade, thanks", "pas d'échange", "aucun échange"]),
    (BOHNANZA, "accept 1", ["accept", "J’accepte l’offre 1", "accept offer 1", "I accept the first offer"]),
    (BOHNANZA, "decline 1", ["refuse l'offre 1", "decline"]),
    (BOHNANZA, "harvest 1", ["harvest", "récolte le champ 1", "sell field 1"]),
    (BOHNANZA, "buy", ["Buy a third field", "j'achète un troisième champ"]),
    (BOHNANZA, "reveal", ["turn up cards", "je révèle"]),
    (BOHNANZA, "done", ["close the market", "je ferme le marché", "done!"]),
    (BOHNANZA, "offer soy soy for red to D", ["offer 2 soy for 1 red to Dora", "offer soy soy for red to D",
                                              "j'offre à Dora 2 soja contre 1 rouge", "offer two soy beans for a red"]),
    (BOHNANZA, "offer soy for *eye to D", ["offer soy for *eye", "offer soy for the face up eye to Dora",
                                           "je propose un copain contre *chaos à Dora"]),
    (BOHNANZA, "offer soy@3 for nothing to D", ["offer soy@3 for nothing to Dora",
                                                "j'offre soja@3 contre rien à Dora"]),
    (FAGIOLI, "play 2 left plant 5 9", ["play 2 left plant 9 5", "Play 2 on the left pile and plant 5 and 9",
                                        "plant 9 and 5, play 2 left", "m1"]),
    (FAGIOLI, "play 2 left plant 5 5", ["je joue le 2 à gauche et plante deux 5", "plant two 5s and play 2 left"]),
    (FAGIOLI, "play 9 right down plant 1 3 5", ["9 face down on the right, plant 1, 3 and 5"]),
    (FAGIOLI, "play 7 left", ["7 à gauche", "play 7"]),
    (CARDS, "play KD", ["play KD", "play K♦", "the king of diamonds", "je joue le roi de carreau"]),
    (CARDS, "play KD", ["K♦", "R♦", "Play R♦", "je joue R♦"]),
    (question("pas_de_haricots", "play QS", "play JD"), "play QS", ["D♠", "Q♠", "Play QS", "la dame de pique"]),
    (question("pas_de_haricots", "play QS", "play JD"), "play JD", ["V♦", "Play J♦", "J♦"]),
    (HARICOTS, "pass", ["je passe et je pioche", "skip", "I pass, well played", "Je passe, très bien joué",
                        "pass and draw a card"]),
    (HARICOTS, "play 6 6", ["two sixes", "une paire de 6"]),
    (HARICOTS, "play 9", ["9 :)", "9 😀", "9 thanks Ann"]),
    (question("haricots", "play 6", "play 6 6", "play 6 6 6"), "play 6 6", ["6 6", "two sixes", "une paire de 6"]),
    (question("bohnanza", "plant coffee in 1", "plant coffee in 2"), "plant coffee in 1", ["champ 1", "field 1"]),
    (BOHNANZA, "no deal", ["nothing to trade"]),
    (CARDS, "play 10H", ["10h", "joue le 10 de cœur"]),
    (CARDS, "play 0C", ["zero of clubs", "m4"]),
    (TAKING, "take B", ["take Bob's card", "prends la carte de Bob", "take b", "take 7S", "take Bob’s 7S", "m1"]),
    (TAKING, "take C", ["take the seven of diamonds", "take C's card", "I take Cleo's", "je prends celle de Cleo"]),
    (STALK, "stack eye trunk@3 eye", ["stack eye trunk@3 eye", "empile œil, tronc (3 mm à droite), œil"]),
    (STALK, "stack eye eye trunk", ["stack two eyes and a trunk", "m2"]),
    (STALK, "skip", ["je passe", "I skip this"]),
    (CHOOSING, "choose 5", ["card 5", "Card five please", "la carte 5", "I choose card 5", "choisis la carte 5",
                             "m2", "5", "five"]),
    (CHOOSING, "choose 2", ["card 2", "ma carte 2", "m1", "2"]),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "line", "text"), [(q, line, text) for q, line, row in READ for text in row])
def test_a_text_with_one_meaning_is_understood(asked, line, text):
    assert find_meaning(text, asked).legal == (line,)


@pytest.mark.parametrize(
    ("asked", "text"),
    [(HARICOTS, text) for text in (
        "I don't pass", "je ne passe pas", "pass?", "never pass", "pass or fold", "Bob", "Take care",
        "a nine", "6", "2", "m7", "m2?", "option 2", "both",
        "hello all", "Sent from my iPhone", "+44 20 7946 0018", "12 Bean Street",
        "", "…", "🙂", "+1", "-1", "- 1", "<3", ":3", ": 3", "=2", "~2", "1/", "€2", "2%", "2?", "2:", "12:30", "2.5",
        "−1", "–1", "please <3", "hello :3", "#️⃣", "²", "2.6", "2:06", "2/6",
        "Two:", "Two :", "Deux :", "Un :", "One:", "TWO:", "Two,", "Two!", "-two", "<two", "Two: thanks",
        "Deux : merci", "Three cheers", "three cheers!", "3 cheers", "One move", "un choix", "Deux coups", "un tour",
        "No one", "no one.", "No-one", "Thanks, no one",
        "Two answers", "Hello you two", "you two", "Thanks you two!", "nous deux", "vous deux, merci", "tous deux",
        "we two", "un bonjour", "un merci", "one thank you", "One hello", "un oui", "one ok", "un bien", "two sorry")]
    + [(BOHNANZA, text) for text in ("up", "Face up", "Visible", "face", "up up", "^", "plant coffee :2", "black")]
    + [(BOHNANZA, text) for text in ("deal", "coffee", "no", "offer soy", "seat@9", "Take it easy", "plant", "first")]
    + [(TAKING, text) for text in ("Bob", "B", "take a card", "take", "take 7", "KD")]
    + [(CARDS, text) for text in ("KD", "7", "play")],
)  # fmt: skip
def test_a_text_without_a_move_is_not_taken_for_one(asked, text):
    found = find_meaning(text, asked)
    assert not found.legal


ONE_AND_FIVE = question("fagioli", "play 2 left plant 1 5", "play 9 right plant 2 6")
ONLY_FIVE = question("fagioli", "play 2 left plant 5")
BOTH = question("fagioli", "play 2 left plant 5", "play 2 left plant 1 5", "play 9 right plant 6 6", "play 9 right")
A_FIVE = ["play 2 left and plant one 5", "joue 2 à gauche et plante une 5", "joue le 2 à gauche et plante un cinq",
          "play 2 left, plant one five"]  # fmt: skip
TWO_CARDS = ["play 2 left and plant one and five", "joue 2 gauche et plante un et cinq", "play 2 left plant 1, 5",
             "play 2 left plant one, five"]  # fmt: skip


@pytest.mark.parametrize("text", A_FIVE)
def test_one_card_of_a_value_is_never_read_as_two_cards(text):
    assert not find_meaning(text, ONE_AND_FIVE).legal
    assert find_meaning(text, ONLY_FIVE).legal == find_meaning(text, BOTH).legal == ("play 2 left plant 5",)


@pytest.mark.parametrize("text", TWO_CARDS)
def test_two_cards_are_never_read_as_one_card_of_a_value(text):
    assert not find_meaning(text, ONLY_FIVE).legal
    assert find_meaning(text, ONE_AND_FIVE).legal == find_meaning(text, BOTH).legal == ("play 2 left plant 1 5",)


@pytest.mark.parametrize("text", ["play 9 right and plant both 6", "joue 9 à droite et plante une paire de 6"])
def test_a_pair_is_never_read_as_a_two_beside_another_card(text):
    assert not find_meaning(text, ONE_AND_FIVE).legal
    assert find_meaning(text, BOTH).legal == ("play 9 right plant 6 6",)


@pytest.mark.parametrize("text", ["play one 6", "je joue un 6", "I play a single 6", "je pose un six"])
def test_one_card_is_never_completed_to_a_pair(text):
    assert not find_meaning(text, question("haricots", "play 6 6", "pass")).legal


FOR_A, FOR_D = (question("bohnanza", also=lambda line, to=to: line.endswith(f"for red to {to}")) for to in "AD")
UNCLEAR_SEAT = ["offer a soy for a red to a", "I offer soy for red to a please", "offer soy for red a",
                "j'offre un soja contre un rouge à a", "offer to a soy for red", "offer soy to a for red",
                "offer a soy for a red to d", "offer a soy for a red to"]  # fmt: skip


@pytest.mark.parametrize("text", UNCLEAR_SEAT)
def test_an_offer_to_a_seat_in_lower_case_goes_to_nobody(text):
    assert not find_meaning(text, FOR_D).legal
    assert not find_meaning(text, FOR_A).legal


@pytest.mark.parametrize("text", ["offer a soy for a red to A", "offer a soy to player a for a red",
                                  "offer a soy for a red to seat A", "offer soy for red to a",
                                  "j'offre un soja contre un rouge à A", "I'd like to offer a soy for a red to Ann",
                                  "j'offre à Ann un soja contre un rouge"])  # fmt: skip
def test_an_offer_to_a_seat_or_a_name_goes_there(text):
    assert not find_meaning(text, FOR_D).legal
    assert find_meaning(text, FOR_A).legal == ("offer soy for red to A",)


@pytest.mark.parametrize(
    ("asked", "text", "lines"),
    [
        (HARICOTS, "m2. play 9", ("play 6 6", "play 9")),
        (BOHNANZA, "plant coffee", ("plant coffee in 1", "plant coffee in 2")),
        (FAGIOLI, "play 2", ("play 2 left plant 5 9", "play 2 left plant 5 5")),
    ],
)
def test_an_ambiguous_text_gives_all_its_meanings(asked, text, lines):
    assert find_meaning(text, asked).legal == lines


@pytest.mark.parametrize(("asked", "text", "line"), [
    (HARICOTS, "play 7", "play 7"), (HARICOTS, "17", "17"), (HARICOTS, "play two fives", "play 5 5"),
    (FAGIOLI, "play 2 left", "play 2 left"), (CARDS, "the 7 of hearts", "play 7H"),
    (CHOOSING, "card 4", "choose 4"),
])  # fmt: skip
def test_an_illegal_move_is_recognised_as_a_move(asked, text, line):
    found = find_meaning(text, asked)
    assert not found.legal
    assert line in found.refused


def test_a_player_may_be_named_like_a_number_or_like_another_player():
    asked = question("pas_de_haricots", "take A", "take B", "take C", names=("Six", "Will Power", "Bob", "Bob"))
    assert find_meaning("take Will Power's card", asked).legal == ("take B",)
    assert find_meaning("take Six's card", asked).legal == ("take A",)
    assert find_meaning("take Bob's card", asked).legal == ("take C",)  # the other Bob is asked himself and has no card


def test_two_players_of_one_name_are_ambiguous():
    asked = question("pas_de_haricots", "take A", "take C", names=("Bob", "Ann", "Bob"))
    assert find_meaning("take Bob's card", asked).legal == ("take A", "take C")


def test_one_move_among_other_words_is_understood():
    interpretation = interpret_lines(["Hello,", "", "pass", "", "See you"], HARICOTS)
    assert (interpretation.line, interpretation.text) == ("pass", "pass")
    assert interpret_lines(["play 7", "pass"], HARICOTS).line == ""
    assert interpret_lines(["", "nothing of ours"], HARICOTS).text == "nothing of ours"


@pytest.mark.parametrize(
    "lines", [["pass", "", "fold"], ["m2", "m3"], ["m2", "", "Bob", "m3"], ["m2", "9"], ["pass", "9"], ["m2 - play 9"]]
)
def test_two_different_moves_are_not_understood(lines):
    interpretation = interpret_lines(lines, HARICOTS)
    assert interpretation.line == ""
    assert len(interpretation.meaning.legal) == 2


@pytest.mark.parametrize(
    "lines", [["m2", "m2"], ["m2", "play 6 6"], ["play two sixes", "m2."], ["m2 - play 6 6"], ["m2", "m2 - play sixes"]]
)
def test_the_same_move_twice_is_one(lines):
    assert interpret_lines(lines, HARICOTS).line == "play 6 6"


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (["I would like to play the two, face up, on the left pile, and plant 5", "9"], "play 2 left plant 5 9"),
        (["Hello everybody, now I would like to play 9 face down right", "and plant 1 3 5"],
         "play 9 right down plant 1 3 5"),
    ],
)  # fmt: skip
def test_a_move_wrapped_over_two_lines_is_read_whole_and_its_end_is_no_number(lines, line):
    assert interpret_lines(lines, FAGIOLI).line == line


def test_a_game_without_reply_words_is_read_by_its_own_grammar():
    asked = question("haricots", "play 6 6", "pass")
    unknown = replace(asked, replies=PLAIN_REPLIES)
    assert find_meaning("PLAY 6 6.", unknown).legal == ("play 6 6",)
    assert find_meaning("m2", unknown).legal == ("pass",)
    assert not find_meaning("6", unknown).legal
    assert not find_meaning("two sixes", unknown)


@pytest.mark.parametrize("text", ["\x00" * 50, "> " * 5_000, "a " * 100_000, "6 " * 400, "\ud800 pass", "play " * 300])
def test_no_text_causes_an_error(text):
    assert not interpret_lines(find_own_words(text), HARICOTS).line


@pytest.mark.parametrize("html", ["<!--" * 50_000, "<a " * 60_000, "<div>" * 20_000 + "</p>" * 25_000, "<" * 200_000])
def test_a_hostile_html_page_is_read_without_delay(html):
    assert not interpret_lines(find_own_words(convert_html(html)), HARICOTS).line


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        (HARICOTS, "please " * 7 + "play 2 6 2 6 2 6 2 6 2 6 2 6"),
        (BOHNANZA, "offer 1 2 3 4 for 5 6 to all all all to a to a un une un une un une"),
        (FAGIOLI, "please " * 7 + "play un une un une un une 2 left 3 4 5 6 7"),
        (TAKING, "take un une un une un une un une un une un une card"),
        (STALK, "please " * 7 + "stack card card card card card card eye"),
    ],
)
def test_a_highly_ambiguous_reply_is_read_without_delay(asked, line):
    begun = process_time()
    interpret_lines(["1", *[f"{line} {n}" for n in range(70)]], asked)
    assert process_time() - begun < 0.5

"""Race to Ten: roll two dice and take one, or play your hidden card; 2 to 4 players."""

from games.contract.game import Game, Rules, Secrecy, Words
from games.contract.replies.words import ReplyWords, map_synonyms
from race_to_ten import rules, words

GAME: Game[rules.State, words.View] = Game(
    slug="race",
    title="Race to Ten",
    seats=range(2, 5),
    vocabulary=rules.VOCABULARY,
    remembers=rules.STATES,
    play=Rules(setup=rules.setup, asks=rules.asks, apply=rules.apply, result=rules.result, chance=rules.chance),
    view=words.view,
    words=Words(words.tell, words.question, words.label, words.otherwise),
    secrecy=Secrecy(redact=rules.redact),
    replies=ReplyWords(map_synonyms(roll="lance lancer", card="carte", take="prends prendre")),
)

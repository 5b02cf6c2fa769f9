"""How long matches take by post: whole matches at the real table, played by fixed models of people.

habits      when people look in
planning    what they press
matches     one match, from its start to its end, on a simulated clock
goals       which matches are played, the goals for them, and the figures they give
strength    what plans cost in wins, in the rules core alone
trades      how good the trades are that Bohnanza suggests
"""

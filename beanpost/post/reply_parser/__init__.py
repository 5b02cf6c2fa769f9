"""Read replies: from the bytes of an email to the one line of notation that its writer means.

    mail      an email's text, and whether a machine wrote it
    wording   phrases of automatic emails and mail servers, in many languages
    returns   reports of mail servers: bounces, delays, complaints
    plain     HTML as plain text
    quotes    the writer's own words
    introductions   the lines with which mail programs introduce a quotation
    sent      the letter that is answered, and the lines copied from it
    common_words   words that players of all games write; each game has its own
    meaning   the moves a line can mean
    hearing   the one move or order that all lines mean
    choosing  the table that a number or an order means

These are pure functions: they never use the database, and never follow, fetch or run anything in an email.
"""

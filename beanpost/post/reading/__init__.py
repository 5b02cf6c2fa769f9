"""Reading what people write back: from the bytes of a mail to the one line of notation they mean.

    mail      a mail as it came: its text, and whether a machine wrote it
    wording   phrases of automatic mail and of mail servers, in many languages
    returns   reports of mail servers: a letter came back, is late, or was called unwanted
    plain     an HTML mail as plain text
    quotes    what of it is the writer's own
    introductions   where a mail program begins to quote
    sent      the letter that is answered, and which lines are pieces of it
    folding   letters, words and numbers as they are compared
    tongues   what players call things, in English and French
    meaning   the moves a line can mean
    hearing   the one move or order that the lines mean
    choosing  which table a number or an order means

Pure functions: nothing here knows the database, and nothing in a mail is ever followed, fetched or run.
"""

"""Reading what people write back: from the bytes of a mail to the one line of notation they mean.

    mail      a mail as it came: its text, and whether a machine wrote it
    plain     an HTML mail as plain text
    quotes    what of it is the writer's own
    folding   letters, words and numbers as they are compared
    tongues   what players call things, in English and French
    meaning   the moves a line can mean
    hearing   the first line that means one

Pure functions: nothing here knows the database, and nothing in a mail is ever followed, fetched or run.
"""

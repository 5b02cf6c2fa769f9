"""Read replies: from the bytes of an email to the one line of notation that its writer means.

    child                 the program of the process that parses an email, with the modules down to sent_letter
    limits                an email cut to a size that is safe to parse
    mail                  an email's text, and whether a machine wrote it
    automatic_replies     phrases of automatic replies, in many languages
    bounces               reports of mail servers: bounces, delays, complaints
    bounce_phrases        phrases of these reports, in many languages
    html_to_text          HTML as plain text
    quotes                the writer's own words
    quote_introductions   the lines with which mail programs introduce a quotation
    sent_letter           the letter that is answered, and the lines copied from it
    marks                 the marks of moves: m1, m2, …
    move_meaning          the moves a line can mean
    order_meaning         the standing order a line can mean
    lines                 the one move or order that all lines mean
    which_table           the table that a mark or an order means

These are pure functions: they never use the database, and never follow, fetch or run anything in an email.
"""

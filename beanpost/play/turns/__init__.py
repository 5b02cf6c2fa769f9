"""Follow up each line: automatic answers, the log, waits, the end."""

"""What the host reads of a running site: logs, counters and error reports."""

"""Forms of our pages. No input is trusted that was not cleaned here."""

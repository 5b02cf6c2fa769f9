"""The organisers' actions: the buttons of the admin."""

"""The organisers' actions: the buttons of the admin. `preview_invite` says what `invite` would do, and so on."""

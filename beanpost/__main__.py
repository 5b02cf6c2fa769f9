"""`python -m beanpost`: the `beanpost` command in a checkout, such as `python -m beanpost version`."""

from beanpost.command_line import main

main()

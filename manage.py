#!/usr/bin/env python
import sys

from beanpost.command_line import run_management_command

if __name__ == "__main__":
    run_management_command(sys.argv)

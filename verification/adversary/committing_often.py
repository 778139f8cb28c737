"""`python -m verification.adversary.committing_often ARGUMENTS`: the command wfibp, committing after every sweep.

A run of seconds would otherwise commit once, at its end, and a kill would find nothing half done.
"""

from __future__ import annotations

import os
import signal

STOPPED = 130  # exit code after Ctrl-C

if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: os._exit(STOPPED))  # these imports are ours, not the command's

    from wfibp.cli import main
    from wfibp.models.running import resume_chains, run_chains

    for function in (run_chains, resume_chains):
        function.__kwdefaults__["checkpoint_seconds"] = 0.0
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()

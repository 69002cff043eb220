"""Runs samples one after the other in one process. A line in: {"file", "env"}. A line out: {"printed"}, or {"error"}."""

import contextlib
import io
import json
import os
import runpy
import sys
import traceback

own = dict(os.environ)
for line in sys.stdin:
    asked = json.loads(line)
    os.environ.clear()
    os.environ.update(own | asked["env"])
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(asked["file"], run_name="__main__")
        answer = {"printed": printed.getvalue()}
    except (Exception, SystemExit):
        answer = {"error": traceback.format_exc()}
    print(json.dumps(answer), flush=True)

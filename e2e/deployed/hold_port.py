# What systemd does with deploy/systemd/rialto.socket and rialto.service: holds a port, starts a command with it, and
# starts the command again when it ends. Prints the process id of each.   hold_port.py PORT COMMAND…
import os
import signal
import socket
import sys
import time

FIRST_FD = 3
held = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=4096)
if held.fileno() != FIRST_FD:
    os.dup2(held.fileno(), FIRST_FD)
os.set_inheritable(FIRST_FD, True)

child = 0
ending = False


def end(_signal, _frame):
    global ending
    ending = True
    if child:
        os.kill(child, signal.SIGTERM)


signal.signal(signal.SIGTERM, end)
while not ending:
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
        os.execvp(sys.argv[2], sys.argv[2:])
    print(child, flush=True)
    os.waitpid(child, 0)
    # As RestartSec= has it: a command that cannot start does not keep the machine busy.
    time.sleep(0.2)

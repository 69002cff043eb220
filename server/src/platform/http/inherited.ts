// A port that systemd opened and holds, by a socket unit (deploy/systemd/rialto.socket). The port stays open while
// the server restarts, so a client that connects then waits and is not refused.

/** The first inherited file; those before are the standard streams. */
const FIRST_FD = 3;

type Environment = Record<string, string | undefined>;

/**
 * Whether this process inherited a socket: `LISTEN_PID` says whom it is meant for, because a child inherits it
 * too.
 */
export const hasInheritedSocket = (
  { LISTEN_PID, LISTEN_FDS }: Environment = process.env,
  pid: number = process.pid,
): boolean => LISTEN_PID === String(pid) && LISTEN_FDS !== undefined;

/** The listening socket that this process inherited, if it did. */
export function takeInheritedSocket(
  environment: Environment = process.env,
  pid: number = process.pid,
): { fd: number } | undefined {
  if (!hasInheritedSocket(environment, pid)) return undefined;
  const { LISTEN_FDS } = environment;
  if (LISTEN_FDS !== '1') {
    throw new Error(
      `One listening socket was expected, but LISTEN_FDS is ${JSON.stringify(LISTEN_FDS)}. ` +
        'Give the unit one ListenStream: the port of the operators is opened by the server itself.',
    );
  }
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete environment[name];
  return { fd: FIRST_FD };
}

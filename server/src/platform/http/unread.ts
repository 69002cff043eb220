// Bodies that nobody will read. Whoever is refused before their body has come might go on sending it for minutes: the connection
// ends with the answer instead.
import type { IncomingMessage } from 'node:http';

/** A body up to this length is on its way already, and is read away, so that the connection can be kept. */
const READ_AWAY_BYTES = 64 * 1024;

/** How long the caller has to read the answer before the line is cut under what it still sends. */
const LINGER_MS = 1000;

/** Whether the answer that is about to leave has to say that it is the last; then the connection ends after it. */
export function endsUnread(raw: IncomingMessage): boolean {
  if (raw.complete || !isLong(raw)) return false;
  lingerThenCut(raw);
  return true;
}

/** Closing at once would take back the answer: a caller that is still sending hears of the reset first. */
function lingerThenCut({ socket }: IncomingMessage): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function isLong({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > READ_AWAY_BYTES
  );
}

// Bodies that will not be read. A caller that is refused before its body has come might go on sending for minutes,
// so the connection ends with the answer instead.
import type { IncomingMessage } from 'node:http';

/** A body up to this length is already in flight, and is drained, so that the connection can be kept. */
const READ_AWAY_BYTES = 64 * 1024;

/** How long the caller has to read the answer before the connection is cut. */
const LINGER_MS = 1000;

/** Whether a body comes after the headers. Without either of these a request has none. */
export const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether the answer must announce the end of the connection, which then ends after it. */
export function endsUnread(raw: IncomingMessage): boolean {
  if (raw.complete || !isLong(raw)) return false;
  lingerThenCut(raw);
  return true;
}

/** Closing at once would lose the answer: a caller that is still sending sees the reset first. */
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

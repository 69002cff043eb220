// A file as lines, without ever holding more of it than one line.
import { fault } from './fault.ts';

export const LINE_LIMITS = {
  /** An event or a head. The longest honest one has about 600 characters. */
  line: 4_096,
  /** The books at a checkpoint: a million resting orders have about 50 million characters. */
  book: 256 * 1024 * 1024,
} as const;

const BOOK = '{"book":';

/**
 * The lines of a stream. A line that is too long is reported as soon as it is, however long it would
 * get. The last line must end like every other: a file that was cut off is not whole.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  // Parts are joined once, so that a long line costs no more than its length.
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    let from = 0;
    for (;;) {
      const end = text.indexOf('\n', from);
      const part = end < 0 ? text.slice(from) : text.slice(from, end);
      length += part.length;
      if (length > LINE_LIMITS.line) checkLength(parts[0] ?? part, part, length);
      parts.push(part);
      if (end < 0) break;
      yield parts.length === 1 ? part : parts.join('');
      parts = [];
      length = 0;
      from = end + 1;
    }
  }
  if (length > 0) fault('the file ends in the middle of this line');
}

function checkLength(first: string, part: string, length: number): void {
  const start = first.length >= BOOK.length ? first : first + part;
  const max = start.startsWith(BOOK) ? LINE_LIMITS.book : LINE_LIMITS.line;
  if (length > max) fault(`a line like this has at most ${max} characters`);
}

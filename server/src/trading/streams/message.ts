// A message that many connections get: printed, framed and compressed once, and the same bytes are written to all.
import { constants, deflateRawSync } from 'node:zlib';

const FIN_TEXT = 0x81;
/** The bit that says "compressed" when permessage-deflate was agreed. */
const COMPRESSED = 0x40;
/** Shorter messages are not worth compressing. */
export const DEFLATE_FROM_BYTES = 1024;
/** What a flush ends with, and the receiver adds again. */
const TAIL_BYTES = 4;

/** The bytes of one message, or of several. */
export interface Frames {
  readonly plain: Buffer;
  /** For connections that agreed to compression. */
  readonly compressed: Buffer;
}

export class Message implements Frames {
  readonly text: string;
  #plain: Buffer | undefined;
  #compressed: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get plain(): Buffer {
    return (this.#plain ??= frame(FIN_TEXT, Buffer.from(this.text)));
  }

  /** No message refers to an earlier one, so all connections can share it. */
  get compressed(): Buffer {
    return (this.#compressed ??= this.#compress());
  }

  #compress(): Buffer {
    if (this.text.length < DEFLATE_FROM_BYTES) return this.plain;
    const deflated = deflateRawSync(this.text, {
      level: 3,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    const packed = frame(FIN_TEXT | COMPRESSED, deflated.subarray(0, -TAIL_BYTES));
    return packed.length < this.plain.length ? packed : this.plain;
  }
}

/** Several messages as one piece: a connection gets all of them by one write. */
export function joinMessages(messages: readonly Message[]): Frames {
  const [first] = messages;
  if (messages.length === 1 && first !== undefined) return first;
  let compressed: Buffer | undefined;
  return {
    plain: Buffer.concat(messages.map(({ plain }) => plain)),
    get compressed() {
      return (compressed ??= Buffer.concat(messages.map((message) => message.compressed)));
    },
  };
}

/** A server's frame: unmasked, in one piece. */
function frame(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const headBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const framed = Buffer.allocUnsafe(headBytes + length);
  framed[0] = first;
  if (headBytes === 2) framed[1] = length;
  else if (headBytes === 4) {
    framed[1] = 126;
    framed.writeUInt16BE(length, 2);
  } else {
    framed[1] = 127;
    framed.writeBigUInt64BE(BigInt(length), 2);
  }
  payload.copy(framed, headBytes);
  return framed;
}

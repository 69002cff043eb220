// Thousands of WebSocket clients in a process of their own, on bare sockets: a client library would cost more than the
// measured server. All count frames; some of them note when each update came.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface OpenClients {
  readonly group: string;
  readonly port: number;
  readonly path: string;
  readonly count: number;
  /** Sent once by each. */
  readonly frame: string | undefined;
}

export type ToClients =
  | { readonly open: OpenClients }
  | { readonly start: string }
  /** Answers when so many frames came, or when the time is over. */
  | { readonly stop: string; readonly expected: number; readonly withinMs: number }
  | { readonly record: string };

export interface Received {
  readonly frames: number;
  readonly bytes: number;
  readonly closed: number;
  /** What a sampled client got: the first price of an update that adds a level, and when, in epoch milliseconds. */
  readonly samples: readonly (readonly [price: string, atMs: number])[];
}

/** Every such client is sampled. */
const SAMPLED_EVERY = 40;
const AT_ONCE = 50;
const POLL_MS = 50;
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

interface Group {
  frames: number;
  bytes: number;
  closed: number;
  isOn: boolean;
  samples: [string, number][];
  /** Texts as they came, for the baseline. */
  recorded: string[] | undefined;
  readonly sockets: Socket[];
}

const groups = new Map<string, Group>();

function groupOf(name: string): Group {
  let group = groups.get(name);
  if (group === undefined) {
    group = {
      frames: 0,
      bytes: 0,
      closed: 0,
      isOn: false,
      samples: [],
      recorded: undefined,
      sockets: [],
    };
    groups.set(name, group);
  }
  return group;
}

async function open({ group: name, port, path, count, frame }: OpenClients): Promise<void> {
  const group = groupOf(name);
  for (let first = 0; first < count; first += AT_ONCE) {
    const size = Math.min(AT_ONCE, count - first);
    await Promise.all(Array.from({ length: size }, () => openOne(group, port, path, frame)));
  }
}

function openOne(group: Group, port: number, path: string, frame: string | undefined) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const isSampled = group.sockets.length % SAMPLED_EVERY === 0;
  const isFirst = group.sockets.length === 0;
  group.sockets.push(socket);
  let rest: Buffer = Buffer.alloc(0);
  let isOpen = false;
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  return new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => (group.closed += 1));
    socket.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (!isOpen) {
        const end = rest.indexOf('\r\n\r\n');
        if (end < 0) return;
        if (!rest.subarray(0, 12).toString().endsWith('101')) {
          reject(new Error(rest.toString()));
          return;
        }
        rest = rest.subarray(end + 4);
        isOpen = true;
        if (frame === undefined) resolve();
        else socket.write(masked(frame));
      }
      rest = rest.subarray(read(rest));
    });

    /** Takes whole frames, and returns how many bytes they were. */
    function read(data: Buffer): number {
      let at = 0;
      while (data.length - at >= 2) {
        const short = (data[at + 1] as number) & 0x7f;
        const head = short < 126 ? 2 : short === 126 ? 4 : 10;
        if (data.length - at < head) break;
        const length =
          short < 126
            ? short
            : short === 126
              ? data.readUInt16BE(at + 2)
              : Number(data.readBigUInt64BE(at + 2));
        if (data.length - at < head + length) break;
        take(data[at] as number, data, at + head, length);
        at += head + length;
      }
      return at;
    }

    function take(first: number, data: Buffer, at: number, length: number): void {
      if (first === 0x89) socket.write(PONG);
      if (first !== 0x81) return;
      // The first answer says that the subscription was taken.
      if (!group.isOn) resolve();
      else {
        group.frames += 1;
        group.bytes += length;
        if (isSampled) sample(data.toString('latin1', at, at + length));
      }
    }

    function sample(text: string): void {
      const atMs = performance.timeOrigin + performance.now();
      if (isFirst) group.recorded?.push(text);
      const price = /"bids":\[\{"price":"([0-9.]+)","volume":"(?!0\.0+")/.exec(text)?.[1];
      if (price !== undefined) group.samples.push([price, atMs]);
    }
  });
}

/** A client's frame, with a mask of zeros. */
function masked(text: string): Buffer {
  const length = Buffer.byteLength(text);
  if (length > 125) throw new Error('The frame is too long for this client.');
  return Buffer.concat([Buffer.from([0x81, 0x80 | length, 0, 0, 0, 0]), Buffer.from(text)]);
}

async function stop(
  group: Group,
  { expected, withinMs }: { readonly expected: number; readonly withinMs: number },
): Promise<void> {
  const untilMs = performance.now() + withinMs;
  while (group.frames < expected && performance.now() < untilMs) await sleep(POLL_MS);
  group.isOn = false;
  const { frames, bytes, closed, samples } = group;
  process.send?.({ frames, bytes, closed, samples } satisfies Received);
}

process.on('message', (message: ToClients) => {
  if ('open' in message) void open(message.open).then(() => process.send?.('opened'));
  else if ('start' in message) {
    Object.assign(groupOf(message.start), { frames: 0, bytes: 0, samples: [], isOn: true });
    process.send?.('started');
  } else if ('stop' in message) void stop(groupOf(message.stop), message);
  else {
    const group = groupOf(message.record);
    if (group.recorded === undefined) {
      group.recorded = [];
      process.send?.('recording');
    } else process.send?.(group.recorded);
  }
});
process.on('disconnect', () => process.exit());

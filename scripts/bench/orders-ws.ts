// Orders by WebSocket, beside signed HTTP in the same deployment: the same orders, from as many keys, over as many
// kept connections, with everything on this machine. Clients write prepared bytes to raw sockets, because they share
// the machine with the venue.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { TestDeployment } from '../../server/src/testing/deployment.ts';
import { hmacHex, type Trader } from '../../server/src/testing/trader.ts';
import { runOpenLoop } from './open-loop.ts';
import { costPerOrder, type CpuMeter } from './orders-cpu.ts';
import { benchOrder, CONNECTIONS, type HttpStep } from './orders-http.ts';
import { measureLag } from './orders-lag.ts';

export async function benchSockets(
  { ctx }: TestDeployment,
  traders: readonly Trader[],
  {
    port,
    rates,
    seconds,
    first,
  }: { port: number; rates: readonly number[]; seconds: number; first: number },
  cpu: CpuMeter,
): Promise<HttpStep[]> {
  const steps: HttpStep[] = [];
  let used = first;
  const lines = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, n) =>
      open(port, traders[n % traders.length] as Trader),
    ),
  );
  for (const perSecond of rates) {
    const from = used;
    used += perSecond * seconds;
    const frames = Array.from({ length: perSecond * seconds }, (_, n) =>
      toFrame(JSON.stringify({ id: String(n), op: 'order.create', params: benchOrder(from + n) })),
    );
    const before = await cpu.read();
    const result = await runOpenLoop({
      perSecond,
      seconds,
      warmUpSeconds: 1,
      send(at, until, settle) {
        for (let index = at; index < until; index += 1) {
          lines[index % CONNECTIONS]?.send(frames[index] as Buffer, index, settle);
        }
      },
    });
    const cost = costPerOrder(before, await cpu.read(), result.done);
    steps.push({ result, cost, ...(await measureLag(ctx)) });
  }
  for (const line of lines) line.close();
  return steps;
}

type Settle = (index: number, isDone: boolean) => void;

interface Line {
  send(frame: Buffer, index: number, settle: Settle): void;
  close(): void;
}

/** A client's frame with a mask of zeros, which changes nothing. */
function toFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const head = length < 126 ? 6 : 8;
  const frame = Buffer.alloc(head + length);
  frame[0] = 0x81;
  if (length < 126) frame[1] = 0x80 | length;
  else {
    frame[1] = 0x80 | 126;
    frame.writeUInt16BE(length, 2);
  }
  payload.copy(frame, head);
  return frame;
}

const HEADER_END = Buffer.from('\r\n\r\n');
const ID = /^\{"id":"(\d+|login)"/;

/** A connection that has logged in. */
async function open(port: number, { keyId, secret }: Trader): Promise<Line> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  let settle: Settle = () => {};
  const waiting = new Set<number>();
  const entered = Promise.withResolvers<void>();
  let rest: Buffer = Buffer.alloc(0);
  let isUpgraded = false;
  socket.on('close', () => {
    entered.reject(new Error('The connection closed before its login.'));
    for (const index of waiting) settle(index, false);
    waiting.clear();
  });
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (!isUpgraded) {
      const end = rest.indexOf(HEADER_END);
      if (end < 0) return;
      rest = rest.subarray(end + HEADER_END.length);
      isUpgraded = true;
      login();
    }
    for (;;) {
      const text = take();
      if (text === undefined) return;
      const id = ID.exec(text)?.[1];
      const isDone = text.includes('"status":"true"');
      if (id === 'login') {
        if (isDone) entered.resolve();
        else entered.reject(new Error(text));
      } else if (id !== undefined) {
        waiting.delete(Number(id));
        settle(Number(id), isDone);
      }
    }
  });

  /** The next whole frame of the server, if it has come; pings have no text. */
  function take(): string | undefined {
    if (rest.length < 2) return undefined;
    const short = (rest[1] as number) & 0x7f;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (rest.length < head) return undefined;
    const length =
      short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    if (rest.length < head + length) return undefined;
    const text = rest.toString('latin1', head, head + length);
    rest = rest.subarray(head + length);
    return text;
  }

  function login(): void {
    const timestamp = String(Date.now());
    const nonce = randomBytes(8).toString('hex');
    const text = `apiKey=${keyId}&timestamp=${timestamp}&nonce=${nonce}`;
    const members = { apiKey: keyId, timestamp, nonce, signature: hmacHex(secret, text) };
    socket.write(toFrame(JSON.stringify({ id: 'login', op: 'login', ...members })));
  }

  socket.write(
    `GET /v1/ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  await entered.promise;
  return {
    send(frame, index, onAnswer) {
      settle = onAnswer;
      waiting.add(index);
      socket.write(frame);
    },
    close: () => socket.destroy(),
  };
}

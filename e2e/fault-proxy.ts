// A proxy between a process and a server that can cut the connection at a chosen message. It
// recognises messages by a marker in the bytes that the client sends, such as the name of a
// prepared statement.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Fault =
  /** The message does not reach the server, and the connection ends. */
  | 'cut before'
  /** The server acts on the message; its answer does not come back, and the connection ends. */
  | 'cut after'
  /** The server acts on the message; nothing ever comes back, and the connection stays open. */
  | 'silence after'
  /** The message does not reach the server; nothing ever comes back, and the connection stays open. */
  | 'silence before'
  /** The answer comes back late. */
  | 'delay';

export interface FaultProxy {
  readonly port: number;
  /** Applies this fault to the next message with the marker, once; resolves when it was applied. */
  strike(fault: Fault, marker: string, delayMs?: number): Promise<void>;
  /** Lets nothing through in either direction, on old connections and new ones, until `heal`. */
  silence(): void;
  /** Passes everything again. Swallowed bytes stay lost, so their connections are cut. */
  heal(): void;
  close(): Promise<void>;
}

interface Pending {
  readonly fault: Fault;
  readonly marker: Buffer;
  readonly delayMs: number;
  done(): void;
}

export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  const wires = new Set<{ client: Socket; server: Socket; cut(): void }>();
  let pending: Pending | undefined;
  let isSilent = false;

  const listener = createServer((client) => {
    const server = connect(target);
    /** What happens to the server's bytes on this connection. */
    let answers: 'pass' | 'drop' | 'cut' = isSilent ? 'drop' : 'pass';
    let questions: 'pass' | 'drop' = 'pass';
    let heldUntilMs = 0;
    const cut = () => {
      client.destroy();
      server.destroy();
      wires.delete(wire);
    };
    const wire = { client, server, cut };
    wires.add(wire);
    client.setNoDelay(true);
    server.setNoDelay(true);
    for (const socket of [client, server]) {
      socket.on('error', cut);
      socket.on('close', cut);
    }

    client.on('data', (chunk: Buffer) => {
      if (isSilent || questions === 'drop') return;
      if (pending === undefined || !chunk.includes(pending.marker)) {
        server.write(chunk);
        return;
      }
      const { fault, delayMs, done } = pending;
      pending = undefined;
      switch (fault) {
        case 'cut before':
          cut();
          break;
        case 'silence before':
          questions = 'drop';
          answers = 'drop';
          break;
        case 'cut after':
          answers = 'cut';
          server.write(chunk);
          break;
        case 'silence after':
          answers = 'drop';
          server.write(chunk);
          break;
        case 'delay':
          heldUntilMs = performance.now() + delayMs;
          server.write(chunk);
          break;
      }
      done();
    });

    server.on('data', (chunk: Buffer) => {
      if (isSilent || answers === 'drop') return;
      // PostgreSQL answers at once when the commit is done, so these bytes come after it.
      if (answers === 'cut') return cut();
      const waitMs = heldUntilMs - performance.now();
      if (waitMs <= 0) client.write(chunk);
      else setTimeout(() => client.write(chunk), waitMs);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');

  const cutAll = () => {
    for (const wire of wires) wire.cut();
  };
  return {
    port: address.port,
    strike: (fault, marker, delayMs = 0) =>
      new Promise((resolve) => {
        pending = { fault, marker: Buffer.from(marker), delayMs, done: resolve };
      }),
    silence: () => {
      isSilent = true;
    },
    heal: () => {
      isSilent = false;
      cutAll();
    },
    async close() {
      cutAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}

// A balancer before several processes, as a deployment has one: it gives a new connection to a process that takes it.
// It can cut every connection, as a network does.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Balancer {
  readonly origin: string;
  /** Ends all connections at once, without a word to either side; returns how many. */
  cut(): number;
  /** How many connections a process has through it now. */
  countOf(port: number): number;
  close(): Promise<void>;
}

interface Wire {
  readonly client: Socket;
  readonly server: Socket;
  readonly port: number;
}

/** `ports` are tried from another one on for each connection. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const wires = new Set<Wire>();
  let turn = 0;

  const listener = createServer((client) => {
    client.setNoDelay(true);
    client.on('error', () => client.destroy());
    turn += 1;
    tryNext(client, turn, ports.length);
  });

  function tryNext(client: Socket, from: number, left: number): void {
    if (left === 0 || client.destroyed) {
      client.destroy();
      return;
    }
    const port = ports[from % ports.length] as number;
    const server = connect({ host: '127.0.0.1', port });
    server.once('error', () => {
      if (!server.connecting && server.remotePort !== undefined) return;
      tryNext(client, from + 1, left - 1);
    });
    server.once('connect', () => {
      server.removeAllListeners('error');
      const wire = { client, server, port };
      wires.add(wire);
      const end = () => {
        client.destroy();
        server.destroy();
        wires.delete(wire);
      };
      for (const socket of [client, server]) {
        socket.setNoDelay(true);
        socket.on('error', end);
        socket.on('close', end);
      }
      client.pipe(server, { end: true });
      server.pipe(client, { end: true });
    });
  }

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The balancer has no port.');
  const cut = () => {
    const count = wires.size;
    for (const { client, server } of wires) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
    wires.clear();
    return count;
  };
  return {
    origin: `http://127.0.0.1:${address.port}`,
    cut,
    countOf: (port) => [...wires].filter((wire) => wire.port === port).length,
    async close() {
      cut();
      listener.close();
      await once(listener, 'close');
    },
  };
}

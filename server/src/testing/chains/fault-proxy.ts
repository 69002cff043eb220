// Stands before a node and is as bad as a test wants: silent, absent, or lying.
import { createServer, request, type IncomingMessage } from 'node:http';
import { parseExactly } from '../../trading/custody/chains/rpc.ts';

/** Changes a result. `params` are as the caller sent them. */
export type Lie = (method: string, result: unknown, params: readonly unknown[]) => unknown;

export interface FaultProxy {
  readonly url: string;
  /** Answers nothing from now on. */
  silence(): void;
  /** Closes every connection from now on. */
  refuse(): void;
  lie(how: Lie): void;
  /** Passes everything on again. */
  heal(): void;
  close(): Promise<void>;
}

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let mode: 'pass' | 'silent' | 'refusing' = 'pass';
  let lie: Lie | undefined;
  const server = createServer((asked, answer) => {
    if (mode === 'refusing') {
      asked.destroy();
      return;
    }
    if (mode === 'silent') return;
    void (async () => {
      const body = await readAll(asked);
      const [status, text] = await pass(target, body);
      answer.writeHead(status, { 'content-type': 'application/json' });
      if (lie === undefined) {
        answer.end(text);
        return;
      }
      answer.end(JSON.stringify(change(lie, JSON.parse(body), parseExactly(text))));
    })().catch(() => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    silence: () => {
      mode = 'silent';
    },
    refuse: () => {
      mode = 'refusing';
    },
    lie: (how) => {
      lie = how;
    },
    heal: () => {
      mode = 'pass';
      lie = undefined;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Several calls in one request are lied about one by one; nodes answer them in their order here. */
function change(lie: Lie, asked: unknown, answer: unknown): unknown {
  if (Array.isArray(asked) && Array.isArray(answer)) {
    return answer.map((one: unknown, n) => change(lie, asked[n], one));
  }
  const { method, params } = asked as Asked;
  const { result, ...rest } = answer as { result: unknown };
  return { ...rest, result: lie(method, result, params) };
}

async function readAll(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function pass(target: string, body: string): Promise<[status: number, text: string]> {
  return new Promise((fulfil, reject) => {
    const sent = request(
      new URL(target),
      { method: 'POST', headers: { 'content-type': 'application/json' } },
      (answer) => {
        readAll(answer).then((text) => fulfil([answer.statusCode ?? 0, text]), reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

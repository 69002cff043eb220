// A real OpenID Connect provider in its own process, with throw-away keys, and a proxy before it that can rewrite its
// answers. People need no hands there: a request signs in whom `login_as` of the test names.
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the provider says about a person. */
export interface ProviderPerson {
  readonly sub: string;
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** An answer on its way from the provider to the server under test. */
export interface PassingAnswer {
  readonly path: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface TestProvider {
  readonly id: string;
  /** What the server under test takes for the provider: the proxy. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Rewrites answers to the server; undefined leaves them as they are. */
  rewrite: ((answer: PassingAnswer) => void | Promise<void>) | undefined;
  /** While true, nothing is answered. */
  isAway: boolean;
  /** The requests that came through, by path. */
  readonly seen: string[];
  /** Tells it where the server under test is. */
  register(origin: string): Promise<void>;
  /** Who signs in from now on. */
  become(person: ProviderPerson): Promise<void>;
  /** Replaces the keys; what was signed before stays valid nowhere. */
  rotate(): Promise<void>;
  /** Signs with the provider's present key, or with another one. */
  sign(
    claims: Record<string, unknown>,
    options?: { typ?: string; alg?: string; key?: 'own' | 'foreign'; kid?: string },
  ): Promise<string>;
  /** Follows the provider's pages from `url` until it leads back to the server; returns that address. */
  approve(url: string, jar?: Map<string, string>): Promise<string>;
  /** One entry of OIDC_PROVIDERS_FILE. */
  entry(more?: Record<string, unknown>): Record<string, unknown>;
  close(): Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly value?: string;
}

export async function startProvider(id: string): Promise<TestProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-oidc-'));
  const secretFile = join(folder, 'secret');
  const clientSecret = `secret of ${id} ${crypto.randomUUID()}`;
  writeFileSync(secretFile, clientSecret, { mode: 0o600 });
  const clientId = `rialto-${id}`;
  let upstream = 0;
  const seen: string[] = [];
  const provider: Pick<TestProvider, 'rewrite' | 'isAway'> = { rewrite: undefined, isAway: false };
  const proxy = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const path = incoming.url ?? '/';
      seen.push(`${incoming.method} ${path.split('?', 1)[0]}`);
      if (provider.isAway) {
        outgoing.destroy();
        return;
      }
      const sent = httpRequest(
        {
          host: '127.0.0.1',
          port: upstream,
          path,
          method: incoming.method,
          // The provider names itself after the host that it is asked for.
          headers: incoming.headers,
        },
        (answer) => void pass(answer, path),
      );
      sent.on('error', () => outgoing.destroy());
      sent.end(Buffer.concat(chunks));
    });
    async function pass(answer: IncomingMessage, path: string): Promise<void> {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part as Buffer);
      const body = Buffer.concat(parts).toString();
      const passing: PassingAnswer = {
        path: path.split('?', 1)[0] ?? path,
        status: answer.statusCode ?? 0,
        headers: {},
        body,
      };
      await provider.rewrite?.(passing);
      const {
        'content-length': _length,
        'transfer-encoding': _coding,
        ...headers
      } = answer.headers;
      outgoing.writeHead(passing.status, { ...headers, ...passing.headers });
      outgoing.end(passing.body);
    }
  });
  await listen(proxy);
  const { port } = proxy.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const child = fork(new URL('oidc-provider-process.ts', import.meta.url), [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ask = askChild(child);
  upstream = Number(await ask({ do: 'start', issuer, clientId, clientSecret }));

  async function follow(url: string, jar: Map<string, string>): Promise<string> {
    let at = url;
    for (let step = 0; step < 20; step += 1) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';', 1);
        const mark = pair.indexOf('=');
        jar.set(pair.slice(0, mark), pair.slice(mark + 1));
      }
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
      at = new URL(location, at).href;
      if (!at.startsWith(issuer)) return at;
    }
    throw new Error('The provider led nowhere.');
  }

  return Object.assign(provider, {
    id,
    issuer,
    clientId,
    clientSecret,
    seen,
    register: async (origin: string) => void (await ask({ do: 'register', origin, provider: id })),
    become: async (person: ProviderPerson) => void (await ask({ do: 'become', person })),
    rotate: async () => void (await ask({ do: 'rotate' })),
    sign: (claims: Record<string, unknown>, options = {}) => ask({ do: 'sign', claims, options }),
    approve: (url: string, jar = new Map<string, string>()) => follow(url, jar),
    entry: (more = {}) => ({
      id,
      name: `Provider ${id}`,
      issuer,
      clientId,
      clientSecretFile: secretFile,
      ...more,
    }),
    async close() {
      child.kill('SIGKILL');
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      rmSync(folder, { recursive: true });
    },
  });
}

const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

function askChild(child: ChildProcess): (message: Record<string, unknown>) => Promise<string> {
  let last = 0;
  const waiting = new Map<number, (value: string) => void>();
  child.on('message', ({ id, value = '' }: Answer) => {
    waiting.get(id)?.(value);
    waiting.delete(id);
  });
  return (message) =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      child.send({ ...message, id: last });
    });
}

/** Writes the file of providers; returns the settings of a server that uses it. */
export function providerSettings(entries: readonly Record<string, unknown>[]): {
  readonly settings: Record<string, string>;
  remove(): void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-oidc-file-'));
  const file = join(folder, 'providers.json');
  writeFileSync(file, JSON.stringify(entries));
  return {
    settings: { OIDC_PROVIDERS_FILE: file, OIDC_ALLOW_HTTP: 'true' },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

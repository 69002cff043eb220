// Every operation of both contracts has a method, which sends what the contract says; and there is no other method.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Chat } from './chat/client.ts';
import { CHAT_ROUTES } from './chat/methods.generated.ts';
import { startScripted, succeed } from './test-server.ts';
import { Trading, type OperationName } from './trading/client.ts';
import { nameOf } from './trading/names.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
}

function operationsOf(contract: string): Operation[] {
  const file = fileURLToPath(new URL(`../../../contracts/${contract}`, import.meta.url));
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, { operationId }]) => ({
      method: verb.toUpperCase(),
      path,
      operationId,
    })),
  );
}

it('the trading client has one method for each operation', async () => {
  const server = await startScripted(() => succeed({}));
  const trading = new Trading({ url: server.url, key: 'k', secret: 's' });
  const operations = operationsOf('trading.openapi.json');
  expect(operations.length).toBeGreaterThan(60);
  const wanted = new Set<string>();
  for (const { method, path } of operations) {
    const [group, name] = nameOf(path);
    wanted.add(`${group}.${name}`);
    const methods = trading[group as 'order'] as unknown as
      Record<string, () => Promise<unknown>> | undefined;
    await methods?.[name]?.();
    const sent = server.received.at(-1);
    expect(`${sent?.method} ${sent?.path}`).toBe(`${method} /v1${path}`);
    expect(sent?.headers['x-svc-signature'] !== undefined, path).toBe(!path.startsWith('/public/'));
    // What a POST signs stands in its body, what others sign in the query string.
    expect(sent?.body !== '', path).toBe(method === 'POST');
  }
  const groups = Object.entries(trading).filter(([, value]) => isGroup(value));
  const offered = groups.flatMap(([group, methods]) =>
    Object.keys(methods as object).map((name) => `${group}.${name}`),
  );
  expect(new Set(offered)).toEqual(wanted);
});

const isGroup = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some((member) => typeof member === 'function');

it('the chat client has one method for each operation', async () => {
  const server = await startScripted(() => ({ body: { result: 'success', msg: '' } }));
  const chat = new Chat({ url: server.url, email: 'ada@rialto.example', apiKey: 'key' });
  const operations = operationsOf('chat.openapi.json');
  expect(operations.length).toBeGreaterThan(150);
  for (const { method, path, operationId } of operations) {
    const name = operationId.replaceAll(/-(\w)/g, (_mark, letter: string) => letter.toUpperCase());
    const params = Object.fromEntries(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => [key, 'a b/é']),
    );
    const call = (chat as unknown as Record<string, (given: unknown) => Promise<unknown>>)[name];
    await call?.call(chat, params);
    const sent = server.received.at(-1);
    const plain = path.replaceAll(/\{(\w+)\}/g, (_mark, key: string) =>
      key === 'filename' || key === 'fragment' ? 'a%20b/%C3%A9' : 'a%20b%2F%C3%A9',
    );
    expect(`${sent?.method} ${sent?.path}`).toBe(`${method} /api/v1${plain}`);
    expect(sent?.headers.authorization).toBe(`Basic ${btoa('ada@rialto.example:key')}`);
  }
  expect(Object.keys(CHAT_ROUTES)).toHaveLength(operations.length);
});

it('what the clients offer beside operations hides none of them', async () => {
  expect(Object.keys(CHAT_ROUTES)).not.toContain('events');
  expect(Object.keys(CHAT_ROUTES)).not.toContain('listen');
  const name: OperationName = 'order.create';
  const trading = new Trading({ url: 'https://a.example' });
  await expect(trading.call(`${name}d` as typeof name)).rejects.toThrow('no operation');
});

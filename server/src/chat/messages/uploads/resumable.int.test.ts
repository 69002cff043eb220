// Resumable uploads over HTTP, with plain requests and with the protocol's own client.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSession } from '../../../accounts/sessions/actions.ts';
import { cookieNames, isHttps } from '../../../accounts/sessions/cookies.ts';
import { clusterSettings } from '../../../testing/context.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import {
  ok,
  openMessageWorld,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import { removeUnfinished } from './upkeep.ts';

let world: MessageWorld;
let second: TestServer;
beforeAll(async () => {
  const settings = {
    ...clusterSettings(),
    MAX_FILE_UPLOAD_SIZE_MIB: '2',
    USER_UPLOAD_QUOTA_MIB: '5',
  };
  world = await openMessageWorld({ settings });
  second = await startTestServer({
    databaseUrl: world.server.databaseUrl,
    withRelay: false,
    settings: { ...settings, UPLOADS_DIR: world.server.ctx.config.UPLOADS_DIR },
  });
});
afterAll(async () => {
  await second.close();
  await world.close();
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

interface Asked {
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
  readonly server?: TestServer;
}

async function tus(by: Actor | undefined, method: string, path: string, asked: Asked = {}) {
  const { origin } = asked.server ?? world.server;
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: {
      'tus-resumable': '1.0.0',
      ...(by !== undefined && { authorization: by.basic }),
      ...asked.headers,
    },
    ...(asked.body !== undefined && { body: new Uint8Array(asked.body) }),
  });
  const text = await answer.text();
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status: answer.status, headers: answer.headers, body };
}

const begin = (by: Actor, length: number, name = 'a.bin', path = '/api/v1/tus') =>
  tus(by, 'POST', path, {
    headers: { 'upload-length': String(length), 'upload-metadata': `filename ${base64(name)}` },
  });
const begun = async (by: Actor, length: number, name?: string) => {
  const { status, headers } = await begin(by, length, name);
  expect(status).toBe(201);
  return headers.get('location') ?? '';
};
const patch = (by: Actor, path: string, offset: number, body: Buffer, server?: TestServer) =>
  tus(by, 'PATCH', path, {
    headers: {
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
    body,
    ...(server !== undefined && { server }),
  });
const offsetOf = async (by: Actor, path: string, server?: TestServer) =>
  (await tus(by, 'HEAD', path, server === undefined ? {} : { server })).headers.get(
    'upload-offset',
  );

const download = async (by: Actor, url: unknown) => {
  const headers = { authorization: by.basic };
  const answer = await fetch(`${world.server.origin}${String(url)}`, { headers });
  return Buffer.from(await answer.arrayBuffer());
};

it('[M193] a file arrives in pieces, at any process, and the last answer has its address', async () => {
  const { ada, bob } = world;
  const bytes = randomBytes(300_000);
  const path = await begun(ada, bytes.length, 'گزارش Q3.bin');
  expect(path).toMatch(/^\/api\/v1\/tus\/[0-9a-f]{32}$/);
  const first = await patch(ada, path, 0, bytes.subarray(0, 100_000));
  expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '100000']);
  expect(await offsetOf(ada, path, second)).toBe('100000');
  const rest = bytes.subarray(100_000);
  const last = await patch(ada, path, 100_000, rest, second);
  expect(last.status).toBe(200);
  expect(last.headers.get('content-type')).toContain('application/json');
  expect(last.body).toEqual({
    url: expect.stringMatching(/^\/user_uploads\/1\/[0-9a-f]{2}\/[A-Za-z0-9]{24}\/Q3\.bin$/),
    filename: 'گزارش Q3.bin',
  });
  expect((await download(ada, last.body['url'])).equals(bytes)).toBe(true);
  // A client that missed the answer asks again.
  expect(await offsetOf(ada, path)).toBe('300000');
  expect((await patch(ada, path, 300_000, Buffer.alloc(0))).body).toEqual(last.body);
  expect((await patch(ada, path, 5, Buffer.alloc(1))).status).toBe(409);
  // A finished upload cannot be cancelled.
  expect((await tus(ada, 'DELETE', path)).status).toBe(404);
  expect((await download(ada, last.body['url'])).length).toBe(300_000);
  expect((await download(bob, last.body['url'])).toString()).toContain('not authorized');
  const { attachments } = ok(await ada.client.get('/attachments'));
  expect(attachments).toContainEqual(
    expect.objectContaining({ name: 'گزارش Q3.bin', size: 300_000 }),
  );
});

it('[M200] the server accepts a key in the Authorization header or a session, and nothing else', async () => {
  const { ada, server } = world;
  for (const by of [{ basic: 'Basic !' }, { basic: `Basic ${base64('a@b:c')}` }] as Actor[]) {
    const { status, body } = await begin(by, 5);
    expect([status, body['message']]).toEqual([401, 'Unauthenticated upload']);
  }
  const nobody = await tus(undefined, 'POST', '/api/v1/tus', { headers: { 'upload-length': '5' } });
  expect(nobody.status).toBe(401);
  expect(nobody.body).toMatchObject({
    result: 'error',
    code: 'UNAUTHORIZED',
    msg: 'Unauthenticated upload',
    message: 'Unauthenticated upload',
  });
  const cookie = await signIn(server, ada);
  const headers = { cookie, 'upload-length': '5' };
  const bySession = await tus(undefined, 'POST', '/api/v1/tus', { headers });
  expect(bySession.status).toBe(201);
  // The protocol's header, which other sites cannot send, is required with a cookie.
  const forged = await fetch(`${server.origin}/api/v1/tus`, { method: 'POST', headers });
  expect(forged.status).toBe(401);
  const stale = await tus(undefined, 'POST', '/api/v1/tus', {
    headers: { ...headers, cookie: cookie.replace(/=./, '=x') },
  });
  expect(stale.status).toBe(401);
});

async function signIn({ ctx }: TestServer, user: Actor): Promise<string> {
  const visitor = { address: '127.0.0.1', agent: 'test' };
  const { token } = await openSession(ctx, user, visitor, { methods: ['password'], isFresh: true });
  return `${cookieNames(isHttps(ctx.config)).session}=${token}`;
}

it('the server lists its extensions, with and without a slash at the end', async () => {
  const { ada } = world;
  for (const path of ['/api/v1/tus', '/api/v1/tus/']) {
    const { status, headers } = await tus(undefined, 'OPTIONS', path);
    expect(status).toBe(204);
    expect(headers.get('tus-version')).toBe('1.0.0');
    expect(headers.get('tus-extension')?.split(',')).toEqual(
      expect.arrayContaining(['creation', 'creation-with-upload', 'termination', 'expiration']),
    );
    expect(headers.get('tus-extension')).not.toContain('defer');
    expect(headers.get('tus-max-size')).toBe(String(2 * 1024 * 1024));
    expect(headers.get('access-control-allow-origin')).toBeNull();
    const answer = await begin(ada, 4, 'x', path);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('upload-expires')).toBeTruthy();
    const location = `${answer.headers.get('location')}/`;
    expect((await patch(ada, location, 0, Buffer.from('four'))).status).toBe(200);
  }
});

it('[M193] the server keeps to version 1.0.0 of the protocol', async () => {
  const { ada, bob } = world;
  const metadata = `filename ${base64('notes.txt')},private`;
  const { headers } = await tus(ada, 'POST', '/api/v1/tus', {
    headers: { 'upload-length': '8', 'upload-metadata': metadata },
  });
  const path = headers.get('location') ?? '';
  const piece = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  const instead = (method: string, more: Record<string, string> = {}) => ({
    ...more,
    'x-http-method-override': method,
  });
  // Another version is refused with the version that is supported.
  for (const version of ['0.2.2', '1.0.1', '']) {
    const sent = { headers: { ...piece, 'tus-resumable': version }, body: Buffer.from('half') };
    const { status, headers: answered, body } = await tus(ada, 'PATCH', path, sent);
    expect([status, answered.get('tus-version')]).toEqual([412, '1.0.0']);
    expect(body['message']).toContain('1.0.0');
  }
  const plain = await fetch(`${world.server.origin}${path}`, {
    method: 'HEAD',
    headers: { authorization: ada.basic },
  });
  expect([plain.status, plain.headers.get('tus-version')]).toEqual([412, '1.0.0']);
  for (const type of ['application/octet-stream', 'text/plain']) {
    const sent = { headers: { ...piece, 'content-type': type }, body: Buffer.from('half') };
    expect((await tus(ada, 'PATCH', path, sent)).status).toBe(415);
  }
  expect(await offsetOf(ada, path)).toBe('0');
  // The X-HTTP-Method-Override header, for clients that cannot send every method. It gives no extra access.
  const half = { headers: instead('PATCH', piece), body: Buffer.from('half') };
  expect((await tus(bob, 'POST', path, half)).status).toBe(404);
  expect((await tus(undefined, 'POST', path, half)).status).toBe(401);
  expect((await tus(ada, 'POST', path, half)).status).toBe(204);
  const asked = await tus(ada, 'POST', path, { headers: instead('HEAD') });
  expect([asked.status, asked.headers.get('upload-offset')]).toEqual([200, '4']);
  for (const method of ['GET', 'PUT', 'TRACE', 'patch']) {
    expect((await tus(ada, 'POST', path, { headers: instead(method) })).status).toBe(405);
  }
  // Metadata from the beginning is returned at the end too.
  const pairs = (text: string | null) => text?.split(',').sort();
  const said = async () => pairs((await tus(ada, 'HEAD', path)).headers.get('upload-metadata'));
  expect(await said()).toEqual(pairs(metadata));
  expect((await patch(ada, path, 4, Buffer.from('half'))).body['filename']).toBe('notes.txt');
  expect(await said()).toEqual(pairs(metadata));
  const other = await begun(ada, 4);
  expect((await tus(ada, 'HEAD', other, { headers: instead('DELETE') })).status).toBe(204);
  expect((await tus(ada, 'HEAD', other)).status).toBe(404);
  const nul = { 'upload-length': '4', 'upload-metadata': `filename ${base64('a\0b')}` };
  expect((await tus(ada, 'POST', '/api/v1/tus', { headers: nul })).status).toBe(400);
});

it('the first request may carry the whole file, and an empty file is accepted', async () => {
  const { ada } = world;
  const all = await tus(ada, 'POST', '/api/v1/tus', {
    headers: { 'upload-length': '5', 'content-type': 'application/offset+octet-stream' },
    body: Buffer.from('hello'),
  });
  expect([all.status, all.body['filename']]).toEqual([201, 'uploaded-file']);
  expect((await download(ada, all.body['url'])).toString()).toBe('hello');
  const empty = await begin(ada, 0, 'empty.txt');
  expect(empty.body['filename']).toBe('empty.txt');
  expect((await download(ada, empty.body['url'])).length).toBe(0);
});

it('the server refuses a file that is too large, has no length, or does not fit, with 413 or 411 in JSON', async () => {
  const { server } = world;
  const person = await world.person();
  const MEBIBYTE = 1024 * 1024;
  const large = await begin(person, 2 * MEBIBYTE + 1);
  expect(large.status).toBe(413);
  expect(large.body['message']).toContain('maximum upload size (2 MiB)');
  expect(large.body['msg']).toBe(large.body['message']);
  const deferred = await tus(person, 'POST', '/api/v1/tus', {
    headers: { 'upload-defer-length': '1' },
  });
  expect([deferred.status, deferred.body['message']]).toEqual([
    411,
    'SizeIsDeferred is not supported',
  ]);
  expect((await tus(person, 'POST', '/api/v1/tus')).status).toBe(400);
  for (const length of ['-1', '1e9', 'x', '99999999999999999999']) {
    const { status } = await tus(person, 'POST', '/api/v1/tus', {
      headers: { 'upload-length': length },
    });
    expect([400, 413]).toContain(status);
  }
  // Space is reserved at the beginning: two unfinished uploads leave no room for a third.
  const paths = [await begun(person, 2 * MEBIBYTE), await begun(person, 2 * MEBIBYTE)];
  const full = await begin(person, 2 * MEBIBYTE);
  expect([full.status, full.body['code']]).toEqual([413, 'REALM_UPLOAD_QUOTA']);
  expect((await tus(person, 'DELETE', paths[0] ?? '')).status).toBe(204);
  expect((await tus(person, 'HEAD', paths[0] ?? '')).status).toBe(404);
  const third = await begun(person, 2 * MEBIBYTE);
  const over = await patch(person, third, 0, Buffer.alloc(2 * MEBIBYTE + 10));
  expect(over.status).toBe(413);
  const rows = await server.ctx.db
    .selectFrom('uploadsUnderWay')
    .select('storageKey')
    .where('ownerId', '=', person.id)
    .execute();
  expect(rows).toHaveLength(2);
});

it('an upload is visible to its owner only, and a wrong offset is refused', async () => {
  const { ada, bob } = world;
  const path = await begun(ada, 100);
  expect((await patch(ada, path, 0, Buffer.alloc(40, 1))).status).toBe(204);
  for (const answer of [
    await tus(bob, 'HEAD', path),
    await patch(bob, path, 40, Buffer.alloc(60)),
    await tus(bob, 'DELETE', path),
    await tus(ada, 'HEAD', `/api/v1/tus/${'0'.repeat(32)}`),
    await tus(ada, 'HEAD', '/api/v1/tus/..%2f..%2fetc%2fpasswd'),
  ]) {
    expect(answer.status).toBe(404);
  }
  for (const offset of [0, 39, 41, 100]) {
    expect((await patch(ada, path, offset, Buffer.alloc(10))).status).toBe(409);
  }
  expect((await patch(ada, path, 40, Buffer.alloc(61))).status).toBe(413);
  expect(await offsetOf(ada, path)).toBe('40');
  // An upload cannot be read here.
  expect((await tus(ada, 'GET', path)).status).toBe(405);
  const done = await patch(ada, path, 40, Buffer.alloc(60, 2));
  const expected = Buffer.concat([Buffer.alloc(40, 1), Buffer.alloc(60, 2)]);
  expect((await download(ada, done.body['url'])).equals(expected)).toBe(true);
});

it('two writers at once, in two processes: one writes, and the bytes are intact', async () => {
  const { ada, server } = world;
  for (let round = 0; round < 5; round += 1) {
    const bytes = randomBytes(200_000);
    const path = await begun(ada, bytes.length);
    const answers = await Promise.all(
      [server, second, server, second].map((one) => patch(ada, path, 0, bytes, one)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    for (const status of statuses) expect([200, 409, 423]).toContain(status);
    const url = answers.find(({ status }) => status === 200)?.body['url'];
    expect((await download(ada, url)).equals(bytes)).toBe(true);
    // Space is limited, so the files of the test are deleted.
    const { attachments } = ok(await ada.client.get('/attachments')) as {
      attachments: { id: number }[];
    };
    ok(await ada.client.delete(`/attachments/${attachments.at(-1)?.id}`));
  }
});

it('a request that hangs gives way to the next, and its bytes are kept', async () => {
  const { ada } = world;
  const path = await begun(ada, 1000);
  const stuck = new AbortController();
  const slow = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(300).fill(7)),
  });
  const hanging = fetch(`${world.server.origin}${path}`, {
    method: 'PATCH',
    headers: {
      authorization: ada.basic,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: slow,
    duplex: 'half',
    signal: stuck.signal,
  } as RequestInit).catch(() => undefined);
  await expect.poll(() => lockedRows()).toBe(1);
  const startedMs = performance.now();
  // Asked at the other process, which can only leave its request in the row.
  expect(await offsetOf(ada, path, second)).toBe('300');
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  const done = await patch(ada, path, 300, Buffer.alloc(700, 8), second);
  expect(done.status).toBe(200);
  stuck.abort();
  await hanging;
});

async function lockedRows(): Promise<number> {
  const rows = await world.server.ctx.db
    .selectFrom('uploadsUnderWay')
    .select('storageKey')
    .where('lockHolder', 'is not', null)
    .execute();
  return rows.length;
}

it('an abandoned upload is removed after a day, with its bytes and its space', async () => {
  const person = await world.person();
  const { ctx } = world.server;
  const old = await begun(person, 1000);
  await patch(person, old, 0, Buffer.alloc(10));
  const fresh = await begun(person, 1000);
  const keyOf = (path: string) => `${path.slice(-32, -30)}/${path.slice(-32)}`;
  await ctx.db
    .updateTable('uploadsUnderWay')
    .set({ createdAt: new Date(Date.now() - 25 * 3_600_000) })
    .where('storageKey', '=', keyOf(old))
    .execute();
  expect(await ctx.files.size(keyOf(old))).toBe(10);
  expect(await removeUnfinished(ctx)).toBe(1);
  expect(await ctx.files.size(keyOf(old))).toBeUndefined();
  expect((await tus(person, 'HEAD', old)).status).toBe(404);
  expect((await tus(person, 'HEAD', fresh)).status).toBe(200);
  expect(await removeUnfinished(ctx)).toBe(0);
});

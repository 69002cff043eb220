// Files over HTTP: uploaded, served, refused.
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import type { Answer } from '../../../testing/chat/client.ts';
import {
  fetchIds,
  ok,
  useMessageWorld,
  refused,
  send,
  sendDirect,
  unsubscribe,
  type Actor,
} from '../../../testing/chat/world.ts';
import { applyAttachmentEventInTests } from './state.ts';
import type { Attachment, AttachmentEvent } from './events.ts';

const world = useMessageWorld({
  settings: { MAX_FILE_UPLOAD_SIZE_MIB: '2', USER_UPLOAD_QUOTA_MIB: '9' },
});

interface Given {
  readonly name?: string;
  readonly type?: string;
  readonly part?: string;
}

function upload(by: Actor, bytes: string | Buffer, given: Given = {}): Promise<Answer> {
  const { name = 'notes.txt', type = 'text/plain', part = 'file' } = given;
  const body = new FormData();
  body.set(part, new Blob([Buffer.from(bytes)], { type }), name);
  return by.client.raw('/user_uploads', { method: 'POST', body });
}

const uploadPath = async (by: Actor, bytes: string | Buffer = 'words', given: Given = {}) =>
  String(ok(await upload(by, bytes, given))['url']);

const download = (url: string, by?: Actor, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${world.server.origin}${url}`, {
    method,
    headers: { ...(by !== undefined && { authorization: by.basic }), ...headers },
  });
const statusOf = async (url: string, by?: Actor) => (await download(url, by)).status;

const listFiles = async ({ client }: Actor) =>
  ok(await client.get('/attachments'))['attachments'] as Attachment[];

describe('POST /user_uploads', () => {
  it('[M192] takes exactly one file, by any part name; at first only the uploader may access it', async () => {
    const { ada, bob } = world;
    const body = ok(await upload(ada, 'hello', { name: 'a [b].txt', part: 'a [b].txt' }));
    const url = String(body['url']);
    expect(url).toMatch(/^\/user_uploads\/1\/[0-9a-f]{2}\/[A-Za-z0-9]{24}\/a-b\.txt$/);
    expect(body).toMatchObject({ uri: url, filename: 'a [b].txt' });
    const own = await download(url, ada);
    expect([own.status, await own.text()]).toEqual([200, 'hello']);
    expect(await statusOf(url, bob)).toBe(403);
    expect(await statusOf(url)).toBe(403);
    // Others gain access through messages that contain the link.
    await sendDirect(ada, [bob], `[a b.txt](${url})`);
    expect(await statusOf(url, bob)).toBe(200);
    expect(await statusOf(url, world.stranger)).toBe(403);

    const two = new FormData();
    for (const name of ['a', 'b']) two.set(name, new Blob(['x']), `${name}.txt`);
    const several = await ada.client.raw('/user_uploads', { method: 'POST', body: two });
    expect(refused(several).msg).toBe('You may only upload one file at a time');
    const none = new FormData();
    none.set('note', 'x');
    for (const form of [none, new URLSearchParams('a=1')]) {
      const answer = await ada.client.raw('/user_uploads', { method: 'POST', body: form });
      expect(refused(answer).msg).toBe('You must specify a file to upload');
    }
  });

  it('[M234] answers with url, and with the deprecated uri', async () => {
    const { url, uri } = ok(await upload(world.ada, 'x'));
    expect(typeof url).toBe('string');
    expect(uri).toBe(url);
  });

  it('[M227] refuses a file larger than max_file_upload_size_mib, and leaves nothing of it', async () => {
    const { ada } = world;
    const state = ok(await ada.client.post('/register', { fetch_event_types: ['realm'] }));
    expect(state['max_file_upload_size_mib']).toBe(2);
    expect(state['realm_upload_quota_mib']).toBeNull();
    const before = await everyFile();
    const MEBIBYTE = 1024 * 1024;
    // A little too large is noticed while reading, far too large before that.
    for (const bytes of [2 * MEBIBYTE + 1, 20 * MEBIBYTE]) {
      expect(refused(await upload(ada, Buffer.alloc(bytes)))).toMatchObject({
        code: 'BAD_REQUEST',
        msg: "File is larger than this server's configured maximum upload size (2 MiB).",
      });
    }
    expect(await everyFile()).toEqual(before);
    const exact = await uploadPath(ada, Buffer.alloc(2 * MEBIBYTE, 7));
    const bytes = Buffer.from(await (await download(exact, ada)).arrayBuffer());
    expect(bytes.equals(Buffer.alloc(2 * MEBIBYTE, 7))).toBe(true);
  });

  it('gives nobody more space than the limit, for any number of parallel uploads', async () => {
    const person = await world.person();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => upload(person, Buffer.alloc(2 * 1024 * 1024))),
    );
    const codes = answers.map(({ status, body }) => (status === 200 ? 'taken' : body['code']));
    expect(codes.filter((code) => code === 'taken').length).toBeLessThanOrEqual(4);
    expect(codes.filter((code) => code === 'taken').length).toBeGreaterThanOrEqual(3);
    expect(codes.filter((code) => code === 'REALM_UPLOAD_QUOTA').length).toBeGreaterThanOrEqual(2);
    const { ctx } = world.server;
    const left = await ctx.db
      .selectFrom('uploadsUnderWay')
      .selectAll()
      .where('ownerId', '=', person.id)
      .execute();
    expect(left).toEqual([]);
    // Deleting a file makes room.
    const [first] = await listFiles(person);
    ok(await person.client.delete(`/attachments/${first?.id}`));
    ok(await upload(person, 'small'));
  });

  it('keeps the name for people, and a simple form of it in the address, in any script', async () => {
    const { ada } = world;
    const name = 'گزارش نهایی (نسخه‌ی ۲).txt';
    const body = ok(await upload(ada, 'سلام', { name }));
    expect(body['filename']).toBe(name);
    expect(String(body['url'])).toMatch(/\/گزارش-نهایی-نسخهی-۲\.txt$/);
    const answer = await download(encodeURI(String(body['url'])), ada);
    expect(await answer.text()).toBe('سلام');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const disposition = answer.headers.get('content-disposition') ?? '';
    expect(decodeURIComponent(/filename\*=UTF-8''(.+)$/.exec(disposition)?.[1] ?? '')).toBe(name);
    for (const [given, kept] of [
      ['../../etc/passwd', 'passwd'],
      ['C:\\temp\\x.txt', 'x.txt'],
      ['a\u202etxt.exe', 'atxt.exe'],
      ['..', 'uploaded-file'],
    ]) {
      expect(ok(await upload(ada, 'x', { name: given ?? '' }))['filename']).toBe(kept);
    }
    const long = ok(await upload(ada, 'x', { name: `${'ب'.repeat(300)}.txt` }));
    expect(await statusOf(encodeURI(String(long['url'])), ada)).toBe(200);
  });

  it('needs credentials before it reads anything', async () => {
    const body = new FormData();
    body.set('file', new Blob(['x']), 'x');
    const answer = await fetch(`${world.server.chatUrl}/user_uploads`, { method: 'POST', body });
    expect(answer.status).toBe(401);
  });

  it('reports unknown parameters', async () => {
    const body = new FormData();
    body.set('color', 'red');
    body.set('file', new Blob(['x']), 'x.txt');
    const answer = await world.ada.client.raw('/user_uploads?size=2', { method: 'POST', body });
    expect(ok(answer)['ignored_parameters_unsupported']).toEqual(['color', 'size']);
  });
});

/** All files in the folder, unfinished ones included. */
async function everyFile(): Promise<string[]> {
  const { ctx } = world.server;
  const files = await readdir(ctx.config.UPLOADS_DIR, { recursive: true, withFileTypes: true });
  const rows = await ctx.db.selectFrom('uploadsUnderWay').select('storageKey').execute();
  return [
    ...files.filter((file) => file.isFile()).map(({ name }) => name),
    ...rows.map(({ storageKey }) => storageKey),
  ].sort();
}

describe('a hostile body', () => {
  const BOUNDARY = 'xxBOUNDARYxx';
  const part = (headers: string, content = 'x') =>
    `--${BOUNDARY}\r\n${headers}\r\n\r\n${content}\r\n`;
  const FILE = 'Content-Disposition: form-data; name="file"; filename="x.txt"';
  const END = `--${BOUNDARY}--\r\n`;
  const post = (body: string, boundary = BOUNDARY) =>
    world.ada.client.raw('/user_uploads', {
      method: 'POST',
      body,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });

  it.each([
    [
      'with an empty field name',
      part('Content-Disposition: form-data; name=""; filename=""') + END,
    ],
    ['without an end', part(FILE, 'cut off')],
    ['cut inside a file', `--${BOUNDARY}\r\n${FILE}\r\n\r\nhalf of i`],
    ['cut inside a header', `--${BOUNDARY}\r\nContent-Dispo`],
    ['of 10,000 parts', part('Content-Disposition: form-data; name="a"').repeat(10_000) + END],
    ['with a header of 1 MB', part(`${FILE}\r\nX-Long: ${'y'.repeat(1_000_000)}`) + END],
    [
      'with a form inside a form',
      part(`${FILE}\r\nContent-Type: multipart/mixed; boundary=q`) + END,
    ],
    ['that is empty', ''],
    ['that is only its end', END],
    ['of 5,000 empty lines', '\r\n'.repeat(5000)],
  ])('%s gets an answer, and the server survives', async (_what, body) => {
    const before = await everyFile();
    const answer = await post(body);
    expect(answer.status).toBeLessThan(500);
    const isTaken = answer.status === 200;
    expect((await everyFile()).length).toBe(before.length + (isTaken ? 1 : 0));
    ok(await upload(world.ada, 'still here'));
  });

  it('with a boundary of 200 bytes gets one too', async () => {
    const boundary = 'b'.repeat(200);
    const answer = await post(`--${boundary}\r\n${FILE}\r\n\r\nx\r\n--${boundary}--\r\n`, boundary);
    expect(answer.status).toBeLessThan(500);
    expect((await post(part(FILE) + END, '')).status).toBeLessThan(500);
  });

  it('of a caller who goes away leaves nothing behind', async () => {
    const before = await everyFile();
    const { hostname, port } = new URL(world.server.origin);
    const client = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: '/api/v1/user_uploads',
      headers: {
        authorization: world.ada.basic,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': '1000000',
      },
    });
    client.on('error', () => {});
    client.write(`--${BOUNDARY}\r\n${FILE}\r\n\r\n${'z'.repeat(200_000)}`);
    await expect.poll(async () => (await everyFile()).length).toBeGreaterThan(before.length);
    client.destroy();
    await expect.poll(everyFile).toEqual(before);
  });
});

describe('GET /user_uploads/…', () => {
  it('serves ranges, HEAD, and 304 for an unchanged file', async () => {
    const { ada } = world;
    const url = await uploadPath(ada, '0123456789');
    const get = async (range: string) => {
      const answer = await download(url, ada, { range });
      return [answer.status, answer.headers.get('content-range'), await answer.text()];
    };
    expect(await get('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await get('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await get('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await get('bytes=10-')).toEqual([416, 'bytes */10', '']);
    expect(await get('bytes=0-1,3-4')).toEqual([200, null, '0123456789']);
    const head = await download(url, ada, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
    const etag = head.headers.get('etag') ?? '';
    expect((await download(url, ada, { 'if-none-match': etag })).status).toBe(304);
    // Access is checked first: nobody learns from a conditional request about a file of others.
    expect((await download(url, world.bob, { 'if-none-match': etag })).status).toBe(403);
    const stale = await download(url, ada, { range: 'bytes=0-1', 'if-range': '"other"' });
    expect([stale.status, await stale.text()]).toEqual([200, '0123456789']);
    const empty = await uploadPath(ada, '');
    expect(await (await download(empty, ada)).text()).toBe('');
  });

  it('accepts Basic credentials or a key in the address, and explains what is wrong with either', async () => {
    const { ada, stranger } = world;
    const url = await uploadPath(ada);
    expect(await statusOf(`${url}?api_key=${ada.chatKey}`)).toBe(200);
    expect(await statusOf(`${url}?api_key=${stranger.chatKey}`)).toBe(403);
    const wrong = await download(`${url}?api_key=${'x'.repeat(32)}`);
    expect([wrong.status, await wrong.json()]).toMatchObject([401, { code: 'INVALID_API_KEY' }]);
    const malformed = await download(`${url}?api_key=short`);
    expect([malformed.status, await malformed.json()]).toMatchObject([
      401,
      { code: 'INVALID_API_KEY', msg: 'Malformed API key' },
    ]);
    expect((await download(url, undefined, { authorization: 'Basic !' })).status).toBe(401);
  });

  it('answers a missing file, or a file of others, with a page, or with a picture where one is expected', async () => {
    const { ada, bob } = world;
    const url = await uploadPath(ada);
    const forbidden = await download(url, bob);
    expect([forbidden.status, await forbidden.text()]).toEqual([
      403,
      '<p>You are not authorized to view this file.</p>\n',
    ]);
    const missing = await download(`${url}x`, bob);
    expect([missing.status, await missing.text()]).toEqual([
      404,
      '<p>This file does not exist or has been deleted.</p>\n',
    ]);
    const picture = await download(url, bob, { accept: 'image/avif,image/*,*/*;q=0.5' });
    expect([picture.status, picture.headers.get('content-type')]).toEqual([403, 'image/png']);
    // An anonymous caller does not learn whether the file exists.
    expect(await statusOf(`${url}x`)).toBe(403);
    expect(await statusOf('/user_uploads/2/ab/cd/x', ada)).toBe(404);
    expect(await statusOf('/user_uploads/1/..%2f..%2fetc/passwd', ada)).toBe(404);
  });

  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const HTML = '<!doctype html><script>alert(1)</script>';
  it.each([
    ['x.svg', 'image/svg+xml', SVG, 'attachment', 'application/octet-stream'],
    ['x.txt', 'text/plain', HTML, 'inline', 'text/plain; charset=utf-8'],
    ['x.html', 'text/html', HTML, 'attachment', 'application/octet-stream'],
    ['x.xml', 'text/xml', '<?xml version="1.0"?><a/>', 'attachment', 'application/octet-stream'],
    ['x.png', 'image/png', HTML, 'attachment', 'application/octet-stream'],
    ['x.pdf', 'application/pdf', '%PDF-1.7\n', 'attachment', 'application/pdf'],
    ['x.html', 'text/html', 'GIF89a/*\u0001\u0000\u0001\u0000*/=1;alert(1)', 'inline', 'image/gif'],
    ['x.txt', 'text/plain', 'a\u0000b', 'attachment', 'application/octet-stream'],
  ])(
    '%s, uploaded as %s, is served so that browsers run nothing',
    async (name, type, bytes, how, kind) => {
      const { ada } = world;
      const url = await uploadPath(ada, bytes, { name, type });
      for (const path of [url, `/user_uploads/download/${url.slice('/user_uploads/'.length)}`]) {
        const { headers } = await download(path, ada);
        expect(headers.get('content-type')).toBe(kind);
        const expected = path === url ? how : 'attachment';
        expect(headers.get('content-disposition')).toMatch(new RegExp(`^${expected}; `));
        expect(headers.get('content-security-policy')).toContain("sandbox; default-src 'none'");
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('cache-control')).toBe('private, no-cache');
      }
    },
  );
});

describe('a temporary address', () => {
  const ask = async (url: string, { client }: Actor) => client.get(url);

  it('works without credentials, while the right lasts and for at most a minute', async () => {
    const { ada, bob, server } = world;
    const url = await uploadPath(ada, 'for a minute', { name: 'نام.txt' });
    const told = String(ok(await ask(encodeURI(url), ada))['url']);
    expect(told).toMatch(/^\/user_uploads\/temporary\/[\w-]+\/%D9%86/);
    expect(await (await download(told)).text()).toBe('for a minute');
    expect((await ask(encodeURI(url), bob)).status).toBe(404);
    const refusedFor = async (address: string) => {
      const answer = await download(address);
      return [answer.status, ((await answer.json()) as { msg: string }).msg];
    };
    expect(await refusedFor(told.replace(/.(?=\/[^/]+$)/, '!'))).toEqual([400, 'Invalid token']);
    expect(await refusedFor(told.replace(/[^/]+$/, 'other.txt'))).toEqual([400, 'Invalid token']);
    // The right is checked again.
    const messageId = await sendDirect(ada, [bob], `[x](${url})`);
    const bobs = String(ok(await ask(encodeURI(url), bob))['url']);
    expect(await statusOf(bobs)).toBe(200);
    ok(await ada.client.delete(`/messages/${messageId}`));
    expect(await refusedFor(bobs)).toEqual([400, 'Invalid token']);
    const { makeToken, parseToken } = await import('./token.ts');
    const content = { attachmentId: 7, userId: 9 };
    const token = makeToken(server.ctx.secrets, content, 1_000_000);
    expect(parseToken(server.ctx.secrets, token, 1_000_000 + 59_000)).toEqual(content);
    expect(parseToken(server.ctx.secrets, token, 1_000_000 + 61_000)).toBeUndefined();
  });
});

describe('access to a file', () => {
  it('follows the messages that contain it: channel, direct, edited, moved, deleted, left', async () => {
    const { ada, bob, guest, stranger, owner, publicId, privateId } = world;
    const url = await uploadPath(ada);
    const readers = async () => {
      const may: string[] = [];
      for (const [name, actor] of Object.entries({ ada, bob, guest, stranger, owner })) {
        if ((await statusOf(url, actor)) === 200) may.push(name);
      }
      return may;
    };
    expect(await readers()).toEqual(['ada']);
    const id = await send(ada, privateId, 'files', `see [it](${url})`);
    expect(await readers()).toEqual(['ada', 'bob']);
    // A public channel is open to members who are not subscribed, and to guests who are.
    const shown = await send(ada, publicId, 'files', `all: [it](${url})`);
    expect(await readers()).toEqual(['ada', 'bob', 'guest', 'stranger', 'owner']);
    ok(await ada.client.patch(`/messages/${shown}`, { content: 'not any more' }));
    expect(await readers()).toEqual(['ada', 'bob']);
    ok(await ada.client.patch(`/messages/${shown}`, { content: `again [it](${url})` }));
    expect(await readers()).toHaveLength(5);
    ok(await ada.client.delete(`/messages/${shown}`));
    expect(await readers()).toEqual(['ada', 'bob']);
    await unsubscribe(bob, 'secret');
    expect(await readers()).toEqual(['ada']);
    ok(
      await ada.client.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'secret' }],
        principals: [bob.id],
      }),
    );
    expect(await readers()).toEqual(['ada', 'bob']);
    // The file moves with its message.
    ok(await ada.client.patch(`/messages/${id}`, { stream_id: publicId }));
    expect(await readers()).toEqual(['ada', 'bob', 'guest', 'stranger', 'owner']);
  });

  it('does not follow from writing its address: a file of somebody else cannot be claimed', async () => {
    const { ada, bob, stranger, publicId } = world;
    const url = await uploadPath(ada, 'secret');
    await sendDirect(stranger, [stranger], `mine now: [it](${url})`);
    const stolen = await send(bob, publicId, 'theft', `[it](${url})`);
    ok(await bob.client.patch(`/messages/${stolen}`, { content: `![it](${url}) again` }));
    expect(await statusOf(url, bob)).toBe(403);
    expect(await statusOf(url, stranger)).toBe(403);
    expect(await fetchIds(ada, { operator: 'has', operand: 'attachment' })).not.toContain(stolen);
    expect(await listFiles(ada)).toContainEqual(
      expect.objectContaining({ path_id: url.slice('/user_uploads/'.length), message_ids: [] }),
    );
    // Somebody with access may pass the file on.
    await sendDirect(ada, [bob], `[it](${url})`);
    const passed = await send(bob, publicId, 'theft', `now I may: [it](${url})`);
    expect(await statusOf(url, stranger)).toBe(200);
    expect(await fetchIds(ada, { operator: 'has', operand: 'attachment' })).toContain(passed);
  });
});

describe('attachments', () => {
  it('events reach the owner, and nobody else', async () => {
    const { server, ada, bob, publicId } = world;
    let files = await listFiles(ada);
    const follow = async (act: () => Promise<unknown>) => {
      const [own, others] = await verifyEvents(server, [ada, bob], act);
      const events = (own ?? []).filter(({ type }) => type === 'attachment') as AttachmentEvent[];
      expect((others ?? []).filter(({ type }) => type === 'attachment')).toEqual([]);
      files = events.reduce(applyAttachmentEventInTests, files);
      expect(files).toEqual(await listFiles(ada));
      const used = ok(await ada.client.get('/attachments'))['upload_space_used'];
      for (const { upload_space_used } of events.slice(-1)) expect(upload_space_used).toBe(used);
      return events;
    };
    let url = '';
    const [added] = await follow(async () => {
      url = await uploadPath(ada, 'twelve bytes');
    });
    const fresh = files.at(-1);
    expect(added).toMatchObject({
      op: 'add',
      attachment: { name: 'notes.txt', size: 12, messages: [], message_ids: [] },
    });
    expect(Math.abs(Number(fresh?.create_time) - Date.now())).toBeLessThan(60_000);
    let id = 0;
    const [claimed] = await follow(async () => {
      id = await send(ada, publicId, 'events', `[it](${url})`);
    });
    expect(claimed).toMatchObject({
      op: 'update',
      attachment: { message_ids: [id], messages: [{ id, date_sent: expect.any(Number) }] },
    });
    // Files that an edit leaves in no message are listed for the editor.
    let detached: unknown;
    await follow(async () => {
      const body = ok(await ada.client.patch(`/messages/${id}`, { content: 'none' }));
      detached = body['detached_uploads'];
    });
    expect(detached).toEqual([files.at(-1)]);
    await follow(() => ada.client.patch(`/messages/${id}`, { content: `[it](${url})` }));
    await follow(() => ada.client.delete(`/messages/${id}`));
    expect(files.at(-1)).toMatchObject({ message_ids: [] });
    const gone = files.at(-1)?.id;
    expect(refused(await bob.client.delete(`/attachments/${gone}`)).msg).toBe('Invalid attachment');
    const [removed] = await follow(() => ada.client.delete(`/attachments/${gone}`));
    expect(removed).toMatchObject({ op: 'remove', attachment: { id: gone } });
    expect(await statusOf(url, ada)).toBe(404);
    expect(refused(await ada.client.delete(`/attachments/${gone}`)).msg).toBe('Invalid attachment');
  });

  it('has:attachment and has:image find the messages', async () => {
    const { ada, publicId } = world;
    const url = await uploadPath(ada);
    const id = await send(ada, publicId, 'has', `[it](${url})`);
    expect(await fetchIds(ada, { operator: 'has', operand: 'attachment' })).toContain(id);
    expect(await fetchIds(ada, { operator: 'has', operand: 'image' })).not.toContain(id);
  });
});

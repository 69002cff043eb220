// Tests one contract on both file stores, the folder and S3; and the server with its files in S3.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { chatClient } from '../../testing/chat/client.ts';
import { testEnvironment } from '../../testing/context.ts';
import { examplePerson } from '../../testing/example.ts';
import { canStartS3, startS3, type PrivateS3 } from '../../testing/s3.ts';
import { startTestServer } from '../../testing/server.ts';
import { createFiles } from './create.ts';
import { FileTooLarge, newFileKey, type Files } from './files.ts';

const hasS3 = canStartS3();
let s3: PrivateS3 | undefined;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rialto-files-'));
  if (hasS3) s3 = await startS3();
}, 120_000);
afterAll(async () => {
  await s3?.remove();
  await rm(folder, { recursive: true, force: true });
});

const filesOf = (settings: Record<string, string>): Promise<Files> =>
  createFiles(loadConfig(testEnvironment('postgres://unused/unused', settings)));

async function* chunks(bytes: Buffer, size = 65_536): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* failing(bytes: Buffer): AsyncGenerator<Buffer, void> {
  yield bytes;
  throw new Error('the caller has gone');
}

const MEBIBYTE = 1024 * 1024;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe.each([
  [
    'a folder',
    true,
    () => filesOf({ UPLOADS_DIR: folder }),
    async () => (await everything()).length,
  ],
  [
    'S3',
    hasS3,
    () => filesOf(s3?.settings ?? {}),
    async () => {
      const { Contents = [] } = (await s3?.client.listObjectsV2({ Bucket: s3.bucket })) ?? {};
      return Contents.length;
    },
  ],
])('%s', (_name, isThere, open, count) => {
  it.runIf(isThere)('keeps its files, whole or in parts, until they are removed', async () => {
    const files = await open();
    await files.prepare();
    // Larger than one part, and not a multiple of anything.
    for (const bytes of [Buffer.alloc(0), Buffer.from('x'), randomBytes(17 * MEBIBYTE + 3)]) {
      const key = newFileKey();
      expect(await files.put(key, chunks(bytes), 20 * MEBIBYTE)).toBe(bytes.length);
      expect(await files.size(key)).toBe(bytes.length);
      const stored = await files.read(key);
      expect(stored && sha256(await buffer(stored))).toBe(sha256(bytes));
      if (bytes.length > 10) {
        const part = await files.read(key, { start: 3, end: 9 });
        expect(part && (await buffer(part))).toEqual(bytes.subarray(3, 10));
      }
      await files.remove(key);
      await files.remove(key);
      expect(await files.read(key)).toBeUndefined();
      expect(await files.size(key)).toBeUndefined();
    }
    files.close();
  });

  it.runIf(isThere)('leaves nothing of a refused or interrupted file', async () => {
    const files = await open();
    const before = await count();
    for (const size of [1000, 9 * MEBIBYTE]) {
      const bytes = randomBytes(size);
      const key = newFileKey();
      await expect(files.put(key, chunks(bytes), size - 1)).rejects.toThrow(FileTooLarge);
      await expect(files.put(key, failing(bytes), 20 * MEBIBYTE)).rejects.toThrow('has gone');
      expect(await files.size(key)).toBeUndefined();
    }
    expect(await count()).toBe(before);
    expect(await files.sweep(new Date(Date.now() + 60_000))).toBe(0);
    files.close();
  });

  it.runIf(isThere)('does not allow paths outside the folder', async () => {
    const files = await open();
    for (const key of ['../x', '/etc/passwd', 'ab/../../x', `ab/cd${'0'.repeat(30)}`, '']) {
      await expect(files.read(key)).rejects.toThrow('no key of a file');
      await expect(files.remove(key)).rejects.toThrow('no key of a file');
    }
    files.close();
  });
});

const everything = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());

it('a folder that cannot be written to is reported at the start, with what to do', async () => {
  const files = await filesOf({ UPLOADS_DIR: '/dev/null/nowhere' });
  await expect(files.prepare()).rejects.toThrow(/UPLOADS_DIR.*S3_BUCKET/);
});

it.runIf(hasS3)('a missing bucket is reported at the start, with what to check', async () => {
  const files = await filesOf({ ...s3?.settings, S3_BUCKET: 'elsewhere' });
  await expect(files.prepare()).rejects.toThrow(/elsewhere.*S3_ENDPOINT/);
  files.close();
});

it.runIf(hasS3)(
  'the server stores files in S3 and serves them, in one request or resumed',
  async () => {
    const server = await startTestServer({ settings: { ...s3?.settings } });
    try {
      const person = await examplePerson(server.ctx);
      const authorization = person.basic;
      const fetchFile = async (url: unknown, headers: Record<string, string> = {}) =>
        fetch(`${server.origin}${String(url)}`, { headers: { authorization, ...headers } });
      const body = new FormData();
      body.set('x', new Blob(['in the bucket']), 'یادداشت.txt');
      const posted = await chatClient(server, person).raw('/user_uploads', {
        method: 'POST',
        body,
      });
      expect(posted.status).toBe(200);
      const url = encodeURI(String(posted.body['url']));
      expect(await (await fetchFile(url)).text()).toBe('in the bucket');
      expect(await (await fetchFile(url, { range: 'bytes=-6' })).text()).toBe('bucket');

      // Pieces that are smaller than an S3 part, one that is larger, and a rest.
      const bytes = randomBytes(12 * MEBIBYTE + 77);
      const tus = { authorization, 'tus-resumable': '1.0.0' };
      const begun = await fetch(`${server.chatUrl}/tus`, {
        method: 'POST',
        headers: { ...tus, 'upload-length': String(bytes.length) },
      });
      const path = `${server.origin}${begun.headers.get('location')}`;
      let last: Response | undefined;
      const cuts = [0, 100_000, 10 * MEBIBYTE, bytes.length];
      for (const [index, from] of cuts.slice(0, -1).entries()) {
        const head = await fetch(path, { method: 'HEAD', headers: tus });
        expect(head.headers.get('upload-offset')).toBe(String(from));
        last = await fetch(path, {
          method: 'PATCH',
          headers: {
            ...tus,
            'upload-offset': String(from),
            'content-type': 'application/offset+octet-stream',
          },
          body: new Uint8Array(bytes.subarray(from, cuts[index + 1])),
        });
        expect(last.ok).toBe(true);
      }
      const done = (await last?.json()) as { url: string };
      const stored = await (await fetchFile(done.url)).arrayBuffer();
      expect(sha256(Buffer.from(stored))).toBe(sha256(bytes));
      const again = await fetch(path, { method: 'HEAD', headers: tus });
      expect(again.headers.get('upload-offset')).toBe(String(bytes.length));
      const empty = await fetch(`${server.chatUrl}/tus`, {
        method: 'POST',
        headers: { ...tus, 'upload-length': '0' },
      });
      const nothing = (await empty.json()) as { url: string };
      expect((await (await fetchFile(nothing.url)).arrayBuffer()).byteLength).toBe(0);
      const cancelled = await fetch(`${server.chatUrl}/tus`, {
        method: 'POST',
        headers: { ...tus, 'upload-length': '9' },
      });
      const gone = `${server.origin}${cancelled.headers.get('location')}`;
      expect((await fetch(gone, { method: 'DELETE', headers: tus })).status).toBe(204);
      expect((await fetch(gone, { method: 'HEAD', headers: tus })).status).toBe(404);
      // Only three files are left in the bucket.
      const { Contents = [] } = (await s3?.client.listObjectsV2({ Bucket: s3.bucket })) ?? {};
      expect(Contents.map(({ Key }) => Key)).toEqual(
        Contents.map(() => expect.stringMatching(/^[0-9a-f]{2}\/[0-9a-f]{32}$/)),
      );
      expect(Contents).toHaveLength(3);
    } finally {
      await server.close();
    }
  },
  120_000,
);

// Pictures in messages: a placeholder at first, then the thumbnail, for people who may access the picture.
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startJobRunner, type JobRunner } from '../../../platform/jobs/runner.ts';
import { checkLoggedShapes, verifyEvents } from '../../../testing/verify-events.ts';
import {
  fetchAll,
  fetchIds,
  ok,
  openMessageWorld,
  send,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import { UPLOAD_JOBS } from './jobs.ts';
import { removeUnreferenced } from './upkeep.ts';

let world: MessageWorld;
let runner: JobRunner | undefined;
beforeAll(async () => {
  world = await openMessageWorld();
});
afterAll(async () => {
  await runner?.stop();
  await checkLoggedShapes(world.server);
  await world.close();
});

async function upload(by: Actor, bytes: Buffer, name: string): Promise<string> {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(bytes)]), name);
  return String(ok(await by.client.raw('/user_uploads', { method: 'POST', body }))['url']);
}

const fetchAs = (url: string, { basic }: Actor) =>
  fetch(`${world.server.origin}${url}`, { headers: { authorization: basic } });
const contentOf = async (id: number) =>
  (await fetchAll(world.ada)).find((message) => message.id === id)?.content ?? '';

it('a message shows a placeholder, and then the picture, to its readers', async () => {
  const { server, ada, bob, stranger, privateId } = world;
  const jpeg = await sharp({
    create: { width: 1680, height: 600, channels: 3, background: '#357' },
  })
    .jpeg()
    .toBuffer();
  const url = await upload(ada, jpeg, 'دریا.jpg');
  const id = await send(ada, privateId, 'pictures', `[sea](${url}) ![sea](${url})`);
  const waiting = await contentOf(id);
  expect(waiting).toContain('class="image-loading-placeholder"');
  expect(waiting).toContain('data-original-dimensions="1680x600"');
  expect((await fetchAs('/static/images/loading/loader-black.svg', ada)).status).toBe(200);
  const broken = await upload(ada, jpeg.subarray(0, 700), 'broken.jpg');
  const brokenId = await send(ada, privateId, 'pictures', `[broken](${broken})`);
  const [, seen] = await verifyEvents(server, [ada, bob], async () => {
    runner = startJobRunner(server.ctx, UPLOAD_JOBS, []);
    await expect.poll(() => contentOf(id), { timeout: 30_000 }).not.toContain('loader-black');
    await expect.poll(() => contentOf(brokenId), { timeout: 30_000 }).not.toContain('loader-black');
  });
  expect(seen).toContainEqual(
    expect.objectContaining({
      type: 'update_message',
      message_id: id,
      rendering_only: true,
      user_id: null,
      rendered_content: await contentOf(id),
    }),
  );
  const html = await contentOf(id);
  expect(html).not.toContain('image-loading-placeholder');
  expect(html).toContain('data-original-content-type="image/jpeg"');
  const source = /<img data-original[^>]* src="([^"]+)"/.exec(html)?.[1] ?? '';
  expect(source).toMatch(/^\/user_uploads\/thumbnail\/1\/.+\/840x560\.webp$/);
  const small = await fetchAs(source, bob);
  expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp']);
  const about = await sharp(Buffer.from(await small.arrayBuffer())).metadata();
  expect(about).toMatchObject({ width: 840, height: 300 });
  // Thumbnails need the same right as the picture.
  expect((await fetchAs(source, stranger)).status).toBe(403);
  expect((await fetchAs(source.replace('840x560', '840x560-anim'), bob)).status).toBe(404);
  expect(await fetchIds(bob, { operator: 'has', operand: 'image' })).toContain(id);
  // A file that cannot be decoded is treated as a plain file.
  expect(await contentOf(brokenId)).not.toContain('<img');
  // A later message shows the picture at once.
  const later = await send(ada, privateId, 'pictures', `[sea](${url})`);
  expect(await contentOf(later)).toContain('840x560.webp');
});

it('an animated picture has an animated thumbnail', async () => {
  const { ada, privateId } = world;
  const frames = await Promise.all(
    ['#f00', '#00f'].map((background) =>
      sharp({ create: { width: 50, height: 40, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const url = await upload(ada, gif, 'm.gif');
  const id = await send(ada, privateId, 'pictures', `[m](${url})`);
  await expect.poll(() => contentOf(id), { timeout: 30_000 }).toContain('840x560.webp');
  const moving = await fetchAs(
    `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560-anim.webp`,
    ada,
  );
  expect((await sharp(Buffer.from(await moving.arrayBuffer())).metadata()).pages).toBe(2);
});

it('files that have been in no message for weeks are removed with their bytes; others stay', async () => {
  const { ada, privateId, server } = world;
  const { ctx } = server;
  const [old, used, drafted, fresh] = await Promise.all(
    ['old', 'used', 'drafted', 'fresh'].map((name) =>
      upload(ada, Buffer.from(name), `${name}.txt`),
    ),
  );
  await send(ada, privateId, 'files', `[used](${used})`);
  const drafts = [{ type: '', to: [], topic: '', content: `[d](${drafted})`, timestamp: 1 }];
  ok(await ada.client.post('/drafts', { drafts }));
  await ctx.db
    .updateTable('attachments')
    .set({ unreferencedSince: new Date(Date.now() - 29 * 86_400_000) })
    .where('unreferencedSince', 'is not', null)
    .where('pathId', '!=', String(fresh).slice('/user_uploads/'.length))
    .execute();
  const keyOf = async (url: string | undefined) =>
    (
      await ctx.db
        .selectFrom('attachments')
        .select('storageKey')
        .where('pathId', '=', String(url).slice('/user_uploads/'.length))
        .executeTakeFirstOrThrow()
    ).storageKey;
  const key = await keyOf(old);
  expect(await ctx.files.size(key)).toBe(3);
  expect(await removeUnreferenced(ctx)).toBe(1);
  expect(await removeUnreferenced(ctx)).toBe(0);
  await expect.poll(() => ctx.files.size(key), { timeout: 10_000 }).toBeUndefined();
  expect((await fetchAs(String(old), ada)).status).toBe(404);
  for (const url of [used, drafted, fresh]) {
    expect((await fetchAs(String(url), ada)).status).toBe(200);
  }
});

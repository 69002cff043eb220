// Avatars: uploaded, served, removed.
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { checkLoggedShapes, verifyEvents } from '../../../testing/verify-events.ts';
import { chatClient, type Answer } from '../../../testing/chat/client.ts';

let server: TestServer;
let admin: Person;
let member: Person;
let other: Person;

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT: '100000' } });
  admin = await examplePerson(server.ctx, { role: ROLE.owner });
  member = await examplePerson(server.ctx);
  other = await examplePerson(server.ctx);
});
afterAll(async () => {
  await checkLoggedShapes(server);
  await server.close();
});

/** One red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

function upload(by: Person, ...files: Buffer[]): Promise<Answer> {
  const body = new FormData();
  for (const [index, file] of files.entries()) {
    body.set(`file${index}`, new Blob([new Uint8Array(file)]), 'me.svg');
  }
  return chatClient(server, by).raw('/users/me/avatar', { method: 'POST', body });
}

const fetchPicture = (url: unknown, by?: Person) =>
  fetch(`${server.origin}${String(url)}`, {
    headers: by === undefined ? {} : { authorization: by.basic },
  });

describe('POST /users/me/avatar', () => {
  it('changes the avatar, and everybody gets its new URL', async () => {
    let url: unknown;
    const [seen] = await verifyEvents(server, [other, member], async () => {
      const { status, body } = await upload(member, PNG);
      expect(status).toBe(200);
      url = body['avatar_url'];
    });
    expect(url).toBe(`/avatar/${member.id}?version=2`);
    expect(seen).toMatchObject([
      {
        type: 'realm_user',
        op: 'update',
        person: {
          user_id: member.id,
          avatar_source: 'U',
          avatar_url: url,
          avatar_url_medium: `/avatar/${member.id}/medium?version=2`,
          avatar_version: 2,
        },
      },
    ]);
    const picture = await fetchPicture(url, other);
    // The content decides the type, not the file name.
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
    const medium = await fetchPicture(`/avatar/${member.id}/medium?version=2`, other);
    for (const [shown, size] of [
      [picture, 100],
      [medium, 500],
    ] as const) {
      const { format, width, height } = await sharp(await shown.arrayBuffer()).metadata();
      expect({ format, width, height }).toEqual({ format: 'png', width: size, height: size });
    }
  });

  it('removes the camera’s metadata and cut-off data', async () => {
    const photo = await sharp({
      create: { width: 60, height: 40, channels: 3, background: '#a33' },
    })
      .withExif({ IFD0: { Copyright: 'canary' }, IFD3: { GPSLatitude: '35/1 41/1 0/1' } })
      .jpeg()
      .toBuffer();
    const person = await examplePerson(server.ctx);
    const { body } = await upload(person, photo);
    const shown = Buffer.from(await (await fetchPicture(body['avatar_url'], other)).arrayBuffer());
    expect(photo.includes('canary')).toBe(true);
    expect(shown.includes('canary')).toBe(false);
    expect((await sharp(shown).metadata()).exif).toBeUndefined();
    const cut = await upload(person, photo.subarray(0, photo.length - 200));
    expect(cut.body).toMatchObject({ code: 'BAD_IMAGE' });
  });

  it('shows strangers only a drawn picture', async () => {
    const picture = await fetchPicture(`/avatar/${member.id}?version=2`);
    expect(picture.headers.get('content-type')).toBe('image/png');
  });

  it('DELETE goes back to the drawn avatar', async () => {
    const [seen] = await verifyEvents(server, [other, member], async () => {
      const { body } = await chatClient(server, member).delete('/users/me/avatar');
      expect(body['avatar_url']).toBe(`/avatar/${member.id}?version=3`);
    });
    expect(seen).toMatchObject([{ person: { avatar_source: 'J', avatar_version: 3 } }]);
    const picture = await fetchPicture(`/avatar/${member.id}?version=3`, other);
    expect(picture.headers.get('content-type')).toBe('image/png');
    const [again] = await verifyEvents(server, [other], () =>
      chatClient(server, member).delete('/users/me/avatar'),
    );
    expect(again).toEqual([]);
  });

  it('takes exactly one file, which must be an image of limited size', async () => {
    const refused = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      return { status, code: body['code'], msg: body['msg'] };
    };
    const EXACTLY_ONE = 'You must upload exactly one avatar.';
    expect(await refused(upload(member))).toEqual({
      status: 400,
      code: 'BAD_REQUEST',
      msg: EXACTLY_ONE,
    });
    expect((await refused(upload(member, PNG, PNG))).msg).toBe(EXACTLY_ONE);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
    expect(await refused(upload(member, svg))).toEqual({
      status: 400,
      code: 'BAD_IMAGE',
      msg: 'Could not decode image; did you upload an image file?',
    });
    const huge = Buffer.from(PNG);
    huge.writeUInt32BE(100_000, 16);
    huge.writeUInt32BE(100_000, 20);
    expect(await refused(upload(member, huge))).toEqual({
      status: 400,
      code: 'BAD_IMAGE',
      msg: 'Image size exceeds limit',
    });
    const large = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]);
    expect((await refused(upload(member, large))).msg).toBe(
      'Uploaded file is larger than the allowed limit of 5 MiB',
    );
    expect((await upload(member, Buffer.alloc(20 * 1024 * 1024))).status).toBe(413);
  });

  it('is only for administrators where the organization says so', async () => {
    await chatClient(server, admin).patch('/realm', { avatar_changes_disabled: true });
    expect((await upload(member, PNG)).body['msg']).toBe(
      'Avatar changes are disabled in this organization.',
    );
    expect((await upload(admin, PNG)).status).toBe(200);
  });
});

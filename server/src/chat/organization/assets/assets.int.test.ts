// Files that clients fetch outside the API: emoji data, icons, pictures.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { externalEnv } from '../../messages/external-content/address.ts';
import { chatClient } from '../../../testing/chat/client.ts';
import { externalAddress, externalDigest } from '../../text/markdown/external.ts';

let server: TestServer;
let ada: Person;

beforeAll(async () => {
  server = await startTestServer();
  ada = await examplePerson(server.ctx, { fullName: 'Ada <Lovelace' });
});
afterAll(() => server.close());

const fetchAs = (path: string, person?: Person) =>
  fetch(`${server.origin}${path}`, {
    headers: person === undefined ? {} : { authorization: person.basic },
  });

it('the emoji data that register names is served without credentials', async () => {
  const { body } = await chatClient(server, ada).post('/register', {
    fetch_event_types: ['realm'],
  });
  const response = await fetch(String(body['server_emoji_data_url']));
  expect(response.status).toBe(200);
  const { code_to_names } = (await response.json()) as { code_to_names: Record<string, string[]> };
  expect(code_to_names['1f44d']).toContain('+1');
  expect(Object.keys(code_to_names).length).toBeGreaterThan(30);
  const names = Object.values(code_to_names).flat();
  expect(new Set(names).size).toBe(names.length);
});

it('the icon that server_settings names is a PNG, also at its former path', async () => {
  const { body } = await chatClient(server).get('/server_settings');
  for (const path of [String(body['realm_icon']), '/static/images/realm-icon.svg']) {
    const response = await fetchAs(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
  }
});

it('every user has an avatar as PNG, in two sizes, which clients fetch once', async () => {
  const { body } = await chatClient(server, ada).get('/users/me');
  const sizes: number[] = [];
  for (const path of [String(body['avatar_url']), `/avatar/${ada.id}/medium`]) {
    const response = await fetchAs(path, ada);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    sizes.push(bytes.readUInt32BE(16));
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(`${server.origin}${path}`, {
      headers: { authorization: ada.basic, 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
  }
  expect(sizes).toEqual([100, 500]);
});

it('a stranger learns nothing from avatars', async () => {
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
  const known = await fetchAs(`/avatar/${ada.id}`);
  expect(known.status).toBe(200);
  // A drawing depends on the id alone, and every id has one.
  expect(await bytesOf(known)).toEqual(await bytesOf(await fetchAs(`/avatar/${ada.id}`, ada)));
  const unknown = await fetchAs(`/avatar/${ada.id + 12_345}`);
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await fetchAs('/avatar/99999999999999999999')).status).toBe(200);
});

it('wrong credentials and unknown users are refused in the envelope', async () => {
  const wrong = await fetch(`${server.origin}/avatar/1`, { headers: { authorization: 'Basic !' } });
  expect(wrong.status).toBe(401);
  expect(await wrong.json()).toMatchObject({ result: 'error', code: 'UNAUTHORIZED' });
  const unknown = await fetchAs('/avatar/999999', ada);
  expect(unknown.status).toBe(400);
  expect(await unknown.json()).toMatchObject({ msg: 'No such user' });
});

describe('content of other servers', () => {
  const addressOf = (url: string) => externalAddress(url, externalEnv(server.ctx)) ?? '';

  it('has an address of ours, which is the same in sent and in fetched messages', async () => {
    const client = chatClient(server, ada);
    const url = 'https://pictures.example/cat.png';
    const { body } = await client.post('/messages/render', { content: url });
    expect(String(body['rendered'])).toContain(`<img src="${addressOf(url)}">`);
    const sent = await client.post('/messages', { type: 'direct', to: [ada.id], content: url });
    const read = await client.get(`/messages/${String(sent.body['id'])}`);
    expect(JSON.stringify(read.body['message'])).toContain(addressOf(url));
    expect(JSON.stringify(read.body['message'])).not.toContain('src=\\"https:');
  });

  it('is fetched only by an address that we signed', async () => {
    const made = addressOf('https://pictures.example/cat.png');
    const [, , digest = '', hex = ''] = made.split('/');
    for (const path of [
      `/external_content/${'0'.repeat(64)}/${hex}`,
      `/external_content/${digest}/${hex}00`,
      `/external_content/${digest}/${Buffer.from('http://127.0.0.1/').toString('hex')}`,
      `/external_content/${digest.slice(1)}/${hex}`,
      `/external_content/${digest}/${hex}?x=1`,
      `/external_content/${digest}/${'61'.repeat(10_000 / 2)}`,
      `/external_content/${digest}`,
      '/external_content/',
    ]) {
      const answer = await fetchAs(path);
      expect(answer.status, path).toBe(403);
      expect(await answer.json()).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    }
  });

  it('is never fetched from this machine or its network, even by an address that we signed', async () => {
    const { port } = new URL(server.origin);
    for (const url of [
      `http://127.0.0.1:${port}/static/images/realm-icon.png`,
      'http://127.0.0.1/x.png',
      'http://localhost/x.png',
      'https://[::1]/x.png',
      'http://169.254.169.254/x.png',
      'http://2130706433/x.png',
    ]) {
      const digest = externalDigest((externalEnv(server.ctx) as { key: string }).key, url);
      const hex = Buffer.from(url).toString('hex');
      const answer = await fetchAs(`/external_content/${digest}/${hex}`);
      expect(answer.status, url).toBe(404);
      expect(answer.headers.get('cache-control')).toContain('no-store');
    }
  });

  // Last, since it uses up the budget of this address.
  it('is fetched for one IP address at a bounded rate', async () => {
    const { key } = externalEnv(server.ctx) as { key: string };
    const codes = await Promise.all(
      Array.from({ length: 400 }, async (_none, index) => {
        const url = `http://127.0.0.1/${index}.png`;
        const hex = Buffer.from(url).toString('hex');
        const answer = await fetchAs(`/external_content/${externalDigest(key, url)}/${hex}`);
        return ((await answer.json()) as { code: string }).code;
      }),
    );
    expect(codes.filter((code) => code === 'BAD_REQUEST').length).toBeGreaterThan(50);
    expect(codes).toContain('RATE_LIMIT_HIT');
  });
});

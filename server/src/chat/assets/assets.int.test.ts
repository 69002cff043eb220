// What clients fetch beside the API.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { examplePerson, type Person } from '../../testing/example.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { chatClient } from '../http/test-client.ts';

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

it('the emoji data that register names is there, without credentials', async () => {
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

it('the icon that server_settings names is a PNG, also at the address of before', async () => {
  const { body } = await chatClient(server).get('/server_settings');
  for (const path of [String(body['realm_icon']), '/static/images/realm-icon.svg']) {
    const response = await fetchAs(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
  }
});

it('every user has a picture as PNG, in two sizes, which is asked for once', async () => {
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

it('a stranger learns nothing from pictures', async () => {
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
  const known = await fetchAs(`/avatar/${ada.id}`);
  expect(known.status).toBe(200);
  // What is drawn depends on the number alone, and every number has a drawing.
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

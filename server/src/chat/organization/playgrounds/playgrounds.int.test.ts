// Code playgrounds over HTTP.
import { expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import { ok, useMessageWorld, refused } from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const RUST = {
  name: 'Rust playground',
  pygments_language: 'Rust',
  url_template: 'https://play.example.com/?code={code}',
};
const create = (params: FormInput, { client } = world.owner) =>
  client.post('/realm/playgrounds', params);

it('[M159] [M160] [M161] [M162] administrators add and remove playgrounds, and everybody gets the events', async () => {
  const { server, owner, ada, guest } = world;
  let id = 0;
  const [told] = await verifyEvents(server, [ada, guest], async () => {
    id = Number(ok(await create({ ...RUST, name: ` ${RUST.name} ` }))['id']);
  });
  expect(told).toMatchObject([{ type: 'realm_playgrounds', realm_playgrounds: [{ id, ...RUST }] }]);
  expect(ok(await ada.client.post('/register', {}))['realm_playgrounds']).toEqual([
    { id, ...RUST },
  ]);
  ok(await create({ ...RUST, name: 'Another' }));
  const [after] = await verifyEvents(server, [guest], () =>
    owner.client.delete(`/realm/playgrounds/${id}`),
  );
  expect(after).toMatchObject([{ realm_playgrounds: [{ name: 'Another' }] }]);
  expect(refused(await owner.client.delete(`/realm/playgrounds/${id}`)).msg).toBe(
    'Invalid playground',
  );
});

it.each<[FormInput, string, string?]>([
  [{ name: '' }, 'This field cannot be blank.', 'name'],
  [{ pygments_language: '' }, 'This field cannot be blank.', 'pygments_language'],
  [{ pygments_language: 'a b' }, 'Invalid character in language:  '],
  [{ pygments_language: 'c!' }, 'Invalid character in language: !'],
  [{ pygments_language: 'quote' }, "Language 'quote' is not allowed."],
  [{ pygments_language: 'x'.repeat(41) }, 'pygments_language is too long (limit: 40 characters)'],
  [{ url_template: 'https://example.com/{code' }, 'Invalid URL template.', 'url_template'],
  ...[
    'javascript:{code}',
    'JavaScript://example.com/%0a{code}',
    'data:text/html,{code}',
    '{code}',
    '{+code}',
    '//example.com/{code}',
    '/path/{code}',
    'ftp://example.com/{code}',
    'https:{code}',
    'https://{code}',
    'https://example.com{code}',
    'https://{+code}/x',
    'https://example.com\\{code}',
  ].map((url_template): [FormInput, string, string] => [
    { url_template },
    'The URL template must begin with http:// or https:// and a host.',
    'url_template',
  ]),
  [
    { url_template: 'https://example.com/' },
    'Missing the required variable "code" in the URL template',
    'url_template',
  ],
  [
    { url_template: 'https://example.com/{code}{more}' },
    '"code" should be the only variable present in the URL template',
    'url_template',
  ],
  [
    { name: 'Another' },
    'Realm playground with this Realm, Pygments language and Name already exists.',
    '__all__',
  ],
])('[M159] [M160] [M161] %j is refused', async (params, msg, field) => {
  const { status, body } = await create({ ...RUST, ...params });
  expect(status).toBe(400);
  expect(body).toEqual({
    result: 'error',
    msg,
    code: 'BAD_REQUEST',
    ...(field !== undefined && { errors: { [field]: [msg] } }),
  });
});

it('[M159] [M160] [M161] every parameter is required, and members are refused', async () => {
  for (const name of ['name', 'pygments_language', 'url_template'] as const) {
    const { [name]: _left, ...rest } = RUST;
    expect((await create(rest)).body).toMatchObject({ code: 'BAD_REQUEST', var_name: name });
  }
  expect(refused(await create(RUST, world.ada)).code).toBe('UNAUTHORIZED_PRINCIPAL');
});

it('[M161] names of languages may have symbols', async () => {
  for (const language of ['c++', 'f#', 'text/x-y', 'objective-c', 'a_b.c,d']) {
    ok(await create({ ...RUST, pygments_language: language }));
  }
});

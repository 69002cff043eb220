// Every route that sets a password applies the same rules, says what is weak, and does not block
// the process.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatClient, type Answer } from '../../testing/chat/client.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { ROLE } from '../roles.ts';
import { GUESSES_MIN, PASSWORD_MAX, PASSWORD_MIN } from './rules.ts';

const GOOD = 'violet kettle marching 42';
const HOSTILE = '4@8({[<369&#!i1|7+$5zs0o'.repeat(4);

let server: TestServer;
let owner: Person;
let ada: Person;

beforeAll(async () => {
  server = await startTestServer({
    settings: { CHAT_RATE_LIMIT: '100000', ORGANIZATION_NAME: 'Gondola Works' },
  });
  owner = await examplePerson(server.ctx, { role: ROLE.owner });
  ada = await examplePerson(server.ctx, {
    email: 'ada.lovelace@analytical.example',
    fullName: 'Ada Lovelace',
    password: GOOD,
  });
});
afterAll(() => server.close());

let count = 0;
const WAYS_TO_SET: Readonly<
  Record<string, { readonly msg: string; set(password: string): Promise<Answer> }>
> = {
  'a change of password': {
    msg: 'New password is too weak!',
    set: (new_password) =>
      chatClient(server, ada).patch('/settings', { old_password: GOOD, new_password }),
  },
  'a new account': {
    msg: 'The password is too weak.',
    set: (password) =>
      chatClient(server, owner).post('/users', {
        email: `ada.lovelace${(count += 1)}@analytical.example`,
        full_name: 'Ada Lovelace',
        password,
      }),
  },
};

describe.each(Object.keys(WAYS_TO_SET))('at %s', (title) => {
  const { msg, set } = WAYS_TO_SET[title] as (typeof WAYS_TO_SET)[string];

  it.each([
    ['Password123', 'common'],
    ['qwerty12345', 'common'],
    ['ada.lovelace@analytical.example', 'personal'],
    ['AdaLovelace1', 'personal'],
    ['gondolaworks1', 'personal'],
    ['حشسسصخقی', 'common'],
    ['a7#kQ', 'short'],
    ['x9'.repeat(60), 'long'],
  ])('%j is refused with a reason: %s', async (password, reason) => {
    const { status, body } = await set(password);
    expect([status, body['msg'], body['reason']]).toEqual([400, msg, reason]);
    expect(String(body['explanation']).length).toBeGreaterThan(20);
    expect(JSON.stringify(body)).not.toContain(password);
  });

  it('a good one is accepted', async () => {
    expect((await set(GOOD)).body).toMatchObject({ result: 'success' });
  });
});

it('the rules match what register announces', async () => {
  const { body } = await chatClient(server, ada).post('/register');
  expect(body).toMatchObject({
    password_min_length: PASSWORD_MIN,
    password_max_length: PASSWORD_MAX,
    password_min_guesses: GUESSES_MIN,
  });
});

it('a later name of the organization is checked, too', async () => {
  const name = { name: 'Serenissima Trading' };
  await chatClient(server, owner).patch('/realm', name);
  const { set } = WAYS_TO_SET['a new account'] as (typeof WAYS_TO_SET)[string];
  expect((await set('serenissima9')).body).toMatchObject({ reason: 'personal' });
});

it('while the slowest passwords are checked, others are answered', async () => {
  const { set } = WAYS_TO_SET['a new account'] as (typeof WAYS_TO_SET)[string];
  let isOver = false;
  const checks = Promise.all(Array.from({ length: 8 }, () => set(HOSTILE))).finally(() => {
    isOver = true;
  });
  let answered = 0;
  while (!isOver) {
    expect((await chatClient(server, ada).get('/users/me')).status).toBe(200);
    answered += 1;
  }
  await checks;
  // On the process's event loop, each check would have let one request through at most.
  expect(answered).toBeGreaterThan(16);
});

// Signing in with a real directory: OpenLDAP's server, on its own port.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chatClient } from '../../testing/chat/client.ts';
import { changePerson, deactivatePerson } from '../../chat/administration/users/actions.ts';
import { openBrowser } from '../../testing/browser.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { hasSlapd, startDirectory, type PrivateDirectory } from '../../testing/ldap.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { ROLE } from '../roles.ts';
import { listUsersById } from '../users/access.ts';
import { unbindAccount } from './identity.ts';
import { MEASURED } from '../../testing/measured.ts';

const SECRET = 'known to the directory';
const LOCAL = 'kept by the server alone';

if (!hasSlapd) console.warn('Skipped: there is no slapd here. apt install slapd');

describe.skipIf(!hasSlapd)('with a directory', () => {
  let directory: PrivateDirectory;
  let server: TestServer;
  let owner: Person;

  beforeAll(async () => {
    directory = await startDirectory();
    server = await startTestServer({
      settings: {
        ...directory.settings,
        LDAP_CREATE_ACCOUNTS: 'true',
        CHAT_RATE_LIMIT_ANONYMOUS: '100000',
      },
    });
    owner = await examplePerson(server.ctx, { role: ROLE.owner, password: LOCAL });
    await directory.add({ uid: 'ada', mail: 'ada@example.org', cn: 'Ada', password: SECRET });
    await directory.add({ uid: 'bob', mail: 'bob@example.org', cn: 'آرش', password: SECRET });
  });
  beforeEach(() =>
    server.ctx.database.pool.query('DELETE FROM sign_in_buckets; DELETE FROM known_addresses'),
  );
  afterAll(async () => {
    await server.close();
    await directory.remove();
  });

  const fetchKey = (username: string, password: string, on = server) =>
    chatClient(on).post('/fetch_api_key', { username, password });
  const countPeople = async () =>
    (await server.ctx.db.selectFrom('users').select('id').execute()).length;
  const FAILED = { code: 'AUTHENTICATION_FAILED', msg: 'Your username or password is incorrect' };

  it('[M183] [M184] a key is given for the name or the address there, and the account is created once', async () => {
    const before = await countPeople();
    const first = await fetchKey('ada', SECRET);
    expect(first.body).toMatchObject({ result: 'success', email: 'ada@example.org' });
    const key = String(first.body['api_key']);
    const credentials = Buffer.from(`ada@example.org:${key}`).toString('base64');
    const me = await chatClient(server, { basic: `Basic ${credentials}` }).get('/users/me');
    expect(me.body).toMatchObject({ full_name: 'Ada', role: ROLE.member, is_bot: false });
    expect((await fetchKey(' ADA@example.org ', SECRET)).body['api_key']).toBe(key);
    expect(await countPeople()).toBe(before + 1);
  });

  it('a name that is not valid here is left to the directory, and the person still comes in', async () => {
    for (const [uid, cn] of [
      ['notifier', 'Notificаtion Bot'],
      ['hidden', 'Ada\u202Enimda'],
      ['double', owner.fullName.replace('e', 'е')],
    ] as const) {
      await directory.add({ uid, mail: `${uid}@example.org`, cn, password: SECRET });
      const { body } = await fetchKey(uid, SECRET);
      expect(body).toMatchObject({ result: 'success', email: `${uid}@example.org` });
      const { body: found } = await chatClient(server, owner).get(`/users/${uid}@example.org`);
      expect(found['user']).toMatchObject({ full_name: uid });
    }
  });

  it('two concurrent first sign-ins create one account', async () => {
    await directory.add({ uid: 'twice', mail: 'twice@example.org', password: SECRET });
    const answers = await Promise.all([fetchKey('twice', SECRET), fetchKey('twice', SECRET)]);
    const [one, other] = answers.map(({ body }) => body['user_id']);
    expect(one).toEqual(expect.any(Number));
    expect(other).toBe(one);
  });

  it('a browser signs in with it, and the page asks for a name', async () => {
    const browser = openBrowser(server);
    expect((await browser.get('/login/')).text).toContain('Email address or user name');
    expect((await browser.signIn('bob', SECRET)).status).toBe(302);
    expect((await browser.call('GET', '/users/me')).body).toMatchObject({
      full_name: 'آرش',
      email: 'bob@example.org',
    });
    const key = await browser.call('POST', '/fetch_api_key', { password: SECRET });
    expect(key.body['api_key']).toEqual(expect.any(String));
    expect((await browser.call('POST', '/fetch_api_key', { password: 'x' })).status).toBe(400);
  });

  it('a locally stored password works as before', async () => {
    expect((await fetchKey(owner.email, LOCAL)).body).toMatchObject({ user_id: owner.id });
  });

  it('an existing account is linked by its address', async () => {
    const carol = await examplePerson(server.ctx, { email: 'Carol@Example.org' });
    await directory.add({ uid: 'carol', mail: 'carol@example.org', password: SECRET });
    expect((await fetchKey('carol', SECRET)).body).toMatchObject({
      user_id: carol.id,
      api_key: carol.chatKey,
    });
  });

  it('a deactivated person stays out, and is told so only after the right password', async () => {
    const dora = await examplePerson(server.ctx, { email: 'dora@example.org' });
    await directory.add({ uid: 'dora', mail: 'dora@example.org', password: SECRET });
    await deactivatePerson(server.ctx, owner, dora.id);
    const answer = await fetchKey('dora', SECRET);
    expect([answer.status, answer.body['code']]).toEqual([401, 'USER_DEACTIVATED']);
    expect((await fetchKey('dora', 'wrong')).body).toMatchObject(FAILED);
  });

  it("nobody gets in as a bot by a bot's address", async () => {
    await examplePerson(server.ctx, { email: 'helper@example.org', botType: 1 });
    await directory.add({ uid: 'helper', mail: 'helper@example.org', password: SECRET });
    expect((await fetchKey('helper', SECRET)).body).toMatchObject(FAILED);
  });

  it('an empty password is refused, though the directory accepts it as anonymous', async () => {
    const { Client } = await import('ldapts');
    const client = new Client({ url: directory.url });
    await client.bind('uid=ada,ou=people,dc=example,dc=org', '');
    await client.unbind();
    for (const name of ['ada', 'ada@example.org']) {
      const answer = await fetchKey(name, '');
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject(FAILED);
    }
    expect((await openBrowser(server).signIn('ada', '')).status).toBe(401);
  });

  it.each([
    '*',
    'a*',
    'ada*',
    '*)(uid=*',
    'ada)(|(uid=*',
    'x)(|(uid=ada',
    'ada\\',
    '(uid=ada)',
    'uid=ada,ou=people,dc=example,dc=org',
    '',
    ' ',
    'a'.repeat(5000),
  ])('the name %j matches nobody', async (name) => {
    const before = await countPeople();
    expect((await fetchKey(name, SECRET)).body).toMatchObject(FAILED);
    expect(await countPeople()).toBe(before);
  });

  it('a name with a zero byte matches nobody', async () => {
    expect((await openBrowser(server).signIn('ada\0', SECRET)).status).toBe(401);
  });

  it('a name with two matches is refused, and so is a person without a usable address', async () => {
    await directory.add({ uid: 'eve1', mail: 'eve@example.org', password: SECRET });
    await directory.add({ uid: 'eve2', mail: 'eve@example.org', password: SECRET });
    await directory.add({ uid: 'nomail', password: SECRET });
    await directory.add({ uid: 'badmail', mail: 'not an address', password: SECRET });
    for (const name of ['eve@example.org', 'nomail', 'badmail']) {
      expect((await fetchKey(name, SECRET)).body).toMatchObject(FAILED);
    }
  });

  it('a name that is not valid here is replaced', async () => {
    await directory.add({
      uid: 'fred',
      mail: 'fred@example.org',
      cn: 'Fred **@all**',
      password: SECRET,
    });
    const { body } = await fetchKey('fred', SECRET);
    const row = await server.ctx.db
      .selectFrom('users')
      .select('fullName')
      .where('id', '=', Number(body['user_id']))
      .executeTakeFirstOrThrow();
    expect(row.fullName).toBe('fred');
  });

  it('guesses are counted for the person, however the name is spelled', async () => {
    await directory.add({ uid: 'grace', mail: 'grace@example.org', password: SECRET });
    const spellings = ['grace', 'GRACE', 'grace@example.org', 'ｇrace', 'grace'];
    for (const name of spellings) expect((await fetchKey(name, 'wrong')).status).toBe(401);
    for (const name of ['grace@example.org', 'gｒace']) {
      const answer = await fetchKey(name, SECRET);
      expect([answer.status, answer.body['code']]).toEqual([429, 'RATE_LIMIT_HIT']);
    }
  });

  it('an account whose address an administrator changed does not pass to the person who has that address', async () => {
    await directory.add({ uid: 'ivan', mail: 'ivan@example.org', password: SECRET });
    await directory.add({ uid: 'judy', mail: 'judy@example.org', password: SECRET });
    const { body } = await fetchKey('ivan', SECRET);
    const ivan = Number(body['user_id']);
    await changePerson(server.ctx, owner, ivan, { email: 'judy@example.org' });
    const before = await countPeople();
    for (const name of ['judy', 'judy@example.org']) {
      const answer = await fetchKey(name, SECRET);
      expect([answer.status, answer.body['user_id']]).toEqual([expect.any(Number), undefined]);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    expect(await countPeople()).toBe(before);
    // The directory's entry decides whose account it is, whatever the address is by now.
    expect((await fetchKey('ivan', SECRET)).body).toMatchObject({
      user_id: ivan,
      email: 'judy@example.org',
    });
  });

  it('nor does an account that never used the directory', async () => {
    const kept = await examplePerson(server.ctx, { email: 'kept@example.org', password: LOCAL });
    await directory.add({ uid: 'lena', mail: 'lena@example.org', password: SECRET });
    await changePerson(server.ctx, owner, kept.id, { email: 'lena@example.org' });
    expect((await fetchKey('lena', SECRET)).body['user_id']).toBeUndefined();
    expect((await fetchKey('lena@example.org', LOCAL)).body).toMatchObject({ user_id: kept.id });
    await unbindAccount(server.ctx, { operator: owner.email, via: 'test' }, kept);
    expect((await fetchKey('lena', SECRET)).body).toMatchObject({ user_id: kept.id });
  });

  it('an address that the directory gives to another person does not give them the account', async () => {
    await directory.add({ uid: 'mia1', mail: 'mia@example.org', password: SECRET });
    const mia = Number((await fetchKey('mia1', SECRET)).body['user_id']);
    await directory.drop('mia1');
    await directory.add({ uid: 'mia2', mail: 'mia@example.org', password: SECRET });
    for (const name of ['mia2', 'mia@example.org']) {
      expect((await fetchKey(name, SECRET)).body['user_id']).toBeUndefined();
    }
    // The same uid on a new entry is another entry.
    await directory.drop('mia2');
    await directory.add({ uid: 'mia1', mail: 'mia@example.org', password: SECRET });
    expect((await fetchKey('mia1', SECRET)).body['user_id']).toBeUndefined();
    const [user] = await listUsersById(server.ctx.db, [mia]);
    if (user === undefined) throw new Error('mia is gone');
    await unbindAccount(server.ctx, { operator: owner.email, via: 'test' }, user);
    expect((await fetchKey('mia1', SECRET)).body).toMatchObject({ user_id: mia });
    const { rows } = await server.ctx.database.pool.query(
      "SELECT act, operator FROM audit_log WHERE subject = 'mia@example.org' ORDER BY seq",
    );
    expect(rows).toContainEqual({ act: 'sign_in unbind', operator: owner.email });
  });

  it('an address that changed in the directory leaves the account with its owner', async () => {
    await directory.add({
      uid: 'nora',
      mail: ['nora@example.org', 'second@example.org'],
      password: SECRET,
    });
    const nora = (await fetchKey('nora', SECRET)).body['user_id'];
    await server.ctx.db
      .updateTable('users')
      .set({ email: 'married@example.org' })
      .where('id', '=', Number(nora))
      .execute();
    const before = await countPeople();
    expect((await fetchKey('nora', SECRET)).body['user_id']).toBe(nora);
    expect(await countPeople()).toBe(before);
  });

  it(
    'takes as long for a name that the directory does not know as for a wrong password',
    MEASURED,
    async () => {
      await directory.add({ uid: 'oscar', mail: 'oscar@example.org', password: SECRET });
      const taken = { known: [] as number[], unknown: [] as number[] };
      for (let round = 0; round < 40; round += 1) {
        await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
        for (const [kind, name] of [
          ['known', 'oscar'],
          ['unknown', 'nobdy'],
        ] as const) {
          const startedMs = performance.now();
          expect((await fetchKey(name, 'a wrong guess')).status).toBe(401);
          taken[kind].push(performance.now() - startedMs);
        }
      }
      const median = (times: number[]) => times.sort((a, b) => a - b)[times.length / 2] ?? 0;
      const [known, unknown] = [median(taken.known), median(taken.unknown)];
      // Without the imitation, the second connection and its encryption are missing: a third of the
      // time.
      expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(1.2);
    },
  );

  it('the server says what it accepts', async () => {
    const { body } = await chatClient(server).get('/server_settings');
    expect(body['authentication_methods']).toMatchObject({ ldap: true, password: true });
    expect(body['require_email_format_usernames']).toBe(false);
    const register = await chatClient(server, owner).post('/register', {
      fetch_event_types: ['realm'],
    });
    expect(register.body['realm_authentication_methods']).toMatchObject({
      LDAP: { enabled: true },
    });
  });

  it('accounts are created only where that is allowed, and an untrusted directory is not asked', async () => {
    await directory.add({ uid: 'harry', mail: 'harry@example.org', password: SECRET });
    // A directory that does not show the identifier: the entry's name takes its place.
    const strict = await startTestServer({
      settings: { ...directory.settings, LDAP_ID_ATTRIBUTE: 'roomNumber' },
    });
    const untrusting = await startTestServer({
      settings: { ...directory.settings, LDAP_CA_FILE: '' },
      log: server.ctx.log.child({}, { level: 'silent' }),
    });
    try {
      expect((await fetchKey('harry', SECRET, strict)).body).toMatchObject(FAILED);
      const harry = await examplePerson(strict.ctx, { email: 'harry@example.org' });
      expect((await fetchKey('harry', SECRET, strict)).body).toMatchObject({ user_id: harry.id });
      expect((await fetchKey('HARRY', SECRET, strict)).body).toMatchObject({ user_id: harry.id });
      const { rows } = await strict.ctx.database.pool.query(
        'SELECT entry FROM directory_identities',
      );
      expect(rows).toEqual([{ entry: 'dn uid=harry,ou=people,dc=example,dc=org' }]);
      const refused = await fetchKey('ada', SECRET, untrusting);
      expect([refused.status, refused.body['code']]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    } finally {
      await strict.close();
      await untrusting.close();
    }
  });

  it('while it is down, its people are told so, and guesses at local passwords still count', async () => {
    await directory.stop();
    const away = await fetchKey('ada', SECRET);
    expect([away.status, away.body['code']]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await openBrowser(server).signIn('ada', SECRET)).status).toBe(503);
    expect((await fetchKey(owner.email, LOCAL)).status).toBe(200);
    // The owner has signed in from this address, so ten attempts are allowed.
    for (const status of [...Array.from({ length: 10 }, () => 503), 429]) {
      expect((await fetchKey(owner.email, 'a guess')).status).toBe(status);
    }
    await directory.restart();
    expect((await fetchKey('ada', SECRET)).status).toBe(200);
  });
});

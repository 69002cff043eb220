// Trading keys as their owner manages them: terms, limits, rotation, and what a key can do at once or no longer.
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOwnKey, type AskedKey } from '../../accounts/trading-keys/own-keys.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { startMailCatcher, type MailCatcher } from '../../testing/mail-catcher.ts';
import { signIn, type SignedIn } from '../../testing/session.ts';
import { hmacHex, send, type TradingAnswer } from '../../testing/trader.ts';
import { codeOf, LIMIT, openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import { createSubAccount } from '../sub-accounts/actions.ts';

interface ShownKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly secret?: string;
  readonly label: string;
  readonly type: string;
  readonly publicKey: string;
  readonly permissions: string[];
  readonly ipAllowlist: string[];
  readonly markets: string[];
  readonly expireTime: string;
  readonly lastUsedAt: string;
  readonly requireBoundSignature: boolean;
  readonly isEnabled: boolean;
  readonly replacedBy: string;
}

let desk: Desk;
let catcher: MailCatcher;
beforeAll(async () => {
  catcher = await startMailCatcher();
  desk = await openDesk(
    { stepUp: async () => {}, withJobs: true, settings: catcher.settings },
    { phase: 'continuous' },
  );
}, 120_000);
afterAll(async () => {
  await desk.close();
  await catcher.close();
});

type Params = Record<string, string>;

interface Owner {
  readonly person: Person;
  readonly session: SignedIn;
  ask(verb: string, params?: Params): Promise<TradingAnswer>;
  make(params?: Params): Promise<ShownKey & { secret: string }>;
}

const METHODS: Readonly<Record<string, string>> = { list: 'GET', delete: 'DELETE' };
const READ = { permissions: '["read"]' };

async function exampleOwner(): Promise<Owner> {
  const person = await examplePerson(desk.server.ctx);
  const session = await signIn(desk.server, person);
  const ask = (verb: string, params: Params = {}) =>
    session.ask(METHODS[verb] ?? 'POST', `/json/v1/private/api_key/${verb}`, params);
  return {
    person,
    session,
    ask,
    make: async (params = {}) => resultOf(await ask('create', { ...READ, ...params })),
  };
}

let lastMs = 0;
/** The code of a request that this key signs; empty when it is served. */
async function use(
  { keyId }: Pick<ShownKey, 'keyId'>,
  signed: (text: string) => string,
  path = 'account/info',
  params: Params = {},
  method = 'GET',
): Promise<string> {
  lastMs = Math.max(lastMs + 1, Date.now());
  const query = new URLSearchParams({ ...params, timestamp: String(lastMs) }).toString();
  const headers = { 'X-SVC-APIKEY': keyId, 'X-SVC-SIGNATURE': signed(query) };
  return codeOf(await send(`${desk.server.baseUrl}/private/${path}?${query}`, { method, headers }));
}
const useSecret = (key: { keyId: string; secret: string }, ...rest: [string?, Params?, string?]) =>
  use(key, (text) => hmacHex(key.secret, text), ...rest);

interface Pair {
  readonly privateKey: KeyObject;
  readonly publicKey: string;
}
function examplePair(): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { privateKey, publicKey: raw.toString('hex') };
}
const signWith =
  ({ privateKey }: Pair) =>
  (text: string) =>
    sign(null, Buffer.from(text), privateKey).toString('hex');

describe('a new key', () => {
  it('works at once, with the terms that were asked for; its secret is shown once', async () => {
    const owner = await exampleOwner();
    const terms = {
      label: 'market maker',
      permissions: '["read","trade"]',
      ipAllowlist: '["127.0.0.1","::1/128"]',
      markets: '["BTCUSDT"]',
      requireBoundSignature: 'false',
    };
    const key = await owner.make(terms);
    expect(key).toMatchObject({
      keyId: expect.stringMatching(/^svc_key_[0-9a-f]{16}$/) as string,
      secret: expect.stringMatching(/^svc_secret_[0-9a-f]{48}$/) as string,
      label: 'market maker',
      type: 'hmac',
      publicKey: '',
      permissions: ['read', 'trade'],
      ipAllowlist: ['127.0.0.1/32', '::1/128'],
      markets: ['btcusdt'],
      expireTime: '',
      lastUsedAt: '',
      isEnabled: true,
      replacedBy: '',
    });
    expect(await useSecret(key)).toBe('');
    const { secret, ...shown } = key;
    const listed = await owner.ask('list');
    expect(resultOf(listed)).toEqual([shown]);
    expect(listed.text).not.toContain(secret);
    const { rows } = await desk.server.owner.query<{ text: string }>(
      `SELECT details::text AS text FROM audit_log WHERE act = 'trading_key create'`,
    );
    expect(rows.map(({ text }) => text).join()).not.toContain(secret);
  });

  it('is told to its owner, and so is each change of it', async () => {
    const owner = await exampleOwner();
    const { keyId } = await owner.make({ label: 'told' });
    resultOf(await owner.ask('update', { keyId, label: 'told again' }));
    const { email: address } = owner.person;
    const emails = [await catcher.next(address), await catcher.next(address)];
    const subjects = emails.map(({ subject }) => String(subject)).sort();
    expect(subjects).toEqual(['New trading key', 'Trading key changed']);
    for (const email of emails) expect(email.text).toContain(keyId);
  });

  it('may be for a sub-account, but not for one of somebody else', async () => {
    const owner = await exampleOwner();
    const own = await owner.make();
    const head = { id: BigInt(own.accountId), userId: owner.person.id };
    const { account } = await createSubAccount(desk.server.ctx, head, 'desk');
    const key = await owner.make({ accountId: String(account.id) });
    expect(key.accountId).toBe(String(account.id));
    const other = await exampleOwner();
    expect(codeOf(await other.ask('create', { ...READ, accountId: String(account.id) }))).toBe(
      '7001',
    );
    expect(codeOf(await other.ask('create', { ...READ, accountId: own.accountId }))).toBe('7001');
  });
});

describe('[I21] the limits of keys', () => {
  const at = (days: number) => String(Date.now() + days * DAY_MS);
  const many = (count: number, text: (n: number) => string) =>
    JSON.stringify(Array.from({ length: count }, (_, n) => text(n)));
  it.each<[string, () => Params, string]>([
    ['no permission', () => ({ permissions: '[]' }), '2003'],
    ['an unknown permission', () => ({ permissions: '["admin"]' }), '2002'],
    ['a label of 65 characters', () => ({ label: 'x'.repeat(65) }), '2002'],
    ['a label with a line break', () => ({ label: 'a\nb' }), '2002'],
    ['an unknown type', () => ({ type: 'rsa' }), '2002'],
    ['21 networks', () => ({ ipAllowlist: many(21, (n) => `10.0.0.${n}`) }), '2003'],
    ['host bits', () => ({ ipAllowlist: '["203.0.113.7/24"]' }), '2002'],
    ['a network of 7 bits', () => ({ ipAllowlist: '["10.0.0.0/7"]' }), '2003'],
    ['an IPv6 network of 31 bits', () => ({ ipAllowlist: '["2001:db8::/31"]' }), '2003'],
    ['51 markets', () => ({ markets: many(51, (n) => `coin${n}`) }), '2003'],
    ['an unknown market', () => ({ markets: '["btcxyz"]' }), '4001'],
    ['an end in the past', () => ({ expireTime: at(-1) }), '2003'],
    ['an end after a year', () => ({ expireTime: at(366) }), '2003'],
    [
      'trading from everywhere after 90 days',
      () => ({ permissions: '["trade"]', expireTime: at(91) }),
      '2003',
    ],
    ['withdrawing from everywhere', () => ({ permissions: '["withdraw"]' }), '2009'],
    ['a public key for a secret', () => ({ publicKey: examplePair().publicKey }), '2009'],
    ['no public key', () => ({ type: 'ed25519' }), '2001'],
    ['a public key in upper case', () => ({ type: 'ed25519', publicKey: 'AB'.repeat(32) }), '2002'],
    ['a short public key', () => ({ type: 'ed25519', publicKey: 'ab' }), '2002'],
    [
      'a point of small order',
      () => ({ type: 'ed25519', publicKey: `01${'0'.repeat(62)}` }),
      '2002',
    ],
    ['a name of a parameter that is none', () => ({ secret: 'mine' }), '2004'],
  ])('%s is refused', async (_what, params, code) => {
    const owner = await exampleOwner();
    expect(codeOf(await owner.ask('create', { ...READ, ...params() }))).toBe(code);
    expect(resultOf(await owner.ask('list'))).toEqual([]);
  });

  it('are met exactly: 20 networks, 50 markets of which one is unknown, 64 characters, 90 days', async () => {
    const owner = await exampleOwner();
    const key = await owner.make({
      label: 'x'.repeat(64),
      ipAllowlist: many(20, (n) => `10.0.${n}.0/24`),
      expireTime: at(364),
    });
    expect(key.ipAllowlist).toHaveLength(20);
    const trading = await owner.make({ permissions: '["trade"]' });
    const days = (Number(trading.expireTime) - Date.now()) / DAY_MS;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThanOrEqual(90);
  });

  it('at most 30, however many are asked for at once', async () => {
    const owner = await exampleOwner();
    const by = { user: owner.person, address: '127.0.0.1' };
    const asked: AskedKey = {
      label: '',
      type: 'hmac',
      publicKey: undefined,
      accountId: undefined,
      permissions: ['read'],
      ipAllowlist: [],
      markets: [],
      requireBoundSignature: false,
      expiresAt: undefined,
    };
    for (let n = 0; n < 27; n += 1) await createOwnKey(desk.server.ctx, by, asked);
    const codes = await Promise.all(
      Array.from({ length: 8 }, async () => codeOf(await owner.ask('create', READ))),
    );
    expect(codes.filter((code) => code === '')).toHaveLength(3);
    expect(codes.filter((code) => code === '7002')).toHaveLength(5);
    const keys = resultOf<ShownKey[]>(await owner.ask('list'));
    expect(keys).toHaveLength(30);
    const [first] = keys as [ShownKey];
    expect(codeOf(await owner.ask('rotate', { keyId: first.keyId }))).toBe('7002');
    resultOf(await owner.ask('delete', { keyId: first.keyId }));
    await owner.make();
  });
});

describe('[I21] a change of a key', () => {
  it('takes effect with the next request', async () => {
    const owner = await exampleOwner();
    const key = await owner.make({ permissions: '["read","trade"]' });
    const { keyId } = key;
    const change = async (params: Params) =>
      resultOf<ShownKey>(await owner.ask('update', { keyId, ...params }));
    expect(await useSecret(key)).toBe('');
    expect(await change({ isEnabled: 'false' })).toMatchObject({ isEnabled: false });
    expect(await useSecret(key)).toBe('3002');
    await change({ isEnabled: 'true', ipAllowlist: '["203.0.113.7"]' });
    expect(await useSecret(key)).toBe('3003');
    await change({ ipAllowlist: '["127.0.0.1"]', markets: '["ethusdt"]' });
    expect(await useSecret(key, 'order/test', LIMIT, 'POST')).toBe('3008');
    await change({ markets: '[]', requireBoundSignature: 'true' });
    expect(await useSecret(key)).toBe('3004');
    await change({ requireBoundSignature: 'false', permissions: '["trade"]' });
    expect(await useSecret(key)).toBe('3008');
    await change({ permissions: '["read"]' });
    expect(await useSecret(key)).toBe('');
  });

  it('leaves alone what it does not name, and never lets a rule be evaded', async () => {
    const owner = await exampleOwner();
    const key = await owner.make({ label: 'kept', ipAllowlist: '["127.0.0.1"]' });
    const change = (params: Params) => owner.ask('update', { keyId: key.keyId, ...params });
    const { secret: _, ...shown } = key;
    expect(resultOf(await change({}))).toEqual(shown);
    // With trading, and without addresses, it has to end.
    const bound = resultOf<ShownKey>(await change({ permissions: '["read","trade","withdraw"]' }));
    expect(bound.expireTime).toBe('');
    expect(codeOf(await change({ ipAllowlist: '[]' }))).toBe('2009');
    const unbound = resultOf<ShownKey>(
      await change({ permissions: '["trade"]', ipAllowlist: '[]' }),
    );
    expect(Number(unbound.expireTime)).toBeLessThanOrEqual(Date.now() + 90 * DAY_MS);
    expect(unbound.label).toBe('kept');
    expect(codeOf(await change({ expireTime: String(Date.now() + 91 * DAY_MS) }))).toBe('2003');
    expect(codeOf(await change({ type: 'ed25519' }))).toBe('2004');
    expect(codeOf(await change({ publicKey: examplePair().publicKey }))).toBe('2004');
  });

  it('of an expired key renews it', async () => {
    const owner = await exampleOwner();
    const key = await owner.make();
    await desk.server.ctx.db
      .updateTable('tradingKeys')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('keyId', '=', key.keyId)
      .execute();
    expect(await useSecret(key)).toBe('3002');
    expect(codeOf(await owner.ask('rotate', { keyId: key.keyId }))).toBe('2009');
    const expireTime = String(Date.now() + DAY_MS);
    resultOf(await owner.ask('update', { keyId: key.keyId, expireTime }));
    expect(await useSecret(key)).toBe('');
  });
});

describe('[I21] a rotation', () => {
  it('gives a second key of the same terms, and ends the first after the overlap', async () => {
    const owner = await exampleOwner();
    const old = await owner.make({ label: 'bot', permissions: '["read","trade"]' });
    const fresh = resultOf<ShownKey & { secret: string }>(
      await owner.ask('rotate', { keyId: old.keyId, overlapMs: '60000' }),
    );
    for (const name of ['label', 'permissions', 'ipAllowlist', 'markets', 'expireTime'] as const) {
      expect(fresh[name]).toEqual(old[name]);
    }
    expect(fresh.secret).not.toBe(old.secret);
    expect([await useSecret(old), await useSecret(fresh)]).toEqual(['', '']);
    const [shown] = resultOf<ShownKey[]>(await owner.ask('list'));
    expect(shown).toMatchObject({ keyId: old.keyId, replacedBy: fresh.keyId });
    const left = Number(shown?.expireTime) - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60_000);
    // The old one cannot be kept alive, and there is one rotation at a time.
    const expireTime = String(Date.now() + DAY_MS);
    const again = [
      await owner.ask('rotate', { keyId: old.keyId }),
      await owner.ask('rotate', { keyId: fresh.keyId }),
      await owner.ask('update', { keyId: old.keyId, expireTime }),
    ];
    expect(again.map(codeOf)).toEqual(['2009', '2009', '2009']);
    resultOf(await owner.ask('delete', { keyId: old.keyId }));
    expect(await useSecret(old)).toBe('3002');
    const next = resultOf<ShownKey & { secret: string }>(
      await owner.ask('rotate', { keyId: fresh.keyId, overlapMs: '0' }),
    );
    expect([await useSecret(fresh), await useSecret(next)]).toEqual(['3002', '']);
  });

  it('of many at once is one', async () => {
    const owner = await exampleOwner();
    const { keyId } = await owner.make();
    const codes = await Promise.all(
      Array.from({ length: 6 }, async () => codeOf(await owner.ask('rotate', { keyId }))),
    );
    expect(codes.sort()).toEqual(['', '2009', '2009', '2009', '2009', '2009']);
    expect(resultOf(await owner.ask('list'))).toHaveLength(2);
  });

  it.each([
    ['-1', '2003'],
    ['604800001', '2003'],
    ['day', '2002'],
  ])('with an overlap of %s is refused', async (overlapMs, code) => {
    const owner = await exampleOwner();
    const { keyId } = await owner.make();
    expect(codeOf(await owner.ask('rotate', { keyId, overlapMs }))).toBe(code);
  });
});

describe('a deleted key', () => {
  it('is refused at once, and is gone for its owner', async () => {
    const owner = await exampleOwner();
    const key = await owner.make();
    expect(await useSecret(key)).toBe('');
    expect(resultOf(await owner.ask('delete', { keyId: key.keyId }))).toEqual({ keyId: key.keyId });
    expect(await useSecret(key)).toBe('3002');
    for (const verb of ['delete', 'update', 'rotate']) {
      expect(codeOf(await owner.ask(verb, { keyId: key.keyId }))).toBe('7003');
    }
  });
});

it("nobody can tell another's key from a missing one, and nothing happens to it", async () => {
  const owner = await exampleOwner();
  const other = await exampleOwner();
  const key = await owner.make();
  for (const verb of ['delete', 'update', 'rotate']) {
    const [theirs, none] = [
      await other.ask(verb, { keyId: key.keyId, ...(verb === 'update' && { label: 'mine' }) }),
      await other.ask(verb, {
        keyId: 'svc_key_0000000000000000',
        ...(verb === 'update' && { label: 'mine' }),
      }),
    ];
    expect([theirs.status, theirs.body.error]).toEqual([404, none.body.error]);
    expect(codeOf(theirs)).toBe('7003');
  }
  expect(resultOf(await other.ask('list'))).toEqual([]);
  const { secret, ...shown } = key;
  expect(resultOf(await owner.ask('list'))).toEqual([shown]);
  expect(await useSecret({ ...shown, secret })).toBe('');
});

describe('[I20] a key of type ed25519', () => {
  const ed25519 = (pair: Pair): Params => ({ type: 'ed25519', publicKey: pair.publicKey });

  it('verifies what its owner signs, and the venue has no secret of it', async () => {
    const owner = await exampleOwner();
    const pair = examplePair();
    const key = await owner.make({ ...ed25519(pair), permissions: '["read","trade"]' });
    expect(key).toMatchObject({
      keyId: expect.stringMatching(/^svc_edk_[0-9a-f]{16}$/) as string,
      type: 'ed25519',
      publicKey: pair.publicKey,
      secret: '',
    });
    expect(await use(key, signWith(pair))).toBe('');
    // The engine may still be starting.
    await expect
      .poll(() => use(key, signWith(pair), 'order/cancel_all', {}, 'DELETE'), { timeout: 30_000 })
      .toBe('');
    const timer = { timeout: '0' };
    expect(await use(key, signWith(pair), 'order/cancel_all_after', timer, 'POST')).toBe('');
    expect(await use(key, signWith(examplePair()))).toBe('3004');
  });

  it('takes no HMAC, least of all one made with its public key', async () => {
    const owner = await exampleOwner();
    const pair = examplePair();
    const key = await owner.make(ed25519(pair));
    const raw = Buffer.from(pair.publicKey, 'hex');
    const forgeries = [
      (text: string) => hmacHex(pair.publicKey, text),
      (text: string) => hmacHex(raw as unknown as string, text),
      (text: string) => hmacHex(pair.publicKey, text).repeat(2),
      () => '0'.repeat(128),
      (text: string) => signWith(pair)(text).toUpperCase(),
      (text: string) => signWith(pair)(text).slice(0, 64),
    ];
    for (const forge of forgeries) expect(await use(key, forge)).toBe('3004');
    // And a secret's key takes no signature of Ed25519.
    const secret = await owner.make();
    expect(await use(secret, signWith(pair))).toBe('3004');
  });

  it('cannot change its type or its public key in the database of the server', async () => {
    const owner = await exampleOwner();
    const key = await owner.make(ed25519(examplePair()));
    const { pool } = desk.server.ctx.database;
    for (const change of [
      `type = 'hmac'`,
      `public_key = decode('${examplePair().publicKey}', 'hex')`,
      `key_id = 'svc_key_1'`,
      `account_id = account_id + 1`,
    ]) {
      const update = pool.query(`UPDATE trading_keys SET ${change} WHERE key_id = $1`, [key.keyId]);
      await expect(update, change).rejects.toThrow('permission denied');
    }
    for (const change of [`type = 'hmac'`, `secret_sealed = ''`, `public_key = NULL`]) {
      const update = desk.server.owner.query(
        `UPDATE trading_keys SET ${change} WHERE key_id = $1`,
        [key.keyId],
      );
      await expect(update, change).rejects.toThrow('check constraint');
    }
  });

  it('is rotated with another public key', async () => {
    const owner = await exampleOwner();
    const [first, second] = [examplePair(), examplePair()];
    const { keyId } = await owner.make(ed25519(first));
    expect(codeOf(await owner.ask('rotate', { keyId }))).toBe('2001');
    const rotated = await owner.ask('rotate', { keyId, publicKey: second.publicKey });
    const fresh = resultOf<ShownKey>(rotated);
    expect(fresh).toMatchObject({ type: 'ed25519', publicKey: second.publicKey, secret: '' });
    expect(await use(fresh, signWith(second))).toBe('');
    expect(await use(fresh, signWith(first))).toBe('3004');
    expect(await use({ keyId }, signWith(first))).toBe('');
  });

  it('that does not exist is refused like any other', async () => {
    const pair = examplePair();
    expect(await use({ keyId: 'svc_edk_0000000000000000' }, signWith(pair))).toBe('3002');
    expect(await use({ keyId: 'svc_edk_' }, () => 'x')).toBe('3002');
  });
});

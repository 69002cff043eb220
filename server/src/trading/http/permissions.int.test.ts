// What a key may do and from where: every private route, with every set of permissions, from every
// kind of address.
import { describe, expect, it } from 'vitest';
import { PERMISSIONS, type Permission } from '../../accounts/trading-keys/key.ts';
import { useFrozenVenue } from '../../testing/frozen-venue.ts';
import { exampleTrader, type Trader } from '../../testing/trader.ts';
import { ROUTES } from '../routes.ts';

const venue = useFrozenVenue();

const PRIVATE = ROUTES.filter(({ access }) => access !== 'public' && access !== 'session');
const HERE = '203.0.113.7';
const ELSEWHERE = '198.51.100.7';
const PLACES = {
  'no allow-list': { ipAllowlist: [], isHere: true },
  'an allow-list that has the caller': { ipAllowlist: ['203.0.113.0/24'], isHere: true },
  'an allow-list without the caller': { ipAllowlist: [`${ELSEWHERE}/32`], isHere: false },
} as const;

/** Every set of permissions, the empty one too. */
const SETS: Permission[][] = Array.from({ length: 2 ** PERMISSIONS.length }, (_, bits) =>
  PERMISSIONS.filter((_permission, index) => (bits & (1 << index)) !== 0),
);

/**
 * The code of a refusal before the handler; the route's own checks of its parameters do not matter
 * here.
 */
async function doorCode(caller: Trader, method: string, path: string): Promise<string> {
  const { body } = await caller.call(`${venue.server.baseUrl}${path}`, {
    method,
    atMs: (venue.nowMs += 1),
    headers: { 'X-Forwarded-For': HERE },
  });
  const code = body.error?.code ?? '';
  return code === '3003' || code === '3008' ? code : 'let in';
}

it('there are private routes to try', () => {
  expect(PRIVATE.length).toBeGreaterThan(15);
  expect(new Set(PRIVATE.map(({ access }) => access))).toEqual(
    new Set(['key', 'read', 'trade', 'transfer', 'withdraw']),
  );
});

it('no key reaches what only a session may do', async () => {
  const all = await exampleTrader(venue.server.ctx, {
    permissions: [...PERMISSIONS],
    ipAllowlist: [`${HERE}/32`],
  });
  const own = ROUTES.filter(({ access }) => access === 'session');
  expect(own.map(({ path }) => path)).toEqual([
    '/private/wallet/withdraw_confirm',
    '/private/wallet/withdraw_address_add',
    '/private/wallet/withdraw_address_remove',
    '/private/api_key/create',
    '/private/api_key/list',
    '/private/api_key/update',
    '/private/api_key/rotate',
    '/streams/ticket',
  ]);
  for (const { method, path } of own) {
    const { status, body } = await all.call(`${venue.server.baseUrl}${path}`, {
      method,
      atMs: (venue.nowMs += 1),
      headers: { 'X-Forwarded-For': HERE },
    });
    expect([path, status, body.error?.code]).toEqual([path, 403, '3010']);
  }
});

describe.each(Object.entries(PLACES))('a key with %s', (place, { ipAllowlist, isHere }) => {
  it.each(SETS.map((set) => [set.join(', ') || 'nothing', set] as const))(
    'that may %s reaches exactly those routes',
    async (_name, permissions) => {
      const make = exampleTrader(venue.server.ctx, { permissions, ipAllowlist });
      if (permissions.includes('withdraw') && ipAllowlist.length === 0) {
        await expect(make, place).rejects.toThrow('check constraint');
        return;
      }
      const caller = await make;
      for (const { name, method, path, access } of PRIVATE) {
        const isAllowed = access === 'key' || permissions.some((one) => one === access);
        const expected = isHere ? (isAllowed ? 'let in' : '3008') : '3003';
        expect([name, await doorCode(caller, method, path)]).toEqual([name, expected]);
      }
    },
  );
});

it('a key that may withdraw cannot lose its allow-list, and a key without one cannot get the permission', async () => {
  const { ctx } = venue.server;
  const ipAllowlist = [`${HERE}/32`];
  const bound = await exampleTrader(ctx, { permissions: ['withdraw'], ipAllowlist });
  const free = await exampleTrader(ctx, { permissions: ['read'] });
  const change = (keyId: string, values: { ipAllowlist?: string[]; permissions?: string[] }) =>
    ctx.db.updateTable('tradingKeys').set(values).where('keyId', '=', keyId).execute();
  await expect(change(bound.keyId, { ipAllowlist: [] })).rejects.toThrow('check constraint');
  await expect(change(free.keyId, { permissions: ['read', 'withdraw'] })).rejects.toThrow(
    'check constraint',
  );
});

// What a key may do, from where, and until when.
import { describe, expect, it } from 'vitest';
import { codeOf, useFrozenVenue } from '../../testing/frozen-venue.ts';
import { awaitProjection } from '../projections/access.ts';
import { exampleTrader, hmacHex, type Trader } from '../../testing/trader.ts';

const venue = useFrozenVenue();

describe('a key', () => {
  const call = (caller: Trader, headers: Record<string, string> = {}) =>
    codeOf(caller.call(venue.url, { atMs: (venue.nowMs += 1), headers }));

  it('that is disabled, expired, or whose owner left is refused at once', async () => {
    const { db } = venue.server.ctx;
    const caller = await exampleTrader(venue.server.ctx);
    const change = (values: { isEnabled?: boolean; expiresAt?: Date | null }) =>
      db.updateTable('tradingKeys').set(values).where('keyId', '=', caller.keyId).execute();
    expect(await call(caller)).toBe('accepted');
    await change({ isEnabled: false });
    expect(await call(caller)).toBe('3002');
    await change({ isEnabled: true, expiresAt: new Date(venue.nowMs) });
    expect(await call(caller)).toBe('3002');
    await change({ expiresAt: new Date(venue.nowMs + 60_000) });
    expect(await call(caller)).toBe('accepted');
    await db
      .updateTable('users')
      .set({ isActive: false })
      .where('id', '=', caller.userId)
      .execute();
    expect(await call(caller)).toBe('3002');
  });

  it('whose secret was replaced accepts only the new one, although the old one is remembered', async () => {
    const caller = await exampleTrader(venue.server.ctx);
    expect(await call(caller)).toBe('accepted');
    const owner = `trading key ${caller.accountId} ${caller.keyId}`;
    await venue.server.ctx.db
      .updateTable('tradingKeys')
      .set({ secretSealed: venue.server.ctx.secrets.seal(owner, 'svc_secret_new') })
      .where('keyId', '=', caller.keyId)
      .execute();
    expect(await call(caller)).toBe('3004');
    const query = `timestamp=${venue.nowMs}`;
    const headers = {
      'X-SVC-APIKEY': caller.keyId,
      'X-SVC-SIGNATURE': hmacHex('svc_secret_new', query),
    };
    expect(await codeOf(venue.get(query, headers))).toBe('accepted');
  });

  it('with an allow-list works only from there', async () => {
    const caller = await exampleTrader(venue.server.ctx, {
      ipAllowlist: ['203.0.113.0/24', '2001:db8::/32'],
    });
    const from = (address: string) => call(caller, { 'X-Forwarded-For': address });
    expect(await from('203.0.113.7')).toBe('accepted');
    expect(await from('2001:db8::7')).toBe('accepted');
    expect(await from('203.0.114.7')).toBe('3003');
    expect(await from('203.0.113.7, 198.51.100.1')).toBe('3003');
    expect(await call(caller)).toBe('3003');
    // The address is checked before the signature.
    const headers = { 'X-SVC-APIKEY': caller.keyId, 'X-SVC-SIGNATURE': 'nonsense' };
    const { status, body } = await venue.get('', headers);
    expect([status, body.error?.code]).toEqual([403, '3003']);
  });

  it('needs the permission of the endpoint', async () => {
    const caller = await exampleTrader(venue.server.ctx, { permissions: ['trade'] });
    const { status, body } = await caller.call(venue.url, { atMs: venue.nowMs });
    expect(status).toBe(403);
    expect(body.error).toMatchObject({
      code: '3008',
      name: 'PERMISSION_DENIED',
      details: { permission: 'read' },
    });
    const reader = await exampleTrader(venue.server.ctx, { permissions: ['read'] });
    expect(await codeOf(reader.call(venue.echoUrl, { method: 'POST', atMs: venue.nowMs }))).toBe(
      '3008',
    );
  });

  it('of a suspended account can read, and is refused everything not open to suspended accounts', async () => {
    const caller = await exampleTrader(venue.server.ctx);
    // The engine's event about the new account, which is not suspended, must come first.
    await expect
      .poll(async () => {
        const waiting = "SELECT FROM operator_commands WHERE status = 'waiting'";
        return (await venue.server.owner.query(waiting)).rowCount;
      })
      .toBe(0);
    await awaitProjection(venue.server.ctx, { patienceMs: 8000, orElse: 'refuse' });
    const suspend = (isSuspended: boolean) =>
      venue.server.ctx.db
        .updateTable('tradingAccounts')
        .set({ isSuspended })
        .where('id', '=', caller.accountId)
        .execute();
    await suspend(true);
    expect(await call(caller)).toBe('accepted');
    const write = () => caller.call(venue.echoUrl, { method: 'POST', atMs: (venue.nowMs += 1) });
    const { status, body } = await write();
    expect([status, body.error?.code]).toEqual([403, '3011']);
    await suspend(false);
    expect(await codeOf(write())).toBe('accepted');
  });
});

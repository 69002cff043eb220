import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteTradingKey } from '../../accounts/trading-keys/actions.ts';
import { createOwnKey, updateOwnKey } from '../../accounts/trading-keys/own-keys.ts';
import { deactivateUser } from '../../accounts/users/standing.ts';
import { accessUser } from '../../accounts/users/access.ts';
import { ROLE } from '../../accounts/roles.ts';
import { endOwnSessions } from '../../accounts/sessions/actions.ts';
import { pause } from '../../platform/std/wait.ts';
import { LIMIT, openDesk, type Desk } from '../../testing/trading/desk.ts';
import { signIn } from '../../testing/session.ts';
import {
  loginFrame,
  openStream,
  type StreamClient,
  type StreamOptions,
} from '../../testing/trading/stream.ts';
import { exampleTrader, hmacHex } from '../../testing/trader.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({
    settings: { STREAM_CONNECTIONS_PER_ADDRESS_MAX: '1000', STREAM_FRAMES_PER_SECOND_MAX: '1000' },
  });
});
afterAll(() => desk.close());

const open = (options?: StreamOptions) => openStream(desk.server, options);
const codeOf = (answer: { error?: { code: string } }) => answer.error?.code;

describe('before a login', () => {
  it('nothing of an account can be asked for', async () => {
    const client = await open();
    expect(codeOf(await client.ask('order.open'))).toBe('3014');
    expect(codeOf(await client.ask('resume', { fromSeq: '1' }))).toBe('3014');
    expect(codeOf(await client.ask('logout'))).toBe('3014');
    for (const channel of ['orders', 'my_trades', 'balances', 'account']) {
      expect(codeOf(await client.ask('subscribe', { channels: [channel] }))).toBe('3014');
    }
    expect(await client.get('list')).toEqual({ channels: [] });
    await client.close();
  });
});

describe('a login', () => {
  it('names the account, and can be done once', async () => {
    const trader = await desk.trader();
    const client = await open();
    const answer = await client.login(trader);
    expect(answer.result).toEqual({
      accountId: String(trader.accountId),
      keyId: trader.keyId,
      permissions: ['read', 'trade'],
    });
    const other = await desk.trader();
    expect(codeOf(await client.login(other))).toBe('2009');
    expect(await client.get('order.open')).toEqual([]);
    await client.get('logout');
    expect(codeOf(await client.ask('order.open'))).toBe('3014');
    expect((await client.login(other)).result).toMatchObject({ keyId: other.keyId });
    await client.close();
  });

  it('that is wrong is refused with its reason, and ends the connection', async () => {
    const trader = await desk.trader();
    const frame = loginFrame(trader);
    const wrong: [string, Record<string, string>][] = [
      ['3002', { ...frame, apiKey: 'svc_key_0000000000000000' }],
      ['3004', { ...frame, signature: '0'.repeat(64) }],
      ['3004', { ...frame, signature: frame['signature']?.toUpperCase() ?? '' }],
      ['3004', { ...frame, recvWindow: '60000' }],
      ['3005', { ...loginFrame(trader, 1), timestamp: '1' }],
      ['3006', loginFrame(trader, Date.now() - 10_000)],
      ['3006', loginFrame(trader, Date.now() + 10_000)],
    ];
    for (const [code, members] of wrong) {
      const client = await open();
      expect(codeOf(await client.ask('login', members)), code).toBe(code);
      expect(await client.closed).toBe(4001);
    }
  });

  it('that was seen before is refused', async () => {
    const trader = await desk.trader();
    const frame = loginFrame(trader);
    const first = await open();
    expect((await first.ask('login', frame)).status).toBe('true');
    const second = await open();
    expect(codeOf(await second.ask('login', frame))).toBe('3007');
    expect(await second.closed).toBe(4001);
    await first.close();
  });

  it('is refused from an address that the key does not allow', async () => {
    const { ctx } = desk.server;
    const trader = await exampleTrader(ctx, { ipAllowlist: ['203.0.113.7/32'] });
    const client = await open();
    expect(codeOf(await client.login(trader))).toBe('3003');
    expect(await client.closed).toBe(4001);
  });

  it('works with an Ed25519 key, and with a signature that covers the path', async () => {
    const { ctx } = desk.server;
    const { userId } = await desk.trader();
    const user = await accessUser(ctx.db, userId);
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const { key } = await createOwnKey(
      ctx,
      { user, address: '' },
      {
        label: '',
        type: 'ed25519',
        publicKey: raw.toString('hex'),
        permissions: ['read'],
        ipAllowlist: [],
        markets: [],
        requireBoundSignature: true,
        expiresAt: null,
        accountId: undefined,
      },
    );
    const timestamp = String(Date.now());
    const text = `apiKey=${key.keyId}&timestamp=${timestamp}`;
    const frame = (signed: string) => ({
      apiKey: key.keyId,
      timestamp,
      signature: sign(null, Buffer.from(signed), privateKey).toString('hex'),
    });
    const plain = await open();
    expect(codeOf(await plain.ask('login', frame(text)))).toBe('3004');
    const client = await open();
    const bound = { ...frame(`GET\n/v1/ws\n${text}`), signatureVersion: '2' };
    expect((await client.ask('login', bound)).result).toMatchObject({ keyId: key.keyId });
    await client.close();
  });

  it('takes a window and a nonce, which are signed', async () => {
    const { keyId, secret } = await desk.trader();
    const timestamp = String(Date.now() - 20_000);
    const text = `apiKey=${keyId}&timestamp=${timestamp}&recvWindow=60000&nonce=a%20b`;
    const client = await open();
    const answer = await client.ask('login', {
      apiKey: keyId,
      timestamp,
      recvWindow: '60000',
      nonce: 'a b',
      signature: hmacHex(secret, text),
    });
    expect(answer.status).toBe('true');
    await client.close();
  });
});

describe('a key', () => {
  it('that may only read cannot trade, and one that may only trade cannot follow', async () => {
    const { ctx } = desk.server;
    const viewer = await exampleTrader(ctx, { permissions: ['read'] });
    const client = await open();
    await client.login(viewer);
    for (const op of ['create', 'cancel_all', 'test']) {
      expect(
        codeOf(await client.ask(`order.${op}`, { params: op === 'cancel_all' ? {} : LIMIT })),
      ).toBe('3008');
    }
    expect(codeOf(await client.ask('cancel_on_disconnect', { enabled: true }))).toBe('3008');
    expect(await client.get('order.open')).toEqual([]);
    const blind = await exampleTrader(ctx, { permissions: ['trade'] });
    const other = await open();
    await other.login(blind);
    expect(codeOf(await other.ask('subscribe', { channels: ['orders'] }))).toBe('3008');
    expect(codeOf(await other.ask('resume', { fromSeq: '0' }))).toBe('3008');
    expect(codeOf(await other.ask('order.open'))).toBe('3008');
    await client.close();
    await other.close();
  });

  it('that ends closes its connections within a second, and no others', async () => {
    const { ctx } = desk.server;
    const bystander = await desk.trader();
    const stays = await open();
    await stays.login(bystander);
    const ends: ((who: { keyId: string; userId: number }) => Promise<unknown>)[] = [
      ({ keyId }) => deleteTradingKey(ctx, keyId),
      async ({ keyId, userId }) =>
        updateOwnKey(ctx, { user: await accessUser(ctx.db, userId), address: '' }, keyId, {
          isEnabled: false,
        }),
      async ({ keyId, userId }) =>
        updateOwnKey(ctx, { user: await accessUser(ctx.db, userId), address: '' }, keyId, {
          ipAllowlist: ['203.0.113.7/32'],
        }),
      ({ userId }) =>
        ctx.inTransaction((tx) => deactivateUser(tx, { id: 0, role: ROLE.owner }, userId)),
    ];
    for (const end of ends) {
      const trader = await desk.trader();
      const client = await open();
      await client.login(trader);
      await client.get('subscribe', { channels: ['orders'] });
      await end(trader);
      expect(await Promise.race([client.closed, pause(5000).then(() => 'open')])).toBe(4002);
    }
    expect(await stays.get('order.open')).toEqual([]);
    await stays.close();
  });

  it('whose terms change tells its account so', async () => {
    const { ctx } = desk.server;
    const trader = await desk.trader();
    const client = await open();
    await client.login(trader);
    await client.get('subscribe', { channels: ['account'] });
    const first = await client.until((p) => p.channel === 'account');
    expect(first).toMatchObject({ type: 'snapshot', data: { canTrade: true, markets: [] } });
    const owner = { user: await accessUser(ctx.db, trader.userId), address: '' };
    await updateOwnKey(ctx, owner, trader.keyId, { markets: ['btcusdt'] });
    const told = await client.until((p) => p.channel === 'account' && p.type === 'update');
    expect(told).toMatchObject({ data: { markets: ['btcusdt'] }, streamSeq: first.streamSeq });
    await client.close();
  });
});

describe('a session', () => {
  async function visitor() {
    const { userId } = await desk.trader();
    const browser = await signIn(desk.server, userId);
    const ticket = async (): Promise<string> => {
      const { body } = await browser.ask('POST', '/json/v1/streams/ticket');
      return (body.result as { ticket: string }).ticket;
    };
    const connect = (text: string, headers: Record<string, string> = {}): Promise<StreamClient> =>
      open({
        path: '/json/v1/ws',
        protocols: ['rialto', `ticket.${text}`],
        headers: { cookie: browser.cookie, origin: desk.server.origin, ...headers },
      });
    return { userId, browser, ticket, connect };
  }

  it('connects with its cookie and a ticket, and needs no login', async () => {
    const { ticket, connect } = await visitor();
    const client = await connect(await ticket());
    expect(await client.get('order.open')).toEqual([]);
    expect(await client.get('order.create', { params: LIMIT })).toMatchObject({ status: 'open' });
    expect(codeOf(await client.login(await desk.trader()))).toBe('2009');
    await client.close();
  });

  it('is refused without its own fresh ticket, or from elsewhere', async () => {
    const { ticket, connect, browser } = await visitor();
    const other = await visitor();
    const used = await ticket();
    await (await connect(used)).close();
    await expect(connect(used)).rejects.toThrow('HTTP 403');
    await expect(connect('')).rejects.toThrow();
    await expect(connect(await other.ticket())).rejects.toThrow('HTTP 403');
    const old = await ticket();
    await desk.server.owner.query(
      "UPDATE stream_tickets SET expires_at = now() - interval '1 second'",
    );
    await expect(connect(old)).rejects.toThrow('HTTP 403');
    await expect(connect(await ticket(), { origin: 'https://evil.example' })).rejects.toThrow(
      'HTTP 403',
    );
    await expect(connect(await ticket(), { cookie: '' })).rejects.toThrow('HTTP 401');
    const { cookie } = browser;
    await expect(
      open({
        path: '/json/v1/ws',
        protocols: ['rialto', `ticket.${await ticket()}`],
        headers: { cookie },
      }),
    ).rejects.toThrow('HTTP 403');
  });

  it('opens nothing at the path of keys', async () => {
    const { ticket, browser } = await visitor();
    const client = await open({
      protocols: ['rialto', `ticket.${await ticket()}`],
      headers: { cookie: browser.cookie, origin: desk.server.origin },
    });
    expect(codeOf(await client.ask('order.open'))).toBe('3014');
    await client.close();
  });

  it('gives tickets only with its token, and keys get none', async () => {
    const { browser } = await visitor();
    const { body } = await browser.ask(
      'POST',
      '/json/v1/streams/ticket',
      {},
      { 'x-csrftoken': '' },
    );
    expect(body.error?.code).toBe('3013');
    const trader = await desk.trader();
    const { baseUrl } = desk.server;
    const answer = await trader.call(`${baseUrl}/streams/ticket`, { method: 'POST' });
    expect(answer.body.error?.code).toBe('3010');
  });

  it('that ends closes its connections', async () => {
    const { ticket, connect, userId } = await visitor();
    const client = await connect(await ticket());
    const { ctx } = desk.server;
    await endOwnSessions(ctx, await accessUser(ctx.db, userId));
    expect(await Promise.race([client.closed, pause(5000).then(() => 'open')])).toBe(4002);
  });
});

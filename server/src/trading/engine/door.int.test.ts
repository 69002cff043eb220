// An attacker with the bus credentials who hears everything on the bus cannot make the engine do
// anything. The same attacks run in one process, over NATS, and against separate processes.
import { deflateRawSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { PAYLOAD_BYTES_MAX, type Bus } from '../../platform/bus/bus.ts';
import { createNatsBus } from '../../platform/bus/nats.ts';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Context } from '../../platform/context.ts';
import { installationName } from '../../platform/installation.ts';
import type { DoorReason } from '../../platform/observe/metrics/engine.ts';
import { pause } from '../../platform/std/wait.ts';
import { createSecrets } from '../../platform/secrets/secrets.ts';
import {
  clusterSettings,
  createTestContext,
  testEnvironment,
  type TestContext,
} from '../../testing/context.ts';
import { exampleMarket } from '../../testing/example-market.ts';
import { carryOut } from '../../testing/operator-rows.ts';
import { startRialtoProcess } from '../../testing/rialto-process.ts';
import { startTestEngine } from '../../testing/server.ts';
import { createEngineClient, type EngineClient } from './client.ts';
import { encodeCommand, type ClientCommand, type NewCommand } from './command.ts';
import { commandLine, queryLine } from './request-lines.ts';
import { createSender } from './sender.ts';
import { createSigner } from './signature.ts';

const SETUP: readonly NewCommand[] = [
  { type: 'list_coin', coin: 'btc', networks: ['SIMULATED'] },
  { type: 'list_coin', coin: 'usdt', networks: ['SIMULATED'] },
  { type: 'open_account', account: 1, parent: 1 },
  { type: 'open_account', account: 2, parent: 2 },
  ...[1, 2].map((to): NewCommand => ({
    type: 'credit_deposit',
    depositId: `first-${to}`,
    network: 'SIMULATED',
    coin: 'usdt',
    to,
    amount: 10n ** 24n,
  })),
  {
    type: 'request_withdrawal',
    withdrawalId: 'w',
    account: 2,
    coin: 'usdt',
    network: 'SIMULATED',
    amount: 10n ** 20n,
    fee: 1n,
  },
  { type: 'create_market', config: exampleMarket() },
  { type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' },
];

/** One of everything that creates, moves or frees money or changes terms. */
const MONEY: readonly NewCommand[] = [
  {
    type: 'credit_deposit',
    depositId: 'x',
    network: 'SIMULATED',
    coin: 'usdt',
    to: 1,
    amount: 10n ** 24n,
  },
  { type: 'transfer', transferId: 'x', from: 2, to: 1, coin: 'usdt', amount: 10n ** 20n },
  { type: 'adjust', adjustmentId: 'x', from: 'adjustments', to: 1, coin: 'usdt', amount: 5n },
  {
    type: 'request_withdrawal',
    withdrawalId: 'x',
    account: 1,
    coin: 'usdt',
    network: 'SIMULATED',
    amount: 10n ** 20n,
    fee: 1n,
  },
  ...(['contribute_capital', 'withdraw_capital'] as const).map((type): NewCommand => ({
    type,
    contributionId: 'x',
    coin: 'usdt',
    network: 'SIMULATED',
    amount: 10n ** 24n,
  })),
  { type: 'set_money', money: 'real' },
  { type: 'cancel_market', symbol: 'btcusdt' },
  { type: 'sweep' },
  { type: 'upgrade', version: 2, hashKey: '0'.repeat(32) },
  { type: 'settle_withdrawal', withdrawalId: 'w' },
  { type: 'cancel_withdrawal', withdrawalId: 'w' },
  { type: 'list_coin', coin: 'gold', networks: ['SIMULATED'] },
  { type: 'open_account', account: 9, parent: 1 },
  { type: 'define_fee_tier', tier: 0, makerPpm: 0, takerPpm: 0 },
  { type: 'set_fee_tier', account: 1, tier: 0 },
  { type: 'suspend_account', account: 2, suspended: true, cancelOrders: true },
  { type: 'set_memory', memory: 1000 },
  { type: 'create_market', config: exampleMarket({ symbol: 'usdtbtc' }) },
  { type: 'configure_market', config: exampleMarket({ priceBandPpm: 1_000_000 }) },
  { type: 'set_phase', symbol: 'btcusdt', phase: 'halted' },
  { type: 'tick' },
];

const place = (account: number, clientOrderId: string): ClientCommand => ({
  type: 'place',
  account,
  checkpoint: Number.MAX_SAFE_INTEGER,
  order: {
    symbol: 'btcusdt',
    side: 'buy',
    type: 'limit',
    price: 6_000_000,
    priceDecimals: 2,
    volume: 1000,
    volumeDecimals: 6,
    clientOrderId,
  },
});

const OCO = {
  kind: 'oco',
  symbol: 'btcusdt',
  side: 'sell',
  volume: 1,
  limitPrice: 70_000,
  stopPrice: 60_000,
} as const;

interface Stage {
  /** Of an api process. */
  readonly ctx: Context;
  /** What the attacker can do: publish, request, and listen. */
  readonly attacker: Pick<Bus, 'publish' | 'request'>;
  /** Overheard payloads of requests to the engine. */
  readonly overheard: string[];
  /** As the engine's process prints them; undefined where they cannot be read. */
  readonly logged: string[] | undefined;
  metrics(): Promise<string>;
  /** Another engine leads afterwards, in another epoch. */
  replaceEngine(): Promise<void>;
  close(): Promise<void>;
}

const STAGES: Readonly<Record<string, () => Promise<Stage>>> = {
  'in one process': async () => {
    const logged: string[] = [];
    const test = await createTestContext({}, { log: logTo(logged) });
    let engine = await startTestEngine(test.ctx);
    const overheard: string[] = [];
    const { request } = test.ctx.bus;
    test.ctx.bus.request = (subject, payload, timeoutMs) => {
      overheard.push(payload);
      return request(subject, payload, timeoutMs);
    };
    return {
      ctx: test.ctx,
      attacker: { publish: test.ctx.bus.publish, request },
      overheard,
      logged,
      metrics: async () => (await test.ctx.metrics.render()).body,
      async replaceEngine() {
        await engine.stop();
        engine = await startTestEngine(test.ctx);
      },
      async close() {
        await engine.stop();
        await test.close();
      },
    };
  },
  'in a cluster, with the credentials of NATS': async () => {
    const logged: string[] = [];
    const api = await createTestContext(clusterSettings());
    const { DATABASE_URL: databaseUrl } = api.config;
    const other = await createTestContext(clusterSettings(), { databaseUrl, log: logTo(logged) });
    let engine = await startTestEngine(other.ctx);
    const attack = await joinNats(api);
    return {
      ctx: api.ctx,
      ...attack,
      logged,
      metrics: async () => (await other.ctx.metrics.render()).body,
      async replaceEngine() {
        await engine.stop();
        engine = await startTestEngine(other.ctx);
      },
      async close() {
        await engine.stop();
        await attack.leave();
        await other.close();
        await api.close();
      },
    };
  },
  'with an engine in its own process': async () => {
    const api = await createTestContext(clusterSettings());
    const environment = {
      ...testEnvironment(api.config.DATABASE_URL, clusterSettings()),
      // Nothing writes the tables.
      PROJECTION_WAIT_MAX_MS: '0',
      LOG_LEVEL: 'silent',
    };
    const engine = await startRialtoProcess('engine', environment);
    const attack = await joinNats(api);
    return {
      ctx: api.ctx,
      ...attack,
      logged: undefined,
      metrics: async () => (await fetch(`http://127.0.0.1:${engine.opsPort}/metrics`)).text(),
      async replaceEngine() {
        await engine.stop();
        await engine.restart();
      },
      async close() {
        await engine.stop();
        await attack.leave();
        await api.close();
      },
    };
  },
};

const logTo = (lines: string[]) =>
  pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });

/**
 * A connection that signs nothing, below the same prefix, and listens to everything sent to
 * engines.
 */
async function joinNats({ ctx }: TestContext) {
  const overheard: string[] = [];
  const bus = createNatsBus({
    url: inject('natsUrl'),
    name: 'somebody',
    prefix: `rialto.${await installationName(ctx.database.pool, '')}`,
    onError: () => {},
    onStatus: () => {},
  });
  await vi.waitUntil(() => bus.isConnected(), { timeout: 5000 });
  bus.subscribe('engine.signed.*.*', (payload) => overheard.push(payload));
  return { attacker: bus, overheard, leave: () => bus.close() };
}

describe.each(Object.keys(STAGES))('the door of the engine, attacked %s', (name) => {
  let stage: Stage;
  let client: EngineClient;

  beforeAll(async () => {
    stage = await (STAGES[name] as () => Promise<Stage>)();
    const { bus, database, log, secrets } = stage.ctx;
    client = createEngineClient({
      bus,
      log,
      secrets,
      pool: database.pool,
      answerMs: 10_000,
      underWayMax: 1000,
    });
    await carryOut(stage.ctx, SETUP);
  }, 60_000);
  afterAll(async () => {
    await client.stop();
    await stage.close();
  });

  const epoch = async (): Promise<number> => {
    const { rows } = await stage.ctx.database.pool.query<{ epoch: bigint }>(
      'SELECT epoch FROM trading_leases',
    );
    return Number(rows[0]?.epoch);
  };
  const counted = async (reason: DoorReason): Promise<number> => {
    const line = new RegExp(
      `^rialto_engine_door_refused_total\\{reason="${reason}".*\\} (\\d+)$`,
      'm',
    );
    return Number(line.exec(await stage.metrics())?.[1] ?? 0);
  };
  /** What the venue owns and owes, and the end of its journal. */
  const state = async () => {
    const { rows } = await stage.ctx.database.pool.query(
      'SELECT max(seq) AS seq, (SELECT digest FROM trading_journal ORDER BY seq DESC LIMIT 1) FROM trading_journal',
    );
    const [first, second, open, markets] = await Promise.all([
      client.read('balances', { account: 1 }),
      client.read('balances', { account: 2 }),
      client.read('open', { account: 1, limit: 100 }),
      client.read('markets', {}),
    ]);
    return { head: rows[0] as unknown, first, second, open, markets };
  };
  const attack = async (payload: string, at?: number): Promise<string> =>
    stage.attacker
      .request(`engine.signed.0.${at ?? (await epoch())}`, payload, 2000)
      .catch((error: Error) => error.name);

  /** Checks that `attacks` move nothing, are each counted under `reason`, and are logged. */
  async function expectNothing(reason: DoorReason, attacks: readonly string[]): Promise<string[]> {
    const before = await state();
    const countedBefore = await counted(reason);
    const answers: string[] = [];
    for (const payload of attacks) answers.push(await attack(payload));
    expect(await state()).toEqual(before);
    expect((await counted(reason)) - countedBefore).toBe(attacks.length);
    if (stage.logged !== undefined) {
      expect(stage.logged.some((line) => line.includes(`"reason":"${reason}"`))).toBe(true);
    }
    return answers;
  }

  const sender = ({ secrets, clock } = stage.ctx) => createSender({ secrets, clock, shard: 0 });

  it('carries out no hand-written command, of any kind', async () => {
    const lines = MONEY.map((command) => `c0 ${encodeCommand(command)}`);
    // Nothing serves the subject of older engines.
    const before = await state();
    for (const line of lines) {
      const asked = stage.attacker.request(`engine.0.${await epoch()}`, line, 1000);
      await expect(asked).rejects.toThrow();
    }
    expect(await state()).toEqual(before);
    await expectNothing('forged', lines);
    const stamp = `0 ${await epoch()} 0123456789abcdef 1 ${Date.now()}`;
    await expectNothing('forged', [
      ...MONEY.map((command) => `${'A'.repeat(43)} ${stamp}\nc0 1  ${encodeCommand(command)}`),
      `${'A'.repeat(43)} ${stamp}\n${commandLine(encodeCommand(place(1, 'x')), 0, { account: 1, keyId: '' })}`,
      '',
      '\n',
      'x'.repeat(PAYLOAD_BYTES_MAX),
      `z${deflateRawSync('\n'.repeat(50_000_000)).toString('base64')}`,
    ]);
    // An api process with another master key is a stranger too.
    const stranger = createSigner(createSecrets('60'.repeat(32)));
    const line = commandLine(encodeCommand(place(1, 'x')), 0, { account: 1, keyId: '' });
    await expectNothing('forged', [
      stranger.signRequest(
        { shard: 0, epoch: await epoch(), sender: '0'.repeat(16), number: 1, sentMs: Date.now() },
        line,
      ),
    ]);
  }, 60_000);

  it('takes only what clients may ask for, even from one of our own processes', async () => {
    const own = sender();
    const at = await epoch();
    const by = { account: 1, keyId: 'k' };
    const sent = MONEY.map((command) => own.seal(at, [commandLine(encodeCommand(command), 0, by)]));
    const answers = await expectNothing(
      'not_for_clients',
      sent.map(({ payload }) => payload),
    );
    for (const [index, answer] of answers.entries()) {
      expect(sent[index]?.open(answer)).toEqual([
        expect.stringMatching(/^erefused .*Nothing was done/),
      ]);
    }
    const misshapen = [
      commandLine('{"type":"place_oco","account":1}', 0, by),
      commandLine('{"type":"place","account":1,"order":{}}', 0, by),
      commandLine('{"type":"place","account":1,"order":[],"surprise":1}', 0, by),
      commandLine('{"type":"cancel","account":1,"orderId":1e999}', 0, by),
      commandLine('{', 0, by),
      commandLine('null', 0, by),
      // An OCO that says it is a bracket has no entry.
      commandLine(
        JSON.stringify({ type: 'place_list', account: 1, list: { ...OCO, kind: 'bracket' } }),
        0,
        by,
      ),
      queryLine('everything', {}, by),
      queryLine('constructor', {}, by),
      queryLine('open', { account: 1, limit: 'all' }, by),
      'q 1 1 {}',
      '',
    ];
    await expectNothing(
      'malformed',
      misshapen.map((line) => own.seal(at, [line]).payload),
    );
    const signer = createSigner(stage.ctx.secrets);
    const signed = (number: number, body: string) =>
      signer.signRequest(
        { shard: 0, epoch: at, sender: 'f'.repeat(16), number, sentMs: Date.now() },
        body,
      );
    await expectNothing('malformed', [
      signed(1, `z${deflateRawSync(Buffer.alloc(50_000_000, 'c')).toString('base64')}`),
      signed(2, 'z not base64 and not packed'),
      signed(3, Array.from({ length: 201 }, () => queryLine('head', {}, by)).join('\n')),
    ]);
  }, 60_000);

  it('does nothing for an account other than the signed one', async () => {
    const own = sender();
    const at = await epoch();
    const by = { account: 1, keyId: 'k' };
    const others = [
      commandLine(encodeCommand(place(2, 'x')), 0, by),
      commandLine('{"type":"cancel_all","account":2}', 0, by),
      // The last of two members of one name counts, here as in the journal.
      commandLine('{"type":"cancel_all","account":1,"account":2}', 0, by),
      commandLine('{"type":"cancel_all_after","account":2,"timeoutMs":5000}', 0, by),
      commandLine(encodeCommand({ type: 'place_list', account: 2, list: OCO }), 0, by),
      queryLine('list', { account: 2, orderListId: 1 }, by),
      queryLine('balances', { account: 2 }, by),
      queryLine('order', { account: 2, orderId: 1 }, by),
    ];
    await expectNothing(
      'wrong_account',
      others.map((line) => own.seal(at, [line]).payload),
    );
    // A valid request beside it is carried out.
    const { payload, open } = own.seal(at, [
      commandLine(encodeCommand(place(1, 'mine')), 0, by),
      commandLine(encodeCommand(place(2, 'theirs')), 0, by),
    ]);
    const lines = open(await attack(payload));
    expect(lines[0]).toMatch(/^o/);
    expect(lines[1]).toMatch(/^erefused /);
    const mine = await client.read('open', { account: 1, limit: 10 });
    const ids = mine.map(({ clientOrderId }) => clientOrderId);
    expect(ids.filter((id) => id === 'mine' || id === 'theirs')).toEqual(['mine']);
  }, 60_000);

  it('carries out a genuine request once, however often it is sent, whole or in parts, now or later', async () => {
    const { order } = place(1, '') as Extract<ClientCommand, { type: 'place' }>;
    const { clientOrderId: _, ...anonymous } = order;
    stage.overheard.length = 0;
    const placed = await client.submit({
      type: 'place',
      account: 1,
      checkpoint: Number.MAX_SAFE_INTEGER,
      // It has no client id, so only the door prevents a second order.
      order: anonymous,
    });
    expect(placed.result.kind).toBe('placed');
    await expect.poll(() => stage.overheard.some((one) => one.includes('"place"'))).toBe(true);
    const recorded = stage.overheard.find((one) => one.includes('"place"')) as string;
    const answers = await expectNothing(
      'replayed',
      Array.from({ length: 5 }, () => recorded),
    );
    // The sender of the first copy must not be told that nothing was done, so this answer is not
    // signed.
    for (const answer of answers) expect(answer).toMatch(/^replayed: /);
    await expectNothing(
      'forged',
      [
        recorded.slice(0, -1),
        recorded.slice(0, recorded.length / 2),
        recorded.slice(1),
        recorded.slice(0, 43),
        `${recorded} `,
        `${recorded}\n${recorded}`,
        recorded.replace('"volume":1000', '"volume":9000'),
        recorded.replace(/ 1 (\d{13})\n/, ' 2 $1\n'),
        recorded.replace(/^(\S+ \d+) \d+ /, (_all, start: string) => `${start} 7 `),
      ].filter((one) => one !== recorded),
    );
    const old = await epoch();
    await stage.replaceEngine();
    await expect
      .poll(() =>
        client.read('head', {}).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    expect(await epoch()).toBe(old + 1);
    await expectNothing('wrong_door', [recorded]);
    // Nothing serves the old subject.
    const open = await client.read('open', { account: 1, limit: 100 });
    expect(await attack(recorded, old)).toMatch(/^Bus/);
    expect(await client.read('open', { account: 1, limit: 100 })).toEqual(open);
    expect(open.filter(({ clientOrderId }) => !clientOrderId)).toHaveLength(1);
  }, 60_000);

  it('takes nothing from a sender whose clock is far from its own', async () => {
    const at = await epoch();
    const line = commandLine(encodeCommand(place(1, 'x')), 0, { account: 1, keyId: '' });
    const away = (ms: number) =>
      sender({ ...stage.ctx, clock: { now: () => Date.now() + ms } }).seal(at, [line]).payload;
    await expectNothing('stale', [away(-3_600_000), away(3_600_000), away(-40_000)]);
    const { payload, open } = sender({
      ...stage.ctx,
      clock: { now: () => Date.now() - 10_000 },
    }).seal(at, [line]);
    expect(open(await attack(payload))).toEqual([expect.stringMatching(/^o/)]);
  });

  it('is found by clients, even if somebody else claims to lead', async () => {
    const before = await state();
    for (const subject of [SUBJECTS.engineLeader, `signed.${SUBJECTS.engineLeader}`]) {
      for (const words of ['0 999999', '0 Infinity', 'NaN', '', `${'A'.repeat(43)}0 999999`]) {
        stage.attacker.publish(subject, words);
      }
    }
    // Also if leaders are announced again and again.
    for (let n = 0; n < 2000; n += 1) {
      stage.attacker.publish(SUBJECTS.operatorBell, '');
      stage.attacker.publish(SUBJECTS.engineLeader, '0 999999');
    }
    await pause(300);
    expect(await state()).toEqual(before);
    expect((await client.submit(place(1, 'after'))).result.kind).toBe('placed');
  });

  it('only the engine’s own answers to the same request are believed', async () => {
    const at = await epoch();
    const own = sender();
    const line = commandLine(encodeCommand(place(1, 'x')), 0, { account: 1, keyId: '' });
    const first = own.seal(at, [line]);
    const second = own.seal(at, [line]);
    const answer = await attack(first.payload);
    expect(first.open(answer)[0]).toMatch(/^o/);
    for (const forged of [
      '',
      'aeunavailable Nothing was done.',
      answer.slice(1),
      `${answer.slice(0, -1)} `,
      `${first.payload.slice(0, 43)}aeunavailable Nothing was done.`,
    ]) {
      expect(() => first.open(forged)).toThrow('whether it was done is unknown');
    }
    expect(() => second.open(answer)).toThrow('whether it was done is unknown');
  });
});

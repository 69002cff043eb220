// A small venue opened by an old release, for testing its replacement by a newer one: one market,
// two funded traders, and a load that sends every order to whichever api answers.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { pause } from '../server/src/platform/std/wait.ts';
import { hmacHex, send, type TradingAnswer } from '../server/src/testing/trader.ts';
import type { Release } from './release.ts';

const OPERATOR = ['--by', 'ava@example.com'];
const TERMS =
  '--base-precision 6 --quote-precision 2 --minimum-quote-size 5 --max-market-order-ask 10 ' +
  '--max-market-order-bid 500000 --listing-price 64000 --halt-percent 0 --max-open-orders 5000';

/** Runs a command of a release to its end; fails with its output unless it succeeded. */
export async function runCommand(
  { program }: Release,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], ...environment, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [code, stdout, stderr] = await Promise.all([
    new Promise<number | null>((resolve) => child.on('exit', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code !== 0)
    throw new Error(`rialto ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

export interface Key {
  readonly account: number;
  readonly keyId: string;
  readonly secret: string;
}

/**
 * Creates people, coins, a market and money, by the operators' commands of a release with a running
 * engine.
 */
export async function openVenue(
  release: Release,
  environment: Record<string, string>,
): Promise<readonly Key[]> {
  let secret: Record<string, string> = {};
  const admin = (...args: string[]) =>
    runCommand(release, ['admin', ...args, '--json'], { ...environment, ...secret });
  const first = ['--email', 'ava@example.com', '--name', 'Ava', '--role', 'owner'];
  const { operator_secret } = JSON.parse(await admin('create-user', ...first)) as {
    operator_secret?: string;
  };
  // Past releases need none.
  if (operator_secret !== undefined) secret = { RIALTO_OPERATOR_SECRET: operator_secret };
  const open = async (name: string): Promise<Key> => {
    const email = `${name}@example.com`;
    await admin('create-user', '--email', email, '--name', name, ...OPERATOR);
    const permissions = ['--permissions', 'read,trade'];
    const key = await admin('create-trading-key', '--email', email, ...permissions, ...OPERATOR);
    const { account_id, api_key, secret_key } = JSON.parse(key) as Record<string, string>;
    return { account: Number(account_id), keyId: api_key ?? '', secret: secret_key ?? '' };
  };
  const [keys] = await Promise.all([
    Promise.all(['mia', 'ben'].map(open)),
    ...['btc', 'usdt'].map((coin) =>
      admin('coin', 'add', '--symbol', coin, '--name-en', coin, '--name-fa', coin, ...OPERATOR),
    ),
  ]);
  await admin('market', 'create', 'btc', 'usdt', ...TERMS.split(' '), ...OPERATOR);
  await admin('market', 'phase', 'btcusdt', 'continuous', ...OPERATOR);
  const deposit = (to: number, coin: string, amount: string) =>
    admin('ledger', 'deposit', '--to', String(to), '--coin', coin, '--amount', amount, ...OPERATOR);
  await Promise.all(
    keys.flatMap(({ account }) => [
      deposit(account, 'btc', '1000'),
      deposit(account, 'usdt', '90000000'),
    ]),
  );
  return keys;
}

let latestMs = 0;

/** A signed request of the trading API. */
export function call(
  { keyId, secret }: Key,
  url: string,
  params: Record<string, string> = {},
  method = 'GET',
): Promise<TradingAnswer> {
  // Two requests in one millisecond would have the same signature.
  latestMs = Math.max(latestMs + 1, Date.now());
  const query = new URLSearchParams({
    timestamp: String(latestMs),
    recvWindow: '60000',
    ...params,
  }).toString();
  return send(`${url}?${query}`, {
    method,
    headers: { 'X-SVC-APIKEY': keyId, 'X-SVC-SIGNATURE': hmacHex(secret, query) },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
}
const ANSWER_WITHIN_MS = 15_000;

export interface Acknowledged {
  readonly account: number;
  readonly clientOrderId: string;
  readonly orderId: string;
}

export interface Load {
  readonly acknowledged: readonly Acknowledged[];
  /** Answers that sent an order to the next api or to another attempt, by status. */
  readonly retries: ReadonlyMap<string, number>;
  /** Waits for this many more orders. */
  more(count: number): Promise<void>;
  /** Resolves when every order that was begun is acknowledged. */
  stop(): Promise<void>;
}

const LANES = 3;
const MORE_WITHIN_MS = 90_000;
const PRICES = ['63990.00', '64000.00', '64010.00'];

/**
 * Sends orders with client ids, a few at a time for each trader. An order that is not acknowledged
 * goes, with the same client id, to the next api of `origins` until one acknowledges it.
 */
export function startLoad(
  name: string,
  keys: readonly Key[],
  origins: () => readonly string[],
): Load {
  const acknowledged: Acknowledged[] = [];
  const retries = new Map<string, number>();
  let isStopping = false;
  let failure: Error | undefined;

  /** The api that answered last. A client stays with what works. */
  let chosen = 0;

  async function place(key: Key, side: string, clientOrderId: string, turn: number): Promise<void> {
    const params = {
      symbol: 'btcusdt',
      side,
      type: 'limit',
      price: PRICES[turn % PRICES.length] ?? '',
      volume: '0.001',
      clientOrderId,
    };
    for (let at = chosen; ; at += 1) {
      const known = origins();
      const origin = known[at % known.length];
      const answer = await call(key, `${origin}/v1/private/order/create`, params, 'POST').catch(
        () => undefined,
      );
      if (answer?.status === 200) {
        const { orderId } = answer.body.result as { orderId: string };
        acknowledged.push({ account: key.account, clientOrderId, orderId });
        chosen = at % known.length;
        return;
      }
      const isRefusal = answer !== undefined && answer.status < 500;
      if (isRefusal) throw new Error(`${clientOrderId} was refused: ${answer.text}`);
      const why = String(answer?.body.error?.code ?? answer?.status ?? 'no answer');
      retries.set(why, (retries.get(why) ?? 0) + 1);
      await pause(20);
    }
  }

  const lanes = keys.flatMap((key, trader) =>
    Array.from({ length: LANES }, async (_, lane) => {
      for (let turn = 0; !isStopping && failure === undefined; turn += 1) {
        const side = (trader + turn) % 2 === 0 ? 'buy' : 'sell';
        await place(key, side, `${name}-${lane}-${turn}`, turn + lane);
      }
    }).map((lane) =>
      lane.catch((error: unknown) => {
        failure ??= error instanceof Error ? error : new Error(String(error));
      }),
    ),
  );

  return {
    acknowledged,
    retries,
    async more(count) {
      const goal = acknowledged.length + count;
      const deadline = Date.now() + MORE_WITHIN_MS;
      while (acknowledged.length < goal) {
        if (failure !== undefined) throw failure;
        if (Date.now() > deadline) {
          const why = JSON.stringify([...retries]);
          throw new Error(`Only ${acknowledged.length} of ${goal} orders were taken: ${why}`);
        }
        await pause(20);
      }
    },
    async stop() {
      isStopping = true;
      await Promise.all(lanes);
      if (failure !== undefined) throw failure;
    },
  };
}

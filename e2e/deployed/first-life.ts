// The purpose of an installation, end to end: two people trade, and one of them gets a message from
// the other.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { asOperator } from '../../server/src/ops/operator.ts';
import { examplePerson, type Person } from '../../server/src/testing/example.ts';
import { liveVenue } from '../../server/src/testing/live-venue.ts';
import { exampleTrader, type Trader } from '../../server/src/testing/trader.ts';

const WITHIN_MS = 60_000;
const POLL_MS = 500;
const BOUGHT = /"available":"1\.4\d+"/;
const LIMIT = { symbol: 'btcusdt', type: 'limit', price: '64000.00', volume: '0.5' };

/** Asks until `isRight`, and returns the last answer, right or not. */
export async function untilAnswer<T>(
  ask: () => Promise<T>,
  isRight: (answer: T) => boolean,
): Promise<T> {
  const untilMs = performance.now() + WITHIN_MS;
  let answer = await ask();
  while (!isRight(answer) && performance.now() < untilMs) {
    await sleep(POLL_MS);
    answer = await ask();
  }
  return answer;
}

/** The status of a GET; 0 while nothing listens. */
export const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );

export const awaitReady = async (origin: string): Promise<void> => {
  const url = `${origin}/health/ready`;
  expect(
    await untilAnswer(
      () => statusOf(url),
      (status) => status === 200,
    ),
    url,
  ).toBe(200);
};

/** `settings` belong to a server; one person uses the first origin, the other the last. */
export async function tradeAndTalk(
  settings: Record<string, string>,
  origins: readonly string[],
): Promise<void> {
  const [here = '', there = here] = [origins[0], origins.at(-1)];
  const [ava, ben, seller, buyer] = await asOperator(settings, async (ctx) => {
    const venue = await liveVenue({ ctx }, { phase: 'continuous' });
    const people = [await examplePerson(ctx), await examplePerson(ctx)] as const;
    const traders: Trader[] = [];
    for (const { id } of people) {
      const trader = await exampleTrader(ctx, { userId: id });
      await venue.fund(trader.accountId, { btc: '1', usdt: '100000' });
      traders.push(trader);
    }
    return [...people, ...(traders as [Trader, Trader])] as const;
  });
  await trade(seller, here, buyer, there);
  await talk(ava, here, ben, there);
}

async function trade(seller: Trader, here: string, buyer: Trader, there: string): Promise<void> {
  const place = (trader: Trader, origin: string, side: string) =>
    trader.call(`${origin}/v1/private/order/create`, {
      method: 'POST',
      params: { ...LIMIT, side },
    });
  const offer = await place(seller, here, 'sell');
  expect(offer.status, offer.text).toBe(200);
  const taken = await place(buyer, there, 'buy');
  expect(taken.status, taken.text).toBe(200);
  const balances = () =>
    buyer.call(`${here}/v1/private/account/balances`, { params: { coin: 'btc' } });
  // The bought volume minus the fee.
  const after = await untilAnswer(balances, ({ text }) => BOUGHT.test(text));
  expect(after.text).toMatch(BOUGHT);
}

async function talk(ava: Person, here: string, ben: Person, there: string): Promise<void> {
  const chat = async (person: Person, url: string, form?: Record<string, string>) => {
    const response = await fetch(url, {
      headers: { authorization: person.basic },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const { queue_id: queue, last_event_id: last } = await chat(ben, `${there}/api/v1/register`, {
    event_types: '["message"]',
  });
  const content = `Good morning, ${ben.fullName}`;
  const sent = await chat(ava, `${here}/api/v1/messages`, {
    type: 'direct',
    to: JSON.stringify([ben.email]),
    content,
  });
  expect(sent).toMatchObject({ result: 'success' });
  const heard = await chat(
    ben,
    `${there}/api/v1/events?queue_id=${String(queue)}&last_event_id=${String(last)}`,
  );
  expect(heard['events']).toMatchObject([{ type: 'message', message: { content } }]);
}

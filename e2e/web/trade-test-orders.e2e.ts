// What the order form computes, and what the venue computes for the very same parameters: a few hundred orders, typed in
// every manner, through `order/test`.
import {
  decimal,
  RialtoError,
  Trading,
  type OrderCreateParams,
  type TestedOrder,
} from '@rialto/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDecimal } from '../../web/src/i18n/digits.ts';
import {
  choosePercent,
  emptyDraft,
  type,
  type Draft,
  type Field,
} from '../../web/src/trade/form/draft.ts';
import { placementOf } from '../../web/src/trade/form/params.ts';
import { readForm, type FormTerms } from '../../web/src/trade/form/read.ts';
import { startStoredDemo, type DemoProcess } from '../demo-process.ts';

const SYMBOL = 'btcusdt';
const CASES = 240;

let demo: DemoProcess;
let trading: Trading;

beforeAll(async () => {
  demo = await startStoredDemo();
  const { api_key: key, secret_key: secret } = demo.demo.users.trader_a.trading;
  trading = new Trading({ url: new URL(demo.demo.web_url).origin, key, secret });
}, 300_000);

afterAll(() => demo?.dispose());

const persian = (text: string): string =>
  text.replace(/\d/gu, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? digit).replace('.', '٫');
const STYLES: readonly ((text: string) => string)[] = [
  (text) => text,
  persian,
  (text) => `\u200e${text} `,
  (text) => text.replace(/\B(?=(\d{3})+\.)/gu, ','),
];

const KINDS = [
  'limit',
  'market',
  'stop_limit',
  'stop_market',
  'take_profit_limit',
  'take_profit_market',
  'trailing_stop',
] as const;

const drawn = fc.record({
  kind: fc.constantFrom(...KINDS),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  style: fc.constantFrom(...STYLES),
  /** Thousandths of the last price. */
  price: fc.integer({ min: 850, max: 1150 }),
  trigger: fc.integer({ min: 860, max: 1140 }),
  decimals: fc.constantFrom(2, 2, 2, 3),
  size: fc.oneof(
    fc.integer({ min: 1, max: 400_000 }).map((lots) => ({ amount: lots })),
    fc.integer({ min: 100, max: 3_000_000 }).map((cents) => ({ total: cents })),
    fc.constantFrom('25', '50', '75', '100').map((percent) => ({ percent })),
  ),
});

const units = (count: number, decimals: number): string =>
  decimal.divide(String(count), `1${'0'.repeat(decimals)}`, decimals);

test('the form and the venue agree about every order', async () => {
  const [market] = await trading.public.markets({ symbol: SYMBOL });
  if (market === undefined) throw new Error('The market is missing.');
  const balances = await trading.account.balances();
  const availableOf = (coin: string) => balances.find((one) => one.coin === coin)?.available;
  const [rates] = await trading.account.fees({ symbol: SYMBOL });
  const taker = rates?.takerFee ?? '0';
  let [accepted, refused] = [0, 0];
  let terms: FormTerms | undefined;
  for (const [index, one] of fc.sample(drawn, CASES).entries()) {
    // The demo trades on; what the form sees is never much older than a second.
    if (index % 8 === 0 || terms === undefined) {
      const [book, [ticker]] = await Promise.all([
        trading.public.depth({ symbol: SYMBOL }),
        trading.public.tickers({ symbol: SYMBOL }),
      ]);
      terms = {
        market,
        prices: { bids: book.bids, asks: book.asks, last: ticker?.last ?? '' },
        rates: { maker: rates?.makerFee ?? '0', taker },
        available: { base: availableOf('btc'), quote: availableOf('usdt') },
        nowMs: Date.now(),
      };
    }
    const { last } = terms.prices;
    const at = (thousandths: number) =>
      decimal.divide(decimal.multiply(last, String(thousandths)), '1000', one.decimals);
    const put = (draft: Draft, field: Field, text: string) =>
      type(draft, field, readDecimal(one.style(text)));
    let draft = emptyDraft(one.side, one.kind);
    if (one.kind.includes('limit')) draft = put(draft, 'price', at(one.price));
    if (one.kind.startsWith('stop') || one.kind.startsWith('take'))
      draft = put(draft, 'stopPrice', at(one.trigger));
    if (one.kind === 'trailing_stop') draft = put(draft, 'delta', '1.25');
    if ('percent' in one.size) draft = choosePercent(draft, one.size.percent);
    else if ('amount' in one.size) draft = put(draft, 'amount', units(one.size.amount, 6));
    else draft = put(draft, 'total', units(one.size.total, 2));

    const { sized, estimated, problems } = readForm(draft, terms);
    const call = placementOf(draft, sized, market);
    if (call?.call !== 'create') continue;
    const answer = await testOrder(call.params);
    const what = JSON.stringify({ params: call.params, problems, answer });
    if (answer instanceof RialtoError) {
      // A price that moved between the two looks decides otherwise; a rule does not.
      const isMoving = ['4016', '4009', '4014'].includes(answer.code);
      if (!isMoving) expect(Object.keys(problems).length, what).toBeGreaterThan(0);
      if (answer.code === '5001' && problems.amount?.code === 'funds')
        expect(decimal.equals(problems.amount.need, String(answer.details['required'])), what).toBe(
          true,
        );
      refused += 1;
      continue;
    }
    accepted += 1;
    const isMoving = Object.values(problems).some(({ code }) =>
      ['apart', 'most', 'least', 'value'].includes(code),
    );
    if (!isMoving) expect(problems, what).toEqual({});
    // What is held is what the form said, to the last digit; a market buy of an amount is an estimate.
    if (!(one.kind === 'market' && one.side === 'buy' && sized.sent?.name === 'volume'))
      expect(decimal.equals(answer.hold, estimated.need ?? '-1'), what).toBe(true);
    expect(answer.holdCurrency).toBe(one.side === 'buy' ? 'usdt' : 'btc');
    expect(answer.feeCurrency).toBe(one.side === 'buy' ? 'btc' : 'usdt');
    expect(decimal.equals(answer.estimatedFee, feeOf(answer, one.side, taker)), what).toBe(true);
  }
  expect(accepted).toBeGreaterThan(CASES / 6);
  expect(refused).toBeGreaterThan(5);
}, 600_000);

async function testOrder(params: OrderCreateParams): Promise<TestedOrder | RialtoError> {
  try {
    return await trading.order.test(params);
  } catch (error) {
    if (error instanceof RialtoError && error.status !== undefined) return error;
    throw error;
  }
}

/** The fee of the venue's own fills, as the form computes fees. */
const feeOf = ({ estimatedFills }: TestedOrder, side: 'buy' | 'sell', taker: string): string =>
  decimal.sum(
    estimatedFills.map(({ price, volume }) =>
      decimal.multiply(side === 'buy' ? volume : decimal.multiply(price, volume), taker),
    ),
  );

// Ten thousand ways to fill in the form: what is shown, what is sent and what a slow twin computes agree to the last digit.
import { decimal } from '@rialto/sdk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDecimal } from '../../i18n/digits.ts';
import { localeOf } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { marketOf, PRICES } from '../testing/market.ts';
import { printUnits, twinOf, typed, type Meaning, type TwinState } from '../testing/typing.ts';
import { choosePercent, emptyDraft, type, type Draft, type Field, type Kind } from './draft.ts';
import { placementOf } from './params.ts';
import { readForm, type FormTerms } from './read.ts';

const FIELDS: readonly Field[] = [
  'price',
  'amount',
  'total',
  'stopPrice',
  'stopLimit',
  'takeProfit',
  'delta',
  'visible',
];
const KINDS: readonly Kind[] = [...marketOf().orderTypes, 'oco', 'bracket'];
const MARKETS = [
  marketOf(),
  marketOf({ basePrecision: '0', quotePrecision: '5', volumeStep: '1', priceStep: '0.00001' }),
  marketOf({ basePrecision: '6', quotePrecision: '0', priceStep: '1' }),
  marketOf({
    basePrecision: '4',
    quotePrecision: '6',
    volumeStep: '0.0001',
    priceStep: '0.000001',
  }),
];

const unitOf = (field: Field): string =>
  field === 'amount' || field === 'visible' ? 'btc' : field === 'delta' ? '%' : 'usdt';

type Step = (before: readonly [Draft, TwinState]) => readonly [Draft, TwinState];

/** Anything that a person does to the form: mostly typing into a field. */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.constantFrom(...FIELDS, 'price', 'amount', 'total').chain((field) => {
      return typed(unitOf(field)).map(({ text, meaning }): Step => ([draft, twin]) => [
        type(draft, field, readDecimal(text, [unitOf(field)])),
        {
          meanings: { ...twin.meanings, [field]: meaning },
          driver: field === 'amount' || field === 'total' ? field : twin.driver,
          percent: twin.percent,
        },
      ]);
    }),
  },
  fc
    .constantFrom('25', '50', '75', '100')
    .map((percent): Step => ([draft, twin]) => [
      choosePercent(draft, percent),
      { ...twin, driver: 'percent', percent: BigInt(percent) },
    ]),
  fc
    .constantFrom('buy' as const, 'sell' as const)
    .map((side): Step => ([draft, twin]) => [{ ...draft, side }, twin]),
  fc.constantFrom(...KINDS).map((kind): Step => ([draft, twin]) => [{ ...draft, kind }, twin]),
  fc
    .constantFrom('limit' as const, 'market' as const)
    .map((entry): Step => ([draft, twin]) => [{ ...draft, entry }, twin]),
);

const amount = fc
  .tuple(fc.nat({ max: 1_000_000 }), fc.stringMatching(/^[0-9]{1,18}$/u))
  .map(([whole, fraction]) => `${whole}.${fraction}`);

const LOCALES = [localeOf('en'), localeOf('fa')];
/** What a reader sees, back to plain digits. */
const seen = (value: string, locale: (typeof LOCALES)[number]): string =>
  writeDecimal(value, locale)
    .replace(/[۰-۹]/gu, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replace(/[,٬]/gu, '')
    .replace('٫', '.');

/** `expect` is slow, and this is asked some hundred thousand times. */
function same(one: unknown, other: unknown): void {
  if (one !== other) expect(one).toBe(other);
}

test('What is shown, what is sent and what a slow twin computes agree.', () => {
  const nothing = Object.fromEntries(FIELDS.map((field) => [field, 'empty'])) as Record<
    Field,
    Meaning
  >;
  let [calls, taken] = [0, 0];
  fc.assert(
    fc.property(
      fc.constantFrom(...MARKETS),
      fc.constantFrom(...KINDS),
      fc.constantFrom('buy' as const, 'sell' as const),
      fc.array(step, { minLength: 2, maxLength: 9 }),
      amount,
      amount,
      (market, kind, side, steps, base, quote) => {
        const terms: FormTerms = {
          market,
          prices: PRICES,
          rates: { maker: '0.001', taker: '0.0015' },
          available: { base, quote },
          nowMs: 0,
        };
        const [draft, twinState] = steps.reduce((now, act) => act(now), [
          emptyDraft(side, kind),
          { meanings: nothing, driver: 'amount', percent: 0n },
        ] as readonly [Draft, TwinState]);
        const twin = twinOf(draft, twinState, market, terms.available);
        const { sized, placement } = readForm(draft, terms);

        // What is shown.
        const shown = (value: bigint | undefined) => (value === undefined ? '' : printUnits(value));
        same(sized.amount, shown(twin.amount));
        same(sized.total, shown(twin.total));
        for (const value of [sized.amount, sized.total].filter((one) => one !== ''))
          for (const locale of LOCALES) same(seen(value, locale), value);

        // What is sent, whether or not the venue would take it.
        const call = placementOf(draft, sized, market);
        if (twin.sent === undefined) same(call, undefined);
        if (call === undefined) return;
        calls += 1;
        const params: Readonly<Record<string, unknown>> = { ...call.params };
        const { name, value } = twin.sent ?? { name: 'volume', value: -1n };
        same(params[name], printUnits(value));
        same(params[name === 'volume' ? 'total' : 'volume'], undefined);
        const price = twinState.meanings.price;
        const asked = params['price'] ?? params['limitPrice'];
        if (asked !== undefined) same(asked, printUnits(price as bigint));
        if (params['trailingDelta'] !== undefined)
          same(params['trailingDelta'], printUnits((twinState.meanings.delta as bigint) * 100n));
        for (const text of Object.values(params))
          if (typeof text === 'string' && /^\d/u.test(text))
            same(/^\d+(\.\d+)?$/u.test(text), true);
        // A share never asks for more than there is.
        if (placement !== undefined) taken += 1;
        const isWhole = twinState.driver === 'percent' && sized.driver === 'percent';
        if (isWhole && twin.sent !== undefined && side === 'sell' && draft.side === 'sell')
          expect(decimal.compare(String(params['volume']), base)).toBeLessThanOrEqual(0);
      },
    ),
    { numRuns: 10_000 },
  );
  // Most drawn orders are absurd; enough of them are not.
  expect(calls).toBeGreaterThan(1500);
  expect(taken).toBeGreaterThan(20);
}, 300_000);

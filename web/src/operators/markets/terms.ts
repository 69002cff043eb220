// Terms of a market: which there are, what each allows, and what differs. Pure.
import { decimal, type MarketDetail } from '@rialto/sdk';

/** In the order of the form. */
export const TERMS = [
  'basePrecision',
  'quotePrecision',
  'listingPrice',
  'minimumQuoteSize',
  'maxMarketOrderAsk',
  'maxMarketOrderBid',
  'minimumVolume',
  'maximumVolume',
  'minimumPrice',
  'maximumPrice',
  'priceBandPercent',
  'marketSlippagePercent',
  'haltPercent',
  'haltMinutes',
  'auctionSeconds',
  'maxOpenOrders',
  'maxConditionalOrders',
  'icebergParts',
  'defaultStpMode',
] as const;
export type Term = (typeof TERMS)[number];
/** What was typed; nothing for a term that is left to the venue, or as it is. */
export type Terms = Readonly<Record<Term, string>>;

/** Without these there is no market. The others have a default. */
export const NEEDED: readonly Term[] = TERMS.slice(0, 6);

export type Rule =
  | { readonly kind: 'whole'; readonly min: number; readonly max: number }
  /** As many decimals as volumes have, in the base currency. */
  | { readonly kind: 'volume' }
  /** As many decimals as prices have, in the quote currency. */
  | { readonly kind: 'price' }
  | { readonly kind: 'amount' }
  | { readonly kind: 'percent'; readonly mayBeZero: boolean }
  | { readonly kind: 'choice' };

const whole = (min: number, max: number): Rule => ({ kind: 'whole', min, max });

/** The engine's own; it refuses what breaks them, but says so only in the end. */
export const RULES: Readonly<Record<Term, Rule>> = {
  basePrecision: whole(0, 18),
  quotePrecision: whole(0, 18),
  listingPrice: { kind: 'price' },
  minimumQuoteSize: { kind: 'amount' },
  maxMarketOrderAsk: { kind: 'volume' },
  maxMarketOrderBid: { kind: 'amount' },
  minimumVolume: { kind: 'volume' },
  maximumVolume: { kind: 'volume' },
  minimumPrice: { kind: 'price' },
  maximumPrice: { kind: 'price' },
  priceBandPercent: { kind: 'percent', mayBeZero: false },
  marketSlippagePercent: { kind: 'percent', mayBeZero: false },
  haltPercent: { kind: 'percent', mayBeZero: true },
  haltMinutes: whole(1, 1440),
  auctionSeconds: whole(0, 86_400),
  maxOpenOrders: whole(1, 1_000_000),
  maxConditionalOrders: whole(0, 1_000_000),
  icebergParts: whole(1, 1000),
  defaultStpMode: { kind: 'choice' },
};

const AMOUNT_DECIMALS = 18;
const PERCENT_DECIMALS = 4;

export const NO_TERMS = Object.fromEntries(TERMS.map((term) => [term, ''])) as Terms;

/** What is public. The others are empty: only the engine knows them. */
export const termsOf = (market: MarketDetail): Terms => ({
  ...NO_TERMS,
  ...Object.fromEntries(
    TERMS.flatMap((term) => {
      const value = (market as Readonly<Partial<Record<Term, string>>>)[term];
      return value === undefined ? [] : [[term, value]];
    }),
  ),
});

/** What was typed and says another value. A field that was emptied says nothing. */
export const changesOf = (before: Terms, after: Terms): Partial<Terms> =>
  Object.fromEntries(
    TERMS.flatMap((term) =>
      after[term] === '' || isSame(term, before[term], after[term]) ? [] : [[term, after[term]]],
    ),
  );

const isSame = (term: Term, before: string, after: string): boolean =>
  RULES[term].kind === 'choice' || before === '' ? before === after : decimal.equals(before, after);

export type Problem =
  | { readonly kind: 'whole'; readonly min: number; readonly max: number }
  | { readonly kind: 'decimals'; readonly max: number }
  | { readonly kind: 'positive' }
  | { readonly kind: 'atLeast' | 'atMost'; readonly term: Term };

/** What is wrong with what was typed, by term. `known` has the terms that stay. */
export function problemsOf(typed: Terms, known: Terms = NO_TERMS): Partial<Record<Term, Problem>> {
  const all = Object.fromEntries(
    TERMS.map((term) => [term, typed[term] === '' ? known[term] : typed[term]]),
  ) as Terms;
  return Object.fromEntries(
    TERMS.flatMap((term) => {
      if (typed[term] === '') return [];
      const problem = problemOf(term, all);
      return problem === undefined ? [] : [[term, problem]];
    }),
  );
}

const isWhole = (value: string): boolean => /^\d{1,9}$/u.test(value);
const decimalsOf = (value: string): number => value.split('.')[1]?.replace(/0+$/u, '').length ?? 0;

function problemOf(term: Term, all: Terms): Problem | undefined {
  const rule = RULES[term];
  const value = all[term];
  if (rule.kind === 'choice') return undefined;
  if (rule.kind === 'whole') {
    // Price times volume has to fit the ledger's decimals.
    const other = Number(isWhole(all.basePrecision) ? all.basePrecision : 0);
    const max = term === 'quotePrecision' ? Math.max(0, AMOUNT_DECIMALS - other) : rule.max;
    const fits = isWhole(value) && Number(value) >= rule.min && Number(value) <= max;
    return fits ? undefined : { kind: 'whole', min: rule.min, max };
  }
  const mayBeZero = rule.kind === 'percent' ? rule.mayBeZero : term === 'minimumQuoteSize';
  if (value.startsWith('-') || (!mayBeZero && decimal.isZero(value))) return { kind: 'positive' };
  const max = allowedDecimals(rule, all);
  return decimalsOf(value) > max ? { kind: 'decimals', max } : orderProblem(term, all);
}

function allowedDecimals({ kind }: Rule, all: Terms): number {
  if (kind === 'percent') return PERCENT_DECIMALS;
  const precision =
    kind === 'volume' ? all.basePrecision : kind === 'price' ? all.quotePrecision : '';
  return isWhole(precision) ? Number(precision) : AMOUNT_DECIMALS;
}

/** Lowest before highest, with the listing price between them. */
const ORDER: readonly (readonly [Term, 'atLeast' | 'atMost', Term])[] = [
  ['minimumVolume', 'atMost', 'maximumVolume'],
  ['maximumVolume', 'atLeast', 'minimumVolume'],
  ['minimumPrice', 'atMost', 'maximumPrice'],
  ['maximumPrice', 'atLeast', 'minimumPrice'],
  ['listingPrice', 'atLeast', 'minimumPrice'],
  ['listingPrice', 'atMost', 'maximumPrice'],
];

function orderProblem(term: Term, all: Terms): Problem | undefined {
  const broken = ORDER.find(([one, kind, other]) => {
    if (one !== term || all[other] === '') return false;
    const side = decimal.compare(all[one], all[other]);
    return kind === 'atLeast' ? side < 0 : side > 0;
  });
  return broken === undefined ? undefined : { kind: broken[1], term: broken[2] };
}

// The shapes of commands and reads. Everything sent to the engine is checked here before the
// journal: an unknown command or shape would stay in the journal for ever, and a later release
// might carry it out. The core itself checks ranges and trading rules.
import { LIMITS, type Command } from '@rialto/matching';
import { isForClients, reviveCommand } from './command.ts';
import type { ReadName } from './door.ts';

/** Who asks. The engine's own commands pass the same table. */
export type Origin = 'client' | 'row' | 'engine';

/** Why a request is refused, in a sentence for its author. */
export class Misshapen extends Error {
  override name = 'Misshapen';
  readonly reason: 'malformed' | 'not_for_clients';
  constructor(message: string, reason: Misshapen['reason'] = 'malformed') {
    super(message);
    this.reason = reason;
  }
}

interface Rule {
  readonly expected: string;
  readonly isOptional: boolean;
  fits(value: unknown): boolean;
}

interface Shape {
  readonly members: Readonly<Record<string, Rule>>;
  readonly requiredCount: number;
}

const TEXT_MAX = 128;
const NETWORKS_MAX = 64;
/** Digits of an amount in units of 10^-18: the ledger ends below 10^36. */
const AMOUNT = /^-?\d{1,48}$/;
// oxlint-disable-next-line no-control-regex -- these are the characters that PostgreSQL and logs stumble over
const CONTROL = /[\u0000-\u001f\u007f]/;

const rule = (expected: string, fits: (value: unknown) => boolean): Rule => ({
  expected,
  isOptional: false,
  fits,
});
const maybe = (inner: Rule): Rule => ({ ...inner, isOptional: true });

const isText = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= TEXT_MAX &&
  value.isWellFormed() &&
  !CONTROL.test(value);

const text = rule(
  `a text of at most ${TEXT_MAX} characters, none of them a control character`,
  isText,
);
const integer = rule('a whole number', Number.isSafeInteger);
const number = rule('a finite number', Number.isFinite);
const flag = rule('true or false', (value) => typeof value === 'boolean');
const amount = rule(
  'an amount in units of 10^-18, as a text of digits',
  (value) => typeof value === 'string' && AMOUNT.test(value),
);
const owner = rule(
  'the number of an account or the name of one of the venue’s own',
  (value) => Number.isSafeInteger(value) || isText(value),
);
const anything = rule('anything', () => true);

function shape(members: Readonly<Record<string, Rule>>): Shape {
  const requiredCount = Object.values(members).filter(({ isOptional }) => !isOptional).length;
  // Without a prototype: `constructor` is not a member of any command.
  return {
    members: Object.assign(Object.create(null), members) as Shape['members'],
    requiredCount,
  };
}

const object = (inner: Shape): Rule =>
  rule(
    `an object with ${Object.keys(inner.members).join(', ')}`,
    (value) => findProblem(inner, value) === undefined,
  );
const list = (inner: Rule, max: number): Rule =>
  rule(
    `a list of at most ${max}, each ${inner.expected}`,
    (value) => Array.isArray(value) && value.length <= max && value.every(inner.fits),
  );

const ORDER = shape({
  symbol: text,
  side: text,
  type: text,
  price: maybe(number),
  stopPrice: maybe(number),
  priceDecimals: maybe(integer),
  trailingDelta: maybe(integer),
  volume: maybe(number),
  visibleVolume: maybe(number),
  volumeDecimals: maybe(integer),
  total: maybe(amount),
  timeInForce: maybe(text),
  expireTime: maybe(number),
  postOnly: maybe(flag),
  stpMode: maybe(text),
  clientOrderId: maybe(text),
});
const REF = { orderId: maybe(integer), clientOrderId: maybe(text) };
const MARKET = shape({
  symbol: text,
  base: text,
  quote: text,
  basePrecision: integer,
  quotePrecision: integer,
  minimumQuoteSize: amount,
  maxMarketOrderAskLots: number,
  maxMarketOrderBid: amount,
  minimumVolumeLots: number,
  maximumVolumeLots: number,
  minimumPriceTicks: number,
  maximumPriceTicks: number,
  listingPriceTicks: number,
  priceBandPpm: number,
  marketSlippagePpm: number,
  haltPpm: number,
  haltMinutes: number,
  defaultStpMode: text,
  maxOpenOrders: number,
  maxConditionalOrders: number,
  icebergParts: number,
  auctionSeconds: maybe(integer),
});
/** The kind decides which members there are, so the two shapes must not be mistaken for each other. */
const exactly = (word: string) => rule(`'${word}'`, (value) => value === word);
const OCO = shape({
  kind: exactly('oco'),
  symbol: text,
  side: text,
  volume: number,
  volumeDecimals: maybe(integer),
  limitPrice: number,
  stopPrice: number,
  stopLimitPrice: maybe(number),
  priceDecimals: maybe(integer),
  stpMode: maybe(text),
  limitClientOrderId: maybe(text),
  stopClientOrderId: maybe(text),
});
const BRACKET = shape({
  kind: exactly('bracket'),
  entry: object(ORDER),
  takeProfitPrice: number,
  stopLossPrice: number,
  stopLossLimitPrice: maybe(number),
  priceDecimals: maybe(integer),
  takeProfitClientOrderId: maybe(text),
  stopLossClientOrderId: maybe(text),
});
const orderList = rule('the terms of an OCO or of a bracket', (value) =>
  [OCO, BRACKET].some((inner) => findProblem(inner, value) === undefined),
);

/** For operators and the engine itself: the reason for the command. The core ignores it. */
const BECAUSE = { because: maybe(anything) };
const checkpoint = maybe(integer);
const account = integer;

const CAPITAL = shape({
  type: text,
  checkpoint,
  contributionId: text,
  coin: text,
  network: text,
  amount,
  ...BECAUSE,
});

/** A new command compiles only once its shape is here. */
const SHAPES: Readonly<Record<Command['type'], Shape>> = {
  place: shape({ type: text, account, checkpoint, order: object(ORDER) }),
  place_batch: shape({
    type: text,
    account,
    checkpoint,
    mode: text,
    // The core has its own lower limit; this is only a bound.
    orders: list(object(ORDER), 10 * LIMITS.batchPlaceMax),
  }),
  place_list: shape({ type: text, account, checkpoint, list: orderList }),
  replace: shape({ type: text, account, checkpoint, ...REF, mode: text, order: object(ORDER) }),
  test: shape({ type: text, account, order: object(ORDER) }),
  cancel: shape({
    type: text,
    account,
    ...REF,
    symbol: maybe(text),
    onlyIf: maybe(text),
    reason: maybe(text),
  }),
  cancel_batch: shape({
    type: text,
    account,
    orders: list(object(shape(REF)), 10 * LIMITS.batchCancelMax),
    reason: maybe(text),
  }),
  cancel_all: shape({
    type: text,
    account,
    symbol: maybe(text),
    side: maybe(text),
    reason: maybe(text),
  }),
  cancel_market: shape({
    type: text,
    symbol: text,
    side: maybe(text),
    reason: maybe(text),
    ...BECAUSE,
  }),
  sweep: shape({ type: text }),
  cancel_all_after: shape({ type: text, account, timeoutMs: number }),
  amend: shape({
    type: text,
    account,
    amendId: maybe(text),
    ...REF,
    price: maybe(number),
    stopPrice: maybe(number),
    priceDecimals: maybe(integer),
    volume: maybe(number),
    visibleVolume: maybe(number),
    volumeDecimals: maybe(integer),
  }),
  tick: shape({ type: text, ...BECAUSE }),
  upgrade: shape({ type: text, version: integer, hashKey: text, ...BECAUSE }),
  list_coin: shape({ type: text, coin: text, networks: list(text, NETWORKS_MAX), ...BECAUSE }),
  open_account: shape({ type: text, account, parent: integer, ...BECAUSE }),
  define_fee_tier: shape({
    type: text,
    tier: integer,
    makerPpm: number,
    takerPpm: number,
    ...BECAUSE,
  }),
  set_fee_tier: shape({ type: text, account, tier: integer, ...BECAUSE }),
  set_fee_tiers: shape({
    type: text,
    day: integer,
    tiers: list(object(shape({ account, tier: integer })), LIMITS.feeTiersMax),
    ...BECAUSE,
  }),
  suspend_account: shape({
    type: text,
    account,
    suspended: flag,
    cancelOrders: flag,
    ...BECAUSE,
  }),
  set_memory: shape({ type: text, memory: integer, ...BECAUSE }),
  set_money: shape({ type: text, money: text, ...BECAUSE }),
  contribute_capital: CAPITAL,
  withdraw_capital: CAPITAL,
  credit_deposit: shape({
    type: text,
    checkpoint,
    depositId: text,
    network: text,
    coin: text,
    to: owner,
    amount,
    ...BECAUSE,
  }),
  request_withdrawal: shape({
    type: text,
    checkpoint,
    withdrawalId: text,
    account,
    coin: text,
    network: text,
    amount,
    fee: amount,
    ...BECAUSE,
  }),
  settle_withdrawal: shape({ type: text, checkpoint, withdrawalId: text, ...BECAUSE }),
  cancel_withdrawal: shape({ type: text, checkpoint, withdrawalId: text, ...BECAUSE }),
  reverse_deposit: shape({
    type: text,
    checkpoint,
    network: text,
    depositId: text,
    part: integer,
    coin: text,
    account: owner,
    amount,
    cover: flag,
    ...BECAUSE,
  }),
  book_chain_cost: shape({
    type: text,
    checkpoint,
    costId: text,
    network: text,
    coin: text,
    amount,
    ...BECAUSE,
  }),
  transfer: shape({
    type: text,
    checkpoint,
    transferId: text,
    from: integer,
    to: integer,
    coin: text,
    amount,
    ...BECAUSE,
  }),
  adjust: shape({
    type: text,
    checkpoint,
    adjustmentId: text,
    from: owner,
    to: owner,
    coin: text,
    amount,
    ...BECAUSE,
  }),
  create_market: shape({ type: text, config: object(MARKET), ...BECAUSE }),
  configure_market: shape({ type: text, config: object(MARKET), ...BECAUSE }),
  set_phase: shape({ type: text, symbol: text, phase: text, until: maybe(number), ...BECAUSE }),
};

const READS: Readonly<Record<ReadName, Shape>> = {
  order: shape({ name: text, account, ...REF }),
  list: shape({ name: text, account, orderListId: integer }),
  open: shape({ name: text, account, symbol: maybe(text), after: maybe(number), limit: integer }),
  balances: shape({ name: text, account, from: maybe(integer) }),
  markets: shape({ name: text, symbol: maybe(text), from: maybe(integer) }),
  depth: shape({ name: text, symbol: text, limit: integer }),
  sweep: shape({ name: text, account, sweepId: integer, after: integer }),
  head: shape({ name: text }),
};

/** Parses a command, without a time yet. Throws Misshapen. */
export function parseCommand(json: string, origin: Origin): Command {
  const command = parseShaped(json, 'type', SHAPES) as Command;
  if (origin === 'client' && !isForClients(command)) {
    throw new Misshapen(
      `'${command.type}' is not for clients: it reaches the engine as a row of operator_commands.`,
      'not_for_clients',
    );
  }
  if (origin === 'row' && (command.type === 'upgrade' || command.type === 'sweep')) {
    throw new Misshapen(`'${command.type}' is for the engine alone.`);
  }
  return reviveCommand(command, 0);
}

/** Parses a read. Throws Misshapen. */
export function parseQuery(json: string): { name: ReadName; query: { account?: number } } {
  const { name, ...query } = parseShaped(json, 'name', READS) as { name: ReadName };
  return { name, query };
}

function parseShaped(
  json: string,
  tag: 'type' | 'name',
  shapes: Readonly<Record<string, Shape>>,
): object {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Misshapen('The text is not JSON.');
  }
  const found = (value as Record<string, unknown> | null)?.[tag];
  if (typeof found !== 'string' || !Object.hasOwn(shapes, found)) {
    throw new Misshapen(`There is no ${tag} ${shown(found)}.`);
  }
  const problem = findProblem(shapes[found] as Shape, value);
  if (problem !== undefined) throw new Misshapen(`'${found}': ${problem}`);
  return value as object;
}

/** Runs for every order, so it makes no garbage unless there is a fault. */
function findProblem({ members, requiredCount }: Shape, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'an object is expected.';
  }
  const given = value as Record<string, unknown>;
  let required = 0;
  // What comes from JSON has no members but its own.
  // oxlint-disable-next-line guard-for-in
  for (const name in given) {
    const member = members[name];
    if (member === undefined) return `there is no member ${shown(name)}.`;
    if (!member.fits(given[name])) {
      return `${name} must be ${member.expected}, not ${shown(given[name])}.`;
    }
    if (!member.isOptional) required += 1;
  }
  if (required === requiredCount) return undefined;
  const missing = Object.keys(members).filter(
    (name) => members[name]?.isOptional === false && !Object.hasOwn(given, name),
  );
  return `missing: ${missing.join(', ')}.`;
}

const SHOWN_MAX = 60;

/** Shows a value that anybody may have written: short, and on one line. */
const shown = (value: unknown): string =>
  (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN_MAX).toWellFormed();

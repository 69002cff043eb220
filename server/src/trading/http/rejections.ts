// Turns refusals of the matching core and the engine into errors of the catalogue. The core's
// details are counts of ticks and lots; clients get decimals, as everywhere.
import { LIMITS, REJECTIONS, type DetailValue, type Rejection } from '@rialto/matching';
import type { Refusal } from '../../platform/http/refusal.ts';
import { AMOUNT_DECIMALS, formatAmount, formatFixed } from '../amount.ts';
import { TABLES_BEHIND, type EngineFailure } from '../engine/door.ts';
import { refuse, SUSPENDED, type ErrorName } from './errors.ts';

/** The decimals of a market. */
export interface Precisions {
  readonly basePrecision: number;
  readonly quotePrecision: number;
}

export interface RejectionContext {
  /** Absent only where the market is unknown, and then no detail uses its units. */
  readonly precisions?: Precisions | undefined;
  /** The order concerned, as clients see it. */
  readonly order?: unknown;
}

/** Nothing was done, and trying again soon makes sense. */
const SOON = { 'Retry-After': '1' };

export function fromRejection(rejection: Rejection, context: RejectionContext = {}): Refusal {
  const { code, details } = rejection;
  // The engine hears of a new account a moment after its key exists; the caller's own account
  // cannot be unknown otherwise.
  const refusal = REJECTIONS[code] satisfies ErrorName;
  if (refusal === 'SUB_ACCOUNT_UNKNOWN') {
    return refuse('UNAVAILABLE', 'The account is just being opened. Try again.', {}, SOON);
  }
  const printed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(details)) {
    printed[name] = printDetail(rejection, name, value, context.precisions);
  }
  if (context.order !== undefined) printed['order'] = context.order;
  return refuse(refusal, messageOf(rejection, printed), printed);
}

function printDetail(
  { code, details }: Rejection,
  name: string,
  value: DetailValue,
  precisions: Precisions | undefined,
): unknown {
  if (typeof value === 'bigint') return formatAmount(value);
  if (typeof value !== 'number') return value;
  const unit = unitOf(code, name, details['limit']);
  if (unit === 'plain' || precisions === undefined) return String(value);
  if (unit === 'ticks') return formatFixed(BigInt(value), precisions.quotePrecision);
  const { basePrecision } = precisions;
  // A limit is shown as in the market's published data.
  return details['limit'] === 'maxMarketOrderAsk'
    ? formatAmount(BigInt(value) * 10n ** BigInt(AMOUNT_DECIMALS - basePrecision))
    : formatFixed(BigInt(value), basePrecision);
}

function unitOf(
  code: Rejection['code'],
  name: string,
  limit: DetailValue | undefined,
): 'ticks' | 'lots' | 'plain' {
  switch (REJECTIONS[code]) {
    case 'POST_ONLY_WOULD_TAKE':
    case 'PRICE_OUT_OF_BAND':
    case 'WOULD_TRIGGER_IMMEDIATELY':
      return name === 'parameter' ? 'plain' : 'ticks';
    case 'ORDER_TOO_SMALL':
    case 'ORDER_TOO_LARGE':
      // Volume limits are counted in lots; money limits came as bigint and are printed already.
      return limit === undefined ? 'plain' : 'lots';
    default:
      return 'plain';
  }
}

/** What was expected, what came, and what to do. */
function messageOf({ code, details }: Rejection, printed: Record<string, unknown>): string {
  const text = (name: string) => {
    const value = printed[name];
    return typeof value === 'string' ? value : '';
  };
  const parameter = text('parameter');
  switch (REJECTIONS[code]) {
    case 'PARAMETER_MISSING':
      return MISSING[parameter] ?? `An order of this type needs the parameter '${parameter}'.`;
    case 'PARAMETER_INVALID':
      return /clientOrderId$/i.test(parameter)
        ? `${parameter} has 1 to ${LIMITS.clientIdMax} characters of A-Z a-z 0-9 . _ : / -`
        : `The parameter '${parameter}' has a value that is not one of those allowed.`;
    case 'PARAMETER_RANGE':
      return RANGES[parameter] ?? `'${parameter}' must be above zero and is too large or zero.`;
    case 'PARAMETER_CONFLICT':
      return CONFLICTS[parameter] ?? `'${parameter}' cannot stand beside the others here.`;
    case 'NOT_SUPPORTED':
      return 'This is a known feature that is not enabled here.';
    case 'ACCOUNT_SUSPENDED':
      return SUSPENDED;
    case 'UNKNOWN_SYMBOL':
      return `No market has the symbol '${text('symbol')}'.`;
    case 'UNKNOWN_COIN':
      return `No coin has the symbol '${text('coin')}'.`;
    case 'UNKNOWN_NETWORK':
      return 'The coin has no such network.';
    case 'MARKET_CLOSED':
      if (details['sweeping'] === true) {
        return 'The orders of the market are being canceled, and it takes no others meanwhile. Try again in a second.';
      }
      if (details['phase'] === 'auction') {
        return 'The market gathers orders for an auction. It takes limit orders with timeInForce GTC or GTD, without postOnly.';
      }
      return details['phase'] === 'post_only'
        ? 'The market admits only post-only limit orders now. Set postOnly to true.'
        : `The market is in the phase '${text('phase')}' and admits no such action. Canceling is possible.`;
    case 'PRICE_PRECISION':
      return `'${parameter}' has more than the market's ${text('decimals')} decimals. Nothing is rounded.`;
    case 'VOLUME_PRECISION':
      return `'${parameter}' has more than the ${text('decimals')} decimals allowed. Nothing is rounded.`;
    case 'ORDER_TOO_SMALL':
      return details['limit'] === 'minimumVolume'
        ? `The volume is under the market's minimumVolume of ${text('minimum')}.`
        : `The order is worth ${text('value')}, under the market's minimumQuoteSize of ${text('minimum')}.`;
    case 'POST_ONLY_WOULD_TAKE':
      return `A post-only order at this price would take: the other side's best is ${text('best')}.`;
    case 'PRICE_OUT_OF_BAND':
      return `'${parameter}' must be from ${text('minimum')} to ${text('maximum')} now.`;
    case 'ORDER_TOO_LARGE':
      return `The order is over the market's ${text('limit')} of ${text('maximum')}. Split it.`;
    case 'ORDER_NOT_FOUND':
      return 'The account has no such order.';
    case 'CLIENT_ORDER_ID_CONFLICT':
      return `clientOrderId '${text('clientOrderId')}' was used for another order with other parameters. Use a new one.`;
    case 'ORDER_FINAL':
      return `The order is ${text('status')} already.`;
    case 'NO_LIQUIDITY':
      return 'There is no order on the other side of the book. Place a limit order, or wait.';
    case 'TOO_MANY_OPEN_ORDERS':
      if (details['limit'] === 'sweeps') {
        return 'The orders of the account are still being canceled in as many ways as it may ask for at once. Wait for one of them, or cancel all orders without naming a market or a side.';
      }
      return `The account has ${text('maximum')} such orders in the market, which is its ${text('limit')}. Cancel one first.`;
    case 'WOULD_TRIGGER_IMMEDIATELY':
      return `The condition already holds: the last trade was at ${text('lastPrice')}.`;
    case 'FOK_NOT_FILLABLE':
      return 'The whole volume cannot be filled at once; the order did not trade.';
    case 'NO_REFERENCE_PRICE':
      return 'The market has not traded yet, so nothing could trigger the order.';
    case 'AMEND_NO_CHANGE':
      return 'The order already has these terms; name one that differs.';
    case 'INSUFFICIENT_FUNDS':
      return `This needs ${text('required')} ${text('coin')}, and ${text('available')} are available.`;
    case 'DEPOSIT_NOT_ACTIVE':
      return 'Deposits on this network are not active.';
    case 'WITHDRAW_NOT_ACTIVE':
      return 'Withdrawals on this network are not active.';
    case 'WITHDRAW_FINAL':
      return 'The withdrawal is final.';
    case 'CLIENT_ID_CONFLICT':
      return `The id '${text('id')}' was used before with other parameters. Use a new one.`;
    case 'SUB_ACCOUNT_UNKNOWN':
      return 'There is no such account.';
  }
}

const HAS_NO_COST = 'a market order that buys a volume has no cost that could be held';
const MISSING: Readonly<Record<string, string>> = {
  stopLimitPrice: `A list that buys needs stopLimitPrice: ${HAS_NO_COST}.`,
  stopLossLimitPrice: `A bracket whose exits buy needs stopLossLimitPrice: ${HAS_NO_COST}.`,
};

const SAME_ID = 'Each leg of a list has a client id of its own, or none.';

const RANGES: Readonly<Record<string, string>> = {
  trailingDelta: `trailingDelta must be from ${LIMITS.trailingDeltaMin} to ${LIMITS.trailingDeltaMax} basis points.`,
  expireTime: 'expireTime must be from 5 seconds to 90 days ahead.',
  visibleVolume:
    "visibleVolume must be at most the volume, and at least the volume divided by the market's icebergParts.",
  timeout: `timeout must be 0, which disarms, or from ${LIMITS.timerMinMs} to ${LIMITS.timerMaxMs}.`,
};

const CONFLICTS: Readonly<Record<string, string>> = {
  limitPrice:
    'The legs lie on both sides of the last price: to sell, limitPrice above and stopPrice below it; to buy, the other way round.',
  takeProfitPrice:
    'takeProfitPrice must be better than the price of the entry: above it for a buy, below it for a sell.',
  stopLossPrice:
    'stopLossPrice must be worse than the price of the entry: below it for a buy, above it for a sell.',
  orderListId:
    'A leg cannot be amended while others of its list are live. Cancel the list and place a new one.',
  stopClientOrderId: SAME_ID,
  takeProfitClientOrderId: SAME_ID,
  stopLossClientOrderId: SAME_ID,
  trailingDelta: 'trailingDelta belongs to an order of the type trailing_stop.',
  stopPrice: 'stopPrice belongs to an order that waits for its trigger.',
  price: 'An order of a market type takes no price.',
  timeInForce: 'An order of a market type takes no timeInForce.',
  postOnly: 'postOnly goes with a limit order that is GTC or GTD.',
  visibleVolume: 'visibleVolume goes with a limit order that is GTC or GTD.',
  total: 'total goes with a buy of a market type, and then without volume.',
  volume: 'A buy of this type is stated by total, without volume.',
  expireTime: 'expireTime goes with the timeInForce GTD.',
  mode: 'A market buy by volume cannot be part of an all_or_none batch; state it by total.',
  onlyIf: 'The order is not in the state that onlyIf asks for; it was left as it is.',
};

/** When the command could not be taken, or its outcome is unknown. */
export function fromEngineFailure({ kind, message }: EngineFailure): Refusal {
  switch (kind) {
    case 'unavailable':
      return refuse(
        'UNAVAILABLE',
        // An engine of another release may say it in other words.
        message === TABLES_BEHIND
          ? message
          : 'The engine is not ready. Nothing was done; try again.',
        {},
        SOON,
      );
    case 'late':
      return refuse('TIMESTAMP_OUTSIDE_WINDOW', 'The request waited too long. Nothing was done.');
    case 'unknown':
      return refuse(
        'TIMEOUT',
        'The engine did not answer in time, so the outcome is unknown. Ask for the order by its clientOrderId, or repeat the call with the same one.',
      );
    case 'fault':
      return refuse('INTERNAL', 'The engine could not bear this command. It was not done.');
    case 'refused':
      return refuse('INTERNAL', 'The engine did not take this request. Nothing was done.');
  }
}

/** A rejection out of the table of commands, which keeps amounts as texts of units. */
export function withAmounts({ code, details }: Rejection): Rejection {
  const units = (value: unknown) => (typeof value === 'string' ? BigInt(value) : undefined);
  const required = units(details['required']);
  const available = units(details['available']);
  return {
    code,
    details: {
      ...details,
      ...(required === undefined ? {} : { required }),
      ...(available === undefined ? {} : { available }),
    },
  };
}

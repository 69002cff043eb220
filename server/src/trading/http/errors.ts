// Every error of the trading API: its name, its code, its HTTP status and when it is raised. Answers,
// the OpenAPI document and the reference page are all made from this table. A code is a public
// contract: it is never reused and never changes its meaning.
import { Refusal } from '../../platform/http/refusal.ts';

const CATALOGUE = {
  INTERNAL: ['1000', 500, 'An unexpected fault. The outcome of a write is unknown.'],
  UNAVAILABLE: ['1001', 503, 'Starting, stopping, or a part is not ready. Nothing was done.'],
  MAINTENANCE: ['1002', 503, 'Announced maintenance.'],
  TIMEOUT: ['1003', 504, 'The engine did not answer in time. The outcome is unknown.'],
  NOT_FOUND: ['1004', 404, 'There is no such path.'],
  METHOD_NOT_ALLOWED: ['1005', 405, 'The path exists, but not with this method.'],
  BODY_TOO_LARGE: ['1006', 413, 'The body is over 256 KiB.'],
  UNSUPPORTED_MEDIA_TYPE: ['1007', 415, 'The body is neither JSON nor a form.'],
  UPGRADE_REQUIRED: ['1008', 426, 'The path takes WebSocket connections only.'],
  PARAMETER_MISSING: ['2001', 400, 'A required parameter is absent or empty.'],
  PARAMETER_INVALID: ['2002', 400, 'Wrong form, or not one of the values that are allowed.'],
  PARAMETER_RANGE: ['2003', 400, 'Outside the permitted range.'],
  PARAMETER_UNKNOWN: ['2004', 400, 'The name is not defined for this private endpoint.'],
  PARAMETER_DUPLICATE: ['2005', 400, 'A name occurs twice.'],
  JSON_INVALID: ['2006', 400, 'The body does not parse, or is not an object.'],
  NUMBER_NOT_STRING: ['2007', 400, 'A JSON number or null in a body; numbers are JSON strings.'],
  PARAMETER_PLACE: [
    '2008',
    400,
    'Parameters in both query string and body, or a body on GET or DELETE.',
  ],
  PARAMETER_CONFLICT: ['2009', 400, 'The combination has no meaning.'],
  NOT_SUPPORTED: ['2010', 400, 'A known feature that is not enabled here.'],
  CURSOR_INVALID: ['2011', 400, 'A foreign or stale cursor.'],
  API_KEY_MISSING: ['3001', 401, 'The header X-SVC-APIKEY is absent.'],
  API_KEY_INVALID: ['3002', 401, 'The key is unknown, disabled or expired.'],
  ADDRESS_NOT_ALLOWED: ['3003', 403, "The client's address is outside the key's allow-list."],
  SIGNATURE_INVALID: [
    '3004',
    401,
    'The signature is absent, malformed or wrong; if wrong, `details.signedText` is what to sign.',
  ],
  TIMESTAMP_INVALID: ['3005', 400, '`timestamp` is absent or not in milliseconds.'],
  TIMESTAMP_OUTSIDE_WINDOW: [
    '3006',
    400,
    'Too old or ahead; `details` has serverTime, recvWindow and skewMs.',
  ],
  REPLAYED: [
    '3007',
    409,
    'The signature was already used by a request that acts, or by a read while this one acts.',
  ],
  PERMISSION_DENIED: ['3008', 403, 'The key lacks the permission or the market.'],
  SECOND_FACTOR_REQUIRED: ['3009', 403, 'A second factor is needed.'],
  SESSION_REQUIRED: ['3010', 403, 'The endpoint refuses keys; it takes a session.'],
  ACCOUNT_SUSPENDED: [
    '3011',
    403,
    'The account is suspended. It can read and cancel, and nothing else.',
  ],
  SESSION_INVALID: ['3012', 401, 'No session, or one that has ended. Sign in again.'],
  CSRF_FAILED: [
    '3013',
    403,
    'The CSRF token is missing or wrong, or another site sent the request.',
  ],
  LOGIN_REQUIRED: [
    '3014',
    401,
    'The WebSocket connection has no identity. Send `login` first, or connect with a session.',
  ],
  UNKNOWN_SYMBOL: [
    '4001',
    404,
    'No market has this symbol; `details.nearest` is one that is spelt alike.',
  ],
  UNKNOWN_COIN: [
    '4002',
    404,
    'No coin has this symbol; `details.nearest` is one that is spelt alike.',
  ],
  UNKNOWN_NETWORK: ['4003', 404, 'The coin has no such network.'],
  MARKET_CLOSED: ['4004', 409, "The market's phase does not admit this; `details.phase`."],
  PRICE_PRECISION: ['4005', 400, 'The price has too many decimals.'],
  VOLUME_PRECISION: ['4006', 400, 'The volume has too many decimals.'],
  ORDER_TOO_SMALL: ['4007', 400, 'Under minimumQuoteSize or minimumVolume.'],
  POST_ONLY_WOULD_TAKE: ['4008', 409, 'A post-only order would take.'],
  PRICE_OUT_OF_BAND: ['4009', 400, 'The price is out of band; `details` has the allowed range.'],
  ORDER_TOO_LARGE: ['4010', 400, 'Over maxMarketOrderAsk, maxMarketOrderBid or maximumVolume.'],
  ORDER_NOT_FOUND: ['4011', 404, "Not this account's order, or it never existed."],
  CLIENT_ORDER_ID_CONFLICT: ['4012', 409, 'The same id with different parameters.'],
  ORDER_FINAL: [
    '4013',
    409,
    'Already filled, canceled or expired; `details.order`, or `details.orderList` for a list.',
  ],
  NO_LIQUIDITY: ['4014', 409, 'A market order against an empty side.'],
  TOO_MANY_OPEN_ORDERS: ['4015', 409, 'Too many open orders in the market.'],
  WOULD_TRIGGER_IMMEDIATELY: ['4016', 409, 'The condition is already satisfied.'],
  FOK_NOT_FILLABLE: ['4017', 409, 'Not fillable at once; the order is recorded as expired.'],
  NO_REFERENCE_PRICE: ['4018', 409, 'A conditional order before the first trade.'],
  AMEND_NO_CHANGE: ['4019', 409, 'The amendment changes nothing.'],
  INSUFFICIENT_FUNDS: ['5001', 409, '`details` has required and available.'],
  ADDRESS_INVALID: ['5002', 400, "The network's expression or the checksum fails."],
  MEMO_INVALID: ['5003', 400, 'Missing where required, or the expression fails.'],
  DEPOSIT_NOT_ACTIVE: ['5004', 409, 'Deposits on this network are not active.'],
  WITHDRAW_NOT_ACTIVE: ['5005', 409, 'Withdrawals on this network are not active.'],
  WITHDRAW_TOO_SMALL: ['5006', 400, 'Under minimumWithdraw.'],
  WITHDRAW_LIMIT: ['5007', 409, 'A velocity ceiling; `details.availableAt`.'],
  ADDRESS_NOT_IN_BOOK: ['5008', 403, 'The address is not in the address book.'],
  WITHDRAW_FROZEN: ['5009', 403, 'Frozen after a change of credentials.'],
  WITHDRAW_FINAL: ['5010', 409, 'Too late to cancel.'],
  CLIENT_ID_CONFLICT: [
    '5011',
    409,
    'clientWithdrawId, clientTransferId or amendId was used differently.',
  ],
  ADDRESS_NOT_USABLE_YET: [
    '5012',
    403,
    'The address is in the book, and not for long enough; `details.usableAt`.',
  ],
  ADDRESS_LIMIT: ['5013', 409, 'The account has as many addresses on the network as it may.'],
  WITHDRAWAL_UNKNOWN: ['5014', 404, 'No such withdrawal, or not one of this account.'],
  RATE_LIMITED: ['6001', 429, 'Too many requests; wait as long as Retry-After says.'],
  RATE_BANNED: ['6002', 429, 'Only where an operator configured a ban.'],
  ORDER_QUOTA: ['6003', 429, 'The daily ceiling of created orders is reached.'],
  CONNECTION_LIMIT: ['6004', 429, 'Too many WebSocket connections come from the address.'],
  CHANNEL_LIMIT: ['6005', 409, 'The WebSocket connection has too many channels.'],
  SUB_ACCOUNT_UNKNOWN: ['7001', 404, 'The family has no such open account.'],
  KEY_LIMIT: ['7002', 409, 'Too many keys.'],
  KEY_UNKNOWN: ['7003', 404, 'The account has no such key.'],
  SUB_ACCOUNT_LIMIT: ['7004', 409, 'Too many sub-accounts.'],
  SUB_ACCOUNT_NOT_EMPTY: ['7005', 409, 'A sub-account with money cannot be closed.'],
} as const satisfies Record<string, readonly [code: string, status: number, when: string]>;

/** Errors that only operators meet, under /json/v1/admin. Its own document has them, the public one does not. */
const OF_OPERATORS = {
  SAME_PERSON: [
    '9002',
    403,
    'One person asked and approves, or it is about them: somebody else has to.',
  ],
  NOT_AWAITING: ['9003', 409, 'No such request waits: it was decided, or its time is over.'],
  DIGEST_CHANGED: ['9004', 409, 'The digest is not that of the request as it is now.'],
  LAST_OPERATORS: ['9005', 409, 'Fewer than two people with `everything` would be left.'],
  PERSON_UNKNOWN: ['9006', 404, 'No user has this address.'],
  ACCOUNT_UNKNOWN: ['9007', 404, 'No trading account has this number or owner.'],
  ACT_REFUSED: ['9008', 409, 'A rule of the venue refuses the act; `details.refusal` names it.'],
} as const satisfies Record<string, readonly [code: string, status: number, when: string]>;

export type ErrorName = keyof typeof CATALOGUE;
export type OperatorErrorName = keyof typeof OF_OPERATORS;

const EVERY = { ...CATALOGUE, ...OF_OPERATORS };

export interface ErrorEntry {
  readonly name: ErrorName | OperatorErrorName;
  readonly code: string;
  readonly status: number;
  readonly when: string;
}

function toEntry(name: ErrorName | OperatorErrorName): ErrorEntry {
  const [code, status, when] = EVERY[name];
  return { name, code, status, when };
}

/** What the public document lists. */
export const ERRORS: readonly ErrorEntry[] = (Object.keys(CATALOGUE) as ErrorName[]).map(toEntry);
export const OPERATOR_ERRORS: readonly ErrorEntry[] = (
  Object.keys(OF_OPERATORS) as OperatorErrorName[]
).map(toEntry);

const ENTRIES = [...ERRORS, ...OPERATOR_ERRORS];
const byCode = new Map(ENTRIES.map((entry) => [entry.code, entry]));
const byName = new Map(ENTRIES.map((entry) => [entry.name, entry]));

export const findError = (code: string): ErrorEntry | undefined => byCode.get(code);

export const isErrorName = (text: string): text is ErrorName => Object.hasOwn(CATALOGUE, text);

export function getError(name: ErrorName | OperatorErrorName): ErrorEntry {
  return byName.get(name) as ErrorEntry;
}

/** Used by the engine and by the api before it. */
export const SUSPENDED =
  'The account is suspended: it can read and cancel, but not place or amend orders, nor move money. ' +
  'Ask the operators of the venue.';

/** A refusal with the code and status of `name`. Numbers in `details` are texts, as everywhere. */
export function refuse(
  name: ErrorName | OperatorErrorName,
  message: string,
  details: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Refusal {
  const [code, status] = EVERY[name];
  return new Refusal({ code, status, message, fields: details, headers });
}

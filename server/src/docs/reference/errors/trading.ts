// Cause and cure of every error of the trading API. The code, the status and the meaning are in
// `trading/http/errors.ts`; the type makes a name without an entry here an error.
import type { ErrorName, OperatorErrorName } from '../../../trading/http/errors.ts';
import type { Explanation } from './explanation.ts';

const why = (cause: string, cure: string): Explanation => ({ cause, cure });

const OF_SERVICE = {
  INTERNAL: why(
    'A fault on our side. Whether a write was done is unknown.',
    'Repeat the call with the same `clientOrderId`: a repeated order is never placed twice. Tell the operators the `X-SVC-REQUEST-ID` of the answer.',
  ),
  UNAVAILABLE: why(
    'The server starts or stops, or the engine or the database does not answer. The request did nothing.',
    'Wait a second and repeat the call with a new `timestamp`. `GET /public/status` says when all is well again.',
  ),
  MAINTENANCE: why(
    'The operators announced maintenance.',
    '`GET /public/status` has `eta`. Repeat the call then.',
  ),
  TIMEOUT: why(
    'The engine took too long to answer. The command may have been carried out.',
    'Ask for the order by its `clientOrderId`, or repeat the call with the same `clientOrderId` and a new `timestamp`.',
  ),
  NOT_FOUND: why(
    'The path is misspelt, or a part such as `/v1` is missing.',
    'Compare the path with the reference. Every path begins with the base address and `/v1`.',
  ),
  METHOD_NOT_ALLOWED: why(
    'The path exists, but with another method, for example DELETE instead of POST.',
    'Use one of the methods in the header `Allow` of the answer.',
  ),
  BODY_TOO_LARGE: why('The body has more than 256 KiB.', 'Send fewer orders in one batch.'),
  UPGRADE_REQUIRED: why(
    'A plain request came to the address of the WebSocket.',
    'Open it with a WebSocket client: `wss://` instead of `https://`. [Streams](docs:concepts/streams) shows how.',
  ),
  UNSUPPORTED_MEDIA_TYPE: why(
    'The `Content-Type` is neither `application/json` nor `application/x-www-form-urlencoded`.',
    'Send one of the two, and the body in that form.',
  ),
} as const;

const OF_PARAMETERS = {
  PARAMETER_MISSING: why(
    '`details.parameter` names a required parameter that is absent or empty.',
    'Add it. The reference of the operation lists what is required.',
  ),
  PARAMETER_INVALID: why(
    'A value has the wrong form, or is not one of the allowed ones. `message` says what was expected.',
    'Correct the value that `details.parameter` names.',
  ),
  PARAMETER_RANGE: why(
    'A number is below its minimum or above its maximum, or a list is too long.',
    'Use a value in the range that `message` gives.',
  ),
  PARAMETER_UNKNOWN: why(
    'A private request carries a name that this operation does not have. A misspelt name must not be ignored where money moves.',
    'Remove or correct the name in `details.parameter`.',
  ),
  PARAMETER_DUPLICATE: why(
    'One name occurs twice, so it is unclear which value was meant.',
    'Send each name once. Lists are sent as JSON arrays.',
  ),
  JSON_INVALID: why(
    'The body is not JSON, is cut off, or is not an object.',
    'Send one JSON object, in UTF-8, with the right `Content-Length`.',
  ),
  NUMBER_NOT_STRING: why(
    'The body has a JSON number or `null`. Numbers lose digits in many programs, so the API takes them as strings.',
    'Write `"volume": "0.015"` instead of `"volume": 0.015`.',
  ),
  PARAMETER_PLACE: why(
    'Parameters are in the query string and in the body at once, or a GET or DELETE has a body.',
    'GET and DELETE take the query string. POST takes the body, or the query string if there is no body.',
  ),
  PARAMETER_CONFLICT: why(
    'Each parameter is right, but together they have no meaning: a market order with a price, for example.',
    '`message` names the parameters. Leave one out.',
  ),
  NOT_SUPPORTED: why(
    'The feature exists in the API and is not enabled on this venue.',
    'Use another way, or ask the operators.',
  ),
  CURSOR_INVALID: why(
    'The `cursor` belongs to another list, to other filters, or is too old.',
    'Begin again without `cursor`, and keep the other parameters the same from page to page.',
  ),
} as const;

const OF_CREDENTIALS = {
  API_KEY_MISSING: why(
    'A private operation was called without the header `X-SVC-APIKEY`.',
    'Send the key and the signature. [Signing](docs:concepts/signing) shows how.',
  ),
  API_KEY_INVALID: why(
    'The key does not exist, was disabled or deleted, or its time is over.',
    'Check the spelling, or make a new key. A key that may trade from every address lives 90 days at most.',
  ),
  ADDRESS_NOT_ALLOWED: why(
    'The key may be used from certain addresses only, and this request came from another one.',
    'Call from an allowed address, or change the allow-list of the key in a session.',
  ),
  SIGNATURE_INVALID: why(
    'The signature is absent, malformed, or made of another text. Usual reasons: parameters in another order than sent, another encoding, a trailing newline, the wrong secret.',
    'Compare the text that you signed with `details.signedText`, byte by byte; `signedLength` is its length. Send the signature as lower-case hexadecimal digits.',
  ),
  TIMESTAMP_INVALID: why(
    '`timestamp` is absent, is in seconds, or is not a whole number.',
    'Send milliseconds since the Unix epoch: 13 digits.',
  ),
  TIMESTAMP_OUTSIDE_WINDOW: why(
    'The clock of your machine differs from ours, or the request took longer on the way than `recvWindow`.',
    '`details.skewMs` is the difference. Correct the clock, or take the time from `GET /public/time` and keep the difference.',
  ),
  REPLAYED: why(
    'The same signature came before. A signature acts once, so nobody can repeat a request that they overheard.',
    'Sign again with a new `timestamp`. Two equal requests in one millisecond need different `nonce` values.',
  ),
  PERMISSION_DENIED: why(
    'The key lacks the permission in `details.permission`, or is limited to other markets.',
    'Use another key, or give this one the permission in a session.',
  ),
  SECOND_FACTOR_REQUIRED: why(
    'The act needs a second factor, and none came or it was wrong.',
    'Send a code of your authenticator app in `X-SVC-OTP`, or a passkey assertion in `X-SVC-ASSERTION`.',
  ),
  SESSION_REQUIRED: why(
    'Keys may not do this: making and changing keys needs a person.',
    'Sign in with a browser and call the same path under `/json/v1`.',
  ),
  ACCOUNT_SUSPENDED: why(
    'The operators suspended the account. It can read and cancel.',
    'Ask the operators of the venue.',
  ),
  SESSION_INVALID: why('There is no session cookie, or the session has ended.', 'Sign in again.'),
  CSRF_FAILED: why(
    'The token of the session is missing or wrong, or the request came from a page of another site.',
    'Send the value of the cookie `__Host-csrftoken` in the header `X-CSRFToken`.',
  ),
  LOGIN_REQUIRED: why(
    'The channel or the operation is about an account, and the connection has not said whose.',
    'Send `login` with a signature first, or connect from a browser that is signed in.',
  ),
} as const;

const OF_ORDERS = {
  UNKNOWN_SYMBOL: why(
    'No market has this symbol. Symbols are lower case and without a separator: `btcusdt`.',
    '`details.nearest` is the market that is spelt most alike. `GET /public/exchange_info` lists all.',
  ),
  UNKNOWN_COIN: why(
    'No coin has this symbol.',
    '`details.nearest` is the coin that is spelt most alike. `GET /public/coins_info` lists all.',
  ),
  UNKNOWN_NETWORK: why(
    'The coin is not offered on this network.',
    '`GET /public/coins_info` lists the networks of a coin.',
  ),
  MARKET_CLOSED: why(
    'The phase of the market does not allow this: it is halted, in an auction, or not open yet.',
    '`details.phase` is the phase. [Market phases](docs:concepts/market-phases) says what each allows.',
  ),
  PRICE_PRECISION: why(
    'The price has more decimals than the market. Prices are never rounded for you.',
    'Use at most `quotePrecision` decimals.',
  ),
  VOLUME_PRECISION: why(
    'The volume has more decimals than the market. Volumes are never rounded for you.',
    'Use at most `basePrecision` decimals.',
  ),
  ORDER_TOO_SMALL: why(
    'Price times volume is under `minimumQuoteSize`, or the volume under `minimumVolume`.',
    'Order more. `GET /public/markets` has both limits.',
  ),
  POST_ONLY_WOULD_TAKE: why(
    'The order is `postOnly`, and its price would trade at once.',
    'Choose a price behind the best one, or leave `postOnly` out.',
  ),
  PRICE_OUT_OF_BAND: why(
    'The price is too far from the reference price. The band protects against slips of the keyboard.',
    'Choose a price between `details.minimum` and `details.maximum`.',
  ),
  ORDER_TOO_LARGE: why(
    'The order is over `maxMarketOrderAsk`, `maxMarketOrderBid` or `maximumVolume`.',
    'Split it into several orders.',
  ),
  ORDER_NOT_FOUND: why(
    'The account of the key has no such order. Orders of other accounts look the same as none.',
    'Check the id, and that the key belongs to the right account.',
  ),
  CLIENT_ORDER_ID_CONFLICT: why(
    'This `clientOrderId` was used for an order with other parameters. An id is for one order for ever.',
    'Use a new id for a new order. Repeat the same parameters to learn about the old one.',
  ),
  ORDER_FINAL: why(
    'The order was filled, canceled or expired before the request arrived.',
    '`details.order` is the order as it ended. There is nothing left to cancel or amend.',
  ),
  NO_LIQUIDITY: why(
    'A market order met an empty side of the book.',
    'Place a limit order, or try later.',
  ),
  TOO_MANY_OPEN_ORDERS: why(
    'The account has `maxOpenOrders` open orders in this market, or `maxConditionalOrders` conditional ones.',
    'Cancel some first.',
  ),
  WOULD_TRIGGER_IMMEDIATELY: why(
    'The market has already passed `stopPrice`, so the stop would fire at once.',
    'Choose a stop on the other side of the last price, or place the order without a stop.',
  ),
  FOK_NOT_FILLABLE: why(
    'The order is `FOK` and the book could not fill all of it at once. It is recorded as expired.',
    'Order less, at another price, or with `IOC`.',
  ),
  NO_REFERENCE_PRICE: why(
    'A conditional order compares with the last trade, and the market has not traded yet.',
    'Wait for the first trade.',
  ),
  AMEND_NO_CHANGE: why(
    'The amendment names the values that the order has already.',
    'Nothing needs to be done.',
  ),
} as const;

const OF_MONEY = {
  INSUFFICIENT_FUNDS: why(
    'The available balance is smaller than what the order or transfer needs. What open orders hold is not available.',
    '`details` has `required` and `available`. Order less, cancel an order, or deposit.',
  ),
  ADDRESS_INVALID: why(
    'The address does not fit the network, or its checksum is wrong.',
    'Copy the address again, and check that the network is the right one.',
  ),
  MEMO_INVALID: why(
    'The network needs a memo and none came, or it has the wrong form.',
    'Send the memo that the receiver gave you.',
  ),
  DEPOSIT_NOT_ACTIVE: why(
    'The operators paused deposits on this network.',
    'Use another network, or wait. `GET /public/coins_info` has `depositStatus`.',
  ),
  WITHDRAW_NOT_ACTIVE: why(
    'The operators paused withdrawals on this network.',
    'Use another network, or wait. `GET /public/coins_info` has `withdrawStatus`.',
  ),
  WITHDRAW_TOO_SMALL: why(
    'The amount is under `minimumWithdraw` of the network.',
    'Withdraw more.',
  ),
  WITHDRAW_LIMIT: why(
    'The account has withdrawn as much as it may for now.',
    '`details.availableAt` is when it may again.',
  ),
  ADDRESS_NOT_IN_BOOK: why(
    'The account withdraws only to addresses in its address book.',
    'Add the address in a session first.',
  ),
  WITHDRAW_FROZEN: why(
    'A password, a factor or a key changed recently. Withdrawals rest for a while, so a thief gains nothing.',
    'Wait until `withdrawFreezeUntil` of the account.',
  ),
  WITHDRAW_FINAL: why('The withdrawal was sent already.', 'It cannot be called back.'),
  CLIENT_ID_CONFLICT: why(
    'This `clientWithdrawId`, `clientTransferId` or `amendId` was used with other parameters.',
    'Use a new id for something new.',
  ),
  ADDRESS_NOT_USABLE_YET: why(
    'The address is in the address book for less than 24 hours.',
    'Wait until `usableAt`. The delay gives its owner time to notice a stranger’s address.',
  ),
  WITHDRAWAL_UNKNOWN: why(
    'No withdrawal of this account has this id.',
    'Look it up with `withdrawals`; ids begin with W.',
  ),
  ADDRESS_LIMIT: why(
    'The account has as many addresses on this network as it may.',
    'Use one of them again: all stay valid.',
  ),
} as const;

const OF_LIMITS_AND_ACCOUNTS = {
  RATE_LIMITED: why(
    'The address or the account made more requests than the window admits.',
    'Wait `details.retryAfterMs`. [Limits](docs:limits) has the numbers; every answer has `X-SVC-RATELIMIT-REMAINING`.',
  ),
  RATE_BANNED: why(
    'The operators configured a ban for callers who ignore the limit.',
    'Wait as long as `Retry-After` says, and slow down.',
  ),
  CONNECTION_LIMIT: why(
    'The address has as many WebSocket connections as it may.',
    'Use one connection for many channels, and close those that you no longer read.',
  ),
  CHANNEL_LIMIT: why(
    'The connection follows as many channels as it may.',
    'Unsubscribe from some, or open another connection.',
  ),
  ORDER_QUOTA: why(
    'The account created as many orders today as it may in a day (UTC).',
    'Wait for midnight UTC, or amend orders instead of creating new ones.',
  ),
  SUB_ACCOUNT_UNKNOWN: why(
    'The family of accounts has no open account with this id.',
    '`GET /private/sub_account/list` lists the accounts.',
  ),
  KEY_LIMIT: why(
    'The account has as many keys as it may, expired ones included.',
    'Delete one that you no longer use.',
  ),
  KEY_UNKNOWN: why(
    'None of your accounts has this key.',
    '`GET /private/api_key/list` lists the keys.',
  ),
  SUB_ACCOUNT_LIMIT: why(
    'The family has as many sub-accounts as it may.',
    'Close one that you no longer use.',
  ),
  SUB_ACCOUNT_NOT_EMPTY: why(
    'The sub-account still has money or open orders.',
    'Cancel its orders and transfer everything away, then close it.',
  ),
} as const;

const OF_OPERATORS = {
  SAME_PERSON: why(
    'One person asked for the act and approves it, or it is about that person.',
    'Let another operator approve it.',
  ),
  NOT_AWAITING: why(
    'The request was approved or rejected already, or nobody approved it in time.',
    'Look at `GET /pending`, and ask again if it is still needed.',
  ),
  DIGEST_CHANGED: why(
    'The request is not the one that you were shown.',
    'Read it again in `GET /pending`, and approve with the digest that stands there.',
  ),
  LAST_OPERATORS: why(
    'Fewer than two people with the grant `everything` would remain, and then nobody could approve anything.',
    'Give the grant to another person first.',
  ),
  PERSON_UNKNOWN: why('No user has this email address.', 'Check the spelling.'),
  ACCOUNT_UNKNOWN: why(
    'No trading account has this number, and no user with this address has one.',
    'Check the number. An account is made with the first key or the first session that trades.',
  ),
  ACT_REFUSED: why(
    'A rule of the venue does not allow the act in the present state.',
    '`details.refusal` names the rule, and `message` explains it.',
  ),
} as const;

export const TRADING_ERRORS: Readonly<Record<ErrorName | OperatorErrorName, Explanation>> = {
  ...OF_SERVICE,
  ...OF_PARAMETERS,
  ...OF_CREDENTIALS,
  ...OF_ORDERS,
  ...OF_MONEY,
  ...OF_LIMITS_AND_ACCOUNTS,
  ...OF_OPERATORS,
};

// The OpenAPI document of the mounted routes. It is made from the declarations that answer
// requests, so it lists exactly what exists.
import { Type, type TObject, type TSchema } from 'typebox';
import {
  buildOpenApi,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiResponse,
} from '../../platform/http/openapi.ts';
import { LedgerEntry } from '../account/ledger.ts';
import { AccountFee, AccountInfo, Balance, RateLimit } from '../account/shapes.ts';
import { Auction } from '../auctions/auction.ts';
import { Depth, OrderBook } from '../books/book.ts';
import { Candle } from '../candles/candle.ts';
import { Coin, Network } from '../coins/coin.ts';
import { ENGINE_SEQ_HEADER } from '../engine/live.ts';
import { COMPLETE_HEADER } from '../projections/access.ts';
import { FeeTierRow } from '../fees/tier.ts';
import { ERRORS, getError, type ErrorEntry, type ErrorName } from '../http/errors.ts';
import type { TradingRoute } from '../http/route.ts';
import { ApiKey, NewApiKey } from '../keys/shapes.ts';
import { MarketDetail } from '../markets/detail.ts';
import { Market } from '../markets/market.ts';
import { AmendedOrder, Order, OrderAck, OrderWithTrades } from '../orders/order.ts';
import { CanceledAll, REPLAY_HEADER, TestedOrder, Timer } from '../orders/shapes.ts';
import { MyTrade } from '../orders/trade.ts';
import { ServiceStatus } from '../service/status.ts';
import { HASH_HEADER } from '../statements/access.ts';
import { Statement } from '../statements/statement.ts';
import { SubAccount, Transfer } from '../sub-accounts/shapes.ts';
import { BestPrice, LastPrice, Ticker } from '../tickers/ticker.ts';
import { PublicTrade } from '../trades/trade.ts';
import { Choice, Millis } from '../values.ts';
import { EXAMPLES } from './examples.ts';
import { findRecordedAnswer } from './recorded.ts';

export const Envelope = Type.Object(
  {
    status: Type.Literal('true', { description: 'Outcome flag.' }),
    serverTime: Millis('Server time, milliseconds since the Unix epoch.'),
    result: Type.Unknown({ description: 'Payload of the endpoint.' }),
  },
  { title: 'Envelope' },
);

export const errorEnvelope = (errors: readonly ErrorEntry[]) =>
  Type.Object(
    {
      status: Type.Literal('false', { description: 'Outcome flag.' }),
      serverTime: Millis('Server time, milliseconds since the Unix epoch.'),
      result: Type.Null(),
      error: Type.Object({
        code: Type.Enum(
          errors.map(({ code }) => code),
          { type: 'string', description: 'Four digits, stable for ever.' },
        ),
        name: Type.Enum(
          errors.map(({ name }) => name),
          { type: 'string', description: 'The constant of the code.' },
        ),
        message: Type.String({ description: 'For people; may change.' }),
        details: Type.Object({}, { description: 'What else is known; empty when nothing is.' }),
      }),
    },
    { title: 'ErrorEnvelope' },
  );
const ErrorEnvelope = errorEnvelope(ERRORS);

const SCHEMAS = [
  Envelope,
  ErrorEnvelope,
  Market,
  Coin,
  Network,
  OrderBook,
  MarketDetail,
  Depth,
  Auction,
  PublicTrade,
  Ticker,
  LastPrice,
  BestPrice,
  Candle,
  ServiceStatus,
  FeeTierRow,
  AccountInfo,
  Balance,
  AccountFee,
  RateLimit,
  LedgerEntry,
  Statement,
  SubAccount,
  Transfer,
  ApiKey,
  NewApiKey,
  MyTrade,
  Order,
  OrderWithTrades,
  OrderAck,
  AmendedOrder,
  TestedOrder,
  CanceledAll,
  Timer,
];

/** What every private request may carry besides its own parameters. */
const SIGNED = {
  timestamp: Millis('When the request was signed, milliseconds since the Unix epoch.'),
  recvWindow: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60_000,
      description: 'For how many milliseconds the request may be accepted; 5000 when absent.',
      examples: ['5000'],
    }),
  ),
  nonce: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Tells apart two equal requests of one millisecond.',
    }),
  ),
};

/** Which text was signed. The credentials themselves are security schemes. */
const SIGNED_HEADERS = Type.Object({
  'X-SVC-SIGNATURE-VERSION': Type.Optional(
    Choice(
      ['1', '2'],
      '`1`, as when absent: the parameters are signed. `2`: the method, a newline, the full path, a newline and then the parameters; some keys accept nothing else.',
    ),
  ),
});

const COMMON_ERRORS: readonly ErrorName[] = ['INTERNAL', 'UNAVAILABLE', 'RATE_LIMITED'];
const PARAMETER_ERRORS: readonly ErrorName[] = ['PARAMETER_INVALID', 'PARAMETER_DUPLICATE'];
const SIGNED_ERRORS: readonly ErrorName[] = [
  'PARAMETER_UNKNOWN',
  'API_KEY_MISSING',
  'API_KEY_INVALID',
  'ADDRESS_NOT_ALLOWED',
  'SIGNATURE_INVALID',
  'TIMESTAMP_INVALID',
  'TIMESTAMP_OUTSIDE_WINDOW',
  'REPLAYED',
  // `recvWindow` has a range.
  'PARAMETER_RANGE',
];
const SESSION_ERRORS: readonly ErrorName[] = [
  'PARAMETER_UNKNOWN',
  'SESSION_REQUIRED',
  'SESSION_INVALID',
  // Guests have no account.
  'PERMISSION_DENIED',
];
const BODY_ERRORS: readonly ErrorName[] = [
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'JSON_INVALID',
  'NUMBER_NOT_STRING',
];

const RATE_HEADERS = [
  'X-SVC-REQUEST-ID',
  'X-SVC-RATELIMIT-LIMIT',
  'X-SVC-RATELIMIT-WINDOW',
  'X-SVC-RATELIMIT-REMAINING',
  'X-SVC-RATELIMIT-RESET',
];

const isClosedToSuspended = ({ access, whileSuspended }: TradingRoute) =>
  access !== 'public' && !whileSuspended;

/** The part of a declared parameter that decides which errors are possible. */
interface Shape {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

const innerOf = ({ properties = {}, items }: Shape): Shape[] => [
  ...Object.values(properties),
  ...(items === undefined ? [] : [items]),
];

const needsAny = (shape: Shape): boolean =>
  (shape.required ?? []).length > 0 || innerOf(shape).some(needsAny);

/** Numbers and lists have a minimum and a maximum. */
const hasRange = (shape: Shape): boolean =>
  shape.type === 'integer' || shape.type === 'array' || innerOf(shape).some(hasRange);

function accessErrorsOf({ access, method, stepUp }: TradingRoute): readonly ErrorName[] {
  switch (access) {
    case 'public':
      return [];
    case 'session':
      return [
        ...SESSION_ERRORS,
        ...(method === 'GET' ? [] : (['CSRF_FAILED'] as const)),
        ...(stepUp === undefined ? [] : (['SECOND_FACTOR_REQUIRED'] as const)),
      ];
    case 'key':
      return SIGNED_ERRORS;
    default:
      return [...SIGNED_ERRORS, 'PERMISSION_DENIED'];
  }
}

export const errorsOf = (route: TradingRoute): ErrorEntry[] => {
  const takesAny = route.access !== 'public' || Object.keys(route.params.properties).length > 0;
  const names = [
    ...COMMON_ERRORS,
    'PARAMETER_PLACE' as const,
    ...(takesAny ? PARAMETER_ERRORS : []),
    ...(needsAny(route.params) ? (['PARAMETER_MISSING'] as const) : []),
    ...(hasRange(route.params) ? (['PARAMETER_RANGE'] as const) : []),
    ...accessErrorsOf(route),
    ...(isClosedToSuspended(route) ? (['ACCOUNT_SUSPENDED'] as const) : []),
    ...(route.method === 'POST' ? BODY_ERRORS : []),
    ...route.errors,
  ];
  return [...new Set(names)].map(getError).sort((a, b) => (a.code < b.code ? -1 : 1));
};

export function buildDocument(routes: readonly TradingRoute[], serverUrl: string): OpenApiDocument {
  const text = (description: string) => ({ description, schema: { type: 'string' } });
  return buildOpenApi({
    title: 'Trading Service API',
    version: '1.0.0',
    description:
      'Public market data and signed private endpoints. All numeric values are JSON strings; ' +
      'times are milliseconds since the Unix epoch.',
    serverUrl,
    tags: [
      { name: 'Public', description: 'Open to everybody, without credentials.' },
      { name: 'Private', description: 'For the holder of a key, with a signature.' },
      {
        name: 'Session',
        description: 'For the owner of the account, signed in with a browser. Keys are refused.',
      },
    ],
    operations: routes.map((route) => toOperation(route, serverUrl)),
    schemas: SCHEMAS.map(withExample),
    headers: {
      'X-SVC-REQUEST-ID': text('Names the request, for questions about it.'),
      'X-SVC-RATELIMIT-LIMIT': text('Requests admitted in one window.'),
      'X-SVC-RATELIMIT-WINDOW': text('Length of the sliding window in milliseconds.'),
      'X-SVC-RATELIMIT-REMAINING': text('Requests that would still be admitted now.'),
      'X-SVC-RATELIMIT-RESET': text('When one more slot frees, milliseconds since the epoch.'),
      'Retry-After': text('Whole seconds to wait.'),
      'Cache-Control': text(
        '`immutable` when the answer never changes again; `no-store` otherwise.',
      ),
      [REPLAY_HEADER]: text('`true` when the same request had done this before.'),
      [ENGINE_SEQ_HEADER]: text(
        'The last engine event that the answer certainly includes. Events of a queue or a stream that are not above it can be dropped.',
      ),
      [COMPLETE_HEADER]: text(
        'History is written a little after the engine. The answer has everything up to this engine event, and perhaps some of what came later. Compare it with `X-SVC-ENGINE-SEQ` or the `engineSeq` of an event.',
      ),
      [HASH_HEADER]: text('SHA-256 of the content, 64 lower-case hexadecimal digits.'),
    },
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-SVC-APIKEY',
        description: 'The key of the account.',
      },
      signature: {
        type: 'apiKey',
        in: 'header',
        name: 'X-SVC-SIGNATURE',
        description:
          'Lower-case hexadecimal HMAC-SHA256 of the parameters as a query string, keyed with the secret; for a key of type `ed25519` the Ed25519 signature of the same text.',
      },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: '__Host-sessionid',
        description: 'The session of a browser that is signed in.',
      },
      csrfToken: {
        type: 'apiKey',
        in: 'header',
        name: 'X-CSRFToken',
        description: 'The token of the session, with everything that may change something.',
      },
    },
  });
}

/** An example of a whole resource: examples of single fields would not fit each other. */
function withExample(schema: TSchema): TSchema {
  const { title = '' } = schema as { title?: string };
  const example = EXAMPLES[title];
  return example === undefined ? schema : { ...schema, examples: [example] };
}

function toOperation(route: TradingRoute, serverUrl: string): OpenApiOperation {
  const isSigned = route.access !== 'public' && route.access !== 'session';
  const params = asSent(
    isSigned ? Type.Object({ ...route.params.properties, ...SIGNED }) : route.params,
  ) as TObject;
  const place: Pick<OpenApiOperation, 'query' | 'body'> =
    route.method === 'POST'
      ? {
          body: {
            schema: params,
            mediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
          },
        }
      : { query: params };
  return {
    id: route.name,
    method: route.method,
    path: route.path,
    tag: tagOf(route),
    summary: route.summary,
    ...(route.access === 'public' ? {} : { description: neededBy(route) }),
    ...(route.access === 'session' && { serverUrl: sessionUrlOf(serverUrl) }),
    ...place,
    ...(isSigned && { requestHeaders: SIGNED_HEADERS }),
    security: securityOf(route),
    responses: { '200': successOf(route), ...failuresOf(route) },
  };
}

/** Sessions have a tree of their own beside that of keys. */
const sessionUrlOf = (serverUrl: string): string => serverUrl.replace(/\/v1$/, '/json/v1');

function tagOf({ access }: TradingRoute): string {
  if (access === 'public') return 'Public';
  return access === 'session' ? 'Session' : 'Private';
}

function securityOf({ access, method }: TradingRoute): string[] {
  if (access === 'public') return [];
  if (access !== 'session') return ['apiKey', 'signature'];
  return method === 'GET' ? ['session'] : ['session', 'csrfToken'];
}

interface WholeNumber {
  readonly type: 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly examples?: readonly string[];
}

/**
 * Numbers are sent as texts, in JSON too: a whole number is declared as its digits, and its range
 * in words.
 */
export function asSent(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asSent);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (!isWholeNumber(schema)) {
    return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, asSent(part)]));
  }
  const { minimum = 0, maximum, description = '', examples = [String(minimum)] } = schema;
  const most = maximum === undefined ? '' : `, at most ${maximum}`;
  return {
    type: 'string',
    pattern: '^(0|[1-9][0-9]{0,14})$',
    description: `${description} Digits, at least ${minimum}${most}.`,
    examples,
  };
}

const isWholeNumber = (schema: object): schema is WholeNumber =>
  'type' in schema && schema.type === 'integer';

const NEEDED: Readonly<Record<string, string>> = {
  key: 'Needs a key, whatever its permissions.',
  session: 'Needs a session, under `/json/v1`; keys are refused with 3010.',
};

const neededBy = ({ access, whileSuspended, stepUp }: TradingRoute) =>
  [
    NEEDED[access] ?? `Needs the permission \`${access}\`.`,
    ...(stepUp === 'each' ? ['Asks for a second factor each time.'] : []),
    whileSuspended
      ? 'Works while the account is suspended.'
      : 'Refused with 3011 while the account is suspended.',
  ].join(' ');

function successOf(route: TradingRoute): OpenApiResponse {
  const schema = route.isBare
    ? route.returns
    : { allOf: [Envelope, { type: 'object', properties: { result: route.returns } }] };
  return {
    description: 'Success.',
    schema,
    example: findRecordedAnswer(route.name),
    alsoAs: route.alsoSends,
    headers: [...RATE_HEADERS, ...route.headers],
  };
}

function failuresOf(route: TradingRoute): Record<string, OpenApiResponse> {
  const byStatus = Map.groupBy(errorsOf(route), ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, entries]) => [
      String(status),
      {
        description: entries.map(({ code, name }) => `${code} ${name}`).join(', '),
        schema: ErrorEnvelope,
        headers: status === 429 ? [...RATE_HEADERS, 'Retry-After'] : RATE_HEADERS,
      },
    ]),
  );
}

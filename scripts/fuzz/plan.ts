// Plans one request: the endpoint, the caller, the parameters, and what is wrong with it.
import type { TObject } from 'typebox';
import { IsOptional } from 'typebox';
import type { Random } from '../../server/src/testing/random.ts';
import { chatRoutes, sessionRoutes } from '../../server/src/chat/routes.ts';
import { ROUTES as tradingRoutes } from '../../server/src/trading/routes.ts';
import type { Pool } from './pool.ts';
import { HOSTILE_TEXTS, validValue } from './values.ts';

/** Which credentials go with a request. */
export type Door = 'key' | 'session' | 'signed' | 'nobody';

export interface Target {
  readonly name: string;
  readonly method: string;
  /** With its prefix and its `{parts}`. */
  readonly path: string;
  readonly door: Door;
  readonly params: TObject;
  readonly takesFiles: boolean;
}

export interface Planned {
  readonly target: Target;
  readonly kind: Kind;
  readonly method: string;
  readonly path: string;
  /** Names may come twice, and values are texts as a form has them. */
  readonly pairs: readonly (readonly [string, string])[];
  readonly file: { readonly name: string; readonly bytes: Buffer } | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export const KINDS = ['valid', 'mutated', 'hostile'] as const;
export type Kind = (typeof KINDS)[number];

/** Endpoints that are not declared routes, but can be reached by anybody. */
const PAGES = [
  '/',
  '/login/',
  '/accounts/login/',
  '/health/live',
  '/health/ready',
  '/v1/docs',
  '/docs/',
  '/docs/search/',
  '/favicon.ico',
  '/avatar/9',
  '/avatar/9/medium',
  '/user_uploads/2/ab/x.png',
  '/static/generated/emoji/images-google-64/1f642.png',
  '/accounts/do_confirm/abc',
  '/join/abc',
  '/nothing/here',
];

export function listTargets(): Target[] {
  const chat = (door: 'key' | 'session', prefix: string) =>
    (door === 'key' ? chatRoutes : sessionRoutes).map((route): Target => ({
      name: `${prefix} ${route.name}`,
      method: route.method,
      path: `${prefix}${route.path}`,
      door: route.allow === 'anyone' ? 'nobody' : door,
      params: route.params,
      takesFiles: route.fileBytesMax !== undefined || route.streamsFiles === true,
    }));
  const trading = tradingRoutes.map((route): Target => ({
    name: `/v1 ${route.name}`,
    method: route.method,
    path: `/v1${route.path}`,
    door: route.access === 'public' ? 'nobody' : 'signed',
    params: route.params,
    takesFiles: false,
  }));
  const venue = tradingRoutes
    .filter(({ access }) => access !== 'public')
    .map((route): Target => ({
      name: `/json/v1 ${route.name}`,
      method: route.method,
      path: `/json/v1${route.path}`,
      door: 'session',
      params: route.params,
      takesFiles: false,
    }));
  const pages = PAGES.map((path): Target => ({
    name: `page ${path}`,
    method: 'GET',
    path,
    door: 'nobody',
    params: NO_PARAMS,
    takesFiles: false,
  }));
  return [...chat('key', '/api/v1'), ...chat('session', '/json'), ...trading, ...venue, ...pages];
}

const NO_PARAMS = { type: 'object', properties: {} } as unknown as TObject;

const ENDING =
  / (deactivate-own-user|deactivate-user|update-user|update-user-by-email|regenerate-api-key|privateApiKeyDelete)$/;

/** Whether a valid call takes somebody's credentials away. */
export const endsCaller = ({ name }: Target): boolean => ENDING.test(name);

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const MUTATIONS_MAX = 3;

export function planRequest(target: Target, kind: Kind, random: Random, pool: Pool): Planned {
  const drawing = { random, pool };
  const pairs: [string, string][] = [];
  for (const [name, schema] of Object.entries(target.params.properties)) {
    if (IsOptional(schema) && random.below(3) > 0) continue;
    const value = validValue(schema, name, drawing);
    if (value !== undefined) pairs.push([name, toText(value)]);
  }
  const path = target.path.replaceAll(/\{(\w+)(?::\w+)?\}/g, (_, name: string) =>
    encodeURIComponent(String(pool.pick(name, random) ?? random.below(30))),
  );
  const file = target.takesFiles ? { name: 'picture.png', bytes: TINY_PNG } : undefined;
  const planned: Planned = { target, kind, method: target.method, path, pairs, file, headers: {} };
  if (kind === 'valid') return planned;
  let changed = planned;
  const count = 1 + random.below(MUTATIONS_MAX);
  for (let done = 0; done < count; done += 1) {
    changed = random.pick(kind === 'mutated' ? MUTATIONS : HOSTILITIES)(changed, random);
  }
  return changed;
}

/** Encoded as in forms: texts bare, everything else as JSON. */
const toText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');

type Change = (planned: Planned, random: Random) => Planned;

const anyIndex = ({ pairs }: Planned, random: Random) => random.below(Math.max(1, pairs.length));

function withValue(planned: Planned, index: number, value: string): Planned {
  const pair = planned.pairs[index];
  if (pair === undefined) return planned;
  return { ...planned, pairs: planned.pairs.with(index, [pair[0], value]) };
}

const NEIGHBOURS = [
  '0',
  '-1',
  '1',
  '2',
  '""',
  '[]',
  '{}',
  'null',
  'true',
  '[1]',
  '["x"]',
  '{"a":1}',
  '1.5',
  '"1"',
  '2147483647',
  '2147483648',
  'general',
  '[null]',
  '[[]]',
  '[{}]',
];

/** Changes a valid value by one step. */
const MUTATIONS: readonly Change[] = [
  (planned, random) => withValue(planned, anyIndex(planned, random), random.pick(NEIGHBOURS)),
  (planned, random) => withValue(planned, anyIndex(planned, random), random.pick(NEIGHBOURS)),
  (planned, random) => {
    const gone = anyIndex(planned, random);
    return { ...planned, pairs: planned.pairs.filter((_, index) => index !== gone) };
  },
  (planned, random) => {
    const twice = planned.pairs[anyIndex(planned, random)];
    return twice === undefined ? planned : { ...planned, pairs: [...planned.pairs, twice] };
  },
  (planned) => ({ ...planned, pairs: [...planned.pairs, ['unheard_of', '1']] }),
  (planned, random) => ({ ...planned, pairs: random.shuffled(planned.pairs) }),
  (planned, random) => ({ ...planned, method: random.pick(METHODS) }),
  (planned, random) => {
    const index = anyIndex(planned, random);
    const text = planned.pairs[index]?.[1] ?? '';
    const at = random.below(text.length + 1);
    return withValue(
      planned,
      index,
      `${text.slice(0, at)}${random.pick(['"', '0', ',', ' ', '\u200c', '-'])}${text.slice(at + 1)}`,
    );
  },
  (planned, random) => ({
    ...planned,
    path: planned.path.replace(/\d+/, () => random.pick(['0', '2147483647', '99999999999', '007'])),
  }),
  (planned) => ({ ...planned, path: `${planned.path}/` }),
];

/** What an attacker sends. */
const HOSTILITIES: readonly Change[] = [
  (planned, random) => withValue(planned, anyIndex(planned, random), random.pick(HOSTILE_TEXTS)()),
  (planned, random) => withValue(planned, anyIndex(planned, random), random.pick(HOSTILE_TEXTS)()),
  (planned, random) => withValue(planned, anyIndex(planned, random), random.pick(HOSTILE_TEXTS)()),
  (planned, random) => ({
    ...planned,
    pairs: [
      ...planned.pairs,
      [
        random.pick(['__proto__', 'constructor', '', 'client', 'method', 'toString']),
        random.pick(HOSTILE_TEXTS)(),
      ],
    ],
  }),
  (planned, random) => ({
    ...planned,
    path: planned.path.replace(/[^/]+$/, () => encodePart(random.pick(HOSTILE_TEXTS)())),
  }),
  (planned, random) => ({
    ...planned,
    path:
      planned.path +
      random.pick(['%00', '%', '%zz', '%c0%ae', '/../..', ';x=1', '//', '/%2e%2e/', '?', '%ff']),
  }),
  (planned, random) => ({ ...planned, headers: { ...planned.headers, ...random.pick(HEADERS) } }),
  (planned, random) => ({
    ...planned,
    pairs: Array.from({ length: 1100 }, (_, index) => [`n${index}`, '1'] as const),
    method: random.pick(['POST', 'GET']),
  }),
  (planned) => ({
    ...planned,
    file: { name: '../../\u202egpj.exe', bytes: Buffer.from('<svg onload=alert(1)>') },
  }),
];

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'application/json' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'multipart/form-data; boundary=' + 'b'.repeat(200) },
  { 'content-type': 'text/html; charset=utf-16' },
  { 'content-encoding': 'gzip' },
  { __proto__x: '1' },
  { accept: 'text/html' },
  { accept: '*/*;q=nan, ' + 'a/b,'.repeat(500) },
  { authorization: 'Basic !!!' },
  { authorization: 'Bearer x' },
  { cookie: 'a=b; '.repeat(500) },
  { 'x-forwarded-for': '1.2.3.4, ' + ','.repeat(300) },
  { 'if-none-match': '"' + 'x'.repeat(4000) + '"' },
  { range: 'bytes=0-0,1-1,2-2' },
  { 'user-agent': '' },
  { 'user-agent': 'x'.repeat(9000) },
  { 'x-svc-apikey': 'x'.repeat(5000) },
  { 'x-svc-signature': '0'.repeat(64) },
  { origin: 'null' },
  { expect: '100-continue' },
];

/** A lone surrogate has no encoding; a client that sends bytes can send this instead. */
function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed()).slice(0, 8000);
}

const TINY_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

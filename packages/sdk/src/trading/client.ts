// The client of the trading API.
import { TradingError, type RialtoError } from '../errors.ts';
import { attempt, type Settled } from '../http/attempts.ts';
import { sessionHeaders } from '../http/session.ts';
import { createTransport, type PreparedRequest, type Transport } from '../http/transport.ts';
import type { CallOptions, ClientOptions, SessionOptions } from '../options.ts';
import { ServerClock } from './clock.ts';
import { encodeParams, type Params } from './encode.ts';
import { TRADING_ROUTES, type TradingMethods } from './methods.generated.ts';
import { nameOf } from './names.ts';
import { readAnswer } from './read.ts';
import { createId, isRepeatable, withIds } from './repeat.ts';
import { ed25519Signer, hmacSigner, type PrivateKey, type Signer } from './sign.ts';

export interface TradingOptions extends ClientOptions {
  /** The id of a trading key. Public data needs none. */
  readonly key?: string | undefined;
  /** The secret of a key of type `hmac`. */
  readonly secret?: string | undefined;
  /** Your private key, for a key of type `ed25519`: PEM, 64 hexadecimal digits, 32 bytes, or a `CryptoKey`. */
  readonly privateKey?: PrivateKey | undefined;
  /** The session of a browser that is signed in, instead of a key. */
  readonly session?: true | SessionOptions | undefined;
  /** For how long after it was made a request is accepted, in milliseconds. Default of the venue: 5000. */
  readonly recvWindow?: number;
  /**
   * 2 (default): a signature covers method and path, and is worth nothing elsewhere. 1: only the parameters, for a
   * proxy that changes paths.
   */
  readonly signatureVersion?: 1 | 2;
}

type Method = (params: never, options?: CallOptions) => Promise<unknown>;
type Groups = { readonly [G in keyof TradingMethods]: TradingMethods[G] };

/** `order.create`, `public.depth` and so on. */
export type OperationName = {
  [G in keyof Groups]: `${G}.${Extract<keyof Groups[G], string>}`;
}[keyof Groups];

type MethodNamed<N extends OperationName> = N extends `${infer G extends keyof Groups}.${infer M}`
  ? M extends keyof Groups[G]
    ? Extract<Groups[G][M], Method>
    : never
  : never;

export type OperationParams<N extends OperationName> = Parameters<MethodNamed<N>>[0];
export type OperationResult<N extends OperationName> = Awaited<ReturnType<MethodNamed<N>>>;

/** Operations that answer page by page. */
export type PagedName = {
  [N in OperationName]: OperationResult<N> extends Page ? N : never;
}[OperationName];
type Page = { readonly items: readonly unknown[]; readonly nextCursor: string };
type ItemOf<N extends PagedName> =
  OperationResult<N> extends { readonly items: readonly (infer T)[] } ? T : never;

/** A request as it would be sent, for comparing with what the server says it received. */
export interface Explained extends PreparedRequest {
  /** What was signed; undefined for public data and for sessions. */
  readonly signedText: string | undefined;
  readonly signature: string | undefined;
  /** What was added to the local clock. */
  readonly clockOffsetMs: number;
}

interface Route {
  readonly method: string;
  readonly path: string;
}

const ROUTES: ReadonlyMap<string, Route> = new Map(
  TRADING_ROUTES.map((line) => {
    const [method = '', path = ''] = line.split(' ');
    return [nameOf(path).join('.'), { method, path }];
  }),
);

class TradingClient {
  /** The server's clock, as far as it is known from answers. */
  readonly clock = new ServerClock();
  readonly origin: string;
  readonly #options: TradingOptions;
  readonly #transport: Transport;
  readonly #signer: Signer | undefined;

  constructor(options: TradingOptions) {
    this.#options = options;
    this.#transport = createTransport(options);
    this.origin = this.#transport.origin;
    this.#signer = signerOf(options);
    Object.assign(this, this.#buildGroups());
  }

  /** Calls an operation by its name. */
  async call<N extends OperationName>(
    name: N,
    params?: OperationParams<N>,
    options: CallOptions = {},
  ): Promise<OperationResult<N>> {
    return (await this.#perform(name, (params ?? {}) as Params, options)) as OperationResult<N>;
  }

  /** Goes through all pages of a list, one item after the other. */
  async *each<N extends PagedName>(
    name: N,
    params?: OperationParams<N>,
    options: CallOptions = {},
  ): AsyncGenerator<ItemOf<N>, void, undefined> {
    let cursor: string | undefined;
    do {
      const asked = { ...(params as Params | undefined), ...(cursor !== undefined && { cursor }) };
      const page = (await this.#perform(name, asked, options)) as Page;
      yield* page.items as readonly ItemOf<N>[];
      cursor = page.nextCursor;
    } while (cursor !== '');
  }

  /** Shows the request that a call would send, with the exact text that is signed. Nothing is sent. */
  async explain<N extends OperationName>(name: N, params?: OperationParams<N>): Promise<Explained> {
    return this.#prepare(routeOf(name), (params ?? {}) as Params);
  }

  /** Signs a text with the key of this client, as the login of a stream needs it. */
  async sign(text: string): Promise<{ readonly key: string; readonly signature: string }> {
    const { key } = this.#options;
    if (this.#signer === undefined || key === undefined) throw new TypeError(NEEDS_KEY);
    return { key, signature: await this.#signer.sign(text) };
  }

  #buildGroups(): object {
    const groups: Record<string, Record<string, Method>> = {};
    for (const [name, { path }] of ROUTES) {
      const [group, method] = nameOf(path);
      groups[group] ??= {};
      groups[group][method] = (params?: Params, options?: CallOptions) =>
        this.#perform(name, params ?? {}, options ?? {});
    }
    return groups;
  }

  async #perform(name: string, given: Params, call: CallOptions): Promise<unknown> {
    const route = routeOf(name);
    const params = withIds(route.path, given);
    const { clock } = this;
    let sentAtMs = 0;
    return attempt(
      { transport: this.#transport, options: this.#options },
      {
        isRepeatable: isRepeatable(route.method, route.path),
        prepare: () => {
          sentAtMs = clock.now();
          return this.#prepare(route, params);
        },
        read: (answer) =>
          readAnswer(answer, {
            origin: this.origin,
            noteTime: (serverMs, { sentMs, receivedMs }) =>
              clock.note(serverMs, sentMs, receivedMs),
          }),
        mend: ({ code }) => {
          if (code !== '3006') return false;
          clock.resynchronise();
          return true;
        },
        settle: (error) => this.#settle(route, params, { error, sentAtMs, call }),
      },
      call,
    );
  }

  async #prepare({ method, path }: Route, given: Params): Promise<Explained> {
    const { key, session, recvWindow, signatureVersion = 2 } = this.#options;
    const isPrivate = !path.startsWith('/public/');
    const isSession = isPrivate && session !== undefined;
    if (isPrivate && session === undefined && this.#signer === undefined) {
      throw new TypeError(`${nameOf(path).join('.')} is private. ${NEEDS_KEY}`);
    }
    const signer = isPrivate && !isSession ? this.#signer : undefined;
    const isWrite = method !== 'GET';
    // A session signs nothing, and states its time so that a late copy of a write is refused.
    const isTimed = signer !== undefined || (isSession && isWrite);
    const stamp = {
      ...(isTimed && { timestamp: this.clock.now(), recvWindow }),
      // A write is told from an equal one of the same millisecond by its nonce.
      ...(signer !== undefined && isWrite && { nonce: createId() }),
    };
    const text = encodeParams({ ...given, ...stamp });
    const inBody = method === 'POST';
    const target = `${isSession ? '/json/v1' : '/v1'}${path}`;
    const signedText =
      signer === undefined
        ? undefined
        : signatureVersion === 2
          ? `${method}\n${target}\n${text}`
          : text;
    const signature = signedText === undefined ? undefined : await signer?.sign(signedText);
    return {
      method,
      url: `${this.origin}${target}${inBody || text === '' ? '' : `?${text}`}`,
      headers: {
        ...(inBody && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        ...(signature !== undefined && {
          'X-SVC-APIKEY': key ?? '',
          'X-SVC-SIGNATURE': signature,
          ...(signatureVersion === 2 && { 'X-SVC-SIGNATURE-VERSION': '2' }),
        }),
        ...(isSession && sessionHeaders(session === true ? {} : session)),
      },
      ...(inBody && { body: text }),
      withCookies: isSession,
      signedText,
      signature,
      clockOffsetMs: this.clock.offsetMs,
    };
  }

  /** After a lost answer and a refusal: an order that stands was placed by the first attempt. */
  async #settle(
    { path }: Route,
    params: Params,
    { error, sentAtMs, call }: { error: RialtoError; sentAtMs: number; call: CallOptions },
  ): Promise<Settled<unknown>> {
    const { details, code } = error;
    // Somebody canceled it: most likely the attempt whose answer was lost.
    if (path === '/private/order/cancel' && code === '4013' && isCanceled(details['order'])) {
      return { value: details['order'] };
    }
    const clientOrderId = params['clientOrderId'];
    if (!PLACES_ONE.test(path) || typeof clientOrderId !== 'string') return { outcome: 'unknown' };
    try {
      return {
        value: await this.#perform(
          'order.get',
          { clientOrderId },
          { ...call, retry: { attempts: 2 } },
        ),
      };
    } catch (failure) {
      if (!(failure instanceof TradingError) || failure.code !== '4011')
        return { outcome: 'unknown' };
      // The engine takes no order after its window, so by then it never will.
      const windowMs = this.#options.recvWindow ?? RECV_WINDOW_MS;
      return { outcome: this.clock.now() - sentAtMs > windowMs ? 'none' : 'unknown' };
    }
  }
}

/** The client of the trading API: one method for each operation, in groups. */
export type Trading = TradingClient & TradingMethods;
export const Trading = TradingClient as new (options: TradingOptions) => Trading;

const PLACES_ONE = /^\/private\/order\/(create|limit\/\w+|market\/\w+|stoplimit\/\w+)$/;
const RECV_WINDOW_MS = 5000;
const NEEDS_KEY =
  'Give the client a key: new Trading({ url, key, secret }), or privateKey instead of secret, or session.';

const isCanceled = (order: unknown): boolean =>
  (order as { status?: string } | undefined)?.status === 'canceled';

function routeOf(name: string): Route {
  const route = ROUTES.get(name);
  if (route === undefined) throw new TypeError(`There is no operation '${name}'.`);
  return route;
}

function signerOf({ key, secret, privateKey, session }: TradingOptions): Signer | undefined {
  const given = [secret, privateKey, session].filter((one) => one !== undefined).length;
  if (given > 1) throw new TypeError('Give one of secret, privateKey and session, not several.');
  if (session !== undefined) return undefined;
  if ((key === undefined) !== (given === 0)) throw new TypeError(NEEDS_KEY);
  if (secret !== undefined) return hmacSigner(secret);
  return privateKey === undefined ? undefined : ed25519Signer(privateKey);
}

// Order operations: the private routes of orders, called on a connection. Parameters, checks and answers are those of
// the routes; the login takes the place of the signature.
import { Type, type TObject, type TSchema } from 'typebox';
import { checkStatedWindow } from '../../accounts/trading-keys/verify.ts';
import { assert } from '../../platform/std/assert.ts';
import { checkAccess, type PrivateAccess, type PrivateCaller } from '../http/authenticate.ts';
import { Answer } from '../http/envelope.ts';
import { refuse, SUSPENDED } from '../http/errors.ts';
import type { TradingRoute } from '../http/route.ts';
import { isNothingDone } from '../orders/actions/submit.ts';
import { RenderedBatch } from '../orders/answers.ts';
import { REPLAY_HEADER } from '../orders/shapes.ts';
import { ROUTES } from '../routes.ts';
import { Noted, operation, type Call, type Operation } from './operation.ts';

/** For a frame without a timestamp: how long after its arrival the engine may take the command. */

const TIMING = {
  timestamp: Type.Optional(
    Type.String({
      maxLength: 20,
      description: 'The time in milliseconds. If it is sent, the window applies.',
    }),
  ),
  recvWindow: Type.Optional(
    Type.String({ maxLength: 20, description: 'The window in milliseconds, 1 to 60000.' }),
  ),
};

interface Asked {
  readonly params?: Readonly<Record<string, unknown>> & {
    readonly timestamp?: string;
    readonly recvWindow?: string;
  };
}

type Handle = (ctx: unknown, caller: PrivateCaller, params: unknown) => unknown;

/** Operations whose orders a guard covers: how their names stand in the parameters. */
type Placing = 'one' | 'replacement' | 'batch' | undefined;

function orderOperation(name: string, path: string, placing?: Placing): Operation {
  const route = ROUTES.find((one) => one.path === `/private/order/${path}`);
  assert(route !== undefined && route.access !== 'public', 'a private route', { path });
  const { access } = route;
  const own = Type.Object({ ...route.params.properties, ...TIMING });
  const params: TObject = Type.Object({
    params: (route.params.required ?? []).length > 0 ? own : Type.Optional(own),
  });
  const handle = route.handle as Handle;
  return operation<TObject, TSchema>({
    name: `order.${name}`,
    access: 'private',
    summary: route.summary,
    params,
    returns: route.returns,
    errors: [...route.errors, 'PERMISSION_DENIED', 'RATE_LIMITED', 'ACCOUNT_SUSPENDED'],
    runs: 'at once',
    isActing: !route.isRead,
    async handle(call: Call, { params: sent = {} }: Asked) {
      const { timestamp, recvWindow, ...given } = sent;
      const caller = await admit(call, route, access, { timestamp, recvWindow });
      const { streams, connection } = call;
      const { guards } = streams.own;
      if (placing === undefined || !guards.has(connection)) {
        return toResult(await handle(streams.ctx, caller, given));
      }
      return guarded(call, placing, given, (covered) => handle(streams.ctx, caller, covered));
    },
  });
}

/** As the door of the routes does: permission, suspension, the account's limit, the window. */
async function admit(
  { streams, connection, nowMs }: Call,
  { whileSuspended }: TradingRoute,
  access: PrivateAccess,
  timing: { timestamp: string | undefined; recvWindow: string | undefined },
): Promise<PrivateCaller> {
  const { identity, address } = connection;
  assert(identity !== undefined, 'a private operation has an identity');
  const { signedMs, windowMs } = windowOf(timing, nowMs);
  checkAccess(access, identity.permissions);
  if (identity.account.isSuspended && !whileSuspended) {
    throw refuse('ACCOUNT_SUSPENDED', SUSPENDED);
  }
  const admission = await streams.own.admit(connection);
  const { keyId, session, permissions, markets, account } = identity;
  return {
    address,
    nowMs,
    keyId,
    ...(session && { session }),
    permissions,
    markets,
    account,
    signedMs,
    windowMs,
    admissions: { address: admission, account: admission },
  };
}

function windowOf(
  timing: { timestamp: string | undefined; recvWindow: string | undefined },
  nowMs: number,
): { signedMs: number; windowMs: number } {
  const pairs = Object.entries(timing).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  return checkStatedWindow(pairs, nowMs);
}

interface Named {
  readonly clientOrderId?: string;
}

/** Notes the names of the orders before they are placed, so that they are canceled if the connection drops. */
async function guarded(
  { streams, connection }: Call,
  placing: 'one' | 'replacement' | 'batch',
  given: Readonly<Record<string, unknown>>,
  place: (covered: unknown) => unknown,
): Promise<unknown> {
  const { guards } = streams.own;
  const orders = placing === 'batch' ? (given['orders'] as readonly Named[]) : [given as Named];
  const names = await guards.note(
    connection,
    orders.map(({ clientOrderId }) => clientOrderId),
  );
  const named = orders.map((order, index) => ({ ...order, clientOrderId: names[index] }));
  const covered = placing === 'batch' ? { ...given, orders: named } : named[0];
  let result: unknown;
  try {
    result = await place(covered);
  } catch (error) {
    // Where the outcome is unknown the orders stay guarded; so they do where one half of a replacement was refused.
    if (placing !== 'replacement' && isNothingDone(error)) guards.forget(connection, names);
    throw error;
  }
  // An order that was there before belongs to the connection that placed it.
  if (result instanceof Answer) guards.forget(connection, names);
  if (result instanceof RenderedBatch) {
    const { refused } = result;
    guards.forget(
      connection,
      names.filter((_, index) => refused[index] === true),
    );
  }
  return toResult(result);
}

/** An answer with headers says one thing by them: that it repeats an earlier one. */
const toResult = (given: unknown): unknown =>
  given instanceof Answer && given.headers[REPLAY_HEADER] === 'true'
    ? new Noted(given.result, { idempotentReplay: true })
    : given instanceof Answer
      ? given.result
      : given;

export const ORDER_OPERATIONS: readonly Operation[] = [
  orderOperation('create', 'create', 'one'),
  orderOperation('test', 'test'),
  orderOperation('create_batch', 'create_batch', 'batch'),
  orderOperation('cancel', 'cancel'),
  orderOperation('cancel_batch', 'cancel_batch'),
  orderOperation('cancel_all', 'cancel_all'),
  orderOperation('cancel_all_after', 'cancel_all_after'),
  orderOperation('amend', 'amend'),
  orderOperation('replace', 'replace', 'replacement'),
  orderOperation('get', 'get'),
  orderOperation('open', 'open'),
];

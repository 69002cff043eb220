// What a client sends: one JSON object in a text frame, which names an operation. Every frame gets one answer, in the
// envelope of the API; a frame that cannot be one ends the connection.
import { parseMembers } from '../../accounts/trading-keys/json.ts';
import type { ParameterPair } from '../../accounts/trading-keys/parameters.ts';
import { RequestProblem } from '../../accounts/trading-keys/problem.ts';
import { findNearest } from '../../platform/std/nearest.ts';
import { RenderedJson } from '../http/envelope.ts';
import { findError, refuse } from '../http/errors.ts';
import { toRefusal } from '../http/faults.ts';
import { compileParams } from '../http/params.ts';
import type { Connection } from './connection.ts';
import { loginRequired } from './login-required.ts';
import { Followed, Noted, type Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import type { Streams } from './services.ts';

export interface Protocol {
  take(connection: Connection, data: Buffer, isBinary: boolean): void;
  /** A ping of the client counts as a frame; the library answers it. */
  takePing(connection: Connection): void;
}

/** Operations of one connection that may wait for their answers. */
export const UNDER_WAY_MAX = 1000;
const ID_CHARACTERS_MAX = 64;
const WINDOW_MS = 1000;

type AnyHandle = (call: unknown, params: unknown) => unknown;

interface Compiled {
  readonly operation: Operation;
  readonly handle: AnyHandle;
  parse(pairs: readonly ParameterPair[]): unknown;
}

/** What an answer repeats of its frame. */
interface Asked {
  readonly id: string | undefined;
  readonly op: string | undefined;
}

export function createProtocol(streams: Streams): Protocol {
  const { ctx } = streams;
  const { clock, config, log } = ctx;
  const compiled = new Map<string, Compiled>(
    OPERATIONS.map((operation) => [
      operation.name,
      {
        operation,
        handle: operation.handle as AnyHandle,
        parse: compileParams(operation.params, { unknownNames: 'refused', reserved: ['id', 'op'] }),
      },
    ]),
  );
  /** For each connection: the operation after which the next one in turn runs. */
  const turns = new WeakMap<Connection, Promise<void>>();
  const counts = new WeakMap<Connection, FrameCount>();

  function isTooFast(connection: Connection): boolean {
    let count = counts.get(connection);
    if (count === undefined) {
      counts.set(connection, (count = new FrameCount(config.STREAM_FRAMES_PER_SECOND_MAX)));
    }
    if (count.take(performance.now())) return false;
    ctx.metrics.refused('trading', 'frames');
    connection.close('frameRate');
    return true;
  }

  function take(connection: Connection, data: Buffer, isBinary: boolean): void {
    if (!connection.isOpen || isTooFast(connection)) return;
    if (isBinary) {
      connection.close('binary');
      return;
    }
    const nowMs = Math.floor(clock.now());
    let asked: Asked = { id: undefined, op: undefined };
    try {
      const pairs = parseMembers(data);
      const id = textOf(pairs, 'id');
      asked = { id: id?.slice(0, ID_CHARACTERS_MAX), op: textOf(pairs, 'op') };
      const found = find(asked.op);
      if (id !== undefined && id.length > ID_CHARACTERS_MAX) {
        throw refuse('PARAMETER_INVALID', `'id' has at most ${ID_CHARACTERS_MAX} characters.`, {
          parameter: 'id',
        });
      }
      const { operation } = found;
      if (operation.access === 'private' && connection.identity === undefined) {
        throw loginRequired(`'${operation.name}' needs to know who you are.`);
      }
      const params = found.parse(pairs);
      if (connection.underWay >= UNDER_WAY_MAX) {
        throw refuse(
          'UNAVAILABLE',
          `${UNDER_WAY_MAX} operations of this connection wait for their answers. Wait for some.`,
        );
      }
      run(connection, found, asked, params, nowMs);
    } catch (error) {
      if (asked.op === undefined) asked = guess(data);
      fail(connection, asked, nowMs, error, false);
      if (error instanceof RequestProblem && error.kind === 'JSON_INVALID') {
        connection.close('malformed');
      }
    }
  }

  function find(name: string | undefined): Compiled {
    if (name === undefined || name === '') {
      throw refuse('PARAMETER_MISSING', "A frame names its operation in 'op'.", {
        parameter: 'op',
        allowed: [...compiled.keys()],
      });
    }
    const found = compiled.get(name);
    if (found !== undefined) return found;
    const nearest = findNearest(name, compiled.keys());
    throw refuse(
      'PARAMETER_INVALID',
      `There is no operation '${name.slice(0, ID_CHARACTERS_MAX)}'.${nearest === undefined ? '' : ` Did you mean '${nearest}'?`}`,
      {
        parameter: 'op',
        allowed: [...compiled.keys()],
        ...(nearest === undefined ? {} : { nearest }),
      },
    );
  }

  function run(
    connection: Connection,
    { operation, handle }: Compiled,
    asked: Asked,
    params: unknown,
    nowMs: number,
  ): void {
    const call = { streams, connection, nowMs };
    const act = () => handle(call, params);
    const before = operation.runs === 'in turn' ? turns.get(connection) : undefined;
    let result: unknown;
    if (before === undefined) {
      result = act();
      // Most are done at once, and are answered without a turn of the loop.
      if (!(result instanceof Promise)) {
        succeed(connection, asked, result);
        return;
      }
    } else result = before.then(act);
    connection.underWay += 1;
    const done = (result as Promise<unknown>)
      .then(
        (value) => succeed(connection, asked, value),
        (error: unknown) => fail(connection, asked, nowMs, error, operation.isActing),
      )
      .finally(() => {
        connection.underWay -= 1;
        if (turns.get(connection) === done) turns.delete(connection);
      });
    if (operation.runs === 'in turn') turns.set(connection, done);
  }

  function succeed(connection: Connection, asked: Asked, given: unknown): void {
    const result: unknown =
      given instanceof Followed || given instanceof Noted ? given.result : given;
    const notes = given instanceof Noted ? `,${JSON.stringify(given.notes).slice(1, -1)}` : '';
    const json = result instanceof RenderedJson ? result.json : JSON.stringify(result);
    connection.sendText(
      `{${head(asked)}"status":"true","serverTime":"${Math.floor(clock.now())}","result":${json}${notes}}`,
    );
    if (given instanceof Followed && connection.isOpen) given.after();
  }

  function fail(
    connection: Connection,
    asked: Asked,
    nowMs: number,
    error: unknown,
    isActing: boolean,
  ): void {
    let refusal = toRefusal(error, { isActing });
    if (refusal === undefined) {
      log.error({ err: error, connection: connection.id }, 'An operation of a stream failed.');
      refusal = refuse(
        'INTERNAL',
        `Something went wrong on our side. Connection ${connection.id}.`,
      );
    }
    const { code, message, fields: details } = refusal;
    const name = findError(code)?.name ?? 'INTERNAL';
    connection.sendText(
      `{${head(asked)}"status":"false","serverTime":"${nowMs}","result":null,"error":${JSON.stringify({ code, name, message, details })}}`,
    );
  }

  return {
    take,
    takePing(connection) {
      connection.heardMs = performance.now();
      if (connection.isOpen) isTooFast(connection);
    },
  };
}

const head = ({ id, op }: Asked): string =>
  `${id === undefined ? '' : `"id":${JSON.stringify(id)},`}${op === undefined ? '' : `"op":${JSON.stringify(op)},`}`;

function textOf(pairs: readonly ParameterPair[], name: string): string | undefined {
  const value = pairs.find((pair) => pair.name === name)?.value;
  if (value === undefined || typeof value === 'string') return value;
  throw refuse('PARAMETER_INVALID', `'${name}' must be a text.`, { parameter: name });
}

/** Which frame a refusal is about, when its members could not be read strictly. */
function guess(data: Buffer): Asked {
  try {
    const { id, op } = JSON.parse(data.toString()) as Record<string, unknown>;
    const text = (value: unknown) =>
      typeof value === 'string' || typeof value === 'number'
        ? String(value).slice(0, ID_CHARACTERS_MAX)
        : undefined;
    return { id: text(id), op: text(op) };
  } catch {
    return { id: undefined, op: undefined };
  }
}

/** The frames of the last second: a ring of their times. */
class FrameCount {
  readonly #times: Float64Array;
  #next = 0;

  constructor(limit: number) {
    this.#times = new Float64Array(limit).fill(-Infinity);
  }

  /** Counts a frame; false if there were as many in the last second as there may be. */
  take(nowMs: number): boolean {
    if ((this.#times[this.#next] as number) > nowMs - WINDOW_MS) return false;
    this.#times[this.#next] = nowMs;
    this.#next = (this.#next + 1) % this.#times.length;
    return true;
  }
}

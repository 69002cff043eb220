// The engine's client in an api process. Requests made in one turn of the event loop travel
// together.
import type pg from 'pg';
import { BusUnavailable, type Bus } from '../../platform/bus/bus.ts';
import type { Log } from '../../platform/observe/log.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { systemClock, type Clock } from '../../platform/std/clock.ts';
import { encodeCommand } from './command.ts';
import {
  EngineFailure,
  REQUESTS_PER_MESSAGE,
  type AskOptions,
  type EngineCaller,
  type Engine,
  type ReadName,
  type Reads,
} from './door.ts';
import { Exchange } from './exchange.ts';
import { commandLine, NOBODY, openAnswer, queryLine } from './request-lines.ts';
import { openOutcome } from './outcomes.ts';
import { readEngine } from './read-answers.ts';
import { createSender, Unsigned } from './sender.ts';

export interface EngineClientOptions {
  readonly bus: Bus;
  readonly pool: pg.Pool;
  readonly log: Log;
  /** Messages are signed with a key derived from the master key. */
  readonly secrets: Secrets;
  readonly clock?: Clock;
  readonly shard?: number;
  /** How long to wait for an answer before its outcome counts as unknown. */
  readonly answerMs: number;
  /** Requests of this process that may be under way; more are refused at once. */
  readonly underWayMax: number;
}

export interface EngineClient extends Engine {
  /** The epoch of the engine that is asked now; zero while none is known. */
  epoch(): number;
  stop(): Promise<void>;
}

interface Waiting {
  readonly line: string;
  resolve(line: string): void;
  reject(error: Error): void;
}

const COMPLAIN_EVERY_MS = 5000;

export function createEngineClient(options: EngineClientOptions): EngineClient {
  const { bus, pool, log, secrets, answerMs, underWayMax, clock = systemClock } = options;
  const { shard = 0 } = options;
  const sender = createSender({ secrets, clock, shard });
  const exchange = new Exchange({ bus, pool, log, shard, sender, answerMs });
  const { leader } = exchange;
  const complain = rarely(COMPLAIN_EVERY_MS);
  let waiting: Waiting[] = [];
  let underWay = 0;
  let isFlushing = false;

  function ask(line: string): Promise<string> {
    if (underWay >= underWayMax) {
      return Promise.reject(
        new EngineFailure('unavailable', 'Too much waits for the engine. Nothing was done.'),
      );
    }
    underWay += 1;
    if (!isFlushing) {
      isFlushing = true;
      setImmediate(flush);
    }
    return new Promise<string>((resolve, reject) => {
      waiting.push({ line, resolve, reject });
    });
  }

  function flush(): void {
    isFlushing = false;
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += REQUESTS_PER_MESSAGE) {
      void send(all.slice(from, from + REQUESTS_PER_MESSAGE));
    }
  }

  async function send(requests: readonly Waiting[]): Promise<void> {
    const lines = requests.map(({ line }) => line);
    try {
      const answers = await exchange.ask(lines);
      for (const [index, request] of requests.entries()) request.resolve(answers[index] ?? '');
    } catch (error) {
      const failure = toFailure(error);
      if (error instanceof Unsigned) {
        complain((keptBack) =>
          log.error(
            { hint: error.hint, keptBack },
            "An answer does not bear the engine's signature. Have all processes the same MASTER_KEY, and their machines the same time? Otherwise somebody else speaks on the bus.",
          ),
        );
      }
      for (const request of requests) request.reject(failure);
      void leader.lookSoon();
    } finally {
      underWay -= requests.length;
    }
  }

  return {
    epoch: leader.epoch,
    async submit(command, { deadlineMs = 0, by = ownerOf(command) } = {}) {
      return openOutcome(
        openAnswer(await ask(commandLine(encodeCommand(command), deadlineMs, by))),
      );
    },
    async read<K extends ReadName>(
      name: K,
      query: Reads[K]['query'],
      { by = ownerOf(query) }: AskOptions = {},
    ) {
      const askOne = async (one: ReadName, page: object) =>
        openAnswer(await ask(queryLine(one, page, by)));
      return readEngine(askOne, name, query);
    },
    stop: leader.stop,
  };
}

const ownerOf = (request: object): EngineCaller =>
  'account' in request ? { account: Number(request.account), keyId: '' } : NOBODY;

function toFailure(error: unknown): Error {
  if (error instanceof EngineFailure) return error;
  return error instanceof BusUnavailable
    ? new EngineFailure('unavailable', 'No engine is at work. Nothing was done.')
    : new EngineFailure('unknown', 'The engine did not answer; whether it was done is unknown.');
}

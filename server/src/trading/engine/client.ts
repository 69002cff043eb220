// The engine as an api process reaches it. What is asked in one turn of the event loop travels together.
import type pg from 'pg';
import { BusUnavailable, type Bus } from '../../platform/bus/bus.ts';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Log } from '../../platform/observe/log.ts';
import { pause } from '../../platform/std/wait.ts';
import { encodeCommand } from './command.ts';
import {
  doorSubject,
  EngineFailure,
  REQUESTS_PER_MESSAGE,
  type Engine,
  type ReadName,
  type Reads,
} from './door.ts';
import { commandLine, joinLines, openAnswer, readLine, splitAnswers } from './message.ts';
import { unpackOutcomes } from './outcomes.ts';
import { readLease } from './store.ts';
import { parseTagged } from './tagged-json.ts';
import { assert } from '../../platform/std/assert.ts';

export interface EngineClientOptions {
  readonly bus: Bus;
  readonly pool: pg.Pool;
  readonly log: Log;
  readonly shard?: number;
  /** How long to wait for an answer before its outcome is called unknown. */
  readonly answerMs: number;
  /** Requests of this process that may be under way; more are refused at once. */
  readonly underWayMax: number;
}

export interface EngineClient extends Engine {
  stop(): Promise<void>;
}

interface Waiting {
  readonly line: string;
  resolve(line: string): void;
  reject(error: Error): void;
}

/** How often the lease is read, should the word of a new leader have been lost. */
const LOOK_MS = 500;
/** What a replaced engine had answered before is on its way for no longer than this. */
const GRACE_MS = 250;

export function createEngineClient(options: EngineClientOptions): EngineClient {
  const { bus, pool, log, answerMs, underWayMax, shard = 0 } = options;
  const stopping = new AbortController();
  let epoch = 0;
  let waiting: Waiting[] = [];
  let underWay = 0;
  let isFlushing = false;
  /** How to give up on what the present engine was asked and has not answered. */
  let unanswered = new Set<() => void>();

  function learn(newer: number): void {
    if (newer <= epoch) return;
    epoch = newer;
    const lost = unanswered;
    unanswered = new Set();
    if (lost.size === 0) return;
    setTimeout(() => {
      for (const giveUp of lost) giveUp();
    }, GRACE_MS);
  }

  const word = bus.subscribe(SUBJECTS.engineLeader, (text) => {
    const [about, newer] = text.split(' ').map(Number);
    if (about === shard && newer !== undefined) learn(newer);
  });

  async function look(): Promise<void> {
    try {
      learn((await readLease(pool, shard))?.epoch ?? 0);
    } catch (error) {
      log.debug({ err: error }, 'The lease of the engine cannot be read.');
    }
  }

  const looking = (async () => {
    while (!stopping.signal.aborted) {
      await look();
      await pause(LOOK_MS, stopping.signal);
    }
  })();

  function ask(line: string): Promise<string> {
    if (underWay >= underWayMax) {
      return Promise.reject(
        new EngineFailure('unavailable', 'Too much waits for the engine. Nothing was done.'),
      );
    }
    underWay += 1;
    const answer = new Promise<string>((resolve, reject) => {
      waiting.push({ line, resolve, reject });
    });
    if (!isFlushing) {
      isFlushing = true;
      setImmediate(flush);
    }
    return answer.finally(() => {
      underWay -= 1;
    });
  }

  function flush(): void {
    isFlushing = false;
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += REQUESTS_PER_MESSAGE) {
      void exchange(all.slice(from, from + REQUESTS_PER_MESSAGE));
    }
  }

  async function exchange(requests: readonly Waiting[]): Promise<void> {
    try {
      if (epoch === 0) await look();
      if (epoch === 0) throw new BusUnavailable('No engine has taken over yet.');
      const answer = await askEngine(joinLines(requests.map(({ line }) => line)));
      const lines = splitAnswers(answer, requests.length);
      assert(lines.length === requests.length, 'every request has its answer');
      for (const [index, request] of requests.entries()) request.resolve(lines[index] ?? '');
    } catch (error) {
      const failure = toFailure(error);
      for (const request of requests) request.reject(failure);
      void look();
    }
  }

  function askEngine(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const ofEngine = unanswered;
      const giveUp = () =>
        reject(new EngineFailure('unknown', 'The engine was replaced before it answered.'));
      ofEngine.add(giveUp);
      bus
        .request(doorSubject(shard, epoch), text, answerMs)
        .finally(() => ofEngine.delete(giveUp))
        .then(resolve, reject);
    });
  }

  return {
    async submit(command, { deadlineMs = 0 } = {}) {
      const answer = openAnswer(await ask(commandLine(encodeCommand(command), deadlineMs)));
      const outcome = unpackOutcomes(answer)[0];
      assert(outcome !== undefined, 'an answer holds an outcome');
      return outcome;
    },
    async read<K extends ReadName>(name: K, query: Reads[K]['query']) {
      return parseTagged(openAnswer(await ask(readLine(name, query)))) as Reads[K]['answer'];
    },
    async stop() {
      stopping.abort();
      word.unsubscribe();
      await looking;
    },
  };
}

function toFailure(error: unknown): Error {
  if (error instanceof EngineFailure) return error;
  return error instanceof BusUnavailable
    ? new EngineFailure('unavailable', 'No engine is at work. Nothing was done.')
    : new EngineFailure('unknown', 'The engine did not answer; whether it was done is unknown.');
}

// The engine as an api process reaches it. What is asked in one turn of the event loop travels together.
import type pg from 'pg';
import { BusUnavailable, type Bus } from '../../platform/bus/bus.ts';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Log } from '../../platform/observe/log.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { systemClock, type Clock } from '../../platform/std/clock.ts';
import { pause } from '../../platform/std/wait.ts';
import { encodeCommand } from './command.ts';
import {
  doorSubject,
  EngineFailure,
  REQUESTS_PER_MESSAGE,
  type AskOptions,
  type EngineCaller,
  type Engine,
  type ReadName,
  type Reads,
} from './door.ts';
import { commandLine, NOBODY, openAnswer, queryLine } from './request-lines.ts';
import { unpackOutcomes } from './outcomes.ts';
import { readEngine } from './read-answers.ts';
import { createSender, Unsigned } from './sender.ts';
import { readLease } from './store.ts';
import { assert } from '../../platform/std/assert.ts';

export interface EngineClientOptions {
  readonly bus: Bus;
  readonly pool: pg.Pool;
  readonly log: Log;
  /** Messages are signed with a key that is made from the master key. */
  readonly secrets: Secrets;
  readonly clock?: Clock;
  readonly shard?: number;
  /** How long to wait for an answer before its outcome is called unknown. */
  readonly answerMs: number;
  /** Requests of this process that may be under way; more are refused at once. */
  readonly underWayMax: number;
}

export interface EngineClient extends Engine {
  /** The engine that is asked now, by its epoch; zero while none is known. */
  epoch(): number;
  stop(): Promise<void>;
}

interface Waiting {
  readonly line: string;
  resolve(line: string): void;
  reject(error: Error): void;
}

/** How often the lease is read, should the word of a new leader have been lost. */
const LOOK_MS = 500;
/** The least time between two looks at the lease, however often somebody says that there is a new leader. */
const LOOK_GAP_MS = 20;
const COMPLAIN_EVERY_MS = 5000;
/** What a replaced engine had answered before is on its way for no longer than this. */
const GRACE_MS = 250;

export function createEngineClient(options: EngineClientOptions): EngineClient {
  const { bus, pool, log, secrets, answerMs, underWayMax, clock = systemClock } = options;
  const { shard = 0 } = options;
  const sender = createSender({ secrets, clock, shard });
  const complain = rarely(COMPLAIN_EVERY_MS);
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

  // Only a reason to look: whoever invents a leader must not have this process wait for it.
  const word = bus.subscribe(SUBJECTS.engineLeader, () => void lookSoon());

  async function look(): Promise<void> {
    try {
      learn((await readLease(pool, shard))?.epoch ?? 0);
    } catch (error) {
      log.debug({ err: error }, 'The lease of the engine cannot be read.');
    }
  }

  let isLooking = false;
  let isTold = false;
  async function lookSoon(): Promise<void> {
    isTold = true;
    if (isLooking) return;
    isLooking = true;
    while (isTold && !stopping.signal.aborted) {
      isTold = false;
      await look();
      await pause(LOOK_GAP_MS, stopping.signal);
    }
    isLooking = false;
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
    const lines = requests.map(({ line }) => line);
    try {
      const answers = await askLeader(lines);
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
      void lookSoon();
    }
  }

  async function askLeader(lines: readonly string[]): Promise<string[]> {
    if (epoch === 0) await look();
    if (epoch === 0) throw new BusUnavailable('No engine has taken over yet.');
    const asked = epoch;
    try {
      return await askOnce(asked, lines);
    } catch (error) {
      // Nobody heard it. There may be a new leader of whom nothing has been heard here.
      if (!(error instanceof BusUnavailable)) throw error;
      await look();
      if (epoch === asked) throw error;
      return askOnce(epoch, lines);
    }
  }

  async function askOnce(asked: number, lines: readonly string[]): Promise<string[]> {
    const { payload, open } = sender.seal(asked, lines);
    return open(await askEngine(asked, payload));
  }

  function askEngine(asked: number, payload: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const ofEngine = unanswered;
      const giveUp = () =>
        reject(new EngineFailure('unknown', 'The engine was replaced before it answered.'));
      ofEngine.add(giveUp);
      bus
        .request(doorSubject(shard, asked), payload, answerMs)
        .finally(() => ofEngine.delete(giveUp))
        .then(resolve, reject);
    });
  }

  return {
    epoch: () => epoch,
    async submit(command, { deadlineMs = 0, by = ownerOf(command) } = {}) {
      const answer = openAnswer(await ask(commandLine(encodeCommand(command), deadlineMs, by)));
      const outcome = unpackOutcomes(answer)[0];
      assert(outcome !== undefined, 'an answer holds an outcome');
      return outcome;
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
    async stop() {
      stopping.abort();
      word.unsubscribe();
      await looking;
    },
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

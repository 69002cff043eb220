// One private engine (PostgreSQL, NATS, Redis) from its first start to the removal of its folder,
// and all of them together.
import * as fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ended,
  freePort,
  hasExited,
  lastLines,
  EngineHome,
  type EngineHomeOptions,
} from './process.ts';

export interface EngineSpec {
  port?: number | undefined;
  command: string;
  /** Writes the configuration for a port and returns the arguments of the command. */
  configure: (port: number) => string[];
  /** Resolves when the engine answers on the port; rejects until then. */
  probe: (port: number) => Promise<void>;
}

/** What the launchers of NATS and Redis take. */
export interface LauncherOptions {
  /** The executable, when it goes by another name or path. */
  binary?: string;
  port?: number;
  /** Keeps configuration and log in this folder, which is then never deleted. */
  folder?: string;
  /** More lines of the configuration file. */
  settings?: Record<string, string>;
}

/** An engine as the programs that start one see it. */
export interface PrivateEngine {
  readonly port: number;
  readonly pid: number | undefined;
  readonly folder: string;
  stop(): Promise<void>;
  restart(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  remove(): Promise<void>;
}

/** An engine that is reached by one URL. */
export interface PrivateServer extends PrivateEngine {
  readonly url: string;
}

const running = new Set<EngineProcess>();
const START_DEADLINE_MS = 60_000;

/** One engine, from its first start to the removal of its folder. */
export class EngineProcess {
  #home: EngineHome;
  #spec: EngineSpec | undefined;
  #port = 0;

  private constructor(home: EngineHome) {
    this.#home = home;
  }

  /** Prepares and starts an engine; a failure leaves nothing of it behind, not even its folder. */
  static async start(
    options: EngineHomeOptions,
    prepare: (home: EngineHome) => EngineSpec | Promise<EngineSpec>,
  ): Promise<EngineProcess> {
    const engine = new EngineProcess(new EngineHome(options));
    if (running.size === 0) process.on('exit', endAllAtOnce);
    running.add(engine);
    try {
      engine.#spec = await prepare(engine.#home);
      engine.#port = engine.#spec.port ?? (await freePort());
      await engine.#launch(engine.#spec, engine.#spec.port === undefined);
      return engine;
    } catch (error) {
      await engine.remove();
      throw error;
    }
  }

  get port(): number {
    return this.#port;
  }

  get home(): EngineHome {
    return this.#home;
  }

  /** The pid of the running process, or undefined while there is none. */
  get pid(): number | undefined {
    const { child } = this.#home;
    return child && !hasExited(child) ? child.pid : undefined;
  }

  async #launch({ command, configure, probe }: EngineSpec, mayMove: boolean): Promise<void> {
    const home = this.#home;
    const deadline = Date.now() + START_DEADLINE_MS;
    for (;;) {
      const from = home.logSize();
      const child = home.spawn(command, configure(this.#port));
      let last = 'nothing was tried';
      while (!hasExited(child) && Date.now() < deadline) {
        try {
          await probe(this.#port);
          // If ours has just failed to take the port, another program may have answered.
          if (hasExited(child)) break;
          child.unref();
          return;
        } catch (error) {
          last = error instanceof Error ? error.message || error.name : String(error);
        }
        await sleep(20);
      }
      const over = hasExited(child);
      if (!over) await this.stop('SIGKILL');
      await sleep(100);
      const said = home.logSince(from);
      // Both problems pass by themselves: a port taken between choosing and using it, and the last
      // children of a killed PostgreSQL, which still hold its memory for a moment.
      if (
        over &&
        Date.now() < deadline &&
        /address already in use|shared memory block/i.test(said)
      ) {
        if (mayMove) this.#port = await freePort();
        continue;
      }
      const what = over
        ? `ended at once (${child.signalCode ?? `exit code ${child.exitCode}`})`
        : `did not answer within ${START_DEADLINE_MS / 1000} s (last attempt: ${last})`;
      throw new Error(
        `${home.options.name} was expected to answer on 127.0.0.1:${this.#port} but ${what}.\n` +
          `The last lines of its log:\n${lastLines(said)}\n` +
          `Started as: ${command}. If the log shows no cause, look for a full disk, too little ` +
          'memory, or another process on that port, and try again.',
      );
    }
  }

  /** Stops the process: first gently, then ever more firmly, each for a bounded time. */
  async stop(first: NodeJS.Signals = this.#home.options.orderly): Promise<void> {
    const { orderly, quick, name } = this.#home.options;
    const steps: NodeJS.Signals[] = [...new Set([orderly, quick, 'SIGKILL'] as const)];
    const { child } = this.#home;
    for (const signal of first === orderly ? steps : [first, 'SIGKILL' as const]) {
      if (!child || hasExited(child)) return;
      child.ref();
      child.kill(signal);
      child.kill('SIGCONT'); // A process that a test has paused would not get the signal.
      if (await ended(child, signal === orderly ? 20_000 : 5_000)) return;
    }
    throw new Error(`${name} (pid ${child?.pid}) outlived SIGKILL: its disk may hang.`);
  }

  /** Starts again on the same port and folder, whether the process runs, was stopped or killed. */
  async restart(): Promise<void> {
    const spec = this.#spec;
    if (!spec || !running.has(this)) {
      throw new Error(`${this.#home.options.name} was removed: start a new one.`);
    }
    // A process that was just sent SIGKILL may not have ended yet, which stop() waits for.
    await this.stop();
    await this.#launch(spec, false);
  }

  kill(signal: NodeJS.Signals): void {
    if (this.pid !== undefined) this.#home.child?.kill(signal);
  }

  /** Stops the process and deletes its folder, unless the caller had named that folder. */
  async remove(): Promise<void> {
    await this.stop(this.#home.signal);
    await this.#home.release();
    running.delete(this);
    if (running.size === 0) process.off('exit', endAllAtOnce);
  }

  /** Everything that can be done synchronously; the watchdog does the rest right after our exit. */
  endAtOnce(): void {
    try {
      const { folder, signal, throwAway } = this.#home;
      this.kill(signal);
      if (throwAway) fs.rmSync(folder, { recursive: true, force: true });
    } catch {
      // The folder is still being written to, and the watchdog deletes it a moment later.
    }
  }
}

/** Starts NATS or Redis; `urlOf` gives the URL for the port on which it answers. */
export async function launchServer(
  name: string,
  { folder }: LauncherOptions,
  prepare: (home: EngineHome) => EngineSpec,
  urlOf: (port: number) => string,
): Promise<PrivateServer> {
  const options = { name, folder, orderly: 'SIGTERM', quick: 'SIGTERM' } as const;
  const engine = await EngineProcess.start(options, prepare);
  return {
    url: urlOf(engine.port),
    port: engine.port,
    folder: engine.home.folder,
    get pid() {
      return engine.pid;
    },
    stop: () => engine.stop(),
    restart: () => engine.restart(),
    kill: (signal) => engine.kill(signal),
    remove: () => engine.remove(),
  };
}

function endAllAtOnce(): void {
  for (const engine of running) engine.endAtOnce();
}

/** Removes every engine this process has started; for the code that shuts the process down. */
export async function stopAllEngines(): Promise<void> {
  const results = await Promise.allSettled([...running].map((engine) => engine.remove()));
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failed.length) throw new AggregateError(failed, 'Some engines could not be stopped.');
}

// Runs many seeds. Each run of ten thousand commands draws a new venue.

import type { Command } from '../src/command.ts';
import { runSeed } from './agreement.ts';
import { Violation } from './violation.ts';
import type { Core } from './violation.ts';
import { Coverage } from './coverage.ts';
import { mix64 } from './random.ts';
import { shrink } from './shrink.ts';
import type { Shrunk } from './shrink.ts';
import { Workload } from './workload.ts';

export const RUN_COMMANDS = 10_000;
const SHRINK_MS = 60_000;

export interface Failure {
  /** The seed of the run that failed; `--commands` up to the index and this seed show it again. */
  seed: bigint;
  index: number;
  message: string;
  shrunk: Shrunk | undefined;
}

export interface Report {
  commands: number;
  runs: number;
  coverage: Coverage;
  failures: Failure[];
}

export interface SimulateOptions {
  core: Core;
  commands: number;
  seed: bigint;
  /**
   * True if the seed belongs to one run, as printed with a failure, rather than to a whole
   * simulation.
   */
  isRunSeed?: boolean;
  /**
   * Goes on until every case occurred often enough, for at most half as many commands again: whether rare ones did is
   * the luck of the seed, and a case that never occurs is still found missing. Not for the seed of one run, which would
   * only repeat it.
   */
  isCovering?: boolean;
  onProgress?: (done: number) => void;
}

/** Runs until the commands are used up and cases are covered, or three runs have failed. */
export function simulate(options: SimulateOptions): Report {
  const { core, commands, seed } = options;
  const coverage = new Coverage();
  const failures: Failure[] = [];
  let done = 0;
  let runs = 0;
  const isRare = () => options.isCovering === true && coverage.shortfalls().length > 0;
  const most = Math.floor(commands * 1.5);
  while ((done < commands || (done < most && isRare())) && failures.length < 3) {
    const runSeedValue = options.isRunSeed === true ? seed : mix64(seed + BigInt(runs));
    const length =
      options.isRunSeed === true
        ? commands
        : Math.min(RUN_COMMANDS, (done < commands ? commands : most) - done);
    const log: Command[] = [];
    try {
      runSeed({ core, seed: runSeedValue, commands: length, coverage, replay: true }, log);
    } catch (error) {
      failures.push(explain(core, runSeedValue, log, error));
    }
    done += length;
    runs += 1;
    options.onProgress?.(done);
  }
  return { commands: done, runs, coverage, failures };
}

function explain(core: Core, seed: bigint, log: Command[], error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const { beginning } = new Workload(seed).world;
  const shrunk = shrink(core, log, beginning, SHRINK_MS);
  const index = error instanceof Violation ? error.index : log.length - 1;
  return { seed, index, message, shrunk };
}

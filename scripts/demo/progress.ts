// One line for each step while something starts: what, and how long it took.

export interface Progress {
  /** Runs `work`, and prints a line when it is done. */
  step<T>(what: string, work: () => Promise<T>): Promise<T>;
  /** Since the first step began. */
  elapsedSeconds(): string;
}

const WIDTH = 38;

export function createProgress(say: (line: string) => void): Progress {
  const startedMs = performance.now();
  return {
    async step(what, work) {
      const beganMs = performance.now();
      try {
        const result = await work();
        say(`  ✓ ${what.padEnd(WIDTH)}${seconds(performance.now() - beganMs)}`);
        return result;
      } catch (error) {
        say(`  ✗ ${what.padEnd(WIDTH)}failed`);
        throw error;
      }
    },
    elapsedSeconds: () => seconds(performance.now() - startedMs),
  };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

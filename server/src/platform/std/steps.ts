// Runs shutdown steps one after the other, each with a deadline: if one hangs, the next ones still run, and the
// result says which did not end.

export interface Step {
  readonly name: string;
  /** Its deadline, as a share of the time for all of them. */
  readonly by: number;
  end(): Promise<unknown>;
}

export interface Ending {
  /** Returns the names of the steps that did not end, or failed. */
  run(): Promise<readonly string[]>;
  /** The step that is waited for now. */
  current(): readonly string[];
}

export interface EndingOptions {
  /** The time for all steps. */
  readonly withinMs: number;
  /** Called when the awaited step changes. */
  onStep?(underWay: readonly string[]): void;
  onLate(name: string, ms: number): void;
  onError(name: string, error: unknown): void;
}

/** What each step gets even if those before it took longer than they should. */
const LEAST_MS = 250;

/** The steps of one array run in parallel, the arrays one after the other. */
export function endInSteps(
  phases: readonly (readonly Step[])[],
  { withinMs, onStep, onLate, onError }: EndingOptions,
): Ending {
  const underWay = new Set<string>();

  async function endOne({ name, by, end }: Step, startedMs: number): Promise<string | undefined> {
    underWay.add(name);
    onStep?.([...underWay]);
    const beganMs = performance.now();
    const late = Promise.withResolvers<'late'>();
    const leftMs = Math.max(LEAST_MS, startedMs + by * withinMs - beganMs);
    const timer = setTimeout(late.resolve, leftMs, 'late');
    try {
      const outcome = await Promise.race([end(), late.promise]);
      if (outcome !== 'late') return undefined;
      onLate(name, Math.round(performance.now() - beganMs));
    } catch (error) {
      onError(name, error);
    } finally {
      clearTimeout(timer);
      underWay.delete(name);
    }
    return name;
  }

  return {
    async run() {
      const startedMs = performance.now();
      const failed: string[] = [];
      for (const phase of phases) {
        const names = await Promise.all(phase.map((step) => endOne(step, startedMs)));
        failed.push(...names.filter((name) => name !== undefined));
      }
      return failed;
    },
    current: () => [...underWay],
  };
}

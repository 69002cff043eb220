// Waits for a deployment to recover.
import { pause } from '../../server/src/platform/std/wait.ts';

const HEAL_MS = 60_000;
const LOOK_MS = 20;

/** Asks again until there is an answer; an error while something is down counts as no answer. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + HEAL_MS;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      last = error;
    }
    await pause(LOOK_MS);
  }
  throw new Error(`After ${HEAL_MS} ms it is still not so that ${what}.`, { cause: last });
}

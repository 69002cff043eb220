/**
 * Answers concurrent questions by one call: while a call is under way, the next questions gather. So the cost is
 * one statement every few milliseconds, however many ask; and a question is answered by a call that began after
 * it, never by an older one.
 */
export function gather<Q, A>(
  max: number,
  answer: (questions: readonly Q[]) => Promise<readonly A[]>,
): (question: Q) => Promise<A> {
  interface Waiting {
    readonly question: Q;
    resolve(value: A): void;
    reject(error: unknown): void;
  }
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      try {
        const answers = await answer(batch.map(({ question }) => question));
        for (const [index, one] of batch.entries()) one.resolve(answers[index] as A);
      } catch (error) {
        for (const one of batch) one.reject(error);
      }
    }
    isRunning = false;
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (!isRunning) void run();
    });
}

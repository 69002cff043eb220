// Answers that show the engine's state tell how much of it they include, so that a client can join them with events.
import { Answer } from '../http/envelope.ts';
import type { TradingContext } from '../context.ts';

/** The last engine event that the answer certainly includes. */
export const ENGINE_SEQ_HEADER = 'X-SVC-ENGINE-SEQ';

/** The head is asked first, so what is read after it is as new or newer. */
export async function answerLive<T>(
  ctx: Pick<TradingContext, 'engine'>,
  read: () => Promise<T>,
): Promise<Answer<T>> {
  const [{ engineSeq }, result] = await Promise.all([ctx.engine.read('head', {}), read()]);
  return new Answer(result, { [ENGINE_SEQ_HEADER]: String(engineSeq) });
}

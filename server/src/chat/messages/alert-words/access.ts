// Whose words a text has in it, for whoever sends it.
import type { Db } from '../../../platform/db/pool.ts';
import { hasWord, tokensOf } from './rules.ts';
import { listWords, listWordsByToken } from './store.ts';

export { listWords };

/** Everybody who wants to be told of a word in this text; ascending. */
export async function findAlerted(db: Db, text: string): Promise<number[]> {
  const wanted = await listWordsByToken(db, ['', ...tokensOf(text)]);
  const byWord = Map.groupBy(wanted, ({ word }) => word);
  const alerted = new Set<number>();
  for (const [word, people] of byWord) {
    if (hasWord(text, word)) for (const { userId } of people) alerted.add(userId);
  }
  return [...alerted].sort((a, b) => a - b);
}

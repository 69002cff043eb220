// Finds the people whose alert words occur in a text; sending and editing call it.
import type { Db } from '../../../platform/db/pool.ts';
import { hasWord, tokensOf } from './rules.ts';
import { listWords, listWordsByToken } from './store.ts';

export { listWords };

/** Everybody who has an alert word that occurs in this text; ascending. */
export async function findAlerted(db: Db, text: string): Promise<number[]> {
  const wanted = await listWordsByToken(db, ['', ...tokensOf(text)]);
  const byWord = Map.groupBy(wanted, ({ word }) => word);
  const alerted = new Set<number>();
  for (const [word, people] of byWord) {
    if (hasWord(text, word)) for (const { userId } of people) alerted.add(userId);
  }
  return [...alerted].sort((a, b) => a - b);
}

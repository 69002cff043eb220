// Finds the people whose alert words occur in a text; sending and editing call it.
import type { Db } from '../../../platform/db/pool.ts';
import { ABOUT, remembered } from '../../../platform/facts/memory.ts';
import { hasWord, tokensOf } from './rules.ts';
import { listFirstTokens, listWords, listWordsByToken } from './store.ts';

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

/** With more different words than these, nobody remembers them: every text may contain one. */
const TOKENS_MAX = 20_000;

/** Whether the text may contain somebody's alert word. It may say yes where `findAlerted` finds nobody, never no. */
export async function mayAlert(db: Db, text: string): Promise<boolean> {
  const tokens = await remembered(db, 'alert words', [ABOUT.alertWords], async () =>
    setOf(await listFirstTokens(db, TOKENS_MAX + 1)),
  );
  if (tokens === null || tokens.has('')) return true;
  return tokens.size > 0 && tokensOf(text).some((token) => tokens.has(token));
}

const setOf = (tokens: readonly string[]): ReadonlySet<string> | null =>
  tokens.length > TOKENS_MAX ? null : new Set(tokens);

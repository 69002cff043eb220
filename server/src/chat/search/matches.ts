// What a search found in each message, ready to be shown.
import type { Db } from '../../platform/db/pool.ts';
import { escapeHtml, highlight, wordsIn } from './highlight.ts';
import { findMeant } from './query.ts';

export interface Searchable {
  readonly id: number;
  readonly rendered: string;
  readonly topic: string;
}

export interface Match {
  readonly match_content: string;
  readonly match_subject: string;
}

/** By message id. Without anything looked for, the text and the topic as they are. */
export async function markMatches(
  db: Db,
  messages: readonly Searchable[],
  searched: readonly string[],
): Promise<Map<number, Match>> {
  const shown = messages.map(({ id, rendered, topic }) => ({
    id,
    content: rendered,
    subject: escapeHtml(topic),
  }));
  const words = new Set<string>();
  if (searched.length > 0) {
    for (const { content, subject } of shown) {
      for (const word of wordsIn(content)) words.add(word);
      for (const word of wordsIn(subject)) words.add(word);
    }
  }
  const meant = await findMeant(db, words, searched);
  return new Map(
    shown.map(({ id, content, subject }) => [
      id,
      { match_content: highlight(content, meant), match_subject: highlight(subject, meant) },
    ]),
  );
}

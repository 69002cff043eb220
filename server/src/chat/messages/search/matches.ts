// Highlights what a search found in each message.
import type { Db } from '../../../platform/db/pool.ts';
import { escapeHtml } from '../../../platform/std/html.ts';
import { highlight, wordsIn } from './highlight.ts';
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

/** The most characters of one answer in which words are marked. What follows is shown unmarked. */
const MARKED_CHARACTERS_MAX = 500_000;

const NOTHING: ReadonlySet<string> = new Set();

/** Text and topic by message id, marked; unmarked if nothing was searched for. */
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
  let room = searched.length > 0 ? MARKED_CHARACTERS_MAX : 0;
  const marked = shown.filter(({ content, subject }) => {
    room -= content.length + subject.length;
    return room >= 0;
  });
  if (searched.length > 0) {
    for (const { content, subject } of marked) {
      for (const word of wordsIn(content)) words.add(word);
      for (const word of wordsIn(subject)) words.add(word);
    }
  }
  const meant = await findMeant(db, words, searched);
  const isMarked = new Set(marked.map(({ id }) => id));
  return new Map(
    shown.map(({ id, content, subject }) => {
      const found = isMarked.has(id) ? meant : NOTHING;
      return [
        id,
        { match_content: highlight(content, found), match_subject: highlight(subject, found) },
      ];
    }),
  );
}

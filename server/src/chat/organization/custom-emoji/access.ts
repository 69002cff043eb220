// Reads the organization's custom emoji, for rendering and for serving their pictures.
import type { Db } from '../../../platform/db/pool.ts';
import type { EnvCustomEmoji } from '../../text/markdown/env.ts';
import { namesIn } from './rules.ts';
import { findEmojiImage, listEmojiBriefly, listEmojiNamed } from './store.ts';

export { findEmojiImage, listEmojiBriefly };

/** The maximum number of names looked up for one text. */
const NAMES_MAX = 1000;

/** The custom emoji that the text names. */
export async function findEmojiIn(db: Db, text: string): Promise<EnvCustomEmoji[]> {
  const names = namesIn(text).slice(0, NAMES_MAX);
  if (names.length === 0) return [];
  const rows = await listEmojiNamed(db, names);
  return rows.map(({ name, sourceUrl }) => ({ name, sourceUrl }));
}

// Reads the organization's custom emoji, for rendering and for serving their pictures.
import type { Db } from '../../../platform/db/pool.ts';
import { ABOUT, remembered } from '../../../platform/facts/memory.ts';
import type { EnvCustomEmoji } from '../../text/markdown/env.ts';
import { namesIn } from './rules.ts';
import { findEmojiImage, listEmojiBriefly as loadBriefly, listEmojiNamed } from './store.ts';

export { findEmojiImage };

/** All custom emoji, the deactivated ones too. */
export const listEmojiBriefly = (db: Db): ReturnType<typeof loadBriefly> =>
  remembered(db, 'custom emoji', [ABOUT.everybody], () => loadBriefly(db));

/** The maximum number of names looked up for one text. */
const NAMES_MAX = 1000;

/** Texts with more are seldom written twice: their emoji are read each time. */
const REMEMBERED_MAX = 5;

/** The custom emoji that the text names. */
export async function findEmojiIn(db: Db, text: string): Promise<EnvCustomEmoji[]> {
  const names = namesIn(text).slice(0, NAMES_MAX);
  if (names.length === 0) return [];
  const find = () => listEmojiNamed(db, names);
  const rows = await (names.length > REMEMBERED_MAX
    ? find()
    : remembered(db, `emoji named ${JSON.stringify(names)}`, [ABOUT.everybody], find));
  return rows.map(({ name, sourceUrl }) => ({ name, sourceUrl }));
}

// The organization's own emoji in a client's initial state, and how that follows from it with the events.
import type { Db } from '../../../platform/db/pool.ts';
import type { RegisterPart } from '../../register-part.ts';
import { EMOJI_EVENTS, type CustomEmoji, type EmojiEvent, type EmojiMap } from './events.ts';
import { listEmoji, type EmojiRow } from './store.ts';

export const emojiObject = (row: EmojiRow): CustomEmoji => ({
  id: String(row.id),
  name: row.name,
  source_url: row.sourceUrl,
  still_url: row.stillUrl,
  deactivated: row.isDeactivated,
  author_id: row.authorId,
});

/** Deactivated ones too: old messages and reactions show them. */
export async function readEmoji(db: Db): Promise<EmojiMap> {
  const rows = await listEmoji(db);
  return Object.fromEntries(rows.map((row) => [row.id, emojiObject(row)]));
}

function applyEmojiEvent(emoji: EmojiMap, event: EmojiEvent): EmojiMap {
  switch (event.op) {
    case 'update':
      return event.realm_emoji;
    case 'add':
      return { ...emoji, [event.emoji.id]: event.emoji };
    default: {
      const one = emoji[event.emoji_id];
      return one === undefined ? emoji : { ...emoji, [one.id]: { ...one, ...event.data } };
    }
  }
}

export const customEmojiPart = {
  load: { realm_emoji: async ({ db }) => ({ realm_emoji: await readEmoji(db) }) },
  events: EMOJI_EVENTS,
  applyInTests: {
    realm_emoji: (state: { readonly realm_emoji: EmojiMap }, event: EmojiEvent) => ({
      realm_emoji: applyEmojiEvent(state.realm_emoji, event),
    }),
  },
} satisfies RegisterPart;

// Adds and removes custom emoji. A removed one is kept for the messages and reactions that show it.
import { noteAct } from '../../../accounts/audit/actions.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { makeForms } from '../avatars/forms.ts';
import { findEmojiCode } from '../../text/emoji/emoji.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import type { UploadedFile } from '../../http/form.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { isAdministrator, may } from '../../rights/permissions/rights.ts';
import { emojiAdded, emojiDeactivated, emojiReplaced, type EmojiEvent } from './events.ts';
import { checkEmojiName } from './rules.ts';
import { emojiObject, readEmoji } from './state.ts';
import {
  deactivateEmoji,
  insertEmoji,
  listEmoji,
  listEmojiNamed,
  lockEmoji,
  type EmojiImage,
} from './store.ts';

const EMOJI_MIB_MAX = 5;
export const EMOJI_BYTES_MAX = EMOJI_MIB_MAX * 1024 * 1024;
/** Every client gets all of them at once, so their number is limited. */
const EMOJI_MAX = 10_000;
/** Emoji are as high as a line of text; this is enough for screens with many dots. */
const STILL = { width: 64, height: 64, fit: 'contain', moves: false, format: 'png' } as const;
const MOVING = { ...STILL, moves: true } as const;
/** The name of the extra emoji that every server of this API has. */
const EXTRA = 'zulip';

export async function addEmoji(
  ctx: Context,
  actor: User,
  givenName: string,
  files: readonly UploadedFile[],
): Promise<void> {
  const name = checkEmojiName(givenName);
  const rights = await readRights(ctx.db, actor);
  if (!may(rights, 'can_add_custom_emoji_group')) throw badRequest('Insufficient permission');
  const isOfOurs = findEmojiCode(name) !== undefined || name === EXTRA;
  const [file] = files;
  if (file === undefined || files.length > 1) throw badRequest('You must upload exactly one file.');
  if (file.bytes.length > EMOJI_BYTES_MAX) {
    throw badRequest(`Uploaded file is larger than the allowed limit of ${EMOJI_MIB_MAX} MiB`);
  }
  if (isOfOurs && !isAdministrator(rights)) {
    throw badRequest('Only administrators can override default emoji.');
  }
  const picture = await draw(file.bytes);
  await ctx.inTransaction(async (tx) => {
    await lockEmoji(tx);
    if ((await listEmojiNamed(tx, [name])).length > 0) {
      throw badRequest('A custom emoji with this name already exists.');
    }
    if ((await listEmoji(tx)).length >= EMOJI_MAX) {
      throw badRequest(`There cannot be more than ${EMOJI_MAX} custom emoji.`);
    }
    const row = await insertEmoji(tx, name, actor.id, picture);
    await announce(tx, emojiAdded(emojiObject(row)));
    noteAct(tx, { act: 'emoji add', subject: name, after: { id: row.id, name } });
  });
}

async function draw(bytes: Buffer): Promise<EmojiImage> {
  const { images } = await makeForms(bytes, [STILL, MOVING]);
  const [still, moving] = images as [Buffer, Buffer | undefined];
  return moving === undefined
    ? { contentType: 'image/png', image: still, still: null }
    : { contentType: 'image/gif', image: moving, still };
}

export function removeEmoji(ctx: Context, actor: User, name: string): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockEmoji(tx);
    const [row] = await listEmojiNamed(tx, [name]);
    if (row === undefined) throw notFound(`Emoji '${name}' does not exist`);
    if (row.authorId !== actor.id && !isAdministrator(await readRights(tx, actor))) {
      throw badRequest('Must be an organization administrator or emoji author');
    }
    await deactivateEmoji(tx, row.id);
    await announce(tx, emojiDeactivated(String(row.id)));
    const { id, authorId } = row;
    noteAct(tx, { act: 'emoji remove', subject: name, before: { id, name, authorId } });
  });
}

/** Sends only the change to clients that can apply it, and the whole list to the others. */
async function announce(tx: Tx, change: EmojiEvent): Promise<void> {
  const capability = (has: boolean) => ({ name: 'individual_emoji_changes', has });
  tx.emit(change, { everyone: true, capability: capability(true) });
  tx.emit(emojiReplaced(await readEmoji(tx)), { everyone: true, capability: capability(false) });
}

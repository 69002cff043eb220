// Statuses: the text and emoji that a person shows beside their name.
import { noteChange, noteNothing } from '../../../accounts/audit/actions.ts';
import { accessUserForUpdate } from '../../../accounts/users/access.ts';
import { noSuchUser } from '../../../accounts/users/errors.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';
import { resolveEmoji } from '../../messages/reactions/access.ts';
import { accessPerson } from '../../rights/sight/access.ts';
import { settingOf } from '../../organization/setting-definitions/definitions.ts';
import { storeSettings } from '../settings/change.ts';
import { statusChanged, type UserStatus } from './events.ts';
import { statusObject } from './state.ts';
import { findStatus, NO_STATUS, writeStatus, type StatusRow } from './store.ts';

export interface StatusInput {
  readonly status_text?: string | undefined;
  readonly away?: boolean | undefined;
  readonly emoji_name?: string | undefined;
  readonly emoji_code?: string | undefined;
  readonly reaction_type?: string | undefined;
}

/** Changes what is given, keeps the rest, and tells everybody. */
export async function changeStatus(
  ctx: Context,
  actor: Pick<User, 'id'>,
  userId: number,
  input: StatusInput,
): Promise<void> {
  const { status_text: text, away, emoji_name, emoji_code, reaction_type } = input;
  if (emoji_name === undefined && (emoji_code !== undefined || reaction_type !== undefined)) {
    throw badRequest(
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    );
  }
  if (text === undefined && emoji_name === undefined && away === undefined) {
    throw badRequest('Client did not pass any new values.');
  }
  await ctx.inTransaction(async (tx) => {
    const user = await accessUserForUpdate(tx, userId);
    checkPerson(user);
    // `away` is an older name for hiding one's presence. Changing the setting emits the events for both.
    if (away !== undefined) await storeSettings(tx, ctx, user, { presence_enabled: !away });
    if (text === undefined && emoji_name === undefined) return noteNothing(tx);
    const changes: UserStatus = {
      ...(text !== undefined && { status_text: text }),
      ...(emoji_name !== undefined && (await emojiOf(tx, input))),
    };
    const before = (await findStatus(tx, userId)) ?? NO_STATUS;
    const after: StatusRow = {
      statusText: changes.status_text ?? before.statusText,
      emojiName: changes.emoji_name ?? before.emojiName,
      emojiCode: changes.emoji_code ?? before.emojiCode,
      reactionType: changes.reaction_type ?? before.reactionType,
    };
    await writeStatus(tx, userId, after);
    tx.emit(statusChanged(userId, changes), { everyone: true });
    if (actor.id === userId) return noteNothing(tx);
    noteChange(tx, {
      act: 'user set_status',
      subject: user.email,
      before: { ...before },
      after: { ...after },
      details: { userId },
    });
  });
}

/** Clears the status when a profile is deleted. */
export async function clearStatusOf(tx: Tx, userId: number): Promise<void> {
  if ((await findStatus(tx, userId)) === undefined) return;
  await writeStatus(tx, userId, NO_STATUS);
  tx.emit(statusChanged(userId, { status_text: '', ...NO_EMOJI }), { everyone: true });
}

const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: '' };

async function emojiOf(
  db: Db,
  { emoji_name: name = '', ...given }: StatusInput,
): Promise<UserStatus> {
  if (name === '') return NO_EMOJI;
  return resolveEmoji(db, { name, code: given.emoji_code, type: given.reaction_type });
}

export async function describeStatus(
  ctx: Context,
  actor: User,
  userId: number,
): Promise<UserStatus> {
  const user = await accessPerson(ctx, ctx.db, actor, userId);
  checkPerson(user);
  const isAway = settingOf(user, 'presence_enabled') === false;
  return statusObject((await findStatus(ctx.db, userId)) ?? NO_STATUS, isAway);
}

/** Bots and deactivated people have no status. */
function checkPerson(user: User): void {
  if (!user.isActive || user.botType !== null) throw noSuchUser();
}

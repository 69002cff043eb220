// Uploads and removes a person's picture. Without an uploaded picture, one is drawn from the name.
import { hasAtLeast } from '../../../accounts/roles.ts';
import { changeAvatar } from '../../../accounts/users/actions.ts';
import { accessUserForUpdate } from '../../../accounts/users/access.ts';
import { avatarUrl } from '../../../accounts/users/events.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';
import type { UploadedFile } from '../../http/form.ts';
import { LIMITS } from '../../limits.ts';
import { readOrganizationSettings } from '../org/access.ts';
import { makeForms } from './forms.ts';
import { deletePicture, upsertPicture } from './store.ts';

/** The two sizes: for lists, and for a person's own page. */
const SMALL = { width: 100, height: 100, fit: 'cover', moves: false, format: 'png' } as const;
const MEDIUM = { ...SMALL, width: 500, height: 500 } as const;

const MEBIBYTE = 1024 * 1024;
export const AVATAR_BYTES_MAX = LIMITS.max_avatar_file_size_mib * MEBIBYTE;

/** Returns the address of the new picture. */
export async function setOwnAvatar(
  ctx: Context,
  actor: User,
  files: readonly UploadedFile[],
): Promise<string> {
  const [file] = files;
  if (file === undefined || files.length > 1)
    throw badRequest('You must upload exactly one avatar.');
  if (file.bytes.length > AVATAR_BYTES_MAX) {
    throw badRequest(
      `Uploaded file is larger than the allowed limit of ${LIMITS.max_avatar_file_size_mib} MiB`,
    );
  }
  await checkAllowed(ctx.db, actor);
  const { images } = await makeForms(file.bytes, [SMALL, MEDIUM]);
  const [image, medium] = images as [Buffer, Buffer];
  return ctx.inTransaction(async (tx) => {
    await checkAllowed(tx, actor);
    const user = await accessUserForUpdate(tx, actor.id);
    await upsertPicture(tx, user.id, { contentType: 'image/png', image, medium });
    return avatarUrl(await changeAvatar(tx, user, 'U'));
  });
}

export function removeOwnAvatar(ctx: Context, actor: User): Promise<string> {
  return ctx.inTransaction(async (tx) => {
    await checkAllowed(tx, actor);
    return removeAvatarOf(tx, await accessUserForUpdate(tx, actor.id));
  });
}

/** The caller checks the permission and locks the row. Returns the address of the drawn picture. */
export async function removeAvatarOf(tx: Tx, user: User): Promise<string> {
  if (user.avatarSource === 'J') return avatarUrl(user);
  await deletePicture(tx, user.id);
  return avatarUrl(await changeAvatar(tx, user, 'J'));
}

async function checkAllowed(db: Db, actor: User): Promise<void> {
  if (hasAtLeast(actor.role, 'administrator')) return;
  const { avatar_changes_disabled: isDisabled } = await readOrganizationSettings(db);
  if (isDisabled === true) {
    throw badRequest('Avatar changes are disabled in this organization.');
  }
}

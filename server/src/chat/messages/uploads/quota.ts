// Limits on the size of uploads. Space is reserved when an upload begins, so that parallel uploads cannot exceed the
// limit.
import type { Config } from '../../../platform/config/schema.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { fileTooLarge, organizationIsFull, personIsFull, tooManyUnfinished } from './errors.ts';
import { lockSpace, readSpace } from './store.ts';

const MEBIBYTE = 1024 * 1024;

export const fileBytesMax = (config: Config): number => config.MAX_FILE_UPLOAD_SIZE_MIB * MEBIBYTE;

export function checkFileSize(config: Config, bytes: number): void {
  if (bytes > fileBytesMax(config)) throw fileTooLarge(config.MAX_FILE_UPLOAD_SIZE_MIB);
}

/** Refuses an upload that would exceed the limits. Locks the space until the transaction ends. */
export async function checkSpace(
  tx: Tx,
  config: Config,
  ownerId: number,
  bytes: number,
  /** The key of the upload, if its bytes were reserved before. */
  key?: string,
): Promise<void> {
  await lockSpace(tx);
  const { own, all, unfinished } = await readSpace(tx, ownerId, key);
  const isOver = (used: number, mebibytes: number) =>
    mebibytes > 0 && used + bytes > mebibytes * MEBIBYTE;
  if (isOver(all, config.REALM_UPLOAD_QUOTA_MIB)) throw organizationIsFull();
  if (isOver(own, config.USER_UPLOAD_QUOTA_MIB)) throw personIsFull();
  if (key === undefined && unfinished >= config.UPLOADS_UNFINISHED_MAX) {
    throw tooManyUnfinished(config.UPLOADS_UNFINISHED_MAX);
  }
}

/** Room for the other parts of a form. */
const FORM_BYTES_MAX = MEBIBYTE;

/** Refuses a body whose announced length is too large, before reading it. */
export function checkAnnounced(config: Config, bodyBytes: number): void {
  checkFileSize(config, bodyBytes - FORM_BYTES_MAX);
}

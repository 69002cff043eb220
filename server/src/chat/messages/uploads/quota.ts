// How much may be uploaded. Space is taken when an upload begins, so that many at once cannot take more than
// there is.
import type { Config } from '../../../platform/config/schema.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { fileTooLarge, organizationIsFull, personIsFull, tooManyUnfinished } from './errors.ts';
import { lockSpace, readSpace } from './store.ts';

const MEBIBYTE = 1024 * 1024;

export const fileBytesMax = (config: Config): number => config.MAX_FILE_UPLOAD_SIZE_MIB * MEBIBYTE;

export function checkFileSize(config: Config, bytes: number): void {
  if (bytes > fileBytesMax(config)) throw fileTooLarge(config.MAX_FILE_UPLOAD_SIZE_MIB);
}

/** Refuses what would not fit. The space is locked until the transaction ends. */
export async function checkSpace(
  tx: Tx,
  config: Config,
  ownerId: number,
  bytes: number,
  /** The upload that these bytes are of, if it has been counted before. */
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

/** What else a form may hold beside its file. */
const FORM_BYTES_MAX = MEBIBYTE;

/** Refuses a body that is too large by its own word, before any of it is read. */
export function checkAnnounced(config: Config, bodyBytes: number): void {
  checkFileSize(config, bodyBytes - FORM_BYTES_MAX);
}

// How a linked file appears in a rendered text.
import type { EnvUpload } from '../../text/markdown/env.ts';
import type { AttachmentRow } from './store.ts';

/** A picture that never gets a thumbnail is treated as a plain file. */
export function envUpload(row: AttachmentRow): EnvUpload {
  const { pathId: path, contentType, width, height, thumbnail } = row;
  const isHidden = thumbnail === 'none' || thumbnail === 'failed';
  if (contentType.startsWith('image/') && isHidden) {
    return { path, contentType: 'application/octet-stream' };
  }
  return {
    path,
    contentType,
    ...(width !== null && height !== null && { width, height }),
    isThumbnailReady: thumbnail === 'still' || thumbnail === 'moving',
  };
}

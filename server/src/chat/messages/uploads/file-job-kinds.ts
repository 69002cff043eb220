// The kinds of jobs about uploaded files, for code that queues them. jobs.ts does the work.
import { Type, type Static } from 'typebox';
import type { JobKind } from '../../../platform/jobs/kind.ts';

const ThumbnailInput = Type.Object({ attachmentId: Type.Integer() });
const RemovalInput = Type.Object({ keys: Type.Array(Type.String(), { maxItems: 100 }) });

export const MAKE_THUMBNAIL: JobKind<Static<typeof ThumbnailInput>> = {
  name: 'make-thumbnail',
  input: ThumbnailInput,
  attemptsMax: 5,
};

const MessageInput = Type.Object({ messageId: Type.Integer() });

/** For a message that was written while thumbnails of its pictures were being made. */
export const SHOW_THUMBNAILS: JobKind<Static<typeof MessageInput>> = {
  name: 'show-thumbnails',
  input: MessageInput,
  attemptsMax: 5,
};

export const REMOVE_FILES: JobKind<Static<typeof RemovalInput>> = {
  name: 'remove-files',
  input: RemovalInput,
  attemptsMax: 25,
};

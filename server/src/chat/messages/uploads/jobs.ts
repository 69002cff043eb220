// Runs the jobs about uploaded files.
import type { Context } from '../../../platform/context.ts';
import type { JobDefinition } from '../../../platform/jobs/define.ts';
import { MAKE_THUMBNAIL, REMOVE_FILES, SHOW_THUMBNAILS } from './file-job-kinds.ts';
import { makeThumbnails, showThumbnails } from './thumbnails.ts';

const makeThumbnail: JobDefinition<{ attachmentId: number }> = {
  ...MAKE_THUMBNAIL,
  run: (ctx, { attachmentId }) => makeThumbnails(ctx, attachmentId),
};

const show: JobDefinition<{ messageId: number }> = {
  ...SHOW_THUMBNAILS,
  run: (ctx, { messageId }) => showThumbnails(ctx, messageId),
};

const removeFiles: JobDefinition<{ keys: string[] }> = {
  ...REMOVE_FILES,
  async run(ctx: Context, { keys }) {
    for (const key of keys) await ctx.files.remove(key);
  },
};

export const UPLOAD_JOBS: readonly JobDefinition<never>[] = [makeThumbnail, show, removeFiles];

import { Type } from 'typebox';
import { notFound } from '../../http/errors.ts';
import { chatRoute } from '../../http/route.ts';
import { REALM_ID } from '../../limits.ts';
import { findAttachmentAt, listOwnFiles, mayHave, readSpaceUsed } from './access.ts';
import { receiveFile, removeOwnFile } from './actions.ts';
import { Attachment } from './events.ts';
import { encodePath } from './name.ts';
import { checkAnnounced } from './quota.ts';
import { makeToken } from './token.ts';

const url = Type.String({ description: 'Relative to the origin.' });

export const postUpload = chatRoute({
  name: 'upload-file',
  method: 'POST',
  path: '/user_uploads',
  allow: 'guest',
  audit: { none: 'own content' },
  streamsFiles: true,
  summary: 'Uploads a file: the one file of a multipart body, by whatever name its part has.',
  params: Type.Object({}),
  returns: Type.Object({
    url,
    uri: Type.String({ description: 'The same, by its older name.' }),
    filename: Type.String(),
  }),
  handle: async (ctx, actor, _params, { incoming, announcedBytes }) => {
    checkAnnounced(ctx.config, announcedBytes);
    const { pathId, name } = await receiveFile(ctx, actor, incoming, announcedBytes);
    const address = `/user_uploads/${pathId}`;
    return { url: address, uri: address, filename: name };
  },
});

export const getTemporaryUrl = chatRoute({
  name: 'get-file-temporary-url',
  method: 'GET',
  path: '/user_uploads/{realm_id_str:int}/{filename:path}',
  allow: 'guest',
  summary: 'An address of a file that works for a minute without credentials.',
  params: Type.Object({}),
  returns: Type.Object({ url }),
  handle: async (ctx, actor, { realm_id_str, filename }) => {
    const row =
      realm_id_str === REALM_ID
        ? await findAttachmentAt(ctx.db, `${realm_id_str}/${filename}`)
        : undefined;
    // A file that the caller may not access is refused as unknown.
    if (row === undefined || !(await mayHave(ctx.db, actor, row))) {
      throw notFound('This file does not exist or has been deleted.');
    }
    const token = makeToken(
      ctx.secrets,
      { attachmentId: row.id, userId: actor.id },
      ctx.clock.now(),
    );
    const name = row.pathId.split('/').at(-1) ?? '';
    return { url: `/user_uploads/temporary/${token}/${encodePath(name)}` };
  },
});

export const getAttachments = chatRoute({
  name: 'get-attachments',
  method: 'GET',
  path: '/attachments',
  allow: 'guest',
  grows: 'page',
  summary: 'The files that you have uploaded, the oldest first, and the messages that have them.',
  params: Type.Object({}),
  returns: Type.Object({
    attachments: Type.Array(Attachment),
    upload_space_used: Type.Integer({ description: 'Bytes of all files of the organization.' }),
  }),
  handle: async (ctx, actor) => ({
    attachments: await listOwnFiles(ctx.db, actor),
    upload_space_used: await readSpaceUsed(ctx.db),
  }),
});

export const deleteAttachment = chatRoute({
  name: 'remove-attachment',
  method: 'DELETE',
  path: '/attachments/{attachment_id:int}',
  allow: 'guest',
  audit: { none: 'own content' },
  summary: 'Deletes a file of yours. Messages keep their link, which leads nowhere then.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { attachment_id }) => {
    await removeOwnFile(ctx, actor, attachment_id);
    return {};
  },
});

import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { LIMITS } from '../../limits.ts';
import { createFolder, editFolder, orderFolders } from './actions.ts';
import { Folder } from './events.ts';
import { readFolders } from './state.ts';

const name = Type.String({ maxLength: LIMITS.max_channel_folder_name_length });
const description = Type.String({ maxLength: LIMITS.max_channel_folder_description_length });

export const postChannelFolder = chatRoute({
  name: 'create-channel-folder',
  method: 'POST',
  path: '/channel_folders/create',
  allow: 'administrator',
  audit: ['folder create'],
  summary: 'Makes a folder for channels; it stands last.',
  params: Type.Object({ description, name }),
  returns: Type.Object({ channel_folder_id: Type.Integer() }),
  handle: async (ctx, actor, given) => ({
    channel_folder_id: await createFolder(ctx, actor, given),
  }),
});

export const getChannelFolders = chatRoute({
  name: 'get-channel-folders',
  method: 'GET',
  path: '/channel_folders',
  allow: 'guest',
  grows: 'organization',
  summary: 'The folders, in their order.',
  params: Type.Object({ include_archived: Type.Optional(Type.Boolean({ default: false })) }),
  returns: Type.Object({ channel_folders: Type.Array(Folder) }),
  handle: async (ctx, _actor, { include_archived = false }) => ({
    channel_folders: await readFolders(ctx.db, include_archived),
  }),
});

export const patchChannelFolders = chatRoute({
  name: 'reorder-channel-folders',
  method: 'PATCH',
  path: '/channel_folders',
  allow: 'administrator',
  audit: ['folder order'],
  summary: 'Puts the folders into another order.',
  params: Type.Object({
    order: Type.Array(Type.Integer(), {
      maxItems: 10_000,
      description: 'The ids of all folders, archived ones too.',
    }),
  }),
  returns: Type.Object({}),
  handle: async (ctx, _actor, { order }) => {
    await orderFolders(ctx, order);
    return {};
  },
});

export const patchChannelFolder = chatRoute({
  name: 'update-channel-folder',
  method: 'PATCH',
  path: '/channel_folders/{channel_folder_id:int}',
  allow: 'administrator',
  audit: ['folder change'],
  summary: 'Renames, describes or archives a folder.',
  params: Type.Object({
    name: Type.Optional(name),
    description: Type.Optional(description),
    is_archived: Type.Optional(Type.Boolean()),
  }),
  returns: Type.Object({}),
  handle: async (ctx, _actor, { channel_folder_id, ...changes }) => {
    await editFolder(ctx, channel_folder_id, changes);
    return {};
  },
});

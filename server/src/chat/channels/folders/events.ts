import { Type, type Static } from 'typebox';
import { unixSeconds } from '../../../platform/std/time.ts';
import { renderDescription } from '../../conversations/channel/description.ts';
import type { FolderRow } from './store.ts';

export const Folder = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    rendered_description: Type.String({ description: 'HTML' }),
    order: Type.Integer(),
    creator_id: Type.Union([Type.Integer(), Type.Null()]),
    date_created: Type.Integer({ description: 'Unix seconds' }),
    is_archived: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type Folder = Static<typeof Folder>;

export const folderObject = (row: FolderRow): Folder => ({
  id: row.id,
  name: row.name,
  description: row.description,
  rendered_description: renderDescription(row.description),
  order: row.order,
  creator_id: row.creatorId,
  date_created: unixSeconds(row.createdAt),
  is_archived: row.isArchived,
});

export const FolderAdded = Type.Object(
  { type: Type.Literal('channel_folder'), op: Type.Literal('add'), channel_folder: Folder },
  { additionalProperties: false },
);
export const folderAdded = (folder: Folder) =>
  ({ type: 'channel_folder', op: 'add', channel_folder: folder }) as const;

export const FolderUpdated = Type.Object(
  {
    type: Type.Literal('channel_folder'),
    op: Type.Literal('update'),
    channel_folder_id: Type.Integer(),
    data: Type.Object(
      {
        name: Type.Optional(Type.String()),
        description: Type.Optional(Type.String()),
        rendered_description: Type.Optional(Type.String()),
        is_archived: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export const folderUpdated = (id: number, data: Static<typeof FolderUpdated>['data']) =>
  ({ type: 'channel_folder', op: 'update', channel_folder_id: id, data }) as const;

export const FoldersReordered = Type.Object(
  {
    type: Type.Literal('channel_folder'),
    op: Type.Literal('reorder'),
    order: Type.Array(Type.Integer()),
  },
  { additionalProperties: false },
);
export const foldersReordered = (order: readonly number[]) =>
  ({ type: 'channel_folder', op: 'reorder', order: [...order] }) as const;

export const FOLDER_EVENTS = [FolderAdded, FolderUpdated, FoldersReordered];

export type FolderEvent =
  Static<typeof FolderAdded> | Static<typeof FolderUpdated> | Static<typeof FoldersReordered>;

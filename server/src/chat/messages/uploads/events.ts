// Events about a person's files, for that person only. Times are milliseconds here, as clients of this feature level
// expect. Message ids appear in the older and in the newer form.
import { Type, type Static } from 'typebox';
import type { AttachmentRow } from './store.ts';

export const Attachment = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    path_id: Type.String({ description: 'What follows /user_uploads/ in its address.' }),
    size: Type.Integer({ description: 'Bytes.' }),
    create_time: Type.Integer({ description: 'Milliseconds.' }),
    messages: Type.Array(
      Type.Object({
        id: Type.Integer(),
        date_sent: Type.Integer({ description: 'Milliseconds.' }),
      }),
    ),
    message_ids: Type.Array(Type.Integer()),
  },
  { additionalProperties: false },
);
export type Attachment = Static<typeof Attachment>;

const space = Type.Integer({ description: 'Bytes of all files of the organization.' });

const saved = <const Op extends 'add' | 'update'>(op: Op) =>
  Type.Object(
    {
      type: Type.Literal('attachment'),
      op: Type.Literal(op),
      attachment: Attachment,
      upload_space_used: space,
    },
    { additionalProperties: false },
  );
export const AttachmentAdded = saved('add');
export const AttachmentUpdated = saved('update');
export const AttachmentRemoved = Type.Object(
  {
    type: Type.Literal('attachment'),
    op: Type.Literal('remove'),
    attachment: Type.Object({ id: Type.Integer() }, { additionalProperties: false }),
    upload_space_used: space,
  },
  { additionalProperties: false },
);

export const ATTACHMENT_EVENTS = [AttachmentAdded, AttachmentUpdated, AttachmentRemoved];
export type AttachmentEvent =
  | Static<typeof AttachmentAdded>
  | Static<typeof AttachmentUpdated>
  | Static<typeof AttachmentRemoved>;

export interface SentMessage {
  readonly id: number;
  readonly sentAt: Date;
}

export const attachmentObject = (
  row: AttachmentRow,
  messages: readonly SentMessage[],
): Attachment => ({
  id: row.id,
  name: row.name,
  path_id: row.pathId,
  size: row.size,
  create_time: row.createdAt.getTime(),
  messages: messages.map(({ id, sentAt }) => ({ id, date_sent: sentAt.getTime() })),
  message_ids: messages.map(({ id }) => id),
});

export const attachmentSaved = <const Op extends 'add' | 'update'>(
  op: Op,
  attachment: Attachment,
  spaceUsed: number,
) => ({ type: 'attachment', op, attachment, upload_space_used: spaceUsed }) as const;

export const attachmentRemoved = (id: number, spaceUsed: number) =>
  ({
    type: 'attachment',
    op: 'remove',
    attachment: { id },
    upload_space_used: spaceUsed,
  }) as const;

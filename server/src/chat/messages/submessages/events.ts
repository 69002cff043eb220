import { Type, type Static } from 'typebox';

export const SubmessageAdded = Type.Object(
  {
    type: Type.Literal('submessage'),
    message_id: Type.Integer(),
    submessage_id: Type.Integer(),
    sender_id: Type.Integer(),
    msg_type: Type.String(),
    content: Type.String({ description: 'JSON' }),
  },
  { additionalProperties: false },
);
export type SubmessageAdded = Static<typeof SubmessageAdded>;

// The shape of a draft that clients send, and the shapes that they receive.
import { Type, type Static } from 'typebox';

const kind = Type.Union([Type.Literal(''), Type.Literal('stream'), Type.Literal('private')], {
  description: "'' is a draft that is addressed to nobody yet.",
});

const IDS_MAX = 10_000;

/** The end of the year 9999. */
const SECONDS_MAX = 253_402_300_799;

/** A draft as a client sends it. It has no id, because the server gives one. */
export const DraftInput = Type.Object(
  {
    type: kind,
    to: Type.Array(Type.Integer(), {
      maxItems: IDS_MAX,
      description: 'One channel id, or the ids of people; ignored when the type is empty.',
    }),
    topic: Type.String({ 'x-nul': true, description: 'Ignored unless the type is stream.' }),
    content: Type.String({ 'x-strip': true, 'x-nul': true, minLength: 1 }),
    timestamp: Type.Optional(
      Type.Integer({
        maximum: SECONDS_MAX,
        description: 'Unix seconds of the last edit; now, when absent.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type DraftInput = Static<typeof DraftInput>;

export const Draft = Type.Object(
  {
    id: Type.Integer(),
    type: kind,
    to: Type.Array(Type.Integer()),
    topic: Type.String(),
    content: Type.String(),
    timestamp: Type.Integer(),
  },
  { additionalProperties: false },
);
export type Draft = Static<typeof Draft>;

export const DraftsAdded = Type.Object(
  { type: Type.Literal('drafts'), op: Type.Literal('add'), drafts: Type.Array(Draft) },
  { additionalProperties: false },
);
export const draftsAdded = (drafts: readonly Draft[]) =>
  ({ type: 'drafts', op: 'add', drafts }) as const;

export const DraftUpdated = Type.Object(
  { type: Type.Literal('drafts'), op: Type.Literal('update'), draft: Draft },
  { additionalProperties: false },
);
export const draftUpdated = (draft: Draft) => ({ type: 'drafts', op: 'update', draft }) as const;

export const DraftRemoved = Type.Object(
  { type: Type.Literal('drafts'), op: Type.Literal('remove'), draft_id: Type.Integer() },
  { additionalProperties: false },
);
export const draftRemoved = (draftId: number) =>
  ({ type: 'drafts', op: 'remove', draft_id: draftId }) as const;

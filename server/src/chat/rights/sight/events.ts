// Events that tell nodes whom guests know, in the order of the log. No client gets them: their audience is nobody.
import { Type, type Static } from 'typebox';

const ids = Type.Array(Type.Integer());

const known = <const Op extends string>(op: Op) =>
  Type.Object(
    { type: Type.Literal('sight'), op: Type.Literal(op), user_id: Type.Integer(), people: ids },
    { additionalProperties: false },
  );

export const SightGained = known('gain');
export const SightLost = known('lose');

/** The queues of these guests end, or of all: they see so many others that their clients should register again. */
export const SightRenewed = Type.Object(
  {
    type: Type.Literal('sight'),
    op: Type.Literal('renew'),
    user_ids: Type.Union([ids, Type.Null()]),
  },
  { additionalProperties: false },
);

export const SIGHT_EVENTS = [SightGained, SightLost, SightRenewed];
export type SightEvent =
  Static<typeof SightGained> | Static<typeof SightLost> | Static<typeof SightRenewed>;

export const sightChanged = (op: 'gain' | 'lose', userId: number, people: readonly number[]) =>
  ({ type: 'sight', op, user_id: userId, people }) as const;

export const sightRenewed = (userIds: readonly number[] | null) =>
  ({ type: 'sight', op: 'renew', user_ids: userIds }) as const;

// The part of a registration that is not the chat's: what a client is told that names an event type of the venue. The
// bridge of both products fills it.
import { Type, type Static } from 'typebox';

export const TradingState = Type.Object(
  {
    engineSeq: Type.String({
      pattern: '^[0-9]+$',
      description: 'The last engine event before the queue. Events of the queue are above it.',
      examples: ['7340021'],
    }),
    accounts: Type.Array(
      Type.Object(
        {
          accountId: Type.String({ description: 'Account id.', examples: ['7'] }),
          name: Type.String({ description: 'Label of a sub-account; empty for the main account.' }),
          rights: Type.Array(Type.Enum(['view', 'trade'], { type: 'string' }), {
            maxItems: 2,
            description:
              'What the person may do with the account. An API key of the chat itself only shows: orders need a trading key or a session.',
          }),
        },
        { additionalProperties: false },
      ),
      {
        // A main account, and the most sub-accounts that an operator may allow.
        maxItems: 1001,
        description: 'The open accounts of the caller; empty for somebody who has none.',
      },
    ),
  },
  { additionalProperties: false, description: 'Only for a queue that names a type of the venue.' },
);
export type TradingState = Static<typeof TradingState>;

// What the order endpoints answer besides orders and trades.
import { Type, type Static } from 'typebox';
import { ERRORS } from '../http/errors.ts';
import { OrderReceipt } from '../receipts/receipt.ts';
import { Count, Decimal, MaybeMillis } from '../values.ts';
import { Order, OrderAck, OrderWithTrades } from './order.ts';

/** A header on the answer to a placement that had been made before. */
export const REPLAY_HEADER = 'X-SVC-IDEMPOTENT-REPLAY';

/** By `responseType`: `result`, `full`, `ack`; with a receipt if one was asked for. */
export const PlacedOrder = Type.Intersect([
  Type.Union([Order, OrderWithTrades, OrderAck]),
  Type.Object({ receipt: Type.Optional(OrderReceipt) }),
]);
export type PlacedOrder = Static<typeof PlacedOrder>;

const ErrorOfItem = Type.Object(
  {
    code: Type.Enum(
      ERRORS.map(({ code }) => code),
      { type: 'string', description: 'Four digits.' },
    ),
    name: Type.Enum(
      ERRORS.map(({ name }) => name),
      { type: 'string', description: 'The constant of the code.' },
    ),
    message: Type.String({ description: 'For people; may change.' }),
    details: Type.Object({}, { description: 'What else is known; empty when nothing is.' }),
  },
  { title: 'ItemError' },
);

const failed = Type.Object({ status: Type.Literal('false'), error: ErrorOfItem });

/** One entry of the answer to a batch, at the position of its request. */
export const PlacedItem = Type.Union([
  Type.Object({ status: Type.Literal('true'), order: PlacedOrder }),
  failed,
]);
export type PlacedItem = Static<typeof PlacedItem>;

export const CanceledItem = Type.Union([
  Type.Object({ status: Type.Literal('true'), order: Order }),
  failed,
]);
export type CanceledItem = Static<typeof CanceledItem>;

export const TestedOrder = Type.Object(
  {
    accepted: Type.Literal(true, { description: 'What would be refused answers the error.' }),
    estimatedFills: Type.Array(
      Type.Object({ price: Decimal('Price of a level.'), volume: Decimal('Taken there.') }),
      { description: 'What it would take from the book now, best first.' },
    ),
    estimatedFee: Decimal('Fee of those fills.'),
    feeCurrency: Type.String({ description: 'The coin that is received.', examples: ['btc'] }),
    hold: Decimal('What the order would hold.'),
    holdCurrency: Type.String({ description: 'The coin that is given.', examples: ['usdt'] }),
  },
  { title: 'TestedOrder' },
);
export type TestedOrder = Static<typeof TestedOrder>;

export const CanceledAll = Type.Object(
  {
    canceledCount: Count('How many were canceled.'),
    orderIds: Type.Array(Type.String({ examples: ['1048577'] }), {
      description: 'Which ones, oldest first.',
    }),
  },
  { title: 'CanceledAll' },
);

export const Timer = Type.Object(
  { triggerTime: MaybeMillis('When all orders will be canceled; empty when disarmed.') },
  { title: 'Timer' },
);

// The events of the venue in a queue of the chat. Each is sent only to queues that name its type.
import { Type, type Static } from 'typebox';
import { Balance } from '../../trading/account/shapes.ts';
import { PHASES } from '../../trading/markets/market.ts';
import { DepositChanged, WithdrawalChanged } from '../../trading/custody/events.ts';
import { Order } from '../../trading/orders/order.ts';
import { MyTrade } from '../../trading/orders/trade.ts';
import { Choice, Count, MaybeMillis } from '../../trading/values.ts';

/** An event has at most this many elements; what is left comes in the next. */
export const ELEMENTS_MAX = 500;

const closed = { additionalProperties: false };
const elements = { minItems: 1, maxItems: ELEMENTS_MAX };
const ofAccount = {
  accountId: Type.String({ description: 'The account: one of those that register named.' }),
  engineSeq: Count(
    'The engine event up to which the state that the event belongs to is known. A client drops the event unless this is above what its last answer included.',
  ),
};

const OrdersChanged = Type.Object(
  {
    type: Type.Literal('order'),
    op: Type.Literal('update'),
    ...ofAccount,
    orders: Type.Array(Order, {
      ...elements,
      description: 'In engine order; an order that changed several times is in it as often.',
    }),
  },
  { ...closed, description: 'Orders of an account changed.' },
);

const TradesMade = Type.Object(
  {
    type: Type.Literal('trade'),
    op: Type.Literal('add'),
    ...ofAccount,
    trades: Type.Array(MyTrade, { ...elements, description: 'In engine order.' }),
  },
  { ...closed, description: 'Orders of an account traded.' },
);

const BalancesChanged = Type.Object(
  {
    type: Type.Literal('balance'),
    op: Type.Literal('update'),
    ...ofAccount,
    balances: Type.Array(Balance, {
      ...elements,
      description: 'Each coin that was touched, as it stands afterwards.',
    }),
  },
  { ...closed, description: 'Balances of an account changed.' },
);

const PhaseChanged = Type.Object(
  {
    type: Type.Literal('market'),
    op: Type.Literal('phase'),
    symbol: Type.String({ description: 'Market symbol.', examples: ['btcusdt'] }),
    phase: Choice(PHASES, 'The phase that began.'),
    until: MaybeMillis('When it ends by itself; empty if it does not.'),
    engineSeq: ofAccount.engineSeq,
  },
  { ...closed, description: 'A market changed its phase.' },
);

/** A later type joins here, and in `expand.ts` if it comes of a batch; others come by `tx.emit`. */
export const TRADING_EVENTS = [
  OrdersChanged,
  TradesMade,
  BalancesChanged,
  PhaseChanged,
  DepositChanged,
  WithdrawalChanged,
] as const;

export type TradingEvent = Static<(typeof TRADING_EVENTS)[number]>;
export type TradingEventType = TradingEvent['type'];

// Short paths for the usual orders. Each is `create` with type and side in the path, and takes what that
// type takes; the six are made from one table.
import { SIDES, type Side } from '@rialto/matching';
import { Type, type TProperties } from 'typebox';
import { tradingRoute, type TradingRoute } from '../../http/route.ts';
import { placeOrder } from '../actions/place.ts';
import { answerPlaced } from '../answers.ts';
import { CREATE_ERRORS } from '../errors.ts';
import { PlacedOrder, REPLAY_HEADER } from '../shapes.ts';
import { DecimalText, NewOrder } from '../terms.ts';

const { symbol, total, timeInForce, expireTime, postOnly, visibleVolume } = NewOrder.properties;
/** What an order of every kind takes. */
const ANY = Type.Omit(NewOrder, [
  'symbol',
  'side',
  'type',
  'price',
  'stopPrice',
  'trailingDelta',
  'volume',
  'total',
  'timeInForce',
  'expireTime',
  'postOnly',
  'visibleVolume',
]).properties;
const volume = DecimalText('In the base coin; at most `basePrecision` decimals.', '0.015000');
const LIMITED = {
  price: DecimalText('Limit; at most `quotePrecision` decimals.', '64250.10'),
  volume,
  timeInForce,
  expireTime,
  postOnly,
  visibleVolume,
};
const STOP = DecimalText('Trigger: `stopPrice` of `create`.', '63000.00');

interface Kind {
  /** How `create` calls it. */
  readonly type: NewOrder['type'];
  takes(side: Side): TProperties;
}

const KINDS: Readonly<Record<'limit' | 'market' | 'stoplimit', Kind>> = {
  limit: { type: 'limit', takes: () => LIMITED },
  market: {
    type: 'market',
    takes: (side) => (side === 'buy' ? { volume: Type.Optional(volume), total } : { volume }),
  },
  stoplimit: { type: 'stop_limit', takes: () => ({ ...LIMITED, stop: STOP }) },
};

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The parameters after they were checked against what the kind takes. */
type Asked = Omit<NewOrder, 'side' | 'type' | 'stopPrice'> & { stop?: string };

const shorthand = (path: string, { type, takes }: Kind, side: Side): TradingRoute =>
  tradingRoute({
    name: `privateOrder${capital(path)}${capital(side)}`,
    method: 'POST',
    path: `/private/order/${path}/${side}`,
    access: 'trade',
    audit: { none: 'own orders' },
    summary: `Places an order: \`create\` with \`type\` \`${type}\` and \`side\` \`${side}\`.`,
    params: Type.Object({ symbol, ...takes(side), ...ANY }),
    returns: PlacedOrder,
    headers: [REPLAY_HEADER],
    errors: CREATE_ERRORS,
    async handle(ctx, caller, params) {
      const { stop, ...rest } = params as Asked;
      const asked: NewOrder = {
        ...rest,
        side,
        type,
        ...(stop === undefined ? {} : { stopPrice: stop }),
      };
      return answerPlaced(ctx, await placeOrder(ctx, caller, asked), asked);
    },
  });

export const SHORTHANDS: readonly TradingRoute[] = Object.entries(KINDS).flatMap(([path, kind]) =>
  SIDES.map((side) => shorthand(path, kind, side)),
);

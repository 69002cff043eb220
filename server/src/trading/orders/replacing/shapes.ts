// What a replacement answers.
import { Type, type Static } from 'typebox';
import { Order } from '../order.ts';
import { PlacedOrder } from '../shapes.ts';

export const Replacement = Type.Object(
  { canceled: Order, created: PlacedOrder },
  { title: 'Replacement' },
);
export type Replacement = Static<typeof Replacement>;

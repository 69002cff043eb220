// Answers whose form depends on a parameter.
import type {
  Order,
  OrderAck,
  OrderReceipt,
  OrderWithTrades,
  Statement,
} from './types.generated.ts';

/** An order as it is answered: ids only, the order, or the order with its trades. */
export type Placed<P> = (P extends { readonly responseType: 'ack' }
  ? OrderAck
  : P extends { readonly responseType: 'full' }
    ? OrderWithTrades
    : Order) & {
  /** With `receipt: true`. */
  readonly receipt?: OrderReceipt;
};

/** A statement as an object, or as text. */
export type StatementIn<P> = P extends { readonly format: 'csv' } ? string : Statement;

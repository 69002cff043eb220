// The lines of the ledger that a trade makes. They are derived from it, except of trades that an older release wrote with
// stored lines. Here is the one place that derives them. It is SQL, so that filters and limits apply before anything is
// sent.
import { TRADES_NAME } from '../../trade-tables.ts';

export type TradeSide = 'buyer' | 'seller';

const SELF = 't.rebate <> 0 AND t.buyer_account_id = t.seller_account_id';

/**
 * What a trade `t` with the values `x` changes, in the order of its lines. A change of zero is no line, so each has a
 * condition that says of the trade alone whether there is one; empty if there always is.
 */
export const CHANGES: ReadonlyArray<
  readonly [side: TradeSide, coin: 'base' | 'quote', kind: string, change: string, isLine: string]
> = [
  ['buyer', 'quote', 'trade', '-t.total', 't.total <> 0'],
  ['buyer', 'quote', 'rebate', 'x.of_buyer', `t.taker_side = 'sell' AND t.rebate <> 0`],
  ['buyer', 'base', 'trade', 'x.volume', ''],
  ['buyer', 'base', 'trade_fee', '-t.buyer_fee', 't.buyer_fee <> 0'],
  // An account that trades with itself is the maker on both sides.
  ['buyer', 'base', 'rebate', 'x.of_seller * x.one', `t.taker_side = 'buy' AND ${SELF}`],
  ['seller', 'base', 'trade', '-x.volume', ''],
  ['seller', 'base', 'rebate', 'x.of_seller', `t.taker_side = 'buy' AND t.rebate <> 0`],
  ['seller', 'quote', 'trade', 't.total', 't.total <> 0'],
  ['seller', 'quote', 'trade_fee', '-t.seller_fee', 't.seller_fee <> 0'],
  ['seller', 'quote', 'rebate', 'x.of_buyer * x.one', `t.taker_side = 'sell' AND ${SELF}`],
];

/** A rebate is the maker's, in the coin that the maker gives. */
const VALUES = `(SELECT t.volume * ('1e' || 18 - t.volume_decimals)::numeric AS volume,
                        CASE t.taker_side WHEN 'sell' THEN t.rebate ELSE 0 END AS of_buyer,
                        CASE t.taker_side WHEN 'buy' THEN t.rebate ELSE 0 END AS of_seller,
                        (t.buyer_account_id = t.seller_account_id)::integer AS one OFFSET 0) AS x`;

const sum = (terms: readonly string[]): string => ['0', ...terms].join(' + ');

/** One line as a row: its number, coin, kind, change, and the total after it, which the later changes led on from. */
const toRow = ([side, coin, kind, change]: (typeof CHANGES)[number], at: number): string => {
  const earlier = CHANGES.slice(0, at).map(([, , , other]) => `(${other} <> 0)::integer`);
  const later = CHANGES.slice(at + 1)
    .filter(([otherSide, otherCoin]) => otherSide === side && otherCoin === coin)
    .map(([, , , other]) => `(${other})`);
  const after = `t.${side}_${coin}_after - (${sum(later)})`;
  return `(t.first_entry_id + ${sum(earlier)}, m.${coin}, '${kind}', ${change}, ${after})`;
};

/** Joined to trades `t` and their markets `m`: the lines of one side as `l`. */
export const deriveLines = (side: TradeSide): string => {
  const rows = CHANGES.flatMap((line, at) => (line[0] === side ? [toRow(line, at)] : []));
  return `CROSS JOIN LATERAL ${VALUES}
          CROSS JOIN LATERAL (VALUES ${rows.join(', ')}) AS l (entry_id, coin, kind, change, balance_after)`;
};

export const DERIVED = `l.entry_id, l.coin, l.kind, CASE WHEN l.change > 0 THEN 'in' ELSE 'out' END AS direction,
                 abs(l.change) AS amount, l.balance_after - l.change AS balance_before, l.balance_after,
                 'trade' AS reference_type, t.trade_id::text AS reference_id`;

/** All lines of all accounts, with every column of the table of stored ones: for comparing tables of one schema. */
export const everyLineOf = (schema: string): string =>
  `(SELECT account_id, entry_id, coin, kind, direction, amount, balance_before, balance_after, reference_type,
           reference_id, network, time_ms, engine_seq FROM ${schema}.ledger_entries
    UNION ALL ${derivedLinesOf(schema, `${schema}.${TRADES_NAME}`)})`;

/** All lines that are derived from some trades. */
export const derivedLinesOf = (schema: string, trades: string): string => {
  const of = (side: TradeSide) =>
    `SELECT t.${side}_account_id, ${DERIVED}, ''::text, t.time_ms, t.engine_seq
       FROM ${trades} AS t JOIN ${schema}.markets m USING (symbol) ${deriveLines(side)}
      WHERE t.first_entry_id > 0 AND l.change <> 0`;
  return `(${of('buyer')} UNION ALL ${of('seller')})`;
};

// Planted bugs of auctions.

import type { Mutant } from './mutant.ts';

export const AUCTION_MUTANTS: readonly Mutant[] = [
  {
    name: 'an auction trades one tick too low',
    file: 'core/uncross.ts',
    search: 'const priceTicks = Math.max(low, Math.min(high, referenceTicks));',
    replace: 'const priceTicks = Math.max(low, Math.min(high, referenceTicks) - 1);',
  },
  {
    name: 'of several prices as good, an auction takes the highest',
    file: 'core/uncross.ts',
    search: 'const priceTicks = Math.max(low, Math.min(high, referenceTicks));',
    replace: 'const priceTicks = high;',
  },
  {
    name: 'an auction ignores what it leaves over',
    file: 'core/uncross.ts',
    search: '(left < leastLeft || (left === leastLeft && distance < leastDistance))',
    replace: 'distance < leastDistance',
  },
  {
    name: 'an auction ignores the reference price',
    file: 'core/uncross.ts',
    search: 'const priceTicks = Math.max(low, Math.min(high, referenceTicks));',
    replace: 'const priceTicks = low;',
  },
  {
    name: 'an auction trades less than it could',
    file: 'core/uncross.ts',
    search: 'lots > best.lots ||',
    replace: 'lots < best.lots ||',
  },
  {
    name: 'an auction serves the last order of a level first',
    file: 'core/auction.ts',
    search: 'const bid = firstAt(market.bids, price);',
    replace: `let bid = firstAt(market.bids, price);
      while (bid !== NONE && s.pool.i32[bid * CELLS * 2 + NEXT] !== NONE) {
        bid = s.pool.i32[bid * CELLS * 2 + NEXT];
      }`,
  },
  {
    name: 'an auction charges the taker’s rate',
    file: 'core/settle.ts',
    search: 'isAuction ? Math.max(account.tier.makerPpm, 0) : account.tier.takerPpm',
    replace: 'account.tier.takerPpm',
  },
  {
    name: 'an auction pays a rebate from nothing',
    file: 'core/settle.ts',
    search: '? Math.max(maker.tier.makerPpm, 0)',
    replace: '? maker.tier.makerPpm',
  },
  {
    name: 'an auction keeps what a buyer’s limit held above the price',
    file: 'core/settle.ts',
    search: 'if (buyerLimit !== price && !isMarketKind(',
    replace: 'if (!isAuction && buyerLimit !== price && !isMarketKind(',
  },
  {
    name: 'an auction lets a family trade with itself',
    file: 'core/auction.ts',
    search: 'if (buyer.parent === seller.parent) {',
    replace: 'if (buyer === seller) {',
  },
  {
    name: 'an auction ends the older order of a self-match',
    file: 'core/auction.ts',
    search: 'finish(s, younger, EXPIRED, REASON_STP);',
    replace: 'finish(s, older, EXPIRED, REASON_STP);',
  },
  {
    name: 'an incoming order trades in the call phase',
    file: 'core/execute.ts',
    search: "if (market.phase === 'auction') {",
    replace: "if (market.phase === 'pre_open') {",
  },
  {
    name: 'an amended order trades in the call phase',
    file: 'core/amend.ts',
    search: "const takes = meets && market.phase !== 'auction';",
    replace: 'const takes = meets;',
  },
  {
    name: 'an auction takes orders that wait for a price',
    file: 'core/check.ts',
    search: 'type === LIMIT && !postOnly && (tif === GTC || tif === GTD);',
    replace: '!isMarketKind(type) && !postOnly && (tif === GTC || tif === GTD);',
  },
  {
    name: 'stops are not triggered by the price of an auction',
    file: 'core/auction.ts',
    search: '  noteTradePrice(s, market, price);\n',
    replace: '  s.tradePrices[0] = market.config.listingPriceTicks;\n  s.tradePriceCount = 1;\n',
  },
  {
    name: 'an auction counts orders that have expired',
    file: 'core/auction.ts',
    search: '  endExpired(s, market);\n',
    replace: '',
  },
  {
    name: 'an auction is left for trading with a crossed book',
    file: 'core/admin.ts',
    search: "if (s.rules >= 4 && (phase === 'continuous' || phase === 'post_only')) uncross",
    replace: "if (s.rules >= 4 && market.phase === 'auction' && phase === 'continuous') uncross",
  },
  {
    name: 'an auction counts only what icebergs show',
    file: 'core/auction.ts',
    search: 'lots += f64[slot * CELLS + REMAINING]!;',
    replace: 'lots += f64[slot * CELLS + SHOWN]!;',
  },
  {
    name: 'the price before an auction can halt the market after it',
    file: 'core/auction.ts',
    search:
      '  market.restartHistory(Math.max(0, Math.floor(s.time / 1000) - HALT_WINDOW_SECONDS));\n',
    replace: '',
  },
  {
    name: 'a snapshot forgets that an auction follows a halt',
    file: 'snapshot.ts',
    search: 'w.whole(config.auctionSeconds ?? 0);',
    replace: 'w.whole(0);',
  },
];

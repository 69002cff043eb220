// The price at which an auction trades: a pure function of what both sides want at each price.

/** What one side wants at one price. */
export interface AuctionLevel {
  priceTicks: number;
  lots: number;
}

export interface UncrossPrice {
  priceTicks: number;
  /** What can trade there. */
  lots: number;
  /** What is left over there: above zero on the side of the buyers, below on that of the sellers. */
  imbalanceLots: number;
}

/**
 * The price that trades the most; of several, the one that leaves least over; of these, the nearest to the
 * reference price; of two as near, the lower. Every tick is a candidate, also those between the orders' prices.
 * Both sides are given from their best price. Undefined if they do not meet.
 */
export function findUncross(
  bids: readonly AuctionLevel[],
  asks: readonly AuctionLevel[],
  referenceTicks: number,
): UncrossPrice | undefined {
  const [bestBid, bestAsk] = [bids[0], asks[0]];
  if (bestBid === undefined || bestAsk === undefined) return undefined;
  if (bestBid.priceTicks < bestAsk.priceTicks) return undefined;
  // Nothing trades outside of [best ask, best bid]. Within it, demand and supply are constant between two
  // steps: supply grows at the price of an ask, demand shrinks one tick above the price of a bid.
  let demand = 0;
  let bid = 0;
  for (; bid < bids.length && bids[bid]!.priceTicks >= bestAsk.priceTicks; bid++) {
    demand += bids[bid]!.lots;
  }
  let supply = 0;
  let ask = 0;
  let low = bestAsk.priceTicks;
  let best: UncrossPrice | undefined;
  let leastLeft = 0;
  let leastDistance = 0;
  while (low <= bestBid.priceTicks) {
    for (; bid > 0 && bids[bid - 1]!.priceTicks < low; bid--) demand -= bids[bid - 1]!.lots;
    for (; ask < asks.length && asks[ask]!.priceTicks <= low; ask++) supply += asks[ask]!.lots;
    // The last price with this demand and this supply.
    let high = bids[bid - 1]!.priceTicks;
    if (ask < asks.length) high = Math.min(high, asks[ask]!.priceTicks - 1);
    const lots = Math.min(demand, supply);
    const left = Math.abs(demand - supply);
    const priceTicks = Math.max(low, Math.min(high, referenceTicks));
    const distance = Math.abs(priceTicks - referenceTicks);
    // Prices rise, so of two as good ones the lower would stay. There never are two: demand minus supply only
    // falls, so the best prices are one stretch, and one price of it is nearest.
    const isBetter =
      best === undefined ||
      lots > best.lots ||
      (lots === best.lots &&
        (left < leastLeft || (left === leastLeft && distance < leastDistance)));
    if (isBetter) {
      best = { priceTicks, lots, imbalanceLots: demand - supply };
      leastLeft = left;
      leastDistance = distance;
    }
    low = high + 1;
  }
  return best;
}

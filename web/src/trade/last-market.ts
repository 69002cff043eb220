// The market that was looked at last: the view opens there when no market is named. This browser remembers it until the
// person signs out.

const KEY = 'rialto:trade:last';

/** A browser may refuse its storage; then the first market opens. */
export function readLastMarket(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepLastMarket(symbol: string): void {
  try {
    localStorage.setItem(KEY, symbol);
  } catch {
    // Remembering is a comfort.
  }
}

export function forgetLastMarket(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was kept either.
  }
}

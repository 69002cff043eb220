// What operators may do: the words, and the one rule of what each of them covers.

/** In the order in which they are shown. */
export const GRANTS = ['look', 'support', 'markets', 'treasury', 'everything'] as const;
export type Grant = (typeof GRANTS)[number];

export const parseGrant = (text: string): Grant | undefined => GRANTS.find((one) => one === text);

/**
 * Whether somebody with these grants may do what needs `needed`. Who may act may also look; `everything` covers all;
 * nothing else covers anything but itself.
 */
export const grantsAllow = (grants: readonly Grant[], needed: Grant): boolean =>
  grants.includes(needed) ||
  grants.includes('everything') ||
  (needed === 'look' && grants.length > 0);

// What few orders have, packed into one word of their record: how far a trailing stop stays behind, and
// the place in an order list. The legs of a list have consecutive ids, so the id of the first leg, which is
// also the list's, follows from an order's own id and its place.

const DELTA_MASK = 0xfff;
const IN_LIST = 1 << 12;
const POSITION_SHIFT = 13;
const POSITION_MASK = 3;
const BRACKET = 1 << 15;

export const trailOf = (link: number): number => link & DELTA_MASK;
export const isInList = (link: number): boolean => (link & IN_LIST) !== 0;
export const isBracket = (link: number): boolean => (link & BRACKET) !== 0;
export const positionOf = (link: number): number => (link >> POSITION_SHIFT) & POSITION_MASK;

/** The word of a leg. */
export const listLink = (position: number, bracket: boolean): number =>
  IN_LIST | (position << POSITION_SHIFT) | (bracket ? BRACKET : 0);

/** Legs of the longest list. */
export const LEGS_MAX = 3;

/** How many legs a list has. */
export const legCount = (link: number): number => (isBracket(link) ? 3 : 2);

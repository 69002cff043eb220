// Cells of the state's scratch that one function leaves filled for another. Each function says which others it uses.

// A settlement leaves these.
export const TOTAL = 0;
export const BASE = 4;
export const TAKER_FEE = 8;
export const MAKER_FEE = 12;

// A walk leaves these.
export const WALK_COST = 32;
export const WALK_FEE = 36;

// A check leaves these.
export const CHECK_HOLD = 48;
export const CHECK_TOTAL = 52;

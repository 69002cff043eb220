// What others may ask about a person's second factors.
export { findFactors, listPasskeys } from './store.ts';

// Lookups of second factors, for other features.
export { findFactors } from './store.ts';

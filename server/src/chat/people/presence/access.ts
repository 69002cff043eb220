// When somebody was here last, for whoever has something to tell them.
export { findPresence } from './store.ts';

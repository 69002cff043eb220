// Lets other features find when somebody was last here.
export { findPresence } from './store.ts';

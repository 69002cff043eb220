// Which markets a broken rule keeps from trading.
export { listOpenHalts } from './store.ts';

export { listTape } from './store.ts';

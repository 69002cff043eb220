export { listPlaygrounds } from './store.ts';

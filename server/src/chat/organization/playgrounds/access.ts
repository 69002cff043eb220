// The code playgrounds of the organization, for the state that clients register with.
export { listPlaygrounds } from './store.ts';

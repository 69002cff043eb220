// Where bots are called, for whoever tells of bots; and that a message calls some, for whoever writes one.
export { insertCalls, listServices } from './store.ts';

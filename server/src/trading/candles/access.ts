export { findCloseBefore, listMinutes, listTraded } from './store.ts';

export { findPicture, type Picture } from './store.ts';

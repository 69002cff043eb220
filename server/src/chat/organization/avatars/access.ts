// Finds uploaded avatars, for the routes that serve images.
export { findPicture, type Picture } from './store.ts';

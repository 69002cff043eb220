// Where an avatar is stored, for the routes that serve pictures.
export { findPicture, type Picture } from './store.ts';

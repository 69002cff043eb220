// Every route of the chat API. What is not in this list is not served.
import { deleteDraft, getDrafts, patchDraft, postDrafts } from './drafts/routes.ts';
import { deleteEvents, getEvents, postRegister } from './events/routes.ts';
import type { ChatRoute } from './http/route.ts';
import { postFetchApiKey, postRegenerateApiKey } from './keys/routes.ts';
import { getServerSettings } from './org/routes.ts';
import { patchSettings } from './settings/routes.ts';
import {
  deleteOwnUser,
  deleteUser,
  getOwnUser,
  getUser,
  getUserByEmail,
  getUsers,
  patchUser,
  postReactivateUser,
} from './users/routes.ts';

export const chatRoutes: readonly ChatRoute[] = [
  getServerSettings,
  postFetchApiKey,
  postRegenerateApiKey,
  getOwnUser,
  deleteOwnUser,
  getUsers,
  getUser,
  getUserByEmail,
  patchUser,
  deleteUser,
  postReactivateUser,
  patchSettings,
  postRegister,
  getEvents,
  deleteEvents,
  getDrafts,
  postDrafts,
  patchDraft,
  deleteDraft,
];

// Jobs that notify devices, as those who queue them know them; jobs.ts does the work.
import { Type, type Static } from 'typebox';
import type { JobKind } from '../../../platform/jobs/kind.ts';

const ids = Type.Array(Type.Integer());

export const MessageToTell = Type.Object({ messageId: Type.Integer(), userIds: ids });
export const TELL_MESSAGE: JobKind<Static<typeof MessageToTell>> = {
  name: 'push-message',
  input: MessageToTell,
  // About an hour: a notification that comes later is no news.
  attemptsMax: 8,
};

export const MessagesToTakeBack = Type.Object({ userId: Type.Integer(), messageIds: ids });
export const TAKE_BACK: JobKind<Static<typeof MessagesToTakeBack>> = {
  name: 'push-remove',
  input: MessagesToTakeBack,
  attemptsMax: 5,
};

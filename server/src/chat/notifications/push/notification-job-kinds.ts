// The jobs that notify devices, apart from their work (jobs.ts), for the code that queues them.
import { Type, type Static } from 'typebox';
import type { JobKind } from '../../../platform/jobs/kind.ts';

const ids = Type.Array(Type.Integer());

export const MessageToTell = Type.Object({ messageId: Type.Integer(), userIds: ids });
export const TELL_MESSAGE: JobKind<Static<typeof MessageToTell>> = {
  name: 'push-message',
  input: MessageToTell,
  // Attempts for about an hour; a later notification would be useless.
  attemptsMax: 8,
};

export const MessagesToTakeBack = Type.Object({ userId: Type.Integer(), messageIds: ids });
export const TAKE_BACK: JobKind<Static<typeof MessagesToTakeBack>> = {
  name: 'push-remove',
  input: MessagesToTakeBack,
  attemptsMax: 5,
};

// What actions leave behind to be done later, in the worker role.
import { registerPushDevice, registerPushToken } from '../chat/devices/registration.ts';
import { remindInvitee } from '../chat/invitations/jobs.ts';
import { sendDeviceLink } from '../chat/keys/device-link.ts';
import { sendPasswordLink } from '../chat/keys/password-link.ts';
import { UPLOAD_JOBS } from '../chat/uploads/jobs.ts';
import { eraseMessages } from '../chat/messages/erase.ts';
import type { JobDefinition } from '../platform/jobs/define.ts';
import { deliverLetter } from '../platform/mail/post.ts';

export const JOBS: readonly JobDefinition<never>[] = [
  deliverLetter,
  remindInvitee,
  sendDeviceLink,
  sendPasswordLink,
  registerPushDevice,
  registerPushToken,
  ...UPLOAD_JOBS,
  eraseMessages,
];

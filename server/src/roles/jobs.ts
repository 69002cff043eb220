// The jobs that actions enqueue, in the worker role.
import {
  registerPushDevice,
  registerPushToken,
} from '../chat/notifications/devices/registration.ts';
import { remindInvitee } from '../chat/administration/invitations/jobs.ts';
import { sendDeviceLink } from '../chat/administration/keys/device-link.ts';
import { sendPasswordLink } from '../chat/administration/keys/password-link.ts';
import { sendRegisterLink } from '../chat/administration/invitations/register.ts';
import { UPLOAD_JOBS } from '../chat/messages/uploads/jobs.ts';
import { eraseMessages } from '../chat/messages/removing/erase.ts';
import type { JobDefinition } from '../platform/jobs/define.ts';
import { deliverEmail } from '../platform/mail/queue.ts';

export const JOBS: readonly JobDefinition<never>[] = [
  deliverEmail,
  remindInvitee,
  sendDeviceLink,
  sendPasswordLink,
  sendRegisterLink,
  registerPushDevice,
  registerPushToken,
  ...UPLOAD_JOBS,
  eraseMessages,
];

import { RelayError } from '../../../platform/push/relay.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { badRequest } from '../../http/errors.ts';

export const invalidDeviceId = () => badRequest('Invalid `device_id`');
export const invalidPushKey = () => badRequest('Invalid `push_key`');
export const tooManyDevices = (max: number) =>
  badRequest(`You cannot have more than ${max} devices; remove one that you no longer use.`);

export const noActivePushDevice = () =>
  new Refusal({
    code: 'NO_ACTIVE_PUSH_DEVICE',
    message: 'No active registered push device',
    status: 400,
  });

export const invalidPushDeviceToken = () =>
  new Refusal({
    code: 'INVALID_PUSH_DEVICE_TOKEN',
    message: 'Device not recognized',
    status: 400,
  });

export const pushServiceNotConfigured = () =>
  new Refusal({
    code: 'PUSH_SERVICE_NOT_CONFIGURED',
    message: 'Server is not configured to use push notification service.',
    status: 400,
  });

export const adminActionRequired = () =>
  new Refusal({
    code: 'ADMIN_ACTION_REQUIRED',
    message:
      'Push notification configuration issue on server, contact the server administrator or retry later.',
    status: 403,
  });

const failedToConnect = () =>
  new Refusal({
    code: 'FAILED_TO_CONNECT_BOUNCER',
    message: 'Network error while connecting to Zulip push notification service.',
    status: 502,
  });

const relayFailing = () =>
  new Refusal({
    code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER',
    message: 'Internal server error on Zulip push notification service, retry later.',
    status: 502,
  });

/** The error for somebody who asked for a test notification. Throws errors that are not the relay's. */
export function relayRefusal(error: unknown): Refusal {
  if (!(error instanceof RelayError)) throw error;
  if (error.trouble === 'unreachable') return failedToConnect();
  if (error.trouble === 'failing') return relayFailing();
  if (error.code === 'INVALID_REMOTE_PUSH_DEVICE_TOKEN') return invalidPushDeviceToken();
  return adminActionRequired();
}

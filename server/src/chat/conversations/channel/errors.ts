// The refusals about channels.
import { Refusal } from '../../../platform/http/refusal.ts';
import { badRequest } from '../../http/errors.ts';

/** Unknown, hidden or archived: the answer does not say which. */
export const invalidChannel = () => badRequest('Invalid channel ID');

export const channelAlreadyExists = (name: string) =>
  new Refusal({
    code: 'CHANNEL_ALREADY_EXISTS',
    message: `Channel '${name}' already exists`,
    status: 409,
    fields: { channel_name: name },
  });

export const noSuchChannelName = (name: string) =>
  new Refusal({
    code: 'STREAM_DOES_NOT_EXIST',
    message: `Channel '${name}' does not exist`,
    status: 400,
    fields: { stream: name },
  });

export const noSuchChannelId = (id: number) =>
  new Refusal({
    code: 'STREAM_DOES_NOT_EXIST',
    message: `Channel with ID '${id}' does not exist`,
    status: 400,
    fields: { stream_id: id },
  });

export const mayNotPost = (name: string) =>
  badRequest(`Not authorized to send to channel '${name}'`);

export const mayNotAdminister = () =>
  badRequest('You do not have permission to administer this channel.');

export const contentAccessRequired = () => badRequest('Channel content access is required.');

export const defaultCannotBePrivate = () => badRequest('A default channel cannot be private.');

export const webPublicDisabled = () => badRequest('Web-public channels are not enabled.');

export const retentionIsForOwners = () => badRequest('Must be an organization owner');

export const impossiblePrivacy = () => badRequest('Invalid parameters');

export const unsupportedCombination = (...parameters: readonly string[]) =>
  badRequest(`Unsupported parameter combination: ${parameters.join(', ')}`, {
    parameters: parameters.join(', '),
  });

export const badRetention = (given: unknown) =>
  badRequest(`Bad value for 'message_retention_days': ${String(given)}`, {
    var_name: 'message_retention_days',
    bad_value: given,
  });

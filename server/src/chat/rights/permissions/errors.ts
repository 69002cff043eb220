// The refusals about permissions and their values.
import { Refusal } from '../../../platform/http/refusal.ts';
import { badRequest } from '../../http/errors.ts';

export const invalidGroup = () => badRequest('Invalid user group');

export const invalidGroupId = (id: number) => badRequest(`Invalid user group ID: ${id}`);

export const invalidUserId = (id: number) => badRequest(`Invalid user ID: ${id}`);

export const groupIsDeactivated = () => badRequest('User group is deactivated.');

export const forbiddenGroup = (setting: string, groupName: string) =>
  badRequest(`'${setting}' setting cannot be set to '${groupName}' group.`);

export const systemGroupRequired = (setting: string) =>
  new Refusal({
    code: 'SYSTEM_GROUP_REQUIRED',
    message: `'${setting}' must be a system user group.`,
    status: 400,
    fields: { setting_name: setting },
  });

export const expectationMismatch = (field: 'old' | 'prev_content_sha256') =>
  new Refusal({
    code: 'EXPECTATION_MISMATCH',
    message: `'${field}' value does not match the expected value.`,
    status: 400,
    fields: { field_name: field },
  });

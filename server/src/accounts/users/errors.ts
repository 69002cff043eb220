import { Refusal } from '../../platform/http/refusal.ts';

export const noSuchUser = () =>
  new Refusal({ code: 'BAD_REQUEST', message: 'No such user', status: 400 });

export const insufficientPermission = () =>
  new Refusal({ code: 'BAD_REQUEST', message: 'Insufficient permission', status: 400 });

export const cannotDeactivateLast = (entity: 'organization owner' | 'user') =>
  new Refusal({
    code: 'CANNOT_DEACTIVATE_LAST_USER',
    message: `Cannot deactivate the only ${entity}.`,
    status: 400,
    fields: { is_last_owner: entity === 'organization owner', entity },
  });

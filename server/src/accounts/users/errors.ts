import { Refusal } from '../../platform/http/refusal.ts';

const refuse = (message: string) => new Refusal({ code: 'BAD_REQUEST', message, status: 400 });

export const noSuchUser = () => refuse('No such user');

export const insufficientPermission = () => refuse('Insufficient permission');

export const userIsDeactivated = () => refuse('User is deactivated');

/** The name is not allowed at all, or not for this person. The caller may try another one. */
export class NameRefused extends Refusal {
  override name = 'NameRefused';
  constructor(message: string) {
    super({ code: 'BAD_REQUEST', message, status: 400 });
  }
}

export const badName = (message: string) => new NameRefused(message);

export const NAME_RESERVED = 'This name is reserved for system bots. Please choose another one.';

export const NAME_OF_ANOTHER =
  'Somebody else has this name, or one that looks like it. Guests need a name of their own: add another name or an initial.';

export const NAME_LIKE_ADMINISTRATOR =
  "This name looks like an administrator's, in other characters. Please choose another one.";

export const ownersOnly = () =>
  new Refusal({
    code: 'UNAUTHORIZED_PRINCIPAL',
    message: 'Must be an organization owner',
    status: 400,
  });

export const onlyOwnerKeepsRole = () =>
  refuse('The owner permission cannot be removed from the only organization owner.');

export const onlyOwnerStays = () => refuse('Cannot deactivate the only organization owner');

export const cannotDeactivateLast = (entity: 'organization owner' | 'user') =>
  new Refusal({
    code: 'CANNOT_DEACTIVATE_LAST_USER',
    message: `Cannot deactivate the only ${entity}.`,
    status: 400,
    fields: { is_last_owner: entity === 'organization owner', entity },
  });

export const emailInUse = () => refuse('Email is already in use.');

export const invalidEmail = () => refuse('Invalid new email address.');

export const noSuchBot = () => refuse('No such bot');

export const badOwner = (message: string) => refuse(message);

export const aboveOwner = () =>
  refuse(
    'A bot cannot have a role above its owner. Raise the owner first, or give the bot to somebody with that role.',
  );

export const ownerIsDeactivated = () =>
  refuse('The owner of this bot is deactivated. Reactivate the owner first.');

// Refusals of passkeys.
import { Refusal } from '../../platform/http/refusal.ts';

export const passkeysImpossible = () =>
  new Refusal({
    code: 'PASSKEYS_UNAVAILABLE',
    message:
      'Browsers allow passkeys only at a host name over https. The address of this server (PUBLIC_URL) is not one; use another second factor.',
    status: 400,
  });

export const tooManyPasskeys = (max: number) =>
  new Refusal({
    code: 'PASSKEY_LIMIT',
    message: `You have ${max} passkeys, which is the most that an account can have. Remove one first.`,
    status: 400,
  });

/** It says why as far as that helps its owner; a stranger cannot get here. */
export const passkeyNotTaken = (reason: string) =>
  new Refusal({
    code: 'PASSKEY_REFUSED',
    message: `This passkey was not added: ${reason}`,
    status: 400,
  });

export const noSuchPasskey = () =>
  new Refusal({ code: 'BAD_REQUEST', message: 'You have no such passkey.', status: 404 });

export const badLabel = (max: number) =>
  new Refusal({
    code: 'BAD_REQUEST',
    message: `The label of a passkey has 1 to ${max} characters, none of them a control character.`,
    status: 400,
  });

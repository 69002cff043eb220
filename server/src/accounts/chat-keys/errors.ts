// Refusals about chat keys and their scopes.
import { Refusal } from '../../platform/http/refusal.ts';

/** The key is right, and does not reach this. Says nothing about what is there. */
export const keyScope = () =>
  new Refusal({
    code: 'KEY_SCOPE',
    message:
      'This API key is not for that: its scope leaves it out. Use another key, or give this one more in your settings.',
    status: 400,
  });

export const noSuchKey = () =>
  new Refusal({ code: 'BAD_REQUEST', message: 'No such API key', status: 404 });

export const tooManyKeys = (max: number) =>
  new Refusal({
    code: 'BAD_REQUEST',
    message: `There can be ${max} keys of your own. Delete one that you do not need.`,
    status: 400,
  });

export const invalidTerms = (message: string) =>
  new Refusal({ code: 'BAD_REQUEST', message, status: 400 });

import { Refusal } from '../../../platform/http/refusal.ts';
import { badRequest } from '../../http/errors.ts';

const refuse = (code: string, message: string) => new Refusal({ code, message, status: 400 });

export const reactionExists = () => refuse('REACTION_ALREADY_EXISTS', 'Reaction already exists.');

export const noSuchReaction = () => refuse('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.");

export const noSuchEmoji = (name: string) => badRequest(`Emoji '${name}' does not exist`);
export const invalidCode = () => badRequest('Invalid emoji code.');
export const invalidName = () => badRequest('Invalid emoji name.');
export const invalidType = () => badRequest('Invalid emoji type.');
export const invalidCustom = () => badRequest('Invalid custom emoji.');
export const invalidCustomName = () => badRequest('Invalid custom emoji name.');
export const customDeactivated = () => badRequest('This custom emoji has been deactivated.');
export const nothingNamed = () =>
  badRequest('At least one of the following arguments must be present: emoji_name, emoji_code');

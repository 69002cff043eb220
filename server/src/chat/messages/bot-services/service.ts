// The settings of an outgoing-webhook bot: the address that is called, and the format.
import { randomBytes } from 'node:crypto';
import { Type, type Static } from 'typebox';
import type { BotType } from '../../../accounts/user.ts';
import { findUrlProblem } from '../../../platform/http/outbound.ts';
import { badRequest } from '../../http/errors.ts';

export const OUTGOING_WEBHOOK: BotType = 3;

/** The format of a call: ours, or that of Slack. */
export const INTERFACE = { generic: 1, slack: 2 } as const;
export type Interface = (typeof INTERFACE)[keyof typeof INTERFACE];

/** As the owner of a bot and administrators see it. */
export const ServiceRow = Type.Object(
  { base_url: Type.String(), interface: Type.Integer(), token: Type.String() },
  { additionalProperties: false },
);
export type ServiceRow = Static<typeof ServiceRow>;

/** The service of each bot that has one, by the bot's id. */
export type Services = ReadonlyMap<number, ServiceRow>;

const TOKEN_BYTES = 24;

/** 32 characters that need no escaping in a URL or a form. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

const URL_BYTES_MAX = 2048;

export function checkInterface(given: number): Interface {
  if (given === INTERFACE.generic || given === INTERFACE.slack) return given;
  throw badRequest('Invalid interface type');
}

/** Returns the URL if this server would call it. The addresses behind its host name are checked at every call. */
export function checkPayloadUrl(name: string, given: string, allowsPrivate: boolean): string {
  const url = given.trim();
  if (!URL.canParse(url)) throw badRequest(`${name} is not a URL`);
  if (Buffer.byteLength(url) > URL_BYTES_MAX) {
    throw badRequest(`${name} is too long (limit: ${URL_BYTES_MAX} bytes)`);
  }
  const problem = findUrlProblem(url, allowsPrivate);
  if (problem === undefined) return url;
  throw badRequest(
    `${name} cannot be called by this server: ${problem}. Give an https:// address of the public Internet, or ask the operator to set BOT_WEBHOOK_ALLOW_PRIVATE.`,
  );
}

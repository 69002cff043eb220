// What there is to an outgoing-webhook bot beside the bot: where it is called, and how.
import { randomBytes } from 'node:crypto';
import { Type, type Static } from 'typebox';
import type { BotType } from '../../../accounts/user.ts';
import { findUrlProblem } from '../../../platform/http/outbound.ts';
import { badRequest } from '../../http/errors.ts';

export const OUTGOING_WEBHOOK: BotType = 3;

/** In which form it is called: the own one, or that of Slack. */
export const INTERFACE = { generic: 1, slack: 2 } as const;
export type Interface = (typeof INTERFACE)[keyof typeof INTERFACE];

/** As the owner of a bot and administrators see it. */
export const ServiceRow = Type.Object(
  { base_url: Type.String(), interface: Type.Integer(), token: Type.String() },
  { additionalProperties: false },
);
export type ServiceRow = Static<typeof ServiceRow>;

/** The services of bots; one that has none is missing. */
export type Services = ReadonlyMap<number, ServiceRow>;

const TOKEN_BYTES = 24;

/** 32 characters that no address and no form has to change. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

const URL_BYTES_MAX = 2048;

export function checkInterface(given: number): Interface {
  if (given === INTERFACE.generic || given === INTERFACE.slack) return given;
  throw badRequest('Invalid interface type');
}

/** The address, if this server would call it. Where a name leads is looked at with every call. */
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

// Tickets for browsers. A page cannot set headers on a WebSocket, and the cookie alone is sent for other sites' pages
// too; a ticket is fetched with the session's token, and travels as a subprotocol, which stands in no log or history.
import type { Context } from '../../../platform/context.ts';
import type { Session } from '../../../accounts/sessions/access.ts';
import { createToken, isToken } from '../../../accounts/sessions/token.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import { deleteOldTickets, deleteTicket, insertTicket } from './store.ts';

export const TICKET_MS = 60_000;

const lookupOf = (secrets: Secrets, ticket: string): Buffer =>
  secrets.lookup('stream ticket', ticket);

export async function makeTicket(ctx: Context, { id }: Pick<Session, 'id'>): Promise<string> {
  const ticket = createToken();
  const lookup = lookupOf(ctx.secrets, ticket);
  await ctx.inTransaction((tx) => insertTicket(tx, { lookup, sessionId: id, livesMs: TICKET_MS }));
  return ticket;
}

/** Whether the session has this ticket; it is used up. */
export async function useTicket(
  ctx: Context,
  { id }: Pick<Session, 'id'>,
  ticket: string,
): Promise<boolean> {
  if (!isToken(ticket)) return false;
  const lookup = lookupOf(ctx.secrets, ticket);
  return ctx.inTransaction((tx) => deleteTicket(tx, { lookup, sessionId: id }));
}

/** For upkeep. */
export const forgetTickets = (ctx: Context): Promise<number> =>
  ctx.inTransaction((tx) => deleteOldTickets(tx));

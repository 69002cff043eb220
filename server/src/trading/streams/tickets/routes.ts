import { Type } from 'typebox';
import { tradingRoute } from '../../http/route.ts';
import { makeTicket, TICKET_MS } from './actions.ts';

export const postStreamTicket = tradingRoute({
  name: 'streamsTicket',
  method: 'POST',
  path: '/streams/ticket',
  access: 'session',
  audit: { none: 'nothing' },
  whileSuspended: true,
  summary:
    'A ticket for one WebSocket connection of this session at `/json/v1/ws`. Pass it as the second subprotocol: `new WebSocket(url, ["rialto", "ticket." + ticket])`.',
  params: Type.Object({}),
  returns: Type.Object(
    {
      ticket: Type.String({ description: 'Good once.' }),
      livesMs: Type.String({
        pattern: '^[0-9]+$',
        description: 'Milliseconds for which it can be used.',
        examples: [String(TICKET_MS)],
      }),
    },
    { title: 'StreamTicket' },
  ),
  handle: async (ctx, { session }) => ({
    ticket: await makeTicket(ctx, session),
    livesMs: String(TICKET_MS),
  }),
});

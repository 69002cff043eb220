// Routes to invite people, to manage invitations, and to accept one.
import { Type, type Static } from 'typebox';
import { ROLE } from '../../../accounts/roles.ts';
import { badRequest, missingParameter } from '../../http/errors.ts';
import { chatRoute } from '../../http/route.ts';
import { roleParam } from '../users/params.ts';
import { acceptInvitation } from './accept.ts';
import { listInvites } from './access.ts';
import {
  createInvitationLink,
  invite,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
} from './actions.ts';
import { askToJoin } from './ask.ts';
import type { Offer } from './offer.ts';
import { readLinkValidity } from './validity.ts';

/** Ten years. A longer time is as good as forever. */
const MINUTES_MAX = 5_256_000;
/** A new person joins all channels in one transaction, and messages to them wait meanwhile. */
const IDS_MAX = 100;

const ids = (description: string) => Type.Array(Type.Integer(), { maxItems: IDS_MAX, description });

const streamIds = ids('Channels that the new person is subscribed to.');

const offered = {
  invite_expires_in_minutes: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: MINUTES_MAX }), Type.Null()], {
      description: 'Null: it never expires. Without it: as long as the server says.',
    }),
  ),
  invite_as: Type.Optional(roleParam),
  group_ids: Type.Optional(ids('Groups that the new person is in.')),
  include_realm_default_subscriptions: Type.Optional(
    Type.Boolean({ default: false, description: "The organization's default channels as well." }),
  ),
  welcome_message_custom_text: Type.Optional(
    Type.Union([Type.String({ maxLength: 8000 }), Type.Null()], {
      description:
        "Markdown, from administrators only. Null: the organization's own text. Empty: none.",
    }),
  ),
};

type Offered = Static<ReturnType<typeof Type.Object<typeof offered>>>;

const offerOf = (given: Offered, channelIds: readonly number[] | undefined): Offer => ({
  role: given.invite_as ?? ROLE.member,
  channelIds: channelIds ?? [],
  groupIds: given.group_ids ?? [],
  // If the request names neither channels nor this, people start in the default channels.
  includesDefaults: given.include_realm_default_subscriptions ?? channelIds === undefined,
  welcomeText: given.welcome_message_custom_text ?? null,
  validMinutes: given.invite_expires_in_minutes,
});

export const getInvites = chatRoute({
  name: 'get-invites',
  method: 'GET',
  path: '/invites',
  allow: 'member',
  grows: 'organization',
  bots: false,
  summary: 'Invitations that are open: all of them for administrators, otherwise your own.',
  params: Type.Object({}),
  returns: Type.Object({
    invites: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'Letters and links are numbered apart.' }),
        invited_by_user_id: Type.Integer(),
        invited: Type.Integer({ description: 'Unix seconds' }),
        expiry_date: Type.Union([Type.Integer(), Type.Null()]),
        invited_as: Type.Integer(),
        is_multiuse: Type.Boolean(),
        email: Type.Optional(Type.String({ description: 'Of an invitation by email.' })),
        notify_referrer_on_join: Type.Optional(Type.Boolean()),
        link_url: Type.Optional(
          Type.String({
            description:
              'Of a reusable link; empty for somebody who may not become what it makes people.',
          }),
        ),
      }),
    ),
  }),
  handle: async (ctx, actor) => ({
    invites: await listInvites(ctx.db, ctx, actor, ctx.publicUrl()),
  }),
});

export const postInvites = chatRoute({
  name: 'send-invites',
  method: 'POST',
  path: '/invites',
  allow: 'member',
  audit: ['invitation send'],
  bots: false,
  summary: 'Invites people by email.',
  params: Type.Object({
    invitee_emails: Type.String({ description: 'Addresses, between commas or newlines.' }),
    invite_expires_in_minutes: offered.invite_expires_in_minutes,
    invite_as: offered.invite_as,
    stream_ids: streamIds,
    group_ids: offered.group_ids,
    include_realm_default_subscriptions: offered.include_realm_default_subscriptions,
    notify_referrer_on_join: Type.Optional(
      Type.Boolean({ default: true, description: 'Tells you when they have joined.' }),
    ),
    welcome_message_custom_text: offered.welcome_message_custom_text,
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, given) => {
    await invite(ctx, actor, {
      ...offerOf(given, given.stream_ids),
      emails: given.invitee_emails,
      notifiesInviter: given.notify_referrer_on_join ?? true,
    });
    return {};
  },
});

export const postMultiuseInvite = chatRoute({
  name: 'create-invite-link',
  method: 'POST',
  path: '/invites/multiuse',
  allow: 'member',
  audit: ['invitation link create'],
  bots: false,
  summary: 'Makes an invitation link that many people can use.',
  params: Type.Object({ ...offered, stream_ids: Type.Optional(streamIds) }),
  returns: Type.Object({ invite_link: Type.String() }),
  handle: async (ctx, actor, given) => ({
    invite_link: await createInvitationLink(ctx, actor, offerOf(given, given.stream_ids)),
  }),
});

export const deleteInvite = chatRoute({
  name: 'revoke-invite',
  method: 'DELETE',
  path: '/invites/{invite_id:int}',
  allow: 'member',
  audit: ['invitation revoke'],
  bots: false,
  summary: 'Revokes an invitation by email.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { invite_id }) => {
    await revokeInvitation(ctx, actor, invite_id);
    return {};
  },
});

export const deleteMultiuseInvite = chatRoute({
  name: 'revoke-invite-link',
  method: 'DELETE',
  path: '/invites/multiuse/{invite_id:int}',
  allow: 'member',
  audit: ['invitation link revoke'],
  bots: false,
  summary: 'Revokes an invitation link that many people can use.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { invite_id }) => {
    await revokeInvitationLink(ctx, actor, invite_id);
    return {};
  },
});

export const postResendInvite = chatRoute({
  name: 'resend-invite',
  method: 'POST',
  path: '/invites/{invite_id:int}/resend',
  allow: 'member',
  audit: ['invitation resend'],
  bots: false,
  summary: 'Sends the email of an invitation again.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { invite_id }) => {
    await resendInvitation(ctx, actor, invite_id);
    return {};
  },
});

/**
 * Does for programs what the web pages do with forms. A key from an email creates the account. A key of a reusable link
 * sends an email to the address; the key in that email then creates the account.
 */
export const postRegisterAccount = chatRoute({
  name: 'register-account',
  method: 'POST',
  path: '/register_account',
  allow: 'anyone',
  audit: ['invitation accept'],
  summary: 'Takes up an invitation. An extension: other servers have only web pages for it.',
  params: Type.Object({
    key: Type.String({ maxLength: 100, description: 'The last part of the address of the link.' }),
    email: Type.Optional(
      Type.String({
        'x-strip': true,
        description:
          'Needed with the key of a reusable link; otherwise it must be the invited one.',
      }),
    ),
    full_name: Type.Optional(Type.String({ description: 'Needed with the key of an email.' })),
    password: Type.Optional(Type.String({ description: 'Needed with the key of an email.' })),
    terms: Type.Optional(
      Type.Boolean({ description: 'That you agree to the terms, where there are some.' }),
    ),
  }),
  returns: Type.Object({
    status: Type.Union([Type.Literal('created'), Type.Literal('confirmation_sent')]),
    user_id: Type.Optional(Type.Integer()),
    email: Type.Optional(Type.String()),
    api_key: Type.Optional(Type.String()),
  }),
  handle: async (ctx, _actor, given, { caller }) => {
    if ((await readLinkValidity(ctx.db, ctx, given.key)).kind !== 'unknown') {
      if (given.email === undefined) throw missingParameter('email');
      await askToJoin(ctx, given.key, given.email, caller);
      return { status: 'confirmation_sent' };
    }
    const { full_name: fullName, password, email, terms = false } = given;
    if (fullName === undefined) throw missingParameter('full_name');
    if (password === undefined) throw missingParameter('password');
    if (ctx.config.TERMS_URL !== '' && !terms) {
      throw badRequest(`You have to agree to the terms at ${ctx.config.TERMS_URL}`);
    }
    const { user, chatKey } = await acceptInvitation(ctx, given.key, { fullName, password, email });
    return { status: 'created', user_id: user.id, email: user.email, api_key: chatKey };
  },
});

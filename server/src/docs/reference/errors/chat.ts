// The codes of the chat API, with cause and cure. Features refuse in files of their own, so a test reads the sources
// and fails for a code that is missing here, and for one that nothing uses any more.
import type { Explanation } from './explanation.ts';

export interface ChatError extends Explanation {
  readonly statuses: readonly number[];
  readonly when: string;
}

const entry = (
  statuses: number | readonly number[],
  when: string,
  cause: string,
  cure: string,
): ChatError => ({ statuses: [statuses].flat(), when, cause, cure });

const OF_REQUESTS = {
  BAD_REQUEST: entry(
    [400, 403, 404, 405, 413, 415, 503],
    'The request cannot be carried out; `msg` says why.',
    'The most general code: a parameter is missing or has the wrong form (`var_name` names it), the thing does not exist, or a rule does not allow it.',
    'Read `msg`, which says what was expected. Programs should not depend on its words.',
  ),
  REQUEST_CONFUSING_VAR: entry(
    400,
    'Two names of one parameter came at once.',
    'Older names are still accepted, for example `subject` for `topic`; both were sent.',
    'Send one of the two in `var_name1` and `var_name2`.',
  ),
  EXPECTATION_MISMATCH: entry(
    400,
    'A value is not what the caller believed it to be.',
    'Somebody else changed it meanwhile: the text of a message (`prev_content_sha256`), or a permission (`old`).',
    'Read the present value, and decide again.',
  ),
  BAD_NARROW: entry(
    400,
    'A term of the narrow has no meaning.',
    'An operator is misspelt, or its operand names something that does not exist or may not be known.',
    '`desc` says which term. [Reading messages](docs:concepts/read-state) lists the operators.',
  ),
  BAD_IMAGE: entry(
    400,
    'The picture cannot be used.',
    'It is not a PNG, JPEG, GIF or WebP, is damaged, or is larger than allowed.',
    'Send another picture. `msg` has the limit.',
  ),
  SYSTEM_GROUP_REQUIRED: entry(
    400,
    'This permission takes only a group of roles.',
    'A group that people made, or single people, were given where a role such as `role:members` is needed.',
    'Choose one of the groups whose `is_system_group` is true.',
  ),
} as const;

const OF_CALLERS = {
  UNAUTHORIZED: entry(
    401,
    'The caller is not known.',
    'No credentials came, the email address and the API key do not belong together, or the session has ended.',
    'Send Basic authentication with the email address and the API key. A new password or a regenerated key makes older keys invalid.',
  ),
  INVALID_API_KEY: entry(
    401,
    'The API key in the address is malformed or unknown.',
    'A link to a file carries a key that was changed since.',
    'Take the key from `POST /fetch_api_key` or from the page of the account.',
  ),
  USER_DEACTIVATED: entry(
    401,
    'The account is deactivated.',
    'An administrator deactivated it.',
    'Ask an administrator of the organization.',
  ),
  AUTHENTICATION_FAILED: entry(
    401,
    'The email address or the password is wrong.',
    'Both are answered alike, so nobody learns who has an account.',
    'Check both. After several attempts the address has to wait.',
  ),
  PASSWORD_AUTH_DISABLED: entry(
    401,
    'This organization has no sign-in with passwords.',
    'Its people sign in with a provider.',
    'Open the sign-in page in a browser.',
  ),
  SECOND_FACTOR_REQUIRED: entry(
    [401, 403],
    'A second factor is needed.',
    'The account has one, or the act asks for a fresh proof.',
    'Sign in with a browser, or send a code as the answer describes. A program uses an API key.',
  ),
  WRONG_FACTOR: entry(
    [400, 401],
    'The code or passkey is wrong.',
    'Codes are good for 30 seconds and once. The clock of the phone may be wrong.',
    'Wait for the next code, or use a recovery code.',
  ),
  FACTOR_REQUIRED: entry(
    400,
    'The organization demands a second factor of this account.',
    'The last factor cannot be removed.',
    'Add another factor first.',
  ),
  SIGN_IN_OVER: entry(
    401,
    'The sign-in took too long, or had too many wrong answers.',
    'A sign-in with a second factor is open for a few minutes.',
    'Begin again with the password.',
  ),
  SESSION_INVALID: entry(
    401,
    'The session has ended.',
    'Too many wrong answers came in it.',
    'Sign in again.',
  ),
  ONLY_WAY_IN: entry(
    400,
    'The last way to sign in cannot be removed.',
    'The account has no password and one linked identity.',
    'Set a password or link another identity first.',
  ),
  CSRF_FAILED: entry(
    403,
    'The token of the session is missing or wrong.',
    'A form of another site sent the request, or the page was open since before signing in.',
    'Load the page again. Programs that use a session send the cookie’s token in `X-CSRFToken`.',
  ),
  KEY_SCOPE: entry(
    400,
    'The API key is not for this.',
    'A key can be limited to some operations or conversations.',
    'Use a key with a larger scope, or change the scope of this one.',
  ),
  PERMISSION_DENIED: entry(
    400,
    'Only bots can do this.',
    'The storage of bots was asked for by a person.',
    'Call it with the key of a bot.',
  ),
  UNAUTHORIZED_PRINCIPAL: entry(
    400,
    'The role of the caller is too low.',
    'The operation is for administrators or owners.',
    'Ask somebody with the role that `msg` names. [Permissions](docs:concepts/permissions) explains the roles.',
  ),
  PASSKEYS_UNAVAILABLE: entry(
    400,
    'The server has no passkeys.',
    'They need HTTPS and a fixed host name.',
    'Operators set `PUBLIC_URL` to the address that people use.',
  ),
  PASSKEY_LIMIT: entry(
    400,
    'The account has as many passkeys as it may.',
    'The number is limited.',
    'Remove one first.',
  ),
  PASSKEY_REFUSED: entry(
    400,
    'The passkey was not added.',
    'Its answer does not fit the question, or it is registered already.',
    '`msg` has the reason. Try again from the page.',
  ),
} as const;

const OF_THINGS = {
  BAD_EVENT_QUEUE_ID: entry(
    400,
    'The event queue does not exist any more.',
    'Nobody asked it for longer than its timeout, its owner’s rights changed, or it belongs to somebody else.',
    'Call `POST /register` again and start from the new state. The SDK and the Zulip clients do so by themselves.',
  ),
  STREAM_DOES_NOT_EXIST: entry(
    400,
    'There is no such channel.',
    'The name or id is wrong, or the channel is private and the caller may not know of it.',
    'Use the id from `GET /users/me/subscriptions`.',
  ),
  CHANNEL_ALREADY_EXISTS: entry(
    409,
    'A channel with this name exists.',
    'Names differ only in capital letters, or the channel is archived or private.',
    'Choose another name.',
  ),
  LOCAL_ID_USED: entry(
    400,
    'The caller sent another message under this local_id, a UUID, in the last 24 hours. Nothing was sent now.',
    'The text, the topic or the recipients were changed, and the message was sent again under its first id.',
    'Give every message a new UUID. Repeat a request only as it was. The answer has message_id of the first message.',
  ),
  REACTION_ALREADY_EXISTS: entry(
    400,
    'The caller gave this reaction already.',
    'The request was sent twice.',
    'Treat it as success.',
  ),
  REACTION_DOES_NOT_EXIST: entry(
    400,
    'The caller has no such reaction on the message.',
    'It was removed already, or belongs to somebody else.',
    'Treat it as success.',
  ),
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: entry(
    400,
    'Some messages of the topic are too old to be moved.',
    'The organization limits for how long messages can be moved.',
    'Move the newer ones with `propagate_mode=change_later` from `first_message_id_allowed_to_move`.',
  ),
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: entry(
    400,
    'The caller may not mention everybody in this channel.',
    'The organization limits `@**all**` in large channels.',
    'Mention people or a group.',
  ),
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: entry(
    400,
    'The caller may not mention everybody in this topic.',
    'The organization limits `@**topic**` in large topics.',
    'Mention people or a group.',
  ),
  CANNOT_DEACTIVATE_GROUP_IN_USE: entry(
    400,
    'The group is part of a permission.',
    'A setting or another group names it.',
    '`objections` lists where. Change those first.',
  ),
  CANNOT_DEACTIVATE_LAST_USER: entry(
    400,
    'The last owner or the last user cannot be deactivated.',
    'Nobody could administer the organization afterwards.',
    'Make another person an owner first.',
  ),
  INVITATION_FAILED: entry(
    400,
    'Some or all invitations were not sent.',
    'Addresses are invalid, belong to members, or are outside the allowed domains.',
    '`errors` has the reason for each address; `sent_invitations` says whether the others were sent.',
  ),
  REALM_UPLOAD_QUOTA: entry(
    400,
    'The upload would be more than the organization may store.',
    'The quota of the organization or of the person is used up.',
    'Delete attachments, or ask the operators for a larger quota.',
  ),
} as const;

const OF_NOTIFICATIONS = {
  NO_ACTIVE_PUSH_DEVICE: entry(
    400,
    'No device of the account gets notifications.',
    'None was registered, or the registration failed.',
    'Register the device again.',
  ),
  INVALID_PUSH_DEVICE_TOKEN: entry(
    400,
    'The device is not known.',
    'Its token was removed or replaced.',
    'Register the device again.',
  ),
  PUSH_SERVICE_NOT_CONFIGURED: entry(
    400,
    'The server sends no notifications to phones.',
    'The operators have not set up a push relay.',
    'Operators follow [Notifications](docs:operating/push).',
  ),
  ADMIN_ACTION_REQUIRED: entry(
    403,
    'The push relay does not accept this server.',
    'Its registration has ended.',
    'An operator has to register the server again.',
  ),
  FAILED_TO_CONNECT_BOUNCER: entry(
    502,
    'The push relay cannot be reached.',
    'The network between the two servers fails.',
    'Try again later.',
  ),
  PUSH_SERVICE_FAILED: entry(
    502,
    'The push service of the browser cannot be reached, or refuses.',
    'The maker of the browser runs it; it may be down, or the subscription may be too old.',
    'Try again later, or turn notifications of this browser off and on again.',
  ),
  INTERNAL_SERVER_ERROR_ON_BOUNCER: entry(
    502,
    'The push relay failed.',
    'A fault of the relay.',
    'Try again later.',
  ),
} as const;

const OF_SERVICE = {
  RATE_LIMIT_HIT: entry(
    429,
    'Too many requests, or too much work.',
    'The account or the address used its window up. Costly calls have windows of their own.',
    'Wait `retry-after` seconds. [Limits](docs:limits) has the numbers.',
  ),
  ANSWER_TOO_LARGE: entry(
    500,
    'The answer would be larger than this server sends.',
    'The organization is very large, or too much was asked for at once.',
    'Ask for less at once, or tell the operators.',
  ),
  SERVICE_UNAVAILABLE: entry(
    503,
    'The server cannot answer for the moment.',
    'It starts or stops, its database is away, or it is too busy for this call.',
    'Wait as long as `Retry-After` says and try again.',
  ),
  INTERNAL_SERVER_ERROR: entry(
    500,
    'An unexpected fault.',
    'A fault on our side.',
    'Try again. Tell the operators when it happened.',
  ),
  CLIENT_CLOSED_REQUEST: entry(
    499,
    'The caller closed the connection before the answer.',
    'Nobody gets this answer; it stands in the logs of operators.',
    'Nothing needs to be done.',
  ),
} as const;

export const CHAT_ERRORS: Readonly<Record<string, ChatError>> = {
  ...OF_REQUESTS,
  ...OF_CALLERS,
  ...OF_THINGS,
  ...OF_NOTIFICATIONS,
  ...OF_SERVICE,
};

// Every act that the audit log knows, in one list. Each route of both APIs and each operator
// command declares which of these it may write, or why it writes none; a test compares the list
// with the declarations.

/** Noun and verb. The second part says what an entry of it means. */
export const ACTS = {
  'user create': 'a person has an account',
  'user set_role': 'a person has a new role',
  'user rename': 'one person renamed another',
  'user set_email': 'a person signs in with a new email address',
  'user deactivate': 'a person has lost every right',
  'user reactivate': 'a person has every right back',
  'user erase': 'a person’s profile or messages are deleted for good',
  'user set_profile': 'one person edited another’s profile',
  'user set_status': 'one person set another’s status',
  'user settings': 'an administrator changed settings of others',
  'bot create': 'a bot has an account',
  'bot set_owner': 'a bot has a new owner',
  'bot set_service': 'a bot’s service has a new address or format',
  'password change': 'a person signs in with a new password',
  'password reset_link': 'an operator made a link with which a person sets a new password',
  'chat_key reveal': 'a chat key was shown',
  'chat_key regenerate': 'a chat key was replaced',
  'chat_key revoke': 'an operator invalidated a chat key, and gave a reason',
  'trading_key create': 'a trading key was created',
  'trading_key delete': 'a trading key was deleted',
  'trading_key revoke': 'an operator deleted a trading key, and gave a reason',
  'sub_account create': 'a trading account has one more sub-account',
  'sub_account rename': 'a sub-account has a new label',
  'sub_account close': 'a sub-account was closed, with its keys',
  'session begin': 'a browser is signed in',
  'session end': 'browsers are signed out',
  'sign_in device_link': 'a mailed link made a browser known',
  'sign_in clear': 'a name or an address got its sign-in attempts back',
  'sign_in unbind': 'an account can be linked to another entry of the directory',
  'master_key rotate': 'stored secrets are sealed with another master key',
  'operator prove': 'a person failed to prove to be the operator they named',
  'operator enrol': 'a person asked to be an operator, or became the first',
  'operator approve': 'an operator approved another one',
  'operator change_secret': 'an operator has a new secret',
  'operator revoke': 'an operator lost their secret',
  'invitation send': 'people were invited by email',
  'invitation resend': 'an invitation was sent again',
  'invitation revoke': 'an invitation was revoked',
  'invitation accept': 'a person joined by an invitation',
  'invitation link create': 'a reusable invitation link was created',
  'invitation link revoke': 'a reusable invitation link was revoked',
  'group create': 'a group exists',
  'group change': 'a group has a new name, status or permissions',
  'group deactivate': 'a group was deactivated',
  'group members': 'people or groups joined or left a group',
  'channel create': 'a channel exists',
  'channel change': 'a channel has a new name, privacy, terms or permissions',
  'channel archive': 'a channel was archived',
  'subscription add': 'one person subscribed another',
  'subscription remove': 'one person unsubscribed another',
  'default_channel add': 'new people are subscribed to a channel',
  'default_channel remove': 'new people are no longer subscribed to a channel',
  'folder create': 'a channel folder was created',
  'folder change': 'a channel folder was changed',
  'folder order': 'the channel folders have a new order',
  'org setting': 'the organization has new settings or permissions',
  'org user_defaults': 'new people start with other settings',
  'domain add': 'addresses of a domain may join',
  'domain change': 'other addresses of a domain may join',
  'domain remove': 'addresses of a domain may no longer join',
  'emoji add': 'the organization has one more emoji',
  'emoji remove': 'the organization has one emoji fewer',
  'linkifier create': 'a linkifier was added',
  'linkifier change': 'a linkifier was changed',
  'linkifier remove': 'a linkifier was removed',
  'linkifier order': 'the linkifiers have a new order',
  'playground create': 'a code playground was added',
  'playground remove': 'a code playground was removed',
  'profile_field create': 'a profile field was added',
  'profile_field change': 'a profile field was changed',
  'profile_field remove': 'a profile field was removed',
  'profile_field order': 'the profile fields have a new order',
  'coin add': 'a coin is defined',
  'market create': 'a market exists',
  'market configure': 'a market has new terms',
  'market phase': 'a market is in a new phase',
  'market cancel_orders': 'the orders of a market are canceled',
  'account suspend': 'an account may not trade',
  'account resume': 'an account may trade again',
  'account cancel_orders': 'the orders of an account are canceled',
  'fees define': 'a fee tier has new rates',
  'fees set_tier': 'an account and its family are in a new fee tier, until the next fee day',
  'fees pin': 'an account and its family are in a fee tier that fee days leave alone',
  'fees unpin': 'the fee tier of an account and its family is computed from its volume again',
  'ledger credit': 'money was moved by hand',
  'ledger contribute': 'capital came in',
  'ledger take_out': 'capital went out',
  'ledger deposit': 'simulated money was created',
  approve: 'an operator’s approval of a command was refused',
  withdraw: 'an operator’s retraction of a command was refused',
} as const;

export type ActName = keyof typeof ACTS;

/** Why a route that changes something has no place in the audit log. */
export const UNAUDITED = {
  'own content': 'content that people write, send, upload and mark, which has its own history',
  'own settings': 'personal choices that change nobody’s rights',
  'own orders': 'orders are in the engine’s journal, with the key that signed them',
  'own transfers':
    'transfers are in the engine’s journal, and their rows name the key that signed them',
  signal: 'typing and presence',
  nothing: 'it changes nothing that is stored, or only derived data',
} as const;

export type Unaudited = keyof typeof UNAUDITED;

/** What a route or a command writes to the audit log: the acts, or why there are none. */
export type AuditDeclaration = readonly [ActName, ...ActName[]] | { readonly none: Unaudited };

/** For declarations: a route that changes something must state its place; a read-only one may. */
export type Audited<Method extends string> = Method extends 'GET'
  ? { audit?: AuditDeclaration }
  : { audit: AuditDeclaration };

export const actsOf = (place: AuditDeclaration | undefined): readonly ActName[] =>
  place === undefined || 'none' in place ? [] : place;

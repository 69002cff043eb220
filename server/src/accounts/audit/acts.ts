// Every act that the audit log knows, in one list. Each route of both APIs and each command of operators declares
// which of these it may write, or why it writes none; a test holds the list and the declarations against each other.

/** Noun and verb. The second part says what an entry of it means. */
export const ACTS = {
  'user create': 'a person has an account',
  'user set_role': 'somebody has another role',
  'user rename': 'somebody was given another name by somebody else',
  'user set_email': 'somebody signs in with another address',
  'user deactivate': 'somebody has lost every right',
  'user reactivate': 'somebody has every right back',
  'user erase': 'the profile or the messages of somebody are deleted for good',
  'user set_profile': 'somebody else wrote into a profile',
  'user set_status': 'somebody else wrote a status',
  'user settings': 'an administrator changed settings of others',
  'bot create': 'a bot has an account',
  'bot set_owner': 'a bot belongs to somebody else',
  'bot set_service': 'a bot is called somewhere else, or in another form',
  'password change': 'somebody signs in with another password',
  'password reset_link': 'an operator made a link with which somebody sets a new password',
  'chat_key reveal': 'a chat key was shown',
  'chat_key regenerate': 'a chat key was replaced',
  'chat_key revoke': 'an operator made a chat key worthless, and said why',
  'trading_key create': 'a trading key was made',
  'trading_key delete': 'a trading key was taken away',
  'trading_key revoke': 'an operator took a trading key away, and said why',
  'session begin': 'a browser is signed in',
  'session end': 'browsers are signed out',
  'sign_in device_link': 'a mailed link made a browser known',
  'sign_in clear': 'a name or an address has its tries to sign in back',
  'sign_in unbind': 'an account can be joined to another entry of the directory',
  'master_key rotate': 'stored secrets are sealed with another master key',
  'operator prove': 'somebody did not prove to be the operator they named',
  'operator enrol': 'somebody asked to be an operator, or became the first',
  'operator approve': 'an operator agreed to another one',
  'operator change_secret': 'an operator has another secret',
  'operator revoke': 'an operator lost their secret',
  'invitation send': 'people were invited by email',
  'invitation resend': 'an invitation was sent again',
  'invitation revoke': 'an invitation was taken back',
  'invitation accept': 'somebody came by an invitation',
  'invitation link create': 'a link lets people in',
  'invitation link revoke': 'a link lets nobody in any more',
  'group create': 'a group exists',
  'group change': 'a group has another name, standing or permissions',
  'group deactivate': 'a group is out of use',
  'group members': 'people or groups came into a group, or left it',
  'channel create': 'a channel exists',
  'channel change': 'a channel has another name, privacy, terms or permissions',
  'channel archive': 'a channel is out of use',
  'subscription add': 'somebody else was subscribed',
  'subscription remove': 'somebody else was unsubscribed',
  'default_channel add': 'new people start in a channel',
  'default_channel remove': 'new people no longer start in a channel',
  'folder create': 'a folder of channels exists',
  'folder change': 'a folder of channels is another',
  'folder order': 'the folders stand in another order',
  'org setting': 'the organization has other settings or permissions',
  'org user_defaults': 'new people start with other settings',
  'domain add': 'addresses of a domain are let in',
  'domain change': 'other addresses of a domain are let in',
  'domain remove': 'addresses of a domain are not let in any more',
  'emoji add': 'the organization has an emoji more',
  'emoji remove': 'the organization has an emoji less',
  'linkifier create': 'texts of a pattern become links',
  'linkifier change': 'texts of a pattern become other links',
  'linkifier remove': 'texts of a pattern no longer become links',
  'linkifier order': 'the patterns stand in another order',
  'playground create': 'code can be tried out at a place',
  'playground remove': 'code can no longer be tried out at a place',
  'profile_field create': 'profiles have a field more',
  'profile_field change': 'a field of profiles is another',
  'profile_field remove': 'profiles have a field less',
  'profile_field order': 'the fields stand in another order',
  'coin add': 'a coin is defined',
  'market create': 'a market exists',
  'market configure': 'a market has other terms',
  'market phase': 'a market is in another phase',
  'market cancel_orders': 'the orders of a market are canceled',
  'account suspend': 'an account may not trade',
  'account resume': 'an account may trade again',
  'account cancel_orders': 'the orders of an account are canceled',
  'fees define': 'a fee tier has other rates',
  'fees set_tier': 'an account is in another fee tier',
  'ledger credit': 'money was moved by hand',
  'ledger contribute': 'capital came in',
  'ledger take_out': 'capital went out',
  'ledger deposit': 'simulated money was made',
  approve: 'an operator was not let agree to a command',
  withdraw: 'an operator was not let take a command back',
} as const;

export type ActName = keyof typeof ACTS;

/** Why a route that changes something has no place in the log. */
export const UNAUDITED = {
  'own content': 'what people write, send, upload and mark, which has a history of its own',
  'own settings': 'what people choose for themselves and what changes nobody’s rights',
  'own orders': 'orders are in the journal of the engine, with the key that signed them',
  signal: 'who types and who is here',
  nothing: 'it changes nothing that is kept, or only what is made from other records',
} as const;

export type Unaudited = keyof typeof UNAUDITED;

/** The place of a route or a command in the audit log: the acts that it may write, or why there is none. */
export type AuditDeclaration = readonly [ActName, ...ActName[]] | { readonly none: Unaudited };

/** For declarations: whatever changes something says its place; what only shows may say one. */
export type Audited<Method extends string> = Method extends 'GET'
  ? { audit?: AuditDeclaration }
  : { audit: AuditDeclaration };

export const actsOf = (place: AuditDeclaration | undefined): readonly ActName[] =>
  place === undefined || 'none' in place ? [] : place;

// The kinds of callers, the relations of an object to a caller, and who may do what with it. These expectations are
// written by hand, independently of how the server decides.
import type { RoleName } from '../../../accounts/roles.ts';

export const CALLERS = [
  'owner',
  'administrator',
  'moderator',
  'member',
  'guest',
  'bot',
  'deactivated',
  'anonymous',
] as const;
export type Caller = (typeof CALLERS)[number];

/** The relation of an object to the caller. `direct` is a conversation of two others. */
export const RELATIONS = [
  'own',
  'shared',
  'foreign',
  'protected',
  'left',
  'archived',
  'direct',
  'missing',
] as const;
export type Relation = (typeof RELATIONS)[number];

export type Kind =
  | 'nothing'
  | 'channel'
  | 'message'
  | 'user'
  | 'draft'
  | 'snippet'
  | 'scheduled'
  | 'reminder'
  | 'bot'
  | 'group'
  | 'queue'
  | 'file'
  | 'invitation';

/** The relations that an object of each kind can have. */
export const RELATIONS_OF: Readonly<Record<Kind, readonly Relation[]>> = {
  nothing: ['own'],
  channel: ['missing', 'own', 'shared', 'foreign', 'protected', 'left', 'archived'],
  message: ['missing', 'own', 'shared', 'foreign', 'protected', 'left', 'archived', 'direct'],
  user: ['missing', 'own', 'shared'],
  draft: ['missing', 'own', 'foreign'],
  snippet: ['missing', 'own', 'foreign'],
  scheduled: ['missing', 'own', 'foreign'],
  reminder: ['missing', 'own', 'foreign'],
  bot: ['missing', 'own', 'foreign'],
  group: ['missing', 'own', 'foreign'],
  queue: ['missing', 'own', 'foreign'],
  file: ['missing', 'own', 'foreign'],
  invitation: ['missing', 'own', 'foreign'],
};

type Who = 'everybody' | 'nobody' | 'not guests' | 'moderators' | 'administrators' | 'owners';

const ROLE_OF: Readonly<Record<Caller, RoleName | 'none'>> = {
  owner: 'owner',
  administrator: 'administrator',
  moderator: 'moderator',
  member: 'member',
  guest: 'guest',
  bot: 'member',
  deactivated: 'none',
  anonymous: 'none',
};
const MEANING: Readonly<Record<Who, readonly RoleName[]>> = {
  everybody: ['owner', 'administrator', 'moderator', 'member', 'guest'],
  nobody: [],
  'not guests': ['owner', 'administrator', 'moderator', 'member'],
  moderators: ['owner', 'administrator', 'moderator'],
  administrators: ['owner', 'administrator'],
  owners: ['owner'],
};

const isAmong = (caller: Caller, who: Who): boolean =>
  MEANING[who].some((role) => role === ROLE_OF[caller]);

type Rights = Readonly<Partial<Record<Relation, Who>>>;

/**
 * Who has a right, by the object's relation to them. Nobody has a right that is not listed, nor any right to an object
 * that does not exist.
 */
export const RIGHTS = {
  /** Knowing the channel's name and that it exists. */
  'know the channel': {
    own: 'everybody',
    shared: 'everybody',
    protected: 'everybody',
    archived: 'everybody',
    foreign: 'administrators',
    left: 'administrators',
  },
  'read the channel': {
    own: 'everybody',
    shared: 'everybody',
    protected: 'everybody',
    archived: 'everybody',
  },
  'write into the channel': { own: 'everybody', shared: 'everybody', protected: 'everybody' },
  /** The same, for messages from other channels. */
  'move into the channel': { own: 'not guests', shared: 'not guests', protected: 'not guests' },
  'administer the channel': {
    own: 'not guests',
    shared: 'administrators',
    protected: 'administrators',
    archived: 'administrators',
    foreign: 'administrators',
    left: 'administrators',
  },
  'be subscribed': {
    own: 'everybody',
    shared: 'everybody',
    protected: 'everybody',
    archived: 'everybody',
  },
  'read the message': { own: 'everybody', shared: 'everybody', archived: 'everybody' },
  'touch the message': { own: 'everybody', shared: 'everybody' },
  'change the words': { own: 'everybody' },
  'delete the message': { own: 'everybody', shared: 'administrators' },
  'know the person': { own: 'everybody', shared: 'everybody' },
  /** Guests find nobody by an address. */
  'find the person by address': { own: 'everybody', shared: 'not guests' },
  'change the person': { own: 'administrators', shared: 'administrators' },
  'have it': { own: 'everybody' },
  'have it, or be an administrator': { own: 'everybody', foreign: 'administrators' },
  'have it, or be an owner': { own: 'everybody', foreign: 'owners' },
  'know the group': { own: 'everybody', foreign: 'everybody' },
  'just ask': { own: 'everybody' },
  nothing: {},
} as const satisfies Record<string, Rights>;
export type Right = keyof typeof RIGHTS;

export const may = (caller: Caller, right: Right, relation: Relation): boolean =>
  isAmong(caller, (RIGHTS[right] as Rights)[relation] ?? 'nobody');

/** The right that a caller needs to be told more about an object than about a missing one. */
export const KNOWING: Readonly<Record<Kind, Right | 'public'>> = {
  nothing: 'public',
  channel: 'know the channel',
  message: 'read the message',
  user: 'public',
  draft: 'have it',
  snippet: 'have it',
  scheduled: 'have it',
  reminder: 'have it',
  bot: 'public',
  group: 'public',
  queue: 'have it',
  file: 'have it',
  // Everybody may learn that an id exists, but not for whom the invitation is, nor its link.
  invitation: 'public',
};

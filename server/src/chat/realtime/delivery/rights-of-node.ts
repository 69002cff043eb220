// The rights that a node knows, advanced event by event. No I/O: reads are put in, logged events are applied, and
// questions are answered as of the last event.
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import type { Sight } from '../../../accounts/users/sight.ts';
import { isCalled, type Audience, type ChannelAudience } from '../../../platform/events/event.ts';
import {
  canReadChannel,
  canSeeChannel,
  type ChannelFacts,
  type Permissions,
  type Principal,
} from '../../rights/permissions/rights.ts';
import {
  hasReceived,
  joinAt,
  leaveAt,
  type Received,
} from '../../conversations/channel/received.ts';
import type { ChannelRights, RightsEvent } from '../../conversations/channel-rights/events.ts';

interface Membership {
  readonly isActive: boolean;
  readonly received: Received;
}

/** Somebody who has a queue at this node. */
interface NodeReader {
  readonly id: number;
  role: RoleCode;
  /** Groups that the reader is a direct member of. */
  readonly groups: Set<number>;
  /** All groups, through subgroups too; undefined when it has to be computed again. */
  closure: ReadonlySet<number> | undefined;
  readonly memberships: Map<number, Membership>;
  /** The only people whom the reader knows, while they are a guest; undefined if guests know everybody. */
  readonly known: Set<number> | undefined;
}

export interface ReaderFacts {
  readonly role: RoleCode;
  readonly groupIds: Iterable<number>;
  readonly memberships: Iterable<readonly [channelId: number, membership: Membership]>;
  /** Of a guest where guests do not know everybody: whom they know. */
  readonly known?: Iterable<number> | undefined;
}

interface Channel {
  readonly rights: ChannelRights;
  /** The rights before the last change; undefined if the channel did not exist. */
  readonly before: ChannelRights | undefined;
}

const NOBODY_HERE: ReadonlySet<number> = new Set();

export class RightsOfNode {
  /** The domain of the addresses that stand for hidden ones. */
  readonly #host: string;
  readonly #readers = new Map<number, NodeReader>();
  readonly #channels = new Map<number, Channel>();
  /** From a group to the groups that directly contain it. */
  readonly #outer = new Map<number, Set<number>>();
  /** Readers by the channels they are subscribed to. */
  readonly #subscribers = new Map<number, Set<number>>();

  constructor(host: string) {
    this.#host = host;
  }

  // Facts that were read.

  clear(): void {
    this.#readers.clear();
    this.#channels.clear();
    this.#outer.clear();
    this.#subscribers.clear();
  }

  /** Stores a channel as it was read, not as a change. */
  putChannel(channelId: number, rights: ChannelRights): void {
    this.#channels.set(channelId, { rights, before: rights });
  }

  putNesting(groupId: number, subgroupId: number): void {
    const outer = this.#outer.get(subgroupId);
    if (outer === undefined) this.#outer.set(subgroupId, new Set([groupId]));
    else outer.add(groupId);
  }

  putReader(id: number, { role, groupIds, memberships, known }: ReaderFacts): void {
    this.dropReader(id);
    const reader: NodeReader = {
      id,
      role,
      groups: new Set(groupIds),
      closure: undefined,
      memberships: new Map(),
      known: known && new Set(known),
    };
    this.#readers.set(id, reader);
    for (const [channelId, membership] of memberships) {
      this.#setMembership(reader, channelId, membership);
    }
  }

  dropReader(id: number): void {
    const reader = this.#readers.get(id);
    if (reader === undefined) return;
    this.#readers.delete(id);
    for (const channelId of reader.memberships.keys()) this.#unlist(channelId, id);
  }

  knows(id: number): boolean {
    return this.#readers.has(id);
  }

  get readerIds(): Iterable<number> {
    return this.#readers.keys();
  }

  // Events that were logged.

  applyChannel(event: RightsEvent): void {
    if (event.op === 'set') {
      const before = this.#channels.get(event.channel_id)?.rights;
      this.#channels.set(event.channel_id, { rights: event.rights, before });
      return;
    }
    for (const userId of event.user_ids) this.moveReader(userId, event);
  }

  /** Applies the part of an event that concerns one reader. */
  moveReader(userId: number, event: Exclude<RightsEvent, { op: 'set' }>): void {
    const reader = this.#readers.get(userId);
    if (reader === undefined) return;
    const received = reader.memberships.get(event.channel_id)?.received ?? [];
    this.#setMembership(
      reader,
      event.channel_id,
      event.op === 'join'
        ? { isActive: true, received: joinAt(received, event.seq) }
        : { isActive: false, received: leaveAt(received, event.seq) },
    );
  }

  setKnown(userId: number, other: number, isKnown: boolean): void {
    const known = this.#readers.get(userId)?.known;
    if (isKnown) known?.add(other);
    else known?.delete(other);
  }

  /** Everybody here knows this one. */
  introduce(userId: number): void {
    for (const { known } of this.#readers.values()) known?.add(userId);
  }

  guestIds(): number[] {
    const readers = [...this.#readers.values()];
    return readers.filter(({ role }) => role === ROLE.guest).map(({ id }) => id);
  }

  setRole(userId: number, role: RoleCode): void {
    const reader = this.#readers.get(userId);
    if (reader !== undefined) reader.role = role;
  }

  setMember(groupId: number, userId: number, isMember: boolean): void {
    const reader = this.#readers.get(userId);
    if (reader === undefined) return;
    if (isMember) reader.groups.add(groupId);
    else reader.groups.delete(groupId);
    reader.closure = undefined;
  }

  setNesting(groupId: number, subgroupId: number, isNested: boolean): void {
    if (isNested) this.putNesting(groupId, subgroupId);
    else this.#outer.get(subgroupId)?.delete(groupId);
    for (const reader of this.#readers.values()) reader.closure = undefined;
  }

  // Questions.

  isSubscribed(userId: number, channelId: number): boolean {
    return this.#subscribers.get(channelId)?.has(userId) === true;
  }

  subscribersOf(channelId: number): ReadonlySet<number> {
    return this.#subscribers.get(channelId) ?? NOBODY_HERE;
  }

  channelsOf(userId: number): number[] {
    const memberships = this.#readers.get(userId)?.memberships ?? [];
    return [...memberships].filter(([, { isActive }]) => isActive).map(([id]) => id);
  }

  hasReceived(userId: number, channelId: number, seq: number): boolean {
    const membership = this.#readers.get(userId)?.memberships.get(channelId);
    return membership !== undefined && hasReceived(membership.received, seq);
  }

  mayRead(userId: number, channelId: number): boolean {
    return this.#asked(userId, channelId, canReadChannel);
  }

  maySee(userId: number, channelId: number): boolean {
    return this.#asked(userId, channelId, canSeeChannel);
  }

  /** Whether the reader may read the channel without a subscription. */
  isOpenTo(userId: number, channelId: number): boolean {
    const rights = this.#channels.get(channelId)?.rights;
    if (rights === undefined || rights.invite_only) return false;
    return rights.is_web_public || this.#isMember(userId);
  }

  isArchived(channelId: number): boolean {
    return this.#channels.get(channelId)?.rights.is_archived === true;
  }

  /** What the reader sees of others. Of somebody who is not here, nothing is known, so they see as little as anybody. */
  sightOf(userId: number): Sight {
    const reader = this.#readers.get(userId);
    if (reader === undefined) {
      return { viewer: { id: userId, role: ROLE.guest }, host: this.#host, known: NOBODY_HERE };
    }
    const known = reader.role === ROLE.guest ? reader.known : undefined;
    return { viewer: { id: userId, role: reader.role }, host: this.#host, known };
  }

  /** Whether the reader is in the audience now. */
  admits(userId: number, audience: Audience): boolean {
    if ('users' in audience) return audience.users.includes(userId);
    if ('everyone' in audience) return audience.butGuests !== true || this.#isMember(userId);
    // Whom a batch concerns is not decided by rights in the chat.
    if ('trading' in audience) return false;
    if (audience.except?.includes(userId) === true) return false;
    switch (audience.who) {
      case 'aware':
        return this.maySee(userId, audience.channel);
      case 'gained':
        return this.maySee(userId, audience.channel) && !this.#sawBefore(userId, audience.channel);
      case 'lost':
        return !this.maySee(userId, audience.channel) && this.#sawBefore(userId, audience.channel);
      default:
        if (isCalled(audience, userId)) return true;
        return (
          (this.isSubscribed(userId, audience.channel) ||
            (audience.also?.includes(userId) === true && this.mayRead(userId, audience.channel))) &&
          this.heard(userId, audience)
        );
    }
  }

  /** With protected history, whether the reader received the message; otherwise always true. */
  heard(userId: number, { channel, heard }: ChannelAudience): boolean {
    const rights = this.#channels.get(channel)?.rights;
    if (heard === undefined || rights === undefined) return true;
    if (rights.history_public_to_subscribers || rights.is_web_public) return true;
    return this.hasReceived(userId, heard.channel, heard.seq);
  }

  /** Whether the reader may still be shown an earlier event with this audience. */
  mayKeep(userId: number, audience: Audience): boolean {
    if ('users' in audience || 'trading' in audience) return true;
    if ('everyone' in audience) return audience.butGuests !== true || this.#isMember(userId);
    switch (audience.who) {
      case 'lost':
        return true;
      case 'subscribers':
        return (
          isCalled(audience, userId) ||
          (this.mayRead(userId, audience.channel) && this.heard(userId, audience))
        );
      default:
        return this.maySee(userId, audience.channel);
    }
  }

  #asked(
    userId: number,
    channelId: number,
    question: (who: Principal, channel: ChannelFacts) => boolean,
  ): boolean {
    const rights = this.#channels.get(channelId)?.rights;
    return rights !== undefined && this.#ask(userId, channelId, rights, question);
  }

  #sawBefore(userId: number, channelId: number): boolean {
    const before = this.#channels.get(channelId)?.before;
    return before !== undefined && this.#ask(userId, channelId, before, canSeeChannel);
  }

  #ask(
    userId: number,
    channelId: number,
    rights: ChannelRights,
    question: (who: Principal, channel: ChannelFacts) => boolean,
  ): boolean {
    const reader = this.#readers.get(userId);
    if (reader === undefined) return false;
    const who = { id: userId, role: reader.role, groupIds: this.#groupsOf(reader) };
    return question(who, {
      inviteOnly: rights.invite_only,
      isWebPublic: rights.is_web_public,
      historyPublicToSubscribers: rights.history_public_to_subscribers,
      isArchived: rights.is_archived,
      isSubscribed: this.isSubscribed(userId, channelId),
      // Only these three settings decide about seeing and reading.
      permissions: rights as Partial<Permissions<'channel'>> as Permissions<'channel'>,
    });
  }

  #isMember(userId: number): boolean {
    const role = this.#readers.get(userId)?.role;
    return role !== undefined && role !== ROLE.guest;
  }

  #groupsOf(reader: NodeReader): ReadonlySet<number> {
    if (reader.closure !== undefined) return reader.closure;
    const closure = new Set(reader.groups);
    // The loop also visits the groups that it adds.
    for (const group of closure)
      for (const outer of this.#outer.get(group) ?? []) closure.add(outer);
    reader.closure = closure;
    return closure;
  }

  #setMembership(reader: NodeReader, channelId: number, membership: Membership): void {
    reader.memberships.set(channelId, membership);
    if (!membership.isActive) this.#unlist(channelId, reader.id);
    else {
      const listed = this.#subscribers.get(channelId);
      if (listed === undefined) this.#subscribers.set(channelId, new Set([reader.id]));
      else listed.add(reader.id);
    }
  }

  #unlist(channelId: number, userId: number): void {
    const listed = this.#subscribers.get(channelId);
    listed?.delete(userId);
    if (listed?.size === 0) this.#subscribers.delete(channelId);
  }
}

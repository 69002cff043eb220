// What is being written, and to whom. There is one box for the whole client, outside of components: going to another
// view changes nothing about it, unless it is empty.
import type { Conversation, Message } from '../../state/entities.ts';
import { keyOf, topicOf } from '../../state/keys.ts';
import type { Store } from '../../state/store.ts';
import { fenceFor } from './markdown.ts';
import { Uploads } from './uploads.ts';

export interface BoxView {
  readonly destination: Conversation | undefined;
  readonly content: string;
  /** The person picks a destination now. */
  readonly isChoosing: boolean;
  /** Where the destination was before somebody moved the topic. */
  readonly movedFrom: string | undefined;
  /** Raised when the text was changed by something else than typing: where the cursor belongs then. */
  readonly turn: number;
  readonly cursor: number;
  /** Raised when the box wants the focus. */
  readonly focusTurn: number;
  readonly savedAtMs: number | undefined;
}

export class ComposeBox {
  readonly uploads: Uploads;
  readonly #store: Store;
  #draftId: string | undefined;
  #view: BoxView = {
    destination: undefined,
    content: '',
    isChoosing: false,
    movedFrom: undefined,
    turn: 0,
    cursor: 0,
    focusTurn: 0,
    savedAtMs: undefined,
  };
  readonly #listeners = new Set<() => void>();

  constructor(store: Store) {
    this.#store = store;
    this.uploads = new Uploads(
      {
        csrfToken: store.client.boot.csrfToken,
        limit: () => (store.state.organization.limits['uploadMib'] ?? 25) * MIB,
      },
      {
        onStart: (placeholder) => {
          this.insert(`${placeholder}\n`);
          return this.#draftId;
        },
        onDone: (draftId, placeholder, link) => this.#replaceIn(draftId, placeholder, link),
      },
    );
    store.onBatch((batch) => {
      if (batch.kind === 'events') for (const event of batch.events) this.#followMove(event);
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): BoxView => this.#view;

  get isEmpty(): boolean {
    return this.#view.content.trim() === '' && this.uploads.list().length === 0;
  }

  /** A view was opened. An empty box goes with it and takes up the draft of that place; one with a text stays. */
  follow(conversation: Conversation | undefined): void {
    const { destination } = this.#view;
    if (!this.isEmpty || conversation === undefined) return;
    if (destination !== undefined && this.#key(destination) === this.#key(conversation)) return;
    this.#load(conversation);
  }

  /** The person says where to. The text goes along. */
  setDestination(destination: Conversation | undefined): void {
    this.#show({ destination, isChoosing: false, movedFrom: undefined });
    this.#save();
  }

  choose(isChoosing: boolean): void {
    this.#show({ isChoosing });
  }

  dismissMove(): void {
    this.#show({ movedFrom: undefined });
  }

  /** Leaves the text as a draft and writes to another place. */
  switchTo(conversation: Conversation): void {
    this.#save();
    this.#load(conversation);
    this.focus();
  }

  replyTo(conversation: Conversation): void {
    if (this.isEmpty) this.#load(conversation);
    else if (this.#keyNow() !== this.#key(conversation)) {
      this.switchTo(conversation);
      return;
    }
    this.focus();
  }

  /** Quotes the text of a message as it was written, under its sender and link. */
  async quote(message: Message, link: string): Promise<void> {
    const answer = await this.#store.client.chat.getMessage({
      message_id: message.id,
      apply_markdown: false,
    });
    this.replyTo(message.conversation);
    const text = answer.message.content;
    const fence = fenceFor(text);
    const mention = `@_**${message.senderName}|${message.senderId}**`;
    this.insert(`${mention} [${SAID}](${link}):\n${fence}quote\n${text}\n${fence}\n`);
  }

  setContent(content: string): void {
    this.#show({ content });
    this.#save();
  }

  /** Puts a text where the cursor was last, on a line of its own. */
  insert(text: string): void {
    const { content, cursor } = this.#view;
    const before = content.slice(0, cursor);
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    const next = `${before}${gap}${text}${content.slice(cursor)}`;
    this.#show({
      content: next,
      cursor: before.length + gap.length + text.length,
      turn: this.#view.turn + 1,
    });
    this.#save();
  }

  replace(old: string, text: string): void {
    this.#replaceIn(this.#draftId, old, text);
  }

  /** In the text of the box, or in a draft that was left while its file was on the way. */
  #replaceIn(draftId: string | undefined, old: string, text: string): void {
    if (draftId === this.#draftId) {
      const content = this.#view.content.replace(old, () => text);
      this.#show({ content, cursor: content.length, turn: this.#view.turn + 1 });
      this.#save();
      return;
    }
    const draft = this.#store.drafts.list().find(({ id }) => id === draftId);
    if (draft === undefined) return;
    const { id, destination, content } = draft;
    this.#store.drafts.save({ id, destination, content: content.replace(old, () => text) });
  }

  moveCursor(cursor: number): void {
    this.#view = { ...this.#view, cursor };
  }

  focus(): void {
    this.#show({ focusTurn: this.#view.focusTurn + 1 });
  }

  /** Sends what is written; false if there is nothing to send or nobody to send it to. */
  send(): boolean {
    const { destination, content } = this.#view;
    if (destination === undefined || content.trim() === '' || this.uploads.isBusy) return false;
    this.#store.outbox.send({ to: destination, content });
    this.clear();
    return true;
  }

  /** Empties the box; its draft is done with. */
  clear(): void {
    this.uploads.clear();
    if (this.#draftId !== undefined) this.#store.drafts.remove(this.#draftId);
    this.#hold(undefined);
    this.#show({
      content: '',
      cursor: 0,
      turn: this.#view.turn + 1,
      savedAtMs: undefined,
      movedFrom: undefined,
    });
  }

  /** The topic is elsewhere now: a text for it goes along. */
  followTopic(from: Conversation, to: Conversation): void {
    const { destination } = this.#view;
    if (destination?.kind !== 'topic' || this.#key(destination) !== this.#key(from)) return;
    this.#show({ destination: to, movedFrom: destination.topic });
    this.#save();
  }

  #load(conversation: Conversation): void {
    const draft = this.#store.drafts.latestFor(conversation);
    this.#hold(draft?.id);
    const content = draft?.content ?? '';
    this.#show({
      destination: conversation,
      content,
      cursor: content.length,
      isChoosing: false,
      movedFrom: undefined,
      turn: this.#view.turn + 1,
      savedAtMs: draft?.editedAtMs,
    });
  }

  #hold(draftId: string | undefined): void {
    this.#draftId = draftId;
    this.uploads.show(draftId);
  }

  #save(): void {
    const { destination, content } = this.#view;
    if (content === '' && this.#draftId === undefined) return;
    const draft = this.#store.drafts.save({
      id: this.#draftId,
      destination: destination ?? { kind: 'nowhere' },
      content,
    });
    this.#hold(draft?.id);
    this.#show({ savedAtMs: draft?.editedAtMs });
  }

  /** A topic that somebody moves takes what is being written for it along, and says so. */
  #followMove(event: { readonly type: string }): void {
    const { destination } = this.#view;
    if (event.type !== 'update_message' || destination?.kind !== 'topic') return;
    const move = event as {
      readonly orig_subject?: string;
      readonly subject?: string;
      readonly stream_id?: number;
      readonly new_stream_id?: number;
      readonly propagate_mode?: string;
    };
    if (move.propagate_mode !== 'change_all') return;
    const from = topicOf(move.stream_id ?? 0, move.orig_subject ?? '');
    const { new_stream_id: channelId = destination.channelId, subject = destination.topic } = move;
    this.followTopic(from, topicOf(channelId, subject));
  }

  #key(conversation: Conversation): string {
    return keyOf(conversation, this.#store.state.own.userId);
  }

  #keyNow(): string | undefined {
    const { destination } = this.#view;
    return destination && this.#key(destination);
  }

  #show(change: Partial<BoxView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const MIB = 1024 * 1024;

/** In the text itself, which everybody reads: the same word in every language, as other clients write it. */
const SAID = 'said';

const boxes = new WeakMap<Store, ComposeBox>();

export function composeBoxOf(store: Store): ComposeBox {
  const box = boxes.get(store) ?? new ComposeBox(store);
  boxes.set(store, box);
  return box;
}

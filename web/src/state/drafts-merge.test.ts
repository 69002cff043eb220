// Two devices and a server, with every delay between them: no text that was finished is lost.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dropDraft,
  isDirty,
  mergeAll,
  mergeDraft,
  storedText,
  type LocalDraft,
  type Rows,
} from './drafts-merge.ts';
import type { Draft } from './entities.ts';

const PLACE = { kind: 'nowhere' } as const;

const draft = (id: number, content: string): Draft => ({
  id,
  destination: PLACE,
  content,
  editedAt: 1,
});

const row = (given: Partial<LocalDraft>): LocalDraft => ({
  id: 'one',
  destination: PLACE,
  content: 'mine',
  editedAtMs: 1000,
  serverId: 7,
  synced: 'mine',
  ...given,
});

const rowsOf = (...rows: readonly LocalDraft[]): Rows => new Map(rows.map((one) => [one.id, one]));

const NOTHING: ReadonlyMap<string, string> = new Map();
const textsOf = (rows: Rows): string[] => [...rows.values()].map(({ content }) => content).sort();

describe('a draft of the server', () => {
  it('is taken in under a name that every tab gives it', () => {
    const rows = mergeDraft(new Map(), draft(7, 'theirs'), NOTHING);
    expect([...rows.keys()]).toEqual(['s7']);
  });

  it('replaces a text that nobody has touched here', () => {
    const rows = mergeDraft(rowsOf(row({})), draft(7, 'theirs'), NOTHING);
    expect(textsOf(rows)).toEqual(['theirs']);
    expect(rows.get('one')?.serverId).toBe(7);
  });

  it('stands beside a text that was changed here', () => {
    const rows = mergeDraft(rowsOf(row({ content: 'newer' })), draft(7, 'theirs'), NOTHING);
    expect(textsOf(rows)).toEqual(['newer', 'theirs']);
    // The text in the compose box keeps its name, and becomes a draft of its own.
    expect(rows.get('one')).toMatchObject({ content: 'newer', serverId: undefined });
  });

  it('is one’s own change that comes back', () => {
    const typed = row({ content: 'typed more', synced: 'old' });
    const rows = mergeDraft(rowsOf(typed), draft(7, 'typed'), new Map([['one', 'typed']]));
    expect(rows.get('one')).toMatchObject({ content: 'typed more', synced: 'typed', serverId: 7 });
    expect(rows.size).toBe(1);
  });

  it('is one’s own new draft, whose answer has not come yet', () => {
    const created = row({ serverId: undefined, synced: undefined });
    const rows = mergeDraft(rowsOf(created), draft(9, 'mine'), new Map([['one', 'mine']]));
    expect(rows.get('one')).toMatchObject({ serverId: 9, synced: 'mine' });
    expect(rows.size).toBe(1);
  });

  it('takes only what it had along when it is deleted', () => {
    expect(dropDraft(rowsOf(row({})), 7).size).toBe(0);
    expect(textsOf(dropDraft(rowsOf(row({ content: 'newer' })), 7))).toEqual(['newer']);
  });
});

/** A device: its rows, what it has sent and not seen again, and the events on their way to it. */
class Device {
  rows: Rows = new Map();
  readonly inFlight = new Map<string, string>();
  readonly incoming: Draft[] = [];
  readonly outgoing: { id: string; content: string }[] = [];

  /** Writes a word behind what is there. */
  type(word: string): void {
    const known = this.rows.values().next().value;
    const next = known ?? row({ id: 'first', content: '', serverId: undefined, synced: undefined });
    this.rows = new Map(this.rows).set(next.id, { ...next, content: `${next.content}${word} ` });
  }

  push(): void {
    for (const one of this.rows.values()) {
      const { id } = one;
      if (!isDirty(one) || this.inFlight.has(id)) continue;
      const content = storedText(one.content);
      this.inFlight.set(id, content);
      this.outgoing.push({ id, content });
      return;
    }
  }

  hear(): void {
    const event = this.incoming.shift();
    if (event === undefined) return;
    this.rows = mergeDraft(this.rows, event, this.inFlight);
    for (const [id, content] of this.inFlight)
      if (content === event.content) this.inFlight.delete(id);
  }
}

class Server {
  readonly drafts = new Map<number, string>();

  take(from: Device, devices: readonly Device[]): void {
    const sent = from.outgoing.shift();
    if (sent === undefined) return;
    const known = from.rows.get(sent.id)?.serverId;
    const id = known ?? this.drafts.size + 1;
    this.drafts.set(id, sent.content);
    for (const device of devices) device.incoming.push(draft(id, sent.content));
  }
}

describe('two devices that edit one draft', () => {
  it('lose no word, whatever comes when', () => {
    const act = fc.record({
      device: fc.constantFrom(0, 1),
      kind: fc.constantFrom('type', 'push', 'arrive', 'hear', 'hear'),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const devices = [new Device(), new Device()];
        const server = new Server();
        const words: string[] = [];
        let count = 0;
        const settle = () => {
          for (let n = 0; n < 40; n += 1) {
            for (const device of devices) {
              device.push();
              server.take(device, devices);
              device.hear();
            }
          }
        };
        devices[0]?.type('first');
        settle();
        for (const { device: index, kind } of acts) {
          const device = devices[index];
          if (device === undefined) continue;
          if (kind === 'type') {
            const word = `word${(count += 1)}.`;
            device.type(word);
            words.push(word);
          } else if (kind === 'push') device.push();
          else if (kind === 'arrive') server.take(device, devices);
          else device.hear();
        }
        settle();
        const texts = [...server.drafts.values()];
        for (const word of words) {
          expect(
            texts.some((text) => text.includes(word)),
            word,
          ).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the same text with spaces around it', () => {
  it('is the same: the server keeps none of them', () => {
    const typed = row({ content: 'mine \n' });
    expect(isDirty(typed)).toBe(false);
    expect(mergeDraft(rowsOf(typed), draft(7, 'mine'), NOTHING).get('one')).toEqual(typed);
    const created = row({ content: 'mine \n', serverId: undefined, synced: undefined });
    const rows = mergeDraft(rowsOf(created), draft(9, 'mine'), new Map([['one', 'mine']]));
    expect([...rows.values()]).toEqual([{ ...created, serverId: 9, synced: 'mine' }]);
  });
});

describe('a draft whose page ended before the answer came', () => {
  it('is found again at the server, and not created once more', () => {
    const created = row({ serverId: undefined, synced: undefined });
    const rows = mergeAll(rowsOf(created), [draft(9, 'mine')], NOTHING);
    expect([...rows.values()]).toEqual([{ ...created, serverId: 9, synced: 'mine' }]);
  });

  it('is another one if it is for another place', () => {
    const created = row({
      serverId: undefined,
      synced: undefined,
      destination: { kind: 'topic', channelId: 1, topic: 'plan' },
    });
    expect(mergeAll(rowsOf(created), [draft(9, 'mine')], NOTHING).size).toBe(2);
  });
});

describe('a register', () => {
  it('drops what the server has no more', () => {
    expect(mergeAll(rowsOf(row({})), [], NOTHING).size).toBe(0);
  });

  it('keeps a draft that was created while it was under way, so that it is not created again', () => {
    const created = row({});
    const rows = mergeAll(rowsOf(created), [], new Map([['one', 'mine']]));
    expect(rows.get('one')).toEqual(created);
    expect([...mergeDraft(rows, draft(7, 'mine'), NOTHING).keys()]).toEqual(['one']);
  });
});

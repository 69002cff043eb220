// One contract, tested on both buses.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createSecrets } from '../secrets/secrets.ts';
import { BusTimeout, BusUnavailable, PAYLOAD_BYTES_MAX, PayloadTooLarge, type Bus } from './bus.ts';
import { createInProcessBus } from './in-process.ts';
import { createNatsBus } from './nats.ts';
import { signBus } from './signed.ts';

const secrets = createSecrets('5f'.repeat(32));
const implementations: Record<string, () => Bus> = {
  'in process': () => createInProcessBus(() => {}),
  NATS: natsBus,
  'signed on NATS': () =>
    signBus(natsBus(), secrets.keys('contract'), (subject) => {
      throw new Error(`forged: ${subject}`);
    }),
};

function natsBus(prefix = `contract${Math.random()}`.replace('.', '')): Bus {
  return createNatsBus({
    url: inject('natsUrl'),
    name: 'contract test',
    prefix,
    onError: () => {},
    onStatus: () => {},
  });
}

describe.each(Object.keys(implementations))('the bus %s', (name) => {
  let bus: Bus;
  let subjects = 0;
  const fresh = () => `subject${(subjects += 1)}`;

  beforeAll(async () => {
    bus = (implementations[name] as () => Bus)();
    await vi.waitUntil(() => bus.isConnected(), { timeout: 5000 });
  });
  afterAll(() => bus.close());

  it('gives every subscriber every message, in the order of the publisher', async () => {
    const subject = fresh();
    const heard: string[][] = [[], []];
    for (const list of heard) bus.subscribe(subject, (payload) => list.push(payload));
    await sleep(50);
    const sent = Array.from({ length: 100 }, (_, index) => String(index));
    for (const payload of sent) bus.publish(subject, payload);
    await expect.poll(() => heard[1]?.length).toBe(100);
    expect(heard).toEqual([sent, sent]);
  });

  it('never runs a handler on the stack of the publisher', async () => {
    const subject = fresh();
    let heard = false;
    bus.subscribe(subject, () => {
      heard = true;
    });
    await sleep(50);
    bus.publish(subject, '');
    expect(heard).toBe(false);
    await expect.poll(() => heard).toBe(true);
  });

  it('sends no message to a subscriber that left', async () => {
    const subject = fresh();
    const heard: string[] = [];
    const subscription = bus.subscribe(subject, (payload) => heard.push(payload));
    subscription.unsubscribe();
    bus.publish(subject, 'late');
    await sleep(100);
    expect(heard).toEqual([]);
  });

  it('continues after a handler threw', async () => {
    const subject = fresh();
    const heard: string[] = [];
    bus.subscribe(subject, (payload) => {
      if (payload === 'bad') throw new Error('broken handler');
      heard.push(payload);
    });
    await sleep(50);
    bus.publish(subject, 'bad');
    bus.publish(subject, 'good');
    await expect.poll(() => heard).toEqual(['good']);
  });

  it('tells the others of a subject when one of them throws or leaves', async () => {
    const subject = fresh();
    const heard: string[] = [];
    const failing = bus.subscribe(subject, () => {
      throw new Error('broken handler');
    });
    const leaving = bus.subscribe(subject, (payload) => heard.push(`leaving ${payload}`));
    const staying = bus.subscribe(subject, (payload) => heard.push(`staying ${payload}`));
    await sleep(50);
    bus.publish(subject, '1');
    await expect.poll(() => heard).toEqual(['leaving 1', 'staying 1']);
    failing.unsubscribe();
    leaving.unsubscribe();
    // Twice is once.
    leaving.unsubscribe();
    bus.publish(subject, '2');
    await expect.poll(() => heard).toEqual(['leaving 1', 'staying 1', 'staying 2']);
    staying.unsubscribe();
    bus.subscribe(subject, (payload) => heard.push(`back ${payload}`));
    await sleep(50);
    bus.publish(subject, '3');
    await expect.poll(() => heard.at(-1)).toBe('back 3');
    expect(heard).toHaveLength(4);
  });

  it('carries text of any script unchanged', async () => {
    const subject = fresh();
    const heard: string[] = [];
    bus.subscribe(subject, (payload) => heard.push(payload));
    await sleep(50);
    bus.publish(subject, 'بازار ✓ 🏦');
    await expect.poll(() => heard).toEqual(['بازار ✓ 🏦']);
  });

  it('refuses a payload that is too large, with the sizes', () => {
    expect(() => bus.publish(fresh(), 'x'.repeat(PAYLOAD_BYTES_MAX + 1))).toThrow(PayloadTooLarge);
    expect(() => bus.publish(fresh(), 'ب'.repeat(PAYLOAD_BYTES_MAX / 2 + 1))).toThrow(
      PayloadTooLarge,
    );
  });

  it('brings a request to exactly one server, and its answer back', async () => {
    const subject = fresh();
    let calls = 0;
    for (let index = 0; index < 3; index += 1) {
      bus.serve(subject, async (payload) => {
        calls += 1;
        return payload.toUpperCase();
      });
    }
    await sleep(50);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => bus.request(subject, 'hello', 2000)),
    );
    expect(new Set(answers)).toEqual(new Set(['HELLO']));
    expect(calls).toBe(20);
  });

  it('reports at once when nothing serves the subject', async () => {
    await expect(bus.request(fresh(), '', 5000)).rejects.toBeInstanceOf(BusUnavailable);
  });

  it('gives up on a server that does not answer, or that failed', async () => {
    const silent = fresh();
    bus.serve(silent, () => new Promise(() => {}));
    const failing = fresh();
    bus.serve(failing, async () => {
      throw new Error('broken server');
    });
    await sleep(50);
    await expect(bus.request(silent, '', 100)).rejects.toBeInstanceOf(BusTimeout);
    await expect(bus.request(failing, '', 100)).rejects.toBeInstanceOf(BusTimeout);
  });
});

describe('a signed bus', () => {
  it('accepts only messages written with its key for that subject', async () => {
    const raw = natsBus('forgery');
    const forged: string[] = [];
    const heard: string[] = [];
    const bus = signBus(raw, secrets.keys('a'), (subject) => forged.push(subject));
    const stranger = signBus(raw, secrets.keys('b'), () => {});
    await vi.waitUntil(() => raw.isConnected(), { timeout: 5000 });
    const recorded: string[] = [];
    raw.subscribe('signed.first', (message) => recorded.push(message));
    bus.subscribe('first', (payload) => heard.push(payload));
    bus.subscribe('second', (payload) => heard.push(payload));
    await sleep(50);
    bus.publish('first', 'ours');
    await expect.poll(() => heard).toEqual(['ours']);
    stranger.publish('first', 'theirs');
    raw.publish('signed.first', 'plain');
    raw.publish('signed.first', '');
    raw.publish('signed.first', 'x'.repeat(PAYLOAD_BYTES_MAX - 1));
    raw.publish('signed.second', recorded[0] ?? '');
    raw.publish('signed.first', `${recorded[0]} and more`);
    await expect.poll(() => forged.length).toBe(6);
    expect(forged.sort()).toEqual(['first', 'first', 'first', 'first', 'first', 'second']);
    expect(heard).toEqual(['ours']);
    await bus.close();
  });
});

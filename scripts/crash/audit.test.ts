// Checks that the audit finds what it looks for.
import { describe, expect, it } from 'vitest';
import type { NewCommand } from '../../server/src/trading/engine/command.ts';
import type { Broken } from './findings.ts';
import { checkMovements } from './audit-movements.ts';
import { checkSweeps } from './audit-sweeps.ts';
import { keyOf, Records } from './records.ts';

const nothingBroken = (): Broken => ({
  lost: [],
  doubled: [],
  conserved: [],
  honest: [],
  swept: [],
  projections: [],
});

const transfer: NewCommand = {
  type: 'transfer',
  transferId: 'move-1',
  from: 1,
  to: 2,
  coin: 'btc',
  amount: 5n,
};

function recordsOf(command: NewCommand): Records {
  const records = new Records();
  const asked = records.open(keyOf.transfer('move-1'), 'rows', command);
  records.add(asked, { kind: 'done', said: '', isReplay: false });
  return records;
}

describe('movements', () => {
  it('pass when every completed movement moved what was requested', () => {
    const broken = nothingBroken();
    const movements = new Map([['transfer move-1', 'btc 5']]);
    checkMovements(recordsOf(transfer), { movements }, broken);
    expect(broken).toEqual(nothingBroken());
  });

  it('that are marked done but moved nothing are lost', () => {
    const broken = nothingBroken();
    checkMovements(recordsOf(transfer), { movements: new Map() }, broken);
    expect(broken.lost).toEqual(['transfer move-1 is done and moved nothing']);
  });

  it('that moved another amount than requested are lost too', () => {
    const broken = nothingBroken();
    const movements = new Map([['transfer move-1', 'btc 6']]);
    checkMovements(recordsOf(transfer), { movements }, broken);
    expect(broken.lost).toEqual(['transfer move-1 was to move btc 5, and moved btc 6']);
  });

  it('that were reversed took everything in the first part, and nothing in the second', () => {
    const terms = { network: 'SIMULATED', depositId: 'move-1', coin: 'btc', amount: 5n } as const;
    const reversal = (part: number): NewCommand => ({
      type: 'reverse_deposit',
      ...terms,
      part,
      account: 1,
      cover: true,
    });
    for (const [part, line] of [
      [0, 'btc 5 0'],
      [1, 'btc 5 5'],
    ] as const) {
      const cause = `reversal SIMULATED:move-1:${part}`;
      const broken = nothingBroken();
      checkMovements(recordsOf(reversal(part)), { movements: new Map([[cause, line]]) }, broken);
      expect(broken).toEqual(nothingBroken());
      const movements = new Map([[cause, 'btc 5 2']]);
      checkMovements(recordsOf(reversal(part)), { movements }, broken);
      expect(broken.lost).toEqual([`${cause} was to move ${line}, and moved btc 5 2`]);
    }
  });

  it('that nobody requested are found', () => {
    const broken = nothingBroken();
    const movements = new Map([['deposit SIMULATED:move-9', 'btc 1']]);
    checkMovements(new Records(), { movements }, broken);
    expect(broken.honest).toEqual(['nobody asked for deposit SIMULATED:move-9']);
  });
});

describe('sweeps', () => {
  const sweep = { kind: 'account', symbol: 'ethusdt', orderIds: [1, 2, 3] } as const;

  it('count as cut when two engines ended their orders', () => {
    const broken: string[] = [];
    const ends = new Map([1, 1, 2].map((epoch, index) => [index + 1, epoch]));
    expect(checkSweeps({ ends }, [sweep], broken)).toEqual({ count: 1, orders: 3, cut: 1 });
    expect(broken).toEqual([]);
  });

  it('that left an order over are found', () => {
    const broken: string[] = [];
    const ends = new Map([
      [1, 1],
      [2, 1],
    ]);
    checkSweeps({ ends }, [sweep], broken);
    expect(broken).toEqual(['1 of 3 orders outlived a sweep (account) of ethusdt']);
  });
});

import { expect, it } from 'vitest';
import { apply, audit, findOrder, pendingSweeps, restore, snapshot, stateHash } from './index.ts';

/** Written by the first release: a small venue with one order that is partly filled. */
const FORMAT_2 = [
  'w5rJAgIAMgIBEACAgLPBnDMAAAIDYnRjAQNCVEMEdXNkdAIDRVRIBFRST04DA0JUQwELAAAA48hmbFNGewIAAANFVEgAAAEL',
  'AAAA48hmbFNGewIEVFJPTgAAAAABAAAAAAMBAAAAAAACAQAAAAADAgAAAAAAAAACAAAKAACCgNLaFRzC0wAAAAABAAoAAL4v',
  'xZZb3cHTAAgAAI7dsVN4JQAAAgAACgAAfsEIv4cbwtMAAAAAAQAKAAC0NGSvyTTC0wAAAAACAAAKAAAAoe3MzhvC0wAAAAAB',
  'AAoAAACh7czOG8LTAAAAAAEHYnRjdXNkdANidGMEdXNkdAIBwIQ9AcCEPQHAhD3oB6DCHqCNBgACZAoKAAAACgAAAKHtzM4b',
  'wtMMZXhwaXJlX3Rha2VyAwMAAAKEBwGA8J3HBoQHAbvKgAMBhAcFAwKAgLPBnDOAgLPBnDMQAAgAAI7dsVN4JQAIAAC0k3bi',
  '+hgAAAAAAQIAAgCBBAhkZXNrLWEtMQEBAAG7yoACAoQHAgACgICzwZwzgICzwZwzEAAIAAC0k3bi+hgBAAEAAQAAAwCBBAAA',
  'BgtkOkJUQzoxLWJ0Yx9idGN8MXwxMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwBwxkOkVUSDoxLXVzZHQgdXNkdHwxfDEwMDAw',
  'MDAwMDAwMDAwMDAwMDAwMDAwMDAIC2Q6QlRDOjItYnRjH2J0Y3wyfDEwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAKDGQ6RVRI',
  'OjItdXNkdCB1c2R0fDJ8MTAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMAsLZDpCVEM6My1idGMfYnRjfDN8MTAwMDAwMDAwMDAw',
  'MDAwMDAwMDAwMDAwMA0MZDpFVEg6My11c2R0IHVzZHR8M3wxMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwDg==',
].join('');

it('a snapshot of the first release is read, lives by rules 1, and can be upgraded', () => {
  const state = restore(new Uint8Array(Buffer.from(FORMAT_2, 'base64')));
  expect(state.rules).toBe(1);
  expect([...state.hashKey]).toEqual([0, 0, 0, 0]);
  expect(state.config).toMatchObject({ memory: 50, sweepStep: 200 });
  expect(pendingSweeps(state)).toBe(0);
  expect(audit(state)).toEqual([]);
  const mine = { clientOrderId: 'desk-a-1' };
  expect(findOrder(state, 1, mine)).toMatchObject({ status: 'partially_filled', filledVolume: 2 });
  const hashKey = '00112233445566778899aabbccddeeff';
  const { time } = state;
  expect(apply(state, { type: 'upgrade', time, version: 2, hashKey }).result.kind).toBe('done');
  expect(findOrder(state, 1, mine)?.remainingVolume).toBe(3);
  const again = restore(snapshot(state));
  expect(again.rules).toBe(2);
  expect(stateHash(again)).toBe(stateHash(state));
  expect(findOrder(again, 1, mine)?.remainingVolume).toBe(3);
});

import { mnemonicToSeedSync } from '@scure/bip39';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CHANGE_BRANCH,
  DEPOSIT_BRANCH,
  EVM_DEPOSIT_ACCOUNT,
  EVM_HOT_ACCOUNT,
  deriveFingerprint,
  deriveXpub,
  evmAddress,
  evmChecksum,
  openAccount,
  openPrivateAccount,
  readEvmAddress,
  readUtxoAddress,
  signEvmTransaction,
  transferData,
  utxoAccount,
  utxoAddress,
  utxoAddressOf,
  utxoScript,
} from './index.ts';

// The words of the test vectors of BIP84.
const ABANDON =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const seed = mnemonicToSeedSync(ABANDON);
const BITCOIN = { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif: 0x80 };
const LITECOIN = { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 };

describe('addresses', () => {
  it('are those of the vectors of BIP84, from the public key alone', () => {
    const account = openAccount(deriveXpub(seed, utxoAccount(0)));
    const address = (branch: number, index: number) =>
      utxoAddress(BITCOIN, account.publicKey({ branch, index }));
    expect(address(DEPOSIT_BRANCH, 0)).toBe('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
    expect(address(DEPOSIT_BRANCH, 1)).toBe('bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g');
    expect(address(CHANGE_BRANCH, 0)).toBe('bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el');
    expect(deriveFingerprint(seed).toString(16)).toBe('73c5da0a');
  });

  it('on EVM are those that every wallet shows for these words', () => {
    const deposits = openAccount(deriveXpub(seed, EVM_DEPOSIT_ACCOUNT));
    expect(evmAddress(deposits.publicKey({ branch: 0, index: 0 }))).toBe(
      '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
    );
    const hot = openAccount(deriveXpub(seed, EVM_HOT_ACCOUNT));
    expect(hot.xpub).not.toBe(deposits.xpub);
  });

  it('from the public key are those from the private key, wherever', () => {
    const place = fc.record({ branch: fc.constantFrom(0, 1), index: fc.nat(0x7fff_ffff) });
    const account = openAccount(deriveXpub(seed, utxoAccount(2)));
    const privateKey = openPrivateAccount(seed, utxoAccount(2));
    fc.assert(
      fc.property(place, (at) => {
        const own = HDKey.fromMasterSeed(seed).derive(`m/84'/2'/0'/${at.branch}/${at.index}`);
        expect(account.publicKey(at)).toEqual(own.publicKey);
        expect(privateKey(at)).toEqual(own.privateKey);
        const address = utxoAddress(LITECOIN, account.publicKey(at));
        expect(readUtxoAddress(LITECOIN, address)).toEqual(utxoScript(account.publicKey(at)));
        expect(readUtxoAddress(BITCOIN, address)).toBeUndefined();
      }),
      { numRuns: 20 },
    );
  });

  it('are not made from a private key, from nonsense, or at a hardened place', () => {
    const xprv = HDKey.fromMasterSeed(seed).derive(utxoAccount(0)).privateExtendedKey;
    expect(() => openAccount(xprv)).toThrow(/Only the signer/);
    expect(() => openAccount('xpub')).toThrow(/rialto signer pubkeys/);
    const account = openAccount(deriveXpub(seed, utxoAccount(0)));
    for (const index of [-1, 0.5, 0x8000_0000, Number.NaN]) {
      expect(() => account.publicKey({ branch: 0, index })).toThrow(/index/);
    }
  });

  it('are found again in the script that pays to them, and in no other script', () => {
    const script = '0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2';
    const address = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';
    expect(utxoAddressOf(BITCOIN, script)).toBe(address);
    const others = [script.slice(0, -2), `${script}00`, `5120${'0'.repeat(64)}`, '', `0${script}`];
    for (const other of others) expect(utxoAddressOf(BITCOIN, other)).toBeUndefined();
    expect(utxoAddressOf(BITCOIN, `0014${'0'.repeat(40)}`)).not.toBe(address);
  });

  it('have the checksums of EIP-55', () => {
    for (const address of [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
      '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    ]) {
      expect(evmChecksum(address.slice(2).toLowerCase())).toBe(address);
    }
  });

  it('with a wrong checksum, or of another form, are none', () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(readEvmAddress(address)).toBe(address);
    expect(readEvmAddress(address.toLowerCase())).toBe(address);
    expect(readEvmAddress(address.replace('aA', 'Aa'))).toBeUndefined();
    expect(readEvmAddress(address.slice(0, -1))).toBeUndefined();
    expect(readUtxoAddress(LITECOIN, 'ltc1qqqqqqqqqqqqqqqq')).toBeUndefined();
  });
});

describe('transactions of type 2', () => {
  const key = Uint8Array.from(Buffer.from('46'.repeat(32), 'hex'));
  const base = {
    chainId: 1n,
    nonce: 9n,
    maxPriorityFeePerGas: 2_000_000_000n,
    maxFeePerGas: 20_000_000_000n,
    gas: 21_000n,
    to: '0x3535353535353535353535353535353535353535',
    value: 10n ** 18n,
    data: new Uint8Array(),
  };

  it('give the same bytes each time, and other bytes for each changed field', () => {
    const first = signEvmTransaction(base, key);
    expect(signEvmTransaction(base, key)).toEqual(first);
    const others = [
      { chainId: 5n },
      { nonce: 10n },
      { maxFeePerGas: 20_000_000_001n },
      { gas: 21_001n },
      { to: '0x3535353535353535353535353535353535353536' },
      { value: 10n ** 18n + 1n },
      { data: Uint8Array.of(0) },
    ].map((change) => signEvmTransaction({ ...base, ...change }, key).raw);
    expect(new Set([first.raw, ...others]).size).toBe(8);
  });

  it('a transfer of a token is one call with two words', () => {
    const data = Buffer.from(transferData(base.to, 255n)).toString('hex');
    expect(data).toBe(`a9059cbb${'0'.repeat(24)}${'35'.repeat(20)}${'0'.repeat(62)}ff`);
  });
});

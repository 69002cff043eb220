// The one-time pad of an app: 32 bytes, which hide a key on its way through the browser and the system's list of links.

const PAD = /^[0-9a-fA-F]{64}$/;

export const isPad = (text: string): boolean => PAD.test(text);

/** The key's 32 characters, each combined with one byte of the pad, in hexadecimal digits. */
export function encryptForApp(key: string, padHex: string): string {
  const bytes = Buffer.from(key, 'ascii');
  const pad = Buffer.from(padHex, 'hex');
  if (bytes.length !== pad.length) throw new Error('A pad is as long as the key.');
  return Buffer.from(bytes.map((byte, place) => byte ^ (pad[place] ?? 0))).toString('hex');
}

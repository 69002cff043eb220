// CRC-32 (IEEE) of an ASCII text, as the checksum of a book needs it. Platforms offer none that works everywhere.
const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    value = (value & 1) === 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  }
  return value;
});

/** Returns an unsigned number. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ text.charCodeAt(at)) & 0xff] as number);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

// Arrays that grow without a pause. The matching thread answers no requests while it copies, and a
// million orders are 384 MB, so large arrays are never copied. Their address range is reserved in
// advance, far beyond what is needed, which costs neither memory nor time; growing only makes more
// of it usable.
// A buffer that can grow in place is either a resizable ArrayBuffer, where every access checks the
// length (the core would take twice as long), or a shared one. A shared one can never shrink, so
// arrays of a fixed length over it are as fast as any. The sharing itself is not used here.

/** Bytes up to which an array is copied when it grows: a tenth of a millisecond at most. */
const COPIED_MAX = 1 << 18;
/** Addresses that are reserved for one array, unless it is larger from the beginning. */
const RESERVED = 2 ** 33;

/** All arrays of the core are of one of these. */
type Cells = Int32Array | Uint32Array | Float64Array;
type Kind<T extends Cells> = new (buffer: ArrayBufferLike, offset: number, length: number) => T;

const isGrowable = (buffer: ArrayBufferLike): buffer is SharedArrayBuffer =>
  buffer instanceof SharedArrayBuffer && buffer.growable;

/** A buffer of zeros that `widen` can make larger where it lies, if it is large. Its pages cost nothing until used. */
export function reserve(byteLength: number): ArrayBufferLike {
  if (byteLength <= COPIED_MAX) return new ArrayBuffer(byteLength);
  try {
    return new SharedArrayBuffer(byteLength, { maxByteLength: Math.max(byteLength, RESERVED) });
  } catch (error) {
    // The address space of this process is limited. Growing then means a pause, as it does
    // everywhere else.
    if (!(error instanceof RangeError)) throw error;
    return new ArrayBuffer(byteLength);
  }
}

/**
 * The array with room for this many elements, and zeros in the new ones. The old one must not be
 * written any more.
 */
export function widen<T extends Cells>(old: T, length: number): T {
  const { buffer, BYTES_PER_ELEMENT: bytes } = old;
  const kind = old.constructor as Kind<T>;
  if (isGrowable(buffer) && length * bytes <= buffer.maxByteLength) {
    buffer.grow(length * bytes);
    return new kind(buffer, 0, length);
  }
  const larger = new kind(reserve(length * bytes), 0, length);
  larger.set(old);
  return larger;
}

export const int32s = (length: number): Int32Array =>
  new Int32Array(reserve(length * Int32Array.BYTES_PER_ELEMENT), 0, length);

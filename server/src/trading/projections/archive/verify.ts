// Reads a whole file back and compares it with its manifest: the bytes of the file, every block, and the content.
import { createHash } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import { ArchiveDamaged, readSection } from './read.ts';
import { sourceOf } from './sources.ts';
import type { Archive } from './store.ts';

/** Throws if the file is not what was written. Memory has one block. */
export async function verifyArchive(
  ctx: Pick<Context, 'db' | 'files'>,
  archive: Archive,
): Promise<void> {
  const { manifest } = archive;
  if (manifest === undefined) throw new ArchiveDamaged(archive, 'was never finished');
  const content = createHash('sha256');
  for (const [n, { section }] of sourceOf(archive.name).sections.entries()) {
    let rows = 0n;
    for await (const [block, lines] of readSection(ctx, archive, section)) {
      rows += BigInt(block.rows);
      for (const line of lines) content.update(`${line}\n`);
    }
    // Of the second section the content tells: a trade stands in it with each of its sides.
    if (n === 0 && rows !== manifest.rows) {
      throw new ArchiveDamaged(archive, `has ${rows} rows instead of ${manifest.rows}`);
    }
  }
  if (content.digest('hex') !== manifest.contentSha256) {
    throw new ArchiveDamaged(archive, 'its content is not the one that was written');
  }
  const { bytes, sha256 } = await hashFile(ctx, archive);
  if (bytes !== manifest.fileBytes) {
    throw new ArchiveDamaged(archive, `has ${bytes} bytes instead of ${manifest.fileBytes}`);
  }
  if (sha256 !== manifest.fileSha256) {
    throw new ArchiveDamaged(archive, 'its SHA-256 is not the one of the manifest');
  }
}

async function hashFile(
  { files }: Pick<Context, 'files'>,
  archive: Archive,
): Promise<{ readonly bytes: bigint; readonly sha256: string }> {
  const stream = await files.read(archive.fileKey);
  if (stream === undefined) throw new ArchiveDamaged(archive, 'is missing in the file store');
  const file = createHash('sha256');
  let bytes = 0n;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    file.update(piece);
    bytes += BigInt(piece.length);
  }
  return { bytes, sha256: file.digest('hex') };
}

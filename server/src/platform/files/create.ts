import type { Config } from '../config/schema.ts';
import type { Files } from './files.ts';

/** A bucket, if one is named, otherwise a folder. Only what is used is loaded: an engine that starts is waited for. */
export async function createFiles(config: Config): Promise<Files> {
  if (config.S3_BUCKET === '') {
    const { createDiskFiles } = await import('./disk.ts');
    return createDiskFiles(config.UPLOADS_DIR);
  }
  const { createS3Files } = await import('./s3.ts');
  return createS3Files(config);
}

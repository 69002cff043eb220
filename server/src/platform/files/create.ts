import type { Config } from '../config/schema.ts';
import { createDiskFiles } from './disk.ts';
import type { Files } from './files.ts';
import { createS3Files } from './s3.ts';

/** A bucket, if one is named, otherwise a folder. */
export const createFiles = (config: Config): Files =>
  config.S3_BUCKET === '' ? createDiskFiles(config.UPLOADS_DIR) : createS3Files(config);

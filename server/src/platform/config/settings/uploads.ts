// Settings of uploaded files: where they are kept, and how many there may be.
import { Type } from 'typebox';
import { count, SECRET } from './define.ts';

export const UPLOADS = {
  UPLOADS_DIR: Type.String({
    minLength: 1,
    default: 'data/uploads',
    description:
      'Folder for uploaded files, the same for every api and worker process. Not used with S3_BUCKET.',
  }),
  S3_BUCKET: Type.String({
    default: '',
    description: 'Bucket for uploaded files. Empty: they are kept in UPLOADS_DIR.',
  }),
  S3_ENDPOINT: Type.String({
    pattern: '^https?://|^$',
    form: 'a URL that begins with http:// or https://',
    example: 'https://s3.example.com',
    default: '',
    description: 'Where S3 is, if it is not Amazon’s.',
  }),
  S3_REGION: Type.String({ default: 'us-east-1', description: 'Region of the bucket.' }),
  S3_ACCESS_KEY_ID: Type.String({
    default: '',
    description: 'Key id for S3. Empty: as the machine’s own role gives it.',
  }),
  S3_SECRET_ACCESS_KEY: Type.String({ ...SECRET, default: '', description: 'Secret key for S3.' }),
  S3_FORCE_PATH_STYLE: Type.String({
    pattern: '^(true|false)$',
    form: 'true or false',
    default: 'true',
    description: 'Whether the bucket is named in the path (true) or in the host name (false).',
  }),
  MAX_FILE_UPLOAD_SIZE_MIB: count(1, 1_000_000, 100, 'Largest file that may be uploaded, in MiB.'),
  REALM_UPLOAD_QUOTA_MIB: count(
    0,
    1_000_000_000,
    0,
    'Most MiB for all uploaded files of the organization. 0: no limit.',
  ),
  USER_UPLOAD_QUOTA_MIB: count(
    0,
    1_000_000_000,
    10_240,
    'Most MiB for the uploaded files of one person. 0: no limit.',
  ),
  UPLOADS_UNFINISHED_MAX: count(1, 100_000, 100, 'Unfinished uploads that one person may have.'),
  UPLOADS_UNFINISHED_HOURS: count(
    1,
    24 * 30,
    24,
    'How long an unfinished upload may be resumed; then it is deleted.',
  ),
  UPLOADS_UNREFERENCED_DAYS: count(1, 3650, 28, 'How long a file is kept that is in no message.'),
};

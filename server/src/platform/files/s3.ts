// Files in a bucket of S3, or of a compatible service.
import { Readable } from 'node:stream';
import { S3, S3ServiceException, type S3ClientConfig } from '@aws-sdk/client-s3';
import { S3Store } from '@tus/s3-store';
import type { KvStore } from '@tus/server';
import type { Config } from '../config/schema.ts';
import { checkKey, limited, NoRoomForFiles, type Files } from './files.ts';

/**
 * How much of a file is in memory at a time. Smaller files go in one request, larger ones in parts
 * of this size.
 */
const PART_BYTES = 8 * 1024 * 1024;
const REQUEST_MS = 60_000;
const CONNECT_MS = 3000;

type Settings = Pick<
  Config,
  | 'S3_BUCKET'
  | 'S3_ENDPOINT'
  | 'S3_REGION'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
  | 'S3_FORCE_PATH_STYLE'
>;

function clientConfig(settings: Settings): S3ClientConfig {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  return {
    region: settings.S3_REGION,
    forcePathStyle: settings.S3_FORCE_PATH_STYLE === 'true',
    // By default the library sends checksums in a trailer, and some servers store its framing in
    // the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: REQUEST_MS },
    ...(settings.S3_ENDPOINT !== '' && { endpoint: settings.S3_ENDPOINT }),
    // Without keys the library uses the cloud machine's own role.
    ...(accessKeyId !== '' && { credentials: { accessKeyId, secretAccessKey } }),
  };
}

export function createS3Files(settings: Settings): Files {
  const config = clientConfig(settings);
  const client = new S3(config);
  const Bucket = settings.S3_BUCKET;
  const at = (key: string) => ({ Bucket, Key: checkKey(key) });

  async function putParts(
    key: string,
    chunks: AsyncIterable<Buffer>,
    first: Buffer,
  ): Promise<number> {
    const { UploadId } = await client.createMultipartUpload(at(key));
    if (UploadId === undefined) throw new Error('S3 began an upload without giving it an id.');
    try {
      const parts: { ETag: string | undefined; PartNumber: number }[] = [];
      let count = 0;
      const send = async (Body: Buffer) => {
        const PartNumber = parts.length + 1;
        const { ETag } = await client.uploadPart({ ...at(key), UploadId, PartNumber, Body });
        parts.push({ ETag, PartNumber });
        count += Body.length;
      };
      await send(first);
      for await (const part of chunks) await send(part);
      await client.completeMultipartUpload({
        ...at(key),
        UploadId,
        MultipartUpload: { Parts: parts },
      });
      return count;
    } catch (error) {
      await client.abortMultipartUpload({ ...at(key), UploadId }).catch(() => {});
      throw error;
    }
  }

  return {
    async prepare() {
      await client.headBucket({ Bucket }).catch((error: unknown) => {
        throw new Error(
          `Uploaded files should go to the bucket ${Bucket}, which cannot be reached: ${messageOf(error)}. ` +
            'Look at S3_BUCKET, S3_ENDPOINT, S3_REGION and the two keys.',
          { cause: error },
        );
      });
    },
    async put(key, bytes, bytesMax) {
      const parts = inParts(limited(bytes, bytesMax));
      try {
        const { value: first } = await parts.next();
        if (first === undefined) throw new Error('A file has at least one part, if an empty one.');
        if (first.length >= PART_BYTES) return await putParts(key, parts, first);
        await client.putObject({ ...at(key), Body: first });
        return first.length;
      } catch (error) {
        throw toFault(error);
      }
    },
    async read(key, range) {
      const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`;
      const found = await client.getObject({ ...at(key), Range }).catch(onlyMissing);
      return found?.Body instanceof Readable ? found.Body : undefined;
    },
    async size(key) {
      return (await client.headObject(at(key)).catch(onlyMissing))?.ContentLength;
    },
    // What S3 has acknowledged is durable.
    settle: async () => {},
    async remove(key) {
      await client.deleteObject(at(key)).catch(onlyMissing);
    },
    async sweep(before) {
      const { Uploads = [] } = await client.listMultipartUploads({ Bucket, MaxUploads: 1000 });
      let count = 0;
      for (const { Key, UploadId, Initiated } of Uploads) {
        if (Initiated === undefined || Initiated >= before) continue;
        await client.abortMultipartUpload({ Bucket, Key, UploadId }).catch(onlyMissing);
        count += 1;
      }
      return count;
    },
    resumable: (_rows, expiryMs) =>
      new PlainS3Store({
        partSize: PART_BYTES,
        useTags: false,
        // Nothing is remembered: another process may continue the upload, and memory is bounded.
        cache: FORGETFUL,
        expirationPeriodInMilliseconds: expiryMs,
        maxConcurrentPartUploads: 4,
        s3ClientConfig: { ...config, bucket: Bucket },
      }),
    async forgetResumable(key) {
      for (const Key of [`${checkKey(key)}.info`, `${key}.part`]) {
        await client.deleteObject({ Bucket, Key }).catch(onlyMissing);
      }
    },
    close: () => client.destroy(),
  };
}

/**
 * The library deletes several objects in one request, which some servers accept only with a
 * checksum that it does not send.
 */
class PlainS3Store extends S3Store {
  override async remove(id: string): Promise<void> {
    const { 'upload-id': UploadId } = await this.getMetadata(id);
    const at = { Bucket: this.bucket, Key: id };
    await this.client.abortMultipartUpload({ ...at, UploadId }).catch(onlyMissing);
    for (const Key of [id, this.infoKey(id), this.partKey(id, true)]) {
      await this.client.deleteObject({ ...at, Key }).catch(onlyMissing);
    }
  }
}

const FORGETFUL: KvStore<never> = {
  get: async () => undefined,
  set: async () => {},
  delete: async () => {},
};

/**
 * Joins chunks to the size of a part; the last one may be smaller, or empty if it is the only one.
 */
async function* inParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let held: Buffer[] = [];
  let bytes = 0;
  let isFirst = true;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
    isFirst = false;
  }
  if (bytes > 0 || isFirst) yield Buffer.concat(held);
}

const messageOf = (error: unknown): string =>
  error instanceof S3ServiceException
    ? `${error.name} (status ${error.$metadata.httpStatusCode})`
    : (error as Error).message;

function onlyMissing(error: unknown): undefined {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) {
    return undefined;
  }
  throw error;
}

const FULL: ReadonlySet<string> = new Set(['QuotaExceeded', 'InsufficientStorage']);

const toFault = (error: unknown): unknown =>
  error instanceof S3ServiceException &&
  (FULL.has(error.name) || error.$metadata.httpStatusCode === 507)
    ? new NoRoomForFiles('The bucket for uploaded files is full.', { cause: error })
    : error;

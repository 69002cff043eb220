// One file to the server in pieces that survive a cut (tus). Loaded with the first file.
import { Upload } from 'tus-js-client';

/** What a cut costs at most, besides the wait. */
const CHUNK_BYTES = 1024 * 1024;
const RETRY_MS = [0, 1_000, 3_000, 5_000, 10_000];

/** One transfer. */
export interface Transfer {
  pause(): void;
  resume(): void;
  cancel(): void;
}

export function startTransfer(
  file: File,
  csrfToken: string,
  told: {
    readonly onProgress: (sent: number) => void;
    readonly onDone: (path: string) => void;
    readonly onFailed: (error: unknown) => void;
  },
): Transfer {
  let path = '';
  const upload = new Upload(file, {
    endpoint: '/api/v1/tus',
    chunkSize: CHUNK_BYTES,
    retryDelays: RETRY_MS,
    removeFingerprintOnSuccess: true,
    headers: { 'X-CSRFToken': csrfToken },
    metadata: { filename: file.name, filetype: file.type },
    onProgress: told.onProgress,
    onAfterResponse(_request, response) {
      const body = response.getBody();
      if (!body.startsWith('{')) return;
      const { url } = JSON.parse(body) as { url?: string };
      if (url !== undefined) path = url;
    },
    onSuccess: () => told.onDone(path),
    onError: told.onFailed,
  });
  const start = () => {
    upload
      .findPreviousUploads()
      .then(([earlier]) => {
        if (earlier !== undefined) upload.resumeFromPreviousUpload(earlier);
        upload.start();
      })
      .catch(told.onFailed);
  };
  start();
  return {
    pause: () => void upload.abort(),
    resume: () => upload.start(),
    cancel: () => void upload.abort(true).catch(() => undefined),
  };
}

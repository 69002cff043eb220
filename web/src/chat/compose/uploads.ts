// Files on their way into drafts. Each belongs to the draft that it was added to: going elsewhere, or writing elsewhere,
// stops nothing, and the link ends up where the file was meant for.
import type { startTransfer, Transfer } from './transfer.ts';

export interface UploadRow {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  /** Bytes that the server has. */
  readonly sent: number;
  readonly state: 'waiting' | 'sending' | 'paused' | 'failed';
  /** `size` and `network` are said in the words of the page, others as they came. */
  readonly why: string | undefined;
}

/** What becomes of the text while files come and go. */
export interface UploadsTold {
  /** Puts the placeholder into the text; gives the id of the draft that has it now. */
  readonly onStart: (placeholder: string) => string | undefined;
  /** The link takes the place of the placeholder, or nothing does. */
  readonly onDone: (draftId: string | undefined, placeholder: string, link: string) => void;
}

export interface UploadsOptions {
  readonly csrfToken: string;
  /** The largest file that the server takes, in bytes. */
  readonly limit: () => number;
  /** The library comes with the first file. */
  readonly load?: () => Promise<{ readonly startTransfer: typeof startTransfer }>;
}

const AT_ONCE = 3;
const FILES_MAX = 20;

interface Running {
  row: UploadRow;
  readonly file: File;
  readonly placeholder: string;
  /** Of the draft; undefined for a file that was refused at once. */
  readonly draftId: string | undefined;
  transfer: Transfer | undefined;
}

export class Uploads {
  readonly #options: UploadsOptions;
  readonly #told: UploadsTold;
  readonly #running = new Map<string, Running>();
  /** The draft that is in the box. */
  #draftId: string | undefined;
  #list: readonly UploadRow[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(options: UploadsOptions, told: UploadsTold) {
    this.#options = options;
    this.#told = told;
    globalThis.addEventListener?.('online', () => this.#resumeCut());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Those of the draft in the box. */
  readonly list = (): readonly UploadRow[] => this.#list;

  /** Another draft is in the box now. */
  show(draftId: string | undefined): void {
    if (draftId === this.#draftId) return;
    this.#draftId = draftId;
    this.#tell();
  }

  get isBusy(): boolean {
    return this.#list.some(({ state }) => state !== 'failed');
  }

  get limit(): number {
    return this.#options.limit();
  }

  add(files: Iterable<File>): void {
    for (const file of [...files].slice(0, FILES_MAX - this.#running.size)) {
      const id = crypto.randomUUID();
      const isTooBig = file.size > this.limit;
      const placeholder = `[${file.name}](#${id})`;
      this.#running.set(id, {
        file,
        placeholder,
        draftId: isTooBig ? undefined : this.#told.onStart(placeholder),
        transfer: undefined,
        row: {
          id,
          name: file.name,
          size: file.size,
          sent: 0,
          state: isTooBig ? 'failed' : 'waiting',
          why: isTooBig ? 'size' : undefined,
        },
      });
    }
    this.#next();
  }

  pause(id: string): void {
    this.#running.get(id)?.transfer?.pause();
    this.#change(id, { state: 'paused' });
    this.#next();
  }

  resume(id: string): void {
    const one = this.#running.get(id);
    if (one?.transfer === undefined) this.#change(id, { state: 'waiting', why: undefined });
    else {
      one.transfer.resume();
      this.#change(id, { state: 'sending', why: undefined });
    }
    this.#next();
  }

  cancel(id: string): void {
    const one = this.#running.get(id);
    one?.transfer?.cancel();
    this.#running.delete(id);
    if (one !== undefined) this.#told.onDone(one.draftId, one.placeholder, '');
    this.#next();
  }

  /** The draft in the box is done with. */
  clear(): void {
    for (const [id, one] of this.#running) {
      if (!this.#isShown(one)) continue;
      one.transfer?.cancel();
      this.#running.delete(id);
    }
    this.#next();
  }

  /** The network is back. */
  #resumeCut(): void {
    for (const { row } of this.#running.values()) {
      if (row.why === 'network') this.resume(row.id);
    }
  }

  #isShown({ draftId }: Running): boolean {
    return draftId === undefined || draftId === this.#draftId;
  }

  #next(): void {
    const sending = [...this.#running.values()].filter(({ row }) => row.state === 'sending').length;
    const waiting = [...this.#running.values()].filter(({ row }) => row.state === 'waiting');
    for (const one of waiting.slice(0, Math.max(0, AT_ONCE - sending))) this.#start(one);
    this.#tell();
  }

  #start(one: Running): void {
    const { id } = one.row;
    one.row = { ...one.row, state: 'sending' };
    const failed = (error: unknown) => {
      one.transfer = undefined;
      this.#change(id, { state: 'failed', why: reasonOf(error) });
      this.#next();
    };
    const { load = () => import('./transfer.ts'), csrfToken } = this.#options;
    load()
      .then(({ startTransfer }) => {
        // It may have been canceled while the library came.
        if (!this.#running.has(id)) return;
        one.transfer = startTransfer(one.file, csrfToken, {
          onProgress: (sent) => this.#change(id, { sent }),
          onDone: (path) => {
            this.#running.delete(id);
            const mark = one.file.type.startsWith('image/') ? '!' : '';
            this.#told.onDone(one.draftId, one.placeholder, `${mark}[${one.file.name}](${path})`);
            this.#next();
          },
          onFailed: failed,
        });
      })
      .catch(failed);
  }

  #change(id: string, change: Partial<UploadRow>): void {
    const one = this.#running.get(id);
    if (one === undefined) return;
    one.row = { ...one.row, ...change };
    this.#tell();
  }

  #tell(): void {
    this.#list = [...this.#running.values()]
      .filter((one) => this.#isShown(one))
      .map(({ row }) => row);
    for (const listener of this.#listeners) listener();
  }
}

/** A transfer without any answer was cut; with one, the server refused it and says why. */
function reasonOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'originalResponse' in error) {
    if (error.originalResponse === null) return 'network';
  }
  return error instanceof Error ? error.message : String(error);
}

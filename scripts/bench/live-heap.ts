// Measures what a process holds in memory after a full garbage collection, through its inspector.
// The resident size would say more about the collector's timing than about what we keep.
import { setTimeout as sleep } from 'node:timers/promises';

export interface HeapProbe {
  /** Bytes alive in the JavaScript heap and in buffers beside it, after a full collection. */
  measure(): Promise<number>;
  close(): void;
}

interface Answer {
  readonly id: number;
  readonly result: { readonly usedSize: number; readonly backingStorageSize?: number };
}

/** The process runs with `--inspect=127.0.0.1:PORT`. */
export async function probeHeap(port: number): Promise<HeapProbe> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '');
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  let lastId = 0;
  const ask = (method: string): Promise<Answer> =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method }));
    });
  return {
    async measure() {
      // Twice, with a pause: objects freed by the first collection may hold others.
      await ask('HeapProfiler.collectGarbage');
      await sleep(500);
      await ask('HeapProfiler.collectGarbage');
      const { result } = await ask('Runtime.getHeapUsage');
      return result.usedSize + (result.backingStorageSize ?? 0);
    },
    close: () => socket.close(),
  };
}

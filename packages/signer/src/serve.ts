// `rialto signer serve`: opens the seed, the policy and the memory, and answers until it is told to stop.
import { startClock } from './clock.ts';
import { SignerFault } from './fault.ts';
import { checkFolder, readGuarded, readSecret, seedPath } from './folder.ts';
import { openKeys, type Keys } from './keys.ts';
import {
  listenByTls,
  listenLocally,
  type Limits,
  type Listening,
  type TlsSettings,
} from './listen.ts';
import { lockFolder } from './lock.ts';
import { BrokenMemoryError, Memory, type Step } from './memory/memory.ts';
import { readPolicy } from './policy/policy.ts';
import { openSeed } from './seal.ts';
import { answer, type Desk } from './service.ts';

export interface ServeSettings {
  readonly folder: string;
  readonly policy: string;
  readonly passphrase: string;
  readonly socket?: string;
  readonly socketGid?: number;
  readonly tls?: TlsSettings;
  readonly limits?: Limits;
  readonly clock?: () => number;
  readonly onStep?: (step: Step) => void;
  readonly note?: Desk['note'];
}

export interface Serving {
  readonly port: number | undefined;
  readonly problem: string | undefined;
  stop(): Promise<void>;
}

/** A broken memory does not end the process: the signer then says so to all who ask, and signs nothing. */
export async function serve(settings: ServeSettings): Promise<Serving> {
  const { folder, socket, socketGid, tls, limits, note = writeLine } = settings;
  if (socket === undefined && tls === undefined) {
    throw new SignerFault('The signer needs a place to listen: --socket, or --tls-listen.');
  }
  checkFolder(folder);
  const policy = readPolicy(readGuarded(settings.policy));
  const keys = openKeys(openSeed(readSecret(seedPath(folder)), settings.passphrase));
  const unlock = await lockFolder(folder);
  const clock = settings.clock ?? startClock();
  const memory = openMemory(folder, keys, settings.onStep);
  if (memory instanceof Memory && memory.policy !== policy.hash) {
    memory.append({ type: 'policy', hash: policy.hash }, clock());
  }
  const desk: Desk = { keys, policy, memory, clock, note };
  const respond = (line: string) => answer(desk, line);
  const doors: Listening[] = [];
  if (socket !== undefined) {
    doors.push(
      await listenLocally(socket, respond, {
        ...(limits === undefined ? {} : { limits }),
        ...(socketGid === undefined ? {} : { gid: socketGid }),
      }),
    );
  }
  if (tls !== undefined) doors.push(await listenByTls(tls, respond, limits));
  const problem = memory instanceof BrokenMemoryError ? memory.message : undefined;
  note({ level: problem === undefined ? 'info' : 'error', op: 'start', problem });
  return {
    port: doors.find(({ port }) => port !== undefined)?.port,
    problem,
    async stop() {
      await Promise.all(doors.map((door) => door.close()));
      if (memory instanceof Memory) memory.close();
      unlock();
    },
  };
}

function openMemory(
  folder: string,
  keys: Keys,
  onStep?: (step: Step) => void,
): Memory | BrokenMemoryError {
  try {
    return Memory.open(folder, keys.memoryKey, onStep);
  } catch (error) {
    if (error instanceof BrokenMemoryError) return error;
    throw error;
  }
}

function writeLine(entry: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify({ time: new Date().toISOString(), ...entry }));
}

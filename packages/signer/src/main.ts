// `rialto signer …`: a program of its own. The launcher starts it instead of the server's, of which nothing is loaded here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { SignerFault } from './fault.ts';
import { checkFolder, readGuarded, readSecret, seedPath, writeSecret } from './folder.ts';
import { listPublicKeys, openKeys, type Keys } from './keys.ts';
import { lockFolder } from './lock.ts';
import { completeRecovery, prepareRecovery } from './memory/recovery.ts';
import { approve, createOperatorKey } from './operator-keys.ts';
import { readPolicy } from './policy/policy.ts';
import { PASSPHRASE_CHARACTERS_MAX, openSeed } from './seal.ts';
import { serve, type ServeSettings } from './serve.ts';
import { init, restore } from './setup.ts';
import { askHidden } from './terminal.ts';
import type { Approval } from './request.ts';

interface Common {
  readonly folder: string;
  readonly policy?: string;
  readonly passphraseFile?: string;
}

interface ServeOptions extends Common {
  readonly socket?: string;
  readonly socketGid?: string;
  readonly tlsListen?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsCa?: string;
}

const WORDS_CHARACTERS_MAX = 500;

const program = new Command('rialto signer').description(
  'The process that holds the seed: it judges transactions by their bytes, and signs.',
);

const withFolder = (command: Command) =>
  command
    .requiredOption('--folder <folder>', "the signer's own folder")
    .option('--passphrase-file <file>', 'the passphrase of the seed; asked for if absent');
const withPolicy = (command: Command) =>
  withFolder(command).option('--policy <file>', 'the policy; policy.json in the folder if absent');

withFolder(program.command('init'))
  .description('make a seed, seal it, and show its 24 words once')
  .action(async ({ folder, passphraseFile }: Common) => {
    const { words, fingerprint } = init(folder, await newPassphrase(passphraseFile));
    console.log(
      `${words}\n\nWrite these 24 words on paper, in this order. They are not shown again, and they are all that brings the coins ` +
        `back if this machine is lost.\nFingerprint of the seed: ${fingerprint}`,
    );
  });

withFolder(program.command('restore'))
  .description('seal a seed again from its 24 words, in an empty folder')
  .option('--words-file <file>', 'the words; asked for if absent')
  .action(async ({ folder, passphraseFile, wordsFile }: Common & { wordsFile?: string }) => {
    const words =
      wordsFile === undefined
        ? await askHidden('The 24 words: ', WORDS_CHARACTERS_MAX)
        : readSecret(wordsFile);
    const { fingerprint } = restore(folder, words, await newPassphrase(passphraseFile));
    console.log(
      `Fingerprint of the seed: ${fingerprint}\nThe signer does not know what this seed has signed. Run \`rialto signer recover\`.`,
    );
  });

withPolicy(program.command('pubkeys'))
  .description('print the account-level public keys that the server is configured with')
  .action(async (options: Common) => {
    console.log(
      JSON.stringify(listPublicKeys(await openSeedOf(options), policyOf(options)), null, 2),
    );
  });

withPolicy(program.command('serve'))
  .description('answer requests until SIGTERM or SIGINT')
  .option('--socket <path>', 'a Unix socket that only this user can open')
  .option('--socket-gid <number>', 'a group that can open the socket too')
  .option('--tls-listen <host:port>', 'listen for mutual TLS')
  .option('--tls-cert <file>', 'the certificate of the signer')
  .option('--tls-key <file>', 'its key')
  .option('--tls-ca <file>', 'who signs the certificates of clients')
  .action(async (options: ServeOptions) => {
    const serving = await serve(await settingsOf(options));
    if (serving.problem !== undefined) console.error(`Nothing is signed: ${serving.problem}`);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => void serving.stop().then(() => process.exit(0)));
    }
  });

withPolicy(program.command('recover'))
  .description('print the statement about a broken memory, or recover it with two signatures')
  .option('--signature <files...>', 'what two operators’ `rialto signer approve` printed')
  .action(async (options: Common & { signature?: string[] }) => {
    const { folder, signature } = options;
    const keys = await openSeedOf(options);
    await lockFolder(folder);
    if (signature === undefined) {
      console.log(JSON.stringify(prepareRecovery(folder, keys, Date.now()), null, 2));
      return;
    }
    const approvals = signature.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Approval);
    const { by, kept, broken } = completeRecovery(
      folder,
      keys,
      policyOf(options),
      approvals,
      Date.now(),
    );
    console.log(
      `Recovered by ${by.join(' and ')}: ${kept} records are kept.` +
        (broken === undefined ? '' : ` The broken file is ${broken}.`),
    );
  });

program
  .command('check-policy <file>')
  .description('say whether a policy is right')
  .action((file: string) => {
    const { networks, operators, hash } = readPolicy(readGuarded(file));
    console.log(`${networks.size} networks, ${operators.length} operators, hash ${hash}`);
  });

program
  .command('operator-key')
  .description('make the key with which an operator approves; on the operator’s own machine')
  .requiredOption('--out <file>', 'where the private key goes')
  .action(({ out }: { out: string }) => {
    const { privateKey, key } = createOperatorKey();
    writeSecret(out, privateKey);
    console.log(key);
  });

program
  .command('approve <file>')
  .description('sign a request for a payment, or the statement of a recovery')
  .requiredOption('--key <file>', 'the operator’s private key')
  .action((file: string, { key }: { key: string }) => {
    console.log(JSON.stringify(approve(readFileSync(file, 'utf8'), readSecret(key))));
  });

async function settingsOf(options: ServeOptions): Promise<ServeSettings> {
  const { folder, socket, socketGid, tlsListen, tlsCert, tlsKey, tlsCa } = options;
  const gid = socketGid === undefined ? undefined : Number(socketGid);
  if (gid !== undefined && !(Number.isInteger(gid) && gid >= 0)) {
    throw new SignerFault(`--socket-gid: the number of a group was expected, "${socketGid}" came.`);
  }
  const settings = {
    folder,
    policy: policyPath(options),
    passphrase: await passphraseOf(options.passphraseFile),
    ...(socket === undefined ? {} : { socket }),
    ...(gid === undefined ? {} : { socketGid: gid }),
  };
  if (tlsListen === undefined) return settings;
  const [, host, port] = /^(.+):([0-9]{1,5})$/.exec(tlsListen) ?? [];
  if (host === undefined || tlsCert === undefined || tlsKey === undefined || tlsCa === undefined) {
    throw new SignerFault(
      '--tls-listen takes host:port, and --tls-cert, --tls-key and --tls-ca beside it.',
    );
  }
  const tls = {
    host,
    port: Number(port),
    cert: readFileSync(tlsCert, 'utf8'),
    key: readSecret(tlsKey),
    ca: readFileSync(tlsCa, 'utf8'),
  };
  return { ...settings, tls };
}

const policyPath = ({ folder, policy }: Common): string => policy ?? join(folder, 'policy.json');
const policyOf = (options: Common) => readPolicy(readGuarded(policyPath(options)));

async function openSeedOf({ folder, passphraseFile }: Common): Promise<Keys> {
  checkFolder(folder);
  return openKeys(openSeed(readSecret(seedPath(folder)), await passphraseOf(passphraseFile)));
}

async function passphraseOf(file: string | undefined): Promise<string> {
  if (file !== undefined) return readSecret(file).replace(/\r?\n$/, '');
  return await askHidden('Passphrase of the seed: ', PASSPHRASE_CHARACTERS_MAX);
}

async function newPassphrase(file: string | undefined): Promise<string> {
  const first = await passphraseOf(file);
  if (file !== undefined) return first;
  const second = await askHidden('Once more: ', PASSPHRASE_CHARACTERS_MAX);
  if (first !== second) throw new SignerFault('The two passphrases differ. Nothing was done.');
  return first;
}

try {
  // The word `signer` was for the launcher.
  await program.parseAsync(process.argv.slice(3), { from: 'user' });
} catch (error) {
  const known = error instanceof SignerFault;
  console.error(
    known
      ? error.message
      : `The signer met an error that it does not know:\n${String(error instanceof Error ? error.stack : error)}`,
  );
  process.exit(1);
}

// `rialto doctor`: checks everything that a deployment depends on and changes nothing.
import { ConfigError, loadConfig } from '../../platform/config/load.ts';
import { findSettingWarnings } from '../../platform/config/warnings.ts';
import type { Config } from '../../platform/config/schema.ts';
import { connectOnce } from '../database.ts';
import type { Environment } from '../environment.ts';
import { DatabaseTroubleError } from '../trouble.ts';
import { checkSettings } from './settings.ts';
import { broken, ok, renderFindings, skipped, warning, type Finding } from './finding.ts';
import { checkMail } from './mail.ts';
import { checkNats, checkRedis } from './neighbours.ts';
import { checkPorts } from './ports.ts';
import { checkServer } from './postgres.ts';
import { checkContents } from './contents.ts';

export interface DoctorResult {
  readonly text: string;
  readonly isHealthy: boolean;
}

export async function runDoctor(environment: Environment, asJson: boolean): Promise<DoctorResult> {
  const findings = await examine(environment);
  const isHealthy = findings.every((finding) => finding.status !== 'broken');
  return {
    isHealthy,
    text: asJson ? JSON.stringify({ healthy: isHealthy, findings }) : renderFindings(findings),
  };
}

async function examine(environment: Environment): Promise<Finding[]> {
  const runtime = ok('runtime', `Node ${process.versions.node} on ${process.platform}.`);
  let config: Config;
  try {
    config = loadConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      runtime,
      ...error.problems.map((problem) =>
        broken('configuration', {
          what: problem,
          why: 'The server does not start with it.',
          fix: 'Correct it in the environment or in .env; `rialto config` lists every setting.',
        }),
      ),
      ...findSettingWarnings(environment).map((trouble) => warning('configuration', trouble)),
      skipped('the rest', 'Nothing else can be looked at before the configuration is right.'),
    ];
  }
  // The services are asked in parallel, so that unreachable ones cost their wait only once.
  const [database, nats, redis, ports, mail] = await Promise.all([
    examineDatabase(config),
    checkNats(config),
    checkRedis(config),
    checkPorts(config),
    checkMail(config),
  ]);
  return [
    runtime,
    ...checkSettings(config, environment),
    ...database,
    ...nats,
    ...redis,
    mail,
    ...ports,
  ];
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  let client;
  try {
    client = await connectOnce(config.DATABASE_URL);
  } catch (error) {
    if (!(error instanceof DatabaseTroubleError)) throw error;
    return [
      broken('PostgreSQL', error.trouble),
      skipped('contents', 'Migrations, events, secrets and processes need PostgreSQL.'),
    ];
  }
  try {
    return [...(await checkServer(client, config)), ...(await checkContents(client, config))];
  } finally {
    await client.end();
  }
}

// Every setting of a Rialto process, in one place: its variable, its type, its bounds, its default and
// what it is for. The README's table of settings is generated from this object.
import { Type, type Static, type TSchema } from 'typebox';

export const ROLES = ['api', 'engine', 'relay', 'worker'] as const;
export type Role = (typeof ROLES)[number];

const count = (minimum: number, maximum: number, defaultValue: number, description: string) =>
  Type.Integer({ minimum, maximum, default: defaultValue, description });

/**
 * `form` and `example` are what an operator reads when a value does not match `pattern`: what it must be, and one that
 * is right, or where it comes from ("as … prints it").
 */
const flag = (defaultValue: 'true' | 'false', description: string) =>
  Type.String({
    pattern: '^(true|false)$',
    form: 'true or false',
    default: defaultValue,
    description,
  });

/** Marks a setting that is a secret, or a URL that may hold one: it is never shown, logged or repeated. */
const SECRET = { secret: true } as const;

const attribute = (defaultValue: string, description: string) =>
  Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9-]{0,63}$',
    form: 'the name of an attribute: letters, digits and hyphens',
    example: 'mail',
    default: defaultValue,
    description,
  });

export const ConfigSchema = Type.Object({
  DATABASE_URL: Type.String({
    ...SECRET,
    pattern: '^postgres(ql)?://',
    form: 'a URL of PostgreSQL',
    example: 'postgres://rialto_server:PASSWORD@127.0.0.1:5432/rialto',
    description:
      'PostgreSQL 15 or later, the only store of record, as the role that the server works with.',
  }),
  DATABASE_OWNER_URL: Type.String({
    ...SECRET,
    pattern: '^postgres(ql)?://|^$',
    form: 'a URL of PostgreSQL',
    example: 'postgres://rialto:PASSWORD@127.0.0.1:5432/rialto',
    default: '',
    description:
      'The same database as the role that owns it: for `migrate`, `serve --migrate` and `admin rebuild-projections` only. Empty: DATABASE_URL, and then the server may change everything.',
  }),
  NATS_URL: Type.String({
    ...SECRET,
    pattern: '^(nats|tls)://|^$',
    form: 'a URL of NATS',
    example: 'nats://rialto:PASSWORD@10.0.0.7:4222',
    default: '',
    description: 'NATS, needed as soon as there is more than one process. Empty: in-process bus.',
  }),
  REDIS_URL: Type.String({
    ...SECRET,
    pattern: '^rediss?://|^$',
    form: 'a URL of Redis',
    example: 'redis://:PASSWORD@10.0.0.7:6379',
    default: '',
    description:
      'Redis 7 or Valkey, needed as soon as there is more than one process. Empty: in-process windows.',
  }),
  INSTALLATION: Type.String({
    pattern: '^[A-Za-z0-9_-]{0,64}$',
    form: 'at most 64 letters, digits, _ and -',
    example: 'staging',
    default: '',
    description:
      'What the processes of this installation call themselves on NATS and Redis, the same in all of them. Empty: made of what PostgreSQL knows itself by; only a copy of its files that runs beside the original needs a name.',
  }),
  ALLOW_UNAUTHENTICATED_BUS: flag(
    'false',
    'Whether NATS_URL and REDIS_URL may name another machine without credentials.',
  ),
  PUBLIC_URL: Type.String({
    pattern: '^https?://[^/?#]+$|^$',
    form: 'an origin without a path',
    example: 'https://rialto.example.com',
    default: '',
    description: 'The origin that clients use, without a trailing slash. Empty: http://HOST:PORT.',
  }),
  MASTER_KEY: Type.String({
    ...SECRET,
    pattern: '^[0-9a-f]{64}$',
    form: '64 hexadecimal digits in lower case',
    example: 'as `openssl rand -hex 32` prints them',
    description:
      'Wraps every stored secret: 64 hexadecimal digits. Make one with: openssl rand -hex 32',
  }),
  MASTER_KEY_PREVIOUS: Type.String({
    ...SECRET,
    pattern: '^([0-9a-f]{64})?$',
    form: '64 hexadecimal digits in lower case',
    example: 'as `openssl rand -hex 32` prints them',
    default: '',
    description:
      'A second master key that is accepted while MASTER_KEY is changed; see docs/operating/master-key.md. Empty: none.',
  }),
  AUDIT_SIGNING_KEY: Type.String({
    ...SECRET,
    pattern: '^[A-Za-z0-9_-]{43}$|^$',
    form: 'a key of 43 characters',
    example: 'as `rialto audit-key` prints it',
    default: '',
    description:
      'Signs the head of the audit log; `rialto audit-key` makes one. Needed by the role worker alone; better given as AUDIT_SIGNING_KEY_FILE. Empty: the log is chained but not signed, and nobody can tell that its end was cut off.',
  }),
  AUDIT_HEAD_EVERY_MINUTES: count(
    1,
    1440,
    60,
    'How often the head of the audit log is signed and published.',
  ),
  AUDIT_HEAD_FILE: Type.String({
    default: '',
    description:
      'A file that every signed head is appended to, on another machine if possible. Empty: heads are in the database, in the log of the server and at /v1/public/audit_head.',
  }),
  ROLES: Type.String({
    pattern: '^(api|engine|relay|worker)(,(api|engine|relay|worker))*$',
    form: 'one or more of api, engine, relay, worker, with commas and no spaces',
    example: 'api,worker',
    default: ROLES.join(','),
    description: 'Which roles this process runs, comma-separated.',
  }),
  HOST: Type.String({ default: '127.0.0.1', description: 'Address to listen on.' }),
  PORT: count(0, 65535, 8080, 'Port of both APIs and the web page; 0 takes a free one.'),
  OPS_PORT: Type.String({
    pattern: '^\\d{1,5}$|^$',
    form: 'a port number',
    example: '9090',
    default: '',
    description:
      'Port for /live, /ready and /metrics on HOST, for operators only. Empty: not opened.',
  }),
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Least severity that is logged.' },
  ),
  ORGANIZATION_NAME: Type.String({
    minLength: 1,
    maxLength: 40,
    default: 'Rialto',
    description: 'Name of the organization, shown to chat clients.',
  }),
  WEB_PUBLIC_STREAMS_ENABLED: Type.String({
    pattern: '^(true|false)$',
    form: 'true or false',
    default: 'false',
    description:
      'Whether channels may be opened to everybody on the web, if the organization agrees.',
  }),
  DATABASE_POOL_MAX: count(
    3,
    500,
    6,
    'Most PostgreSQL connections for what keeps this process going: the engine, the relay, the event log, health.',
  ),
  DATABASE_POOL_TRADING: count(2, 500, 8, 'Most for trading requests, which nothing else uses.'),
  DATABASE_POOL_CHAT: count(2, 500, 10, 'Most for chat requests.'),
  DATABASE_POOL_SEARCH: count(1, 500, 3, 'Most for chat requests that search for words.'),
  DATABASE_POOL_SIGN_IN: count(1, 500, 3, 'Most for signing in and signing up.'),
  DATABASE_POOL_WORKER: count(
    3,
    500,
    8,
    'Most for jobs, what falls due, projections and audits, in the role worker; the runner of jobs has 6 more.',
  ),
  TRUSTED_PROXIES: Type.String({
    default: '',
    description:
      'Addresses and ranges of the proxies in front, comma-separated, such as 10.0.0.5,fd00::/8: only from them X-Forwarded-For is believed. Empty: from nobody.',
  }),
  CONNECTIONS_MAX: count(
    10,
    1_000_000,
    20_000,
    'Connections to the APIs and the web page at one time; every client that waits for events holds one.',
  ),
  CONNECTIONS_PER_ADDRESS_MAX: count(
    1,
    1_000_000,
    2048,
    'Of these, connections from one address (an IPv6 /64); those of TRUSTED_PROXIES are not counted so. An eighth may be new in a second.',
  ),
  REQUESTS_PER_CONNECTION_MAX: count(
    0,
    1_000_000_000,
    1000,
    'Requests on one connection; then it is made anew, so that a balancer can spread its clients again. 0: as many as one likes.',
  ),
  WEB_RATE_LIMIT: count(
    6,
    10_000_000,
    6000,
    'Requests a minute from one address outside the two APIs: pages, pictures, files, health; by process.',
  ),
  TRADING_RATE_LIMIT: count(1, 1_000_000, 10, 'Trading requests admitted per caller and window.'),
  TRADING_RATE_WINDOW_MS: count(10, 600_000, 1000, 'Length of that sliding window.'),
  TRADING_DAILY_ORDERS_MAX: count(
    0,
    100_000_000,
    0,
    'Orders that an account may create on a day (UTC); 0: as many as it likes.',
  ),
  TRADING_VOLUME_COIN: Type.String({
    pattern: '^[a-z0-9]{2,12}$',
    form: 'the symbol of a coin, 2 to 12 lower-case letters and digits',
    example: 'usdt',
    default: 'usdt',
    description: 'Markets quoted in this coin count for the 30-day volume of an account.',
  }),
  TRADING_CORS_ORIGINS: Type.String({
    default: '',
    description: 'Origins that may call private trading endpoints from a browser, comma-separated.',
  }),
  CHAT_RATE_LIMIT: count(
    1,
    1_000_000,
    200,
    'Chat requests a minute per user; at most 30 % of them searches, 30 % registrations, 15 % pages of over 1,000 messages.',
  ),
  CHAT_RATE_LIMIT_POLLS: count(
    1,
    10_000_000,
    6000,
    'Polls for events a minute per user, over all their clients; every event that somebody hears of is one.',
  ),
  CHAT_BOTS_LIMIT_FACTOR: count(
    1,
    10_000,
    3,
    'How many times the limits of one user all bots of one owner have together.',
  ),
  CHAT_BOTS_PER_OWNER_MAX: count(1, 1_000_000, 50, 'Active bots that one person may have.'),
  CHAT_RATE_LIMIT_ANONYMOUS: count(
    1,
    1_000_000,
    100,
    'Chat requests a minute per address without credentials.',
  ),
  SEARCH_MS: count(
    100,
    60_000,
    2000,
    'How long one search may take, all of its statements together; then it is cancelled.',
  ),
  SEARCHES_PER_USER_MAX: count(
    1,
    100,
    2,
    'Searches of one person, bots included, that one api process does at the same time.',
  ),
  CHAT_PAGE_BYTES: count(
    65_536,
    67_108_864,
    1_048_576,
    'About how many bytes of messages one answer has; what does not fit comes when the client asks on.',
  ),
  CHAT_ANSWER_BYTES_MAX: count(
    1_048_576,
    268_435_456,
    16_777_216,
    'Largest answer that a chat route gives; what would be larger is refused, and logged as an error.',
  ),
  CHAT_DIRECTORY_BYTES_MAX: count(
    1_048_576,
    268_435_456,
    67_108_864,
    'The same for answers that grow with the organization: its people, channels and groups.',
  ),
  CHAT_CHANNELS_PER_REQUEST_MAX: count(
    1,
    1000,
    100,
    'Channels that one request may subscribe people to or unsubscribe them from.',
  ),
  CHAT_NEW_CHANNELS_PER_REQUEST_MAX: count(1, 1000, 20, 'Channels that one request may make.'),
  CHAT_SUBSCRIPTIONS_PER_REQUEST_MAX: count(
    1,
    1_000_000,
    5000,
    'People times channels of one request that names several channels.',
  ),
  CHAT_CHANNELS_DAILY_MAX: count(
    0,
    1_000_000,
    200,
    'Channels that one person and their bots may make on a day (UTC); 0: as many as they like.',
  ),
  CHAT_GROUPS_DAILY_MAX: count(
    0,
    1_000_000,
    200,
    'User groups that one person and their bots may make on a day (UTC); 0: as many as they like.',
  ),
  CHAT_PLACES_DAILY_MAX: count(
    0,
    100_000_000,
    100_000,
    'How often one person and their bots may put others into channels and groups on a day (UTC); 0: as often as they like.',
  ),
  CHAT_TYPING_SUBSCRIBERS_MAX: count(
    0,
    1_000_000,
    0,
    'Largest channel, in subscribers, in which typing is told; 0: every channel.',
  ),
  CHAT_MARK_ALL_BATCH: count(
    1,
    10_000,
    2000,
    'Messages marked as read in one transaction and told in one event, when somebody marks everything.',
  ),
  CHAT_MARK_ALL_MS: count(
    0,
    60_000,
    50_000,
    'How long one such request goes on before it answers that there is more.',
  ),
  CHAT_PRESENCE_PUSH_USERS_MAX: count(
    0,
    100_000,
    100,
    'Most people to whom it is told at once that somebody came online; with more, clients ask.',
  ),
  CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: Type.String({
    pattern: '^(true|false)$',
    form: 'true or false',
    default: 'false',
    description:
      'Whether those who may not know of everybody see the presence only of people whom they share a channel or a conversation with.',
  }),
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
    'Room for all uploaded files of the organization together, in MiB; 0: as much as there is.',
  ),
  USER_UPLOAD_QUOTA_MIB: count(
    0,
    1_000_000_000,
    10_240,
    'Room for the uploaded files of one person, in MiB; 0: as much as there is.',
  ),
  UPLOADS_UNFINISHED_MAX: count(
    1,
    100_000,
    100,
    'Uploads that one person may have begun and not finished.',
  ),
  UPLOADS_UNFINISHED_HOURS: count(
    1,
    24 * 30,
    24,
    'How long an upload that was begun may be resumed; then what there is of it is removed.',
  ),
  UPLOADS_UNREFERENCED_DAYS: count(1, 3650, 28, 'How long a file is kept that is in no message.'),
  BOT_STORAGE_MAX: count(
    0,
    100_000_000,
    10_000_000,
    'Characters that one bot may keep by /bot_storage, names included.',
  ),
  SIGN_IN_NAME_MAX: count(
    1,
    1000,
    5,
    'Passwords that may be tried for one name from places where its owner never signed in, before it takes time.',
  ),
  SIGN_IN_NAME_SECONDS: count(1, 86_400, 360, 'After how long one more of those may be tried.'),
  SIGN_IN_ADDRESS_MAX: count(
    1,
    100_000,
    50,
    'Passwords that may be tried from one address for people who never signed in from there.',
  ),
  SIGN_IN_ADDRESS_SECONDS: count(1, 86_400, 72, 'After how long one more of those may be tried.'),
  SIGN_IN_DEPLOYMENT_MAX: count(
    1,
    1_000_000,
    100,
    'Passwords that may be tried at once from all such places together.',
  ),
  SIGN_IN_DEPLOYMENT_MS: count(1, 60_000, 100, 'After how long one more of those may be tried.'),
  SIGN_IN_KNOWN_MAX: count(
    1,
    1000,
    10,
    'Passwords that may be tried from a browser or an address in which the person has signed in.',
  ),
  SIGN_IN_KNOWN_SECONDS: count(1, 86_400, 180, 'After how long one more of those may be tried.'),
  SIGN_IN_STREAK_MAX: count(
    1,
    1_000_000,
    100,
    'Failures in a row after which a name is closed to unknown places, until its owner signs in with a known browser.',
  ),
  LDAP_URL: Type.String({
    pattern: '^ldaps?://[^/?#\\s]+/?$|^$',
    form: 'a URL of a directory without a path',
    example: 'ldaps://directory.example.com',
    default: '',
    description:
      'Directory whose passwords are good here too: ldaps://HOST or ldap://HOST. Empty: none.',
  }),
  LDAP_START_TLS: flag(
    'true',
    'Whether a connection by ldap:// is encrypted before it is used. Without it passwords travel in clear.',
  ),
  LDAP_CA_FILE: Type.String({
    default: '',
    description: 'Certificates (PEM) that may vouch for the directory. Empty: the system’s.',
  }),
  LDAP_BIND_DN: Type.String({
    default: '',
    description: 'Who searches the directory. Empty: searched without a name.',
  }),
  LDAP_BIND_PASSWORD: Type.String({
    ...SECRET,
    default: '',
    description: 'The password of LDAP_BIND_DN.',
  }),
  LDAP_BASE: Type.String({
    default: '',
    description: 'Where in the directory people are, such as ou=people,dc=example,dc=org.',
  }),
  LDAP_FILTER: Type.String({
    pattern: '^\\(.*\\{username\\}.*\\)$',
    form: 'a filter in parentheses that has {username} in it',
    example: '(uid={username})',
    default: '(|(uid={username})(mail={username}))',
    description: 'Finds somebody by what they typed, {username}.',
  }),
  LDAP_EMAIL_ATTRIBUTE: attribute(
    'mail',
    'Joins somebody in the directory to their account here, the first time. People must not be able to change their own.',
  ),
  LDAP_ID_ATTRIBUTE: attribute(
    'entryUUID',
    'What the directory never changes of an entry, and never gives to another: an account stays with it. objectGUID for Active Directory.',
  ),
  LDAP_NAME_ATTRIBUTE: attribute('cn', 'The name that a new account gets.'),
  LDAP_CREATE_ACCOUNTS: flag(
    'false',
    'Whether somebody of the directory who has no account gets one, as a member, when they sign in.',
  ),
  LDAP_TIMEOUT_MS: count(100, 30_000, 5000, 'How long the directory may take for one answer.'),
  SMTP_URL: Type.String({
    ...SECRET,
    pattern: '^smtps?://[^/?#\\s]+$|^$',
    form: 'a URL of a mail server without a path',
    example: 'smtp://mail.example.com:587',
    default: '',
    description:
      'The mail server that takes our emails: smtp://host:587, or smtps://host:465 for TLS from the start. Empty: emails wait, and the log says so.',
  }),
  SMTP_USER: Type.String({ default: '', description: 'Name to sign in with at the mail server.' }),
  SMTP_PASSWORD: Type.String({
    ...SECRET,
    default: '',
    description: 'Password to sign in with at the mail server; better given as SMTP_PASSWORD_FILE.',
  }),
  SMTP_TLS: Type.Union(
    [Type.Literal('required'), Type.Literal('opportunistic'), Type.Literal('off')],
    {
      default: 'required',
      description:
        'For smtp://: required refuses a server without STARTTLS, opportunistic takes what it offers, off is for one on this machine.',
    },
  ),
  MAIL_FROM: Type.String({
    pattern: '^[^\\s@<>",;]+@[^\\s@<>",;]+$|^$',
    form: 'a bare email address, without a name',
    example: 'rialto@example.com',
    default: '',
    description: 'The address that emails come from, such as rialto@example.com.',
  }),
  MAIL_DEADLINE_MS: count(
    100,
    300_000,
    30_000,
    'How long the mail server may take for one email before it is tried again later.',
  ),
  INVITATION_LINK_VALIDITY_MINUTES: count(
    1,
    5_256_000,
    14_400,
    'How long an invitation is valid when the inviter does not say.',
  ),
  INVITATIONS_DAILY_MAX: count(
    0,
    1_000_000,
    1000,
    'Invitations by mail in 24 hours, of everybody together, so that a stolen account cannot flood others; 0: as many as one likes.',
  ),
  SIGNUP_MAILS_PER_RECIPIENT: count(
    1,
    1000,
    5,
    'Emails in 24 hours to one address that somebody gave at a reusable invitation link: it may not be theirs.',
  ),
  SIGNUP_MAILS_PER_CALLER: count(
    1,
    100_000,
    50,
    'Such emails in 24 hours that one network address may cause; an office may share one.',
  ),
  EXTERNAL_CONTENT: Type.Union(
    [Type.Literal('proxied'), Type.Literal('direct'), Type.Literal('hidden')],
    {
      default: 'proxied',
      description:
        'How pictures, sound and video of other servers are shown in messages: fetched by us, so that those servers do not learn who reads (proxied), by each reader from where they are (direct), or as links only (hidden). Holds for messages that are written from then on.',
    },
  ),
  TERMS_URL: Type.String({
    pattern: '^https?://[^\\s"<>]+$|^$',
    form: 'a URL that begins with http:// or https://',
    example: 'https://example.com/terms',
    default: '',
    description:
      'Where the terms stand that new people have to agree to. Empty: they are not asked.',
  }),
  PUSH_RELAY_URL: Type.String({
    pattern: '^https?://[^/?#]+$|^$',
    form: 'an origin without a path',
    example: 'https://push.example.com',
    default: '',
    description:
      'The relay through which published mobile apps get notifications, such as https://push.example. Empty: none.',
  }),
  PUSH_RELAY_ORG_ID: Type.String({
    default: '',
    description: 'What the relay knows this server by (a UUID).',
  }),
  PUSH_RELAY_ORG_KEY: Type.String({
    ...SECRET,
    default: '',
    description: 'The key that goes with it; better given as PUSH_RELAY_ORG_KEY_FILE.',
  }),
  PUSH_RELAY_TIMEOUT_MS: count(100, 60_000, 15_000, 'How long the relay may take for one answer.'),
  WEB_PUSH_PUBLIC_KEY: Type.String({
    pattern: '^[A-Za-z0-9_-]{87}$|^$',
    form: 'a key of 87 characters',
    example: 'as `rialto web-push-keys` prints it',
    default: '',
    description:
      'By which push services of browsers know this server; `rialto web-push-keys` makes a pair. Empty: browsers are not notified.',
  }),
  WEB_PUSH_PRIVATE_KEY: Type.String({
    ...SECRET,
    pattern: '^[A-Za-z0-9_-]{43}$|^$',
    form: 'a key of 43 characters',
    example: 'as `rialto web-push-keys` prints it',
    default: '',
    description: 'The other half; better given as WEB_PUSH_PRIVATE_KEY_FILE.',
  }),
  WEB_PUSH_CONTACT: Type.String({
    pattern: '^(mailto:[^\\s@]+@[^\\s@]+|https://\\S+)$|^$',
    form: 'a mailto: or https:// address',
    example: 'mailto:operator@example.com',
    default: '',
    description: 'Whom a push service may turn to: mailto:operator@example.com, or an address.',
  }),
  WEB_PUSH_ALLOW_PRIVATE: flag(
    'false',
    'Whether browsers may be notified at addresses without https or in private networks, for tests and push services of one’s own.',
  ),
  BOT_WEBHOOK_TIMEOUT_MS: count(
    100,
    60_000,
    10_000,
    'How long the program behind an outgoing-webhook bot may take for one answer.',
  ),
  BOT_WEBHOOK_ALLOW_PRIVATE: flag(
    'false',
    'Whether outgoing-webhook bots may be called at addresses without https, with a port, or in private networks: whoever can make a bot can then reach what this server can.',
  ),
  PUSH_DEVICES_PER_USER_MAX: count(
    1,
    1000,
    50,
    'Phones, tokens and browsers, of each as many, that one person may have notified.',
  ),
  SESSION_IDLE_HOURS: count(1, 8760, 336, 'How long a browser that is not used stays signed in.'),
  SESSION_MAX_HOURS: count(
    1,
    8760,
    2160,
    'How long a browser stays signed in, however much it is used.',
  ),
  SESSIONS_PER_USER_MAX: count(
    1,
    1000,
    50,
    'Browsers in which one person is signed in; another signs the oldest out.',
  ),
  EVENT_LOG_RETENTION_HOURS: count(1, 24 * 90, 24, 'How long the event log reaches back.'),
  EVENT_POLL_MS: count(10, 10_000, 250, 'Longest silence on the bus before the event log is read.'),
  DUE_POLL_MS: count(
    20,
    10_000,
    1000,
    'Longest time between two looks at what is to be sent at a time: scheduled messages, reminders.',
  ),
  DUE_CONCURRENCY: count(1, 64, 4, 'How many of those one process sends at once.'),
  QUEUE_IDLE_SECONDS: count(
    1,
    604_800,
    600,
    'Idle life of an event queue unless the client asks for another.',
  ),
  QUEUE_REPLAY_MAX: count(
    10_000,
    10_000_000,
    500_000,
    'Positions of the event log that a queue is read back; who was away for longer registers again.',
  ),
  QUEUES_PER_USER_MAX: count(1, 100_000, 1000, 'Event queues one user may have open.'),
  HEARTBEAT_SECONDS: count(
    1,
    80,
    45,
    'Silence after which a waiting poll gets a heartbeat (plus up to 10 s).',
  ),
  ENGINE_QUEUE_MAX: count(
    1,
    1_000_000,
    20_000,
    'Commands and reads that may wait for the engine; more are refused at once.',
  ),
  ENGINE_WAIT_MS: count(
    10,
    60_000,
    250,
    'How long a request may have to wait for the engine, by its pace of late; beyond that it is refused at once.',
  ),
  ENGINE_BATCH_MAX: count(1, 4000, 4000, 'Most requests that one commit of the engine holds.'),
  PROJECTION_LAG_MAX_MS: count(
    0,
    60_000,
    5000,
    'How far the tables of orders, trades and balances may fall behind the engine. Below this their writer pauses to give the engine time; beyond it, it writes without a pause.',
  ),
  ENGINE_MEMORY_ORDERS: count(
    1000,
    5_000_000,
    1_000_000,
    'Finished orders whose client ids the engine keeps in memory.',
  ),
  ENGINE_SNAPSHOT_COMMANDS: count(
    1000,
    10_000_000,
    200_000,
    'Commands after which the engine’s state is written down anew.',
  ),
  ENGINE_HEARTBEAT_MS: count(10, 10_000, 250, 'How often the engine says that it is there.'),
  ENGINE_TAKEOVER_MS: count(
    50,
    60_000,
    1000,
    'Silence of the engine after which a standby takes over.',
  ),
  ENGINE_ANSWER_MS: count(
    100,
    60_000,
    10_000,
    'How long an api process waits for the engine before it answers that the outcome is unknown.',
  ),
  ENGINE_CLOCK_TOLERANCE_MS: count(
    1000,
    600_000,
    30_000,
    'How far the clocks of processes that ask the engine may be from the engine’s, the way included; beyond that it does not take what they send.',
  ),
  MONEY: Type.Union([Type.Literal('real'), Type.Literal('simulated')], {
    default: 'real',
    description:
      'Simulated: deposits can be made out of nothing, for demonstrations and tests; /public/status says so. ' +
      'Written into the database at the first start, and never changed: the other setting is refused from then on.',
  }),
  STOP_DEADLINE_MS: count(100, 60_000, 4500, 'Longest orderly stop after SIGTERM.'),
});

export type Config = Static<typeof ConfigSchema>;

export const settingSchemas = (): [string, TSchema][] =>
  Object.entries<TSchema>(ConfigSchema.properties);

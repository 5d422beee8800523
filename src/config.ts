import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { didYouMean } from '#src/kit/nearest.ts'
import { networks } from '#src/kit/net.ts'
import { cleanEmail, forLog, isEmail } from '#src/kit/text.ts'

/** Every setting, read once from the environment. */
export type Config = {
  readonly host: string
  readonly port: number
  readonly dataFolder: string
  /** The application's login; unset: the embedded database. */
  readonly databaseUrl: string | undefined
  /** The owner's login, for migrate, backup and doctor. */
  readonly ownerDatabaseUrl: string | undefined
  readonly baseUrl: string
  readonly ownerEmail: string | undefined
  readonly ownerPassword: string | undefined
  readonly demo: boolean
  readonly trustProxy: string
  /** Networks that are not public and that webhooks may be sent to. */
  readonly outboundAllow: string
  /** Where the metrics of a process are served to the operator; unset: nowhere. */
  readonly metricsAddress: { readonly host: string; readonly port: number } | undefined
  readonly secret: string | undefined
  readonly pooler: 'transaction' | undefined
  /**
   * The application's login without the pooler, to listen for changes; unset behind a pooler: changes are not received.
   */
  readonly directDatabaseUrl: string | undefined
  /** How long a request waits for a database connection, in milliseconds. */
  readonly databaseWait: number
  /** Whether responses are compressed. */
  readonly compresses: boolean
  readonly logLevel: string
  /** The SMTP server; unset: each mail is written to a file in the data folder. */
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  /**
   * Where uploaded files are stored: a folder, or a bucket of an object store; without credentials those of the
   * environment are used.
   */
  readonly storage: { readonly folder: string } | { readonly s3: BucketPlace }
}

/** A bucket of an S3-compatible object store. */
type BucketPlace = {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

/** An invalid setting; the message names it and the allowed values. */
export class BadSetting extends Error {}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent']
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/
const LOOPBACK_NAME = /^(?:[a-z0-9-]+\.)?localhost$/

/** The base URL as an issuer: HTTPS, or HTTP on a name or address of this computer; an origin without a trailing slash. */
export const readBaseUrl = (text: string, name = 'STOA_BASE_URL'): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.origin !== text)
    throw new BadSetting(
      `${name} is an origin without a trailing slash, such as https://learn.example.org; "${text}" is not`,
    )
  const isLocal = LOOPBACK.test(url.hostname) || LOOPBACK_NAME.test(url.hostname)
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) return text
  throw new BadSetting(
    `${name} is https, or http on localhost, NAME.localhost, 127.0.0.1 or [::1]; "${text}" is neither`,
  )
}

const readHost = (text: string): string => {
  if (isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text)) return text
  throw new BadSetting(`STOA_HOST is an IP address or a host name, without a port; "${forLog(text)}" is neither`)
}

// The URL is not repeated: it may have a password.
const readDatabaseUrl = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined || (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text))) return text
  throw new BadSetting(`${name} is postgres://user:password@host:port/database`)
}

const readPort = (text: string): number => {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new BadSetting(`STOA_PORT is a number from 0 to 65535; "${text}" is not`)
  return port
}

const readMetricsAddress = (text: string | undefined): Config['metricsAddress'] => {
  if (text === undefined) return undefined
  const [, six, four = '', port = ''] = /^(?:\[([^[\]]*)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? []
  const host = six ?? four
  if (isIP(host) !== (six === undefined ? 4 : 6) || Number(port) < 1 || Number(port) > 65_535)
    throw new BadSetting(
      `STOA_METRICS_ADDRESS is an IP address and a port, such as 127.0.0.1:9464; "${forLog(text)}" is not`,
    )
  return { host, port: Number(port) }
}

const readWait = (text: string): number => {
  if (/^[1-9]\d{1,4}$/.test(text)) return Number(text)
  throw new BadSetting(`STOA_DATABASE_WAIT is 10 to 99999 milliseconds; "${text}" is not`)
}

const readFlag = (name: string, text: string): boolean => {
  if (text !== '0' && text !== '1') throw new BadSetting(`${name} is 0 or 1; "${text}" is neither`)
  return text === '1'
}

const readWord = <const Word extends string>(name: string, text: string, words: readonly Word[]): Word => {
  const word = words.find(known => known === text)
  if (word === undefined) throw new BadSetting(`${name} is one of ${words.join(', ')}; "${text}" is not`)
  return word
}

const readNetworks = (name: string, text: string): string => {
  try {
    networks(text)
    return text
  } catch (error) {
    throw new BadSetting(`${name} is a list of networks: ${error instanceof Error ? error.message : error}`)
  }
}

const readMail = (smtpUrl: string | undefined, from: string | undefined): Pick<Config, 'smtpUrl' | 'mailFrom'> => {
  // The URL is not repeated: it may have a password.
  if (smtpUrl !== undefined && !/^smtps?:$/.test(URL.canParse(smtpUrl) ? new URL(smtpUrl).protocol : ''))
    throw new BadSetting('STOA_SMTP_URL is smtp://user:password@host:port, or smtps://…')
  if (smtpUrl !== undefined && from === undefined)
    throw new BadSetting('STOA_MAIL_FROM is required with STOA_SMTP_URL: the address mails come from')
  if (from !== undefined && !isEmail(from))
    throw new BadSetting(`STOA_MAIL_FROM is an e-mail address; "${from}" is not`)
  return { smtpUrl, mailFrom: from ?? 'stoa@mail.invalid' }
}

// The URL is not repeated: it may have a secret.
const BUCKET_URL =
  'STOA_STORAGE is a folder, or s3://KEY:SECRET@host/bucket?region=NAME (s3+http:// without TLS, on this machine)'

const readBucket = (text: string): BucketPlace => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const [, bucket = ''] = /^\/([a-z0-9][a-z0-9.-]{2,62})\/?$/.exec(url?.pathname ?? '') ?? []
  if (url === undefined || url.host === '' || bucket === '' || (url.username === '') !== (url.password === ''))
    throw new BadSetting(BUCKET_URL)
  if (url.protocol === 's3+http:' && !LOOPBACK.test(url.hostname)) throw new BadSetting(BUCKET_URL)
  const [accessKeyId, secretAccessKey] = [url.username, url.password].map(decodeURIComponent)
  return {
    endpoint: `${url.protocol === 's3:' ? 'https' : 'http'}://${url.host}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucket,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  }
}

const readStorage = (text: string | undefined, dataFolder: string): Config['storage'] => {
  if (text === undefined) return { folder: join(dataFolder, 'objects') }
  if (/^s3(?:\+http)?:/.test(text)) return { s3: readBucket(text) }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) throw new BadSetting(BUCKET_URL)
  return { folder: resolve(text) }
}

const readOwnerEmail = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const email = cleanEmail(text)
  if (isEmail(email)) return email
  throw new BadSetting(`STOA_OWNER_EMAIL is an e-mail address; "${forLog(text)}" is not`)
}

const origin = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const readPooler = (
  pooler: string | undefined,
  direct: string | undefined,
): Pick<Config, 'pooler' | 'directDatabaseUrl'> => {
  if (direct !== undefined && pooler === undefined)
    throw new BadSetting('STOA_DIRECT_DATABASE_URL is for STOA_POOLER=transaction; without a pooler leave it unset')
  return {
    pooler: pooler === undefined ? undefined : readWord('STOA_POOLER', pooler, ['transaction']),
    directDatabaseUrl: direct,
  }
}

/** Reads the settings; empty ones count as unset. Throws BadSetting for the first invalid one. */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const get = (name: string): string | undefined => (env[name] === '' ? undefined : env[name])
  const host = readHost(get('STOA_HOST') ?? 'localhost')
  const port = readPort(get('STOA_PORT') ?? '3000')
  const databaseUrl = readDatabaseUrl('STOA_DATABASE_URL', get('STOA_DATABASE_URL'))
  // Another address of this computer is not that of the name localhost.
  const standard = origin(LOOPBACK.test(host) && host !== '127.0.0.1' ? host : 'localhost', port)
  const dataFolder = resolve(get('STOA_DATA') ?? './data')
  return {
    host,
    port,
    dataFolder,
    databaseUrl,
    ownerDatabaseUrl: readDatabaseUrl('STOA_OWNER_DATABASE_URL', get('STOA_OWNER_DATABASE_URL')),
    baseUrl: readBaseUrl(get('STOA_BASE_URL') ?? standard),
    ownerEmail: readOwnerEmail(get('STOA_OWNER_EMAIL')),
    ownerPassword: get('STOA_OWNER_PASSWORD'),
    demo: readFlag('STOA_DEMO', get('STOA_DEMO') ?? '1'),
    trustProxy: readNetworks('STOA_TRUST_PROXY', get('STOA_TRUST_PROXY') ?? ''),
    outboundAllow: readNetworks('STOA_OUTBOUND_ALLOW', get('STOA_OUTBOUND_ALLOW') ?? ''),
    metricsAddress: readMetricsAddress(get('STOA_METRICS_ADDRESS')),
    secret: get('STOA_SECRET'),
    ...readPooler(get('STOA_POOLER'), get('STOA_DIRECT_DATABASE_URL')),
    databaseWait: readWait(get('STOA_DATABASE_WAIT') ?? '500'),
    compresses: readWord('STOA_COMPRESSION', get('STOA_COMPRESSION') ?? 'on', ['on', 'off']) === 'on',
    logLevel: readWord('STOA_LOG_LEVEL', get('STOA_LOG_LEVEL') ?? 'info', LEVELS),
    ...readMail(get('STOA_SMTP_URL'), get('STOA_MAIL_FROM')),
    storage: readStorage(get('STOA_STORAGE'), dataFolder),
  }
}

type Environment = Readonly<Record<string, string | undefined>>

// The settings that readConfig reads, so that the list is always complete.
const settingNames = (): string[] => {
  const names = new Set<string>()
  const recordName = (_: object, name: string | symbol): undefined => {
    names.add(String(name))
  }
  readConfig(new Proxy<Environment>({}, { get: recordName }))
  return [...names]
}

// Settings of the project's own tests and tools.
const FOR_TESTS = /^STOA_TEST_/

const unknownSettings = (env: Environment): string[] => {
  const known = settingNames()
  const names = Object.keys(env).filter(name => name.startsWith('STOA_') && env[name] !== '' && !FOR_TESTS.test(name))
  return names
    .filter(name => !known.includes(name))
    .map(name => `there is no setting ${forLog(name, 100)}.${didYouMean(name, known)}`)
}

/**
 * The settings of an environment, by default that of this process; throws BadSetting for an unknown STOA_ variable, which
 * otherwise nobody would notice.
 */
export const configFromEnvironment = (env: NodeJS.ProcessEnv = process.env): Config => {
  const unknown = unknownSettings(env)
  if (unknown.length > 0) throw new BadSetting(unknown.join('; '))
  return readConfig(env)
}

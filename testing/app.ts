import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before } from 'node:test'
import { listen } from '#src/commands/listen.ts'
import type { Area } from '#src/contract/area.ts'
import type { Role } from '#src/contract/caller.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import type { Endpoint, Fallback } from '#src/contract/endpoint.ts'
import type { Subscribers } from '#src/contract/fact.ts'
import type { Job } from '#src/contract/job.ts'
import type { Outside } from '#src/contract/outside.ts'
import type { CallAsPerson } from '#src/contract/page-call.ts'
import type { School } from '#src/contract/school.ts'
import type { Files } from '#src/contract/store.ts'
import { setMismatchHandler } from '#src/db/audit.ts'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { listSchools } from '#src/db/schools.ts'
import { isPassing } from '#src/db/sqlstates.ts'
import { people } from '#src/demo/index.ts'
import { openFiles } from '#src/store/index.ts'
import { createApp } from '../src/app.ts'
import { type BackgroundParts, startBackground } from '../src/background.ts'
import { type Actor, type ActorOptions, type Browsers, signInActor } from './actor.ts'
import { createTestDatabase, setting, type TestDatabase } from './database.ts'
import { moveFirstSchool } from './demo.ts'
import { send, type TestReply, type TestRequest } from './http.ts'
import type { Mailbox } from './mail.ts'
import { PASSWORD } from './password.ts'
import { changeRole } from './roles.ts'
import { requireOneReading } from './statements.ts'
import { subscribeAll } from './subscribers.ts'

export { PASSWORD } from './password.ts'

setMismatchHandler(mismatch => {
  throw new Error(mismatch)
})

/** The name of a person in the demo data. */
export type PersonName = keyof typeof people

/** A running application with two schools of demo data. */
export type TestApp = {
  readonly port: number
  readonly database: TestDatabase
  readonly secret: string
  /** The folder of uploaded files. */
  readonly folder: string
  readonly files: Files
  /** The first school, at the port at which the application listens. */
  readonly a: School
  /** Another school, reached by its Host header. */
  readonly b: School
  /** Every line that the application has logged so far. */
  readonly log: readonly string[]
  /** Sends a request to the first school, or to the given school. */
  send(request: TestRequest, school?: School): Promise<TestReply>
  /** A person of the demo data, signed in through the pages on first use, who granted these scopes. */
  actor(name: PersonName, options?: ActorOptions): Promise<Actor>
  /** Gives a person of the demo data another role in the first school, or in the given school. */
  setRole(name: PersonName, role: Role, school?: School): Promise<void>
  /** Moves the database's clock. */
  moveClock(seconds: number): Promise<void>
  /** Lets jobs fail with errors that match, until the test has ended; any other error of a job fails its test. */
  allowJobErrors(expected: RegExp): void
  /** Returns the errors of jobs since the last call that no test expects, and forgets what was expected. */
  takeJobErrors(): readonly string[]
  /** Waits until readers in commit order can see everything written so far; open transactions elsewhere delay them. */
  settled(): Promise<void>
}

const generous = { network: { requests: 1_000_000, seconds: 60 }, grant: { requests: 1_000_000, seconds: 60 } }

/** Options of a test application that differ from the defaults. */
export type TestOptions = {
  /** How long a request waits for a connection, in milliseconds. */
  readonly databaseWait?: number
  /** Unset: responses are compressed as requests accept it. */
  readonly compresses?: boolean
  /** The maximum number of connections. */
  readonly connections?: number
  /** The address through which the application reaches its database; unset: directly. */
  readonly databaseUrl?: (direct: string) => Promise<string>
  /** Whether a pooler is in between; then no changes are received unless `listenThrough` says where. */
  readonly pooler?: 'transaction'
  /** The mailbox that receives the mails; without one they stay queued. */
  readonly mailbox?: () => Promise<Mailbox>
  readonly trustProxy?: string
  /** How client metadata documents are fetched, and webhooks sent. */
  readonly outside?: Outside
  /** Additional subscribers to facts; facts are delivered only where there is a mailbox. */
  readonly subscribers?: Subscribers
  /** Derives the address at which the application listens for changes from the database's address; unset: that address. */
  readonly listenThrough?: (url: string) => string
  /** The folder of uploaded files; unset: a folder of the test. */
  readonly files?: () => Promise<Files>
  /** Whether the API's rate limits have their normal values; unset: no test reaches them. */
  readonly hasUsualRates?: boolean
  /**
   * Whether responses without a token are cached, as in the product; unset: not, since tests that write with a database of their
   * own are another process, whose writes a cache shows within a second.
   */
  readonly cachesPublicReads?: boolean
  /** Whether everybody has a subscription and a payment plan, as the examples of operations need them. */
  readonly hasSubscriptions?: boolean
  /** Areas in addition to those of the product. */
  readonly moreAreas?: readonly Area[]
  /** The statements that create the tables of those areas, as a migration would. */
  readonly moreTables?: string
  /** The name or address of this computer in the base URL of the first school; unset: `localhost`. */
  readonly baseHost?: '127.0.0.1' | '[::1]'
  /** Answers GET at paths that nothing else has. */
  readonly fallback?: Fallback
  /** Pages in addition to those of the product. */
  readonly morePages?: (parts: { readonly performAs: CallAsPerson }) => readonly Endpoint[]
  /** Called for every statement that the application runs. */
  readonly onStatement?: (text: string) => void
}

const recordingDb = (db: Db, record: (text: string) => void): Db => {
  const tell = <Row>(statement: Statement<Row>): Statement<Row> => {
    requireOneReading(statement.text)
    record(statement.text)
    return statement
  }
  return {
    all: statement => db.all(tell(statement)),
    first: statement => db.first(tell(statement)),
    one: statement => db.one(tell(statement)),
    run: statement => db.run(tell(statement)),
  }
}

const recordingDatabase = (database: OpenDatabase, record: (text: string) => void): OpenDatabase => ({
  statements: (schoolId, work) => database.statements(schoolId, db => work(recordingDb(db, record))),
  transaction: (schoolId, work) => database.transaction(schoolId, (db, now) => work(recordingDb(db, record), now)),
  stream: (schoolId, statement) => {
    requireOneReading(statement.text)
    record(statement.text)
    return database.stream(schoolId, statement)
  },
  shared: recordingDb(database.shared, record),
  writtenAt: database.writtenAt,
  renew: () => database.renew(),
  close: () => database.close(),
})

// The address that mails come from.
const SENDER = 'school@mail.example'

const startSending = async (
  database: OpenDatabase,
  { secret, listenUrl, files, outside }: Pick<BackgroundParts, 'secret' | 'listenUrl' | 'files' | 'outside'>,
  options: TestOptions,
  onError: BackgroundParts['onError'],
) => {
  const mailbox = await options.mailbox?.()
  if (mailbox === undefined) return undefined
  return startBackground({
    database,
    secret,
    files,
    outside,
    listenUrl,
    ...(options.subscribers === undefined ? {} : { subscribers: options.subscribers }),
    moreAreas: options.moreAreas,
    mail: { smtpUrl: mailbox.url, from: SENDER, folder: '', onFile: () => undefined },
    onError,
  })
}

// A busy or unavailable database is no fault: the job is tried again.
const collectErrors = () => {
  let errors: string[] = []
  let allowed: RegExp[] = []
  return {
    onError: (error: unknown, job: Job | undefined): void => {
      if (isPassing(error)) return
      errors.push(
        `${job?.kind ?? 'claiming'}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      )
    },
    allow: (expected: RegExp): void => void allowed.push(expected),
    take: (): readonly string[] => {
      const unexpected = errors.filter(error => !allowed.some(one => one.test(error)))
      errors = []
      allowed = []
      return unexpected
    },
  }
}

const SETTLING = 20_000

const settled = async ({ query }: TestDatabase): Promise<void> => {
  const [open] = await query<{ before: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as before')
  const end = performance.now() + SETTLING
  for (;;) {
    const [now] = await query<{ is_past: boolean }>(
      'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as is_past',
      [open?.before],
    )
    if (now?.is_past === true) return
    if (performance.now() > end) throw new Error('a transaction elsewhere did not end')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** Starts an application on a fresh copy of the demo data, the first school at its port; `stop` ends it and drops the copy. */
export const startApp = async (options: TestOptions = {}): Promise<TestApp & { stop(): Promise<void> }> => {
  const copy = await createTestDatabase('world')
  if (options.moreTables !== undefined) await copy.query(options.moreTables)
  if (options.hasSubscriptions === true) await subscribeAll(copy)
  // A slow machine must not decide the result, except in tests about the queue for connections.
  const wait = options.databaseWait ?? 10_000
  const url = (await options.databaseUrl?.(copy.appUrl)) ?? copy.appUrl
  const { pooler } = options
  const database = openDatabase(url, { wait, max: options.connections ?? 10, pooler, onError: () => undefined })
  const listenUrl = options.listenThrough?.(copy.appUrl) ?? (pooler === undefined ? copy.appUrl : undefined)
  // Faults between the application and its database must not affect the heartbeat.
  const placeOfWrites = pooler === undefined ? { writeUrl: copy.appUrl } : { writeUrl: url, pooler }
  const secret = setting('STOA_TEST_SECRET')
  const log: string[] = []
  const jobErrors = collectErrors()
  const folder = await mkdtemp(join(tmpdir(), 'stoa-objects-'))
  const files = await (options.files?.() ?? openFiles({ folder }))
  const app = createApp({
    files,
    mailServer: options.mailbox && { host: 'mail.example', from: SENDER },
    database: recordingDatabase(database, options.onStatement ?? (() => undefined)),
    changes: listenUrl === undefined ? undefined : { listenUrl, ...placeOfWrites },
    secret,
    trustProxy: options.trustProxy ?? '',
    tellsHosts: true,
    checksGuards: true,
    moreAreas: options.moreAreas,
    morePages: options.morePages,
    fallback: options.fallback,
    ...(options.hasUsualRates === true ? {} : { rates: generous }),
    ...(options.cachesPublicReads === true ? {} : { publicAge: 0 }),
    log: { level: 'info', stream: { write: (line: string) => void log.push(line) } },
    ready: async () => ({ ready: true }),
    outside: options.outside,
    compresses: options.compresses,
  })
  const { baseHost = 'localhost' } = options
  // Browsers that are sent to an address find the application there.
  const listeners = await listen(app, { host: baseHost === 'localhost' ? '127.0.0.1' : 'localhost', port: 0 })
  const port = (app.server.address() as { port: number }).port
  await moveFirstSchool(copy, `http://${baseHost}:${port}`)
  const [a, b] = await listSchools(database.shared)
  if (a === undefined || b === undefined) throw new Error('the schools were not made')
  const background = await startSending(
    database,
    { secret, listenUrl: pooler === undefined ? copy.appUrl : listenUrl, files, outside: options.outside },
    options,
    jobErrors.onError,
  )
  const browsers: Browsers = new Map()
  const actor = async (name: PersonName, options: ActorOptions = {}): Promise<Actor> => {
    const { school = a, as, approvedAs } = options
    const { email } = people[name]
    const become = (role: Role) => changeRole(database, school, email, role)
    if (as !== undefined) await become(as)
    const before = approvedAs && (await become(approvedAs))
    const actor = await signInActor({ port, school, email, password: PASSWORD }, options, browsers)
    if (before !== undefined) await become(before)
    return actor
  }
  const toSchool = (request: TestRequest, school: School = a): Promise<TestReply> =>
    send(port, { host: new URL(school.siteOrigin).host, ...request })
  return {
    port,
    database: copy,
    secret,
    folder,
    files,
    a,
    b,
    log,
    send: toSchool,
    actor,
    setRole: async (name, role, school = a) => {
      await changeRole(database, school, people[name].email, role)
    },
    allowJobErrors: jobErrors.allow,
    takeJobErrors: jobErrors.take,
    settled: () => settled(copy),
    moveClock: async seconds => {
      await copy.query('update stoa.clock set shift = shift + make_interval(secs => $1)', [seconds])
    },
    stop: async () => {
      for (const server of listeners) if (server !== app.server) server.close()
      await app.close()
      await background?.stop()
      await database.close()
      await copy.drop()
      await rm(folder, { recursive: true, force: true })
      assert.deepEqual(jobErrors.take(), [], 'no job failed')
    },
  }
}

/** Starts an application before the tests of this file, and stops it after them. */
export const testApp = (options: TestOptions = {}): TestApp => {
  let running: Awaited<ReturnType<typeof startApp>> | undefined
  before(async () => {
    running = await startApp(options)
  })
  afterEach(() => {
    assert.deepEqual(running?.takeJobErrors() ?? [], [], 'no job failed')
  })
  after(() => running?.stop())
  return new Proxy({} as TestApp, {
    get: (_target, name) => {
      if (running === undefined) throw new Error('the application runs only inside tests')
      return Reflect.get(running, name)
    },
  })
}

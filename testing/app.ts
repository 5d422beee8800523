import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import type { School } from '#src/contract/school.ts'
import { openDatabase } from '#src/db/database.ts'
import { listSchools } from '#src/db/schools.ts'
import { hashPassword, insertMember, storePassword } from '#src/identity/index.ts'
import { newUuid } from '#src/kit/ids.ts'
import { createKeys, type Outside } from '#src/oauth/index.ts'
import { createSchool, crumbAndCrust, people } from '#src/world/index.ts'
import { createApp } from '../src/app.ts'
import { type Actor, type ActorOptions, signInActor } from './actor.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { send, type TestReply, type TestRequest } from './http.ts'

/** The password of everybody in the tests' world. */
export const PASSWORD = 'a starter needs patience'

/** Who is in the named world. */
export type PersonName = keyof typeof people

/** A running application with the named world in two schools. */
export type TestApp = {
  readonly port: number
  readonly database: TestDatabase
  readonly secret: string
  /** The first school, at the address the application listens on. */
  readonly a: School
  /** Another school, reached by its Host header. */
  readonly b: School
  /** Everything the application logged so far, a line each. */
  readonly log: readonly string[]
  /** Sends a request to the first school, or to the school named. */
  send(request: TestRequest, school?: School): Promise<TestReply>
  /** A person of the named world who signed in through the pages and allowed these scopes. */
  actor(name: PersonName, options?: ActorOptions): Promise<Actor>
  /** Moves the database's clock. */
  moveClock(seconds: number): Promise<void>
}

const generous = { network: { requests: 1_000_000, seconds: 60 }, grant: { requests: 1_000_000, seconds: 60 } }
let sharedHash: Promise<string> | undefined

const fill = async (database: ReturnType<typeof openDatabase>, schoolId: string): Promise<void> => {
  sharedHash ??= hashPassword(PASSWORD)
  const hash = await sharedHash
  await database.write(schoolId, async (db, now) => {
    for (const person of Object.values(people)) {
      const id = newUuid(now.getTime())
      await insertMember(db, schoolId, { ...person, id })
      await storePassword(db, schoolId, id, hash)
    }
  })
}

/** What a test's application may differ in. */
export type StartOptions = { readonly outside?: Outside; readonly trustProxy?: string }

/** Starts an application on a fresh copy of the database, both schools filled; `stop` ends it and drops the copy. */
export const startApp = async (options: StartOptions = {}): Promise<TestApp & { stop(): Promise<void> }> => {
  const copy = await createTestDatabase()
  const database = openDatabase(copy.appUrl, { onError: () => undefined })
  const secret = randomBytes(32).toString('base64url')
  const log: string[] = []
  const app = createApp({
    database,
    secret,
    trustProxy: options.trustProxy ?? '',
    tellsHosts: true,
    rates: generous,
    log: { level: 'info', stream: { write: (line: string) => void log.push(line) } },
    ready: async () => ({ ready: true }),
    outside: options.outside,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const port = (app.server.address() as { port: number }).port
  const keys = createKeys(secret)
  for (const baseUrl of [`http://127.0.0.1:${port}`, 'https://rye.example']) {
    const id = await createSchool(database, keys, { ...crumbAndCrust, baseUrl }, Date.now())
    if (id !== undefined) await fill(database, id)
  }
  const [a, b] = await listSchools(database.shared)
  if (a === undefined || b === undefined) throw new Error('the schools were not made')
  const toSchool = (request: TestRequest, school: School = a): Promise<TestReply> =>
    send(port, { host: new URL(school.baseUrl).host, ...request })
  return {
    port,
    database: copy,
    secret,
    a,
    b,
    log,
    send: toSchool,
    actor: (name, options = {}) =>
      signInActor({ port, school: options.school ?? a, email: people[name].email, password: PASSWORD }, options),
    moveClock: async seconds => {
      await copy.query('update stoa.clock set shift = shift + make_interval(secs => $1)', [seconds])
    },
    stop: async () => {
      await app.close()
      await database.close()
      await copy.drop()
    },
  }
}

/** An application for the tests of this file, started before them and stopped after. */
export const testApp = (): TestApp => {
  let running: Awaited<ReturnType<typeof startApp>> | undefined
  before(async () => {
    running = await startApp()
  })
  after(() => running?.stop())
  return new Proxy({} as TestApp, {
    get: (_target, name) => {
      if (running === undefined) throw new Error('the application runs only inside tests')
      return Reflect.get(running, name)
    },
  })
}

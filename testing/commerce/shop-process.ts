import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Static } from 'typebox'
import { beginPayment, type NewCheckout, placeOrder } from '#src/areas/shop/index.ts'
import { areas } from '#src/areas.ts'
import { type Endpoint, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { purposeKey } from '#src/kit/crypto.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { openFiles } from '#src/store/index.ts'
import { createApp } from '../../src/app.ts'
import { startBackground } from '../../src/background.ts'
import { asOperator } from '../../src/commands/as-operator.ts'
import { Failed } from '../../src/commands/command.ts'
import { outsideTo } from '../documents.ts'
import type { Origins } from '../payment-suite/providers.ts'
import { preloadArguments } from '../preload.ts'

type Task = {
  readonly databaseUrl: string
  readonly secret: string
  readonly folder: string
  /** Where it calls providers of payments that the test has started. */
  readonly origins?: Origins
}

/** An application with its worker in a process of its own. */
export type ShopProcess = {
  readonly port: number
  /** The errors of its jobs so far. */
  readonly errors: readonly string[]
  /** Ends it at once, in the middle of whatever it does. */
  kill(): Promise<void>
}

type Message = { readonly port: number } | { readonly error: string }

/** Starts one on a database; it ends with the test's process. */
export const startShop = async (task: Task): Promise<ShopProcess> => {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...preloadArguments],
  })
  const errors: string[] = []
  const started = Promise.withResolvers<number>()
  child.on('message', (message: Message) => {
    if ('port' in message) started.resolve(message.port)
    else errors.push(message.error)
  })
  child.once('exit', () => started.reject(new Error('the application did not start')))
  child.send(task)
  const port = await started.promise
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return { port, errors, kill }
}

type CheckoutInput = Static<typeof NewCheckout>

type Act =
  | { readonly operation: string; readonly params: Readonly<Record<string, string>>; readonly body?: object }
  | { readonly begin: string; readonly number: string; readonly endsAt: string }
  | { readonly place: string; readonly input: CheckoutInput }

const replyWith = (status: number, body: unknown): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Performs operations without a route as the operator, places orders and opens payment pages, as pages of people do. */
const acting = (own: OpenDatabase, { secret, folder }: Task): Endpoint =>
  endpoint({
    route: 'POST /acts',
    handle: async ({ database, school, json }) => {
      const act = (await json()) as Act
      if ('begin' in act) {
        const { begin: id, number: reference, endsAt } = act
        const back = `${school.baseUrl}/account/orders/${reference}`
        const parts = { database, school, keyFor: (purpose: string) => purposeKey(secret, purpose) }
        const page = { reference, description: 'An order', returnUrl: back, cancelUrl: back, locale: school.locale }
        const paymentId = fromId('pay', id) ?? ''
        return replyWith(200, await beginPayment(parts, { ...page, paymentId, endsAt: new Date(endsAt) }))
      }
      try {
        if ('place' in act) {
          const { place: memberId, input } = act
          const placed = await database.transaction(school.id, (db, now) =>
            placeOrder({ db, school, now }, { memberId, input, clientId: undefined }),
          )
          return replyWith(201, { id: toId('ord', placed.order.id) })
        }
        const parts = { database: own, secret, storage: { folder }, school, areas }
        await asOperator(parts, (performAs, at) => performAs(at, act))
        return replyWith(200, null)
      } catch (error) {
        if (error instanceof Refusal) return replyWith(error.problem.status, { code: error.problem.code })
        if (error instanceof Failed) return replyWith(409, { code: error.message })
        throw error
      }
    },
  })

const generous = { requests: 1_000_000, seconds: 60 }

const run = async (task: Task): Promise<void> => {
  const { databaseUrl, secret, folder, origins } = task
  // Loaded where it is needed: it brings the packages of providers along.
  if (origins !== undefined) (await import('../payment-suite/providers.ts')).callProvidersAt(origins)
  const database = openDatabase(databaseUrl, { wait: 30_000, onError: () => undefined })
  const files = await openFiles({ folder })
  const app = createApp({
    database,
    changes: { listenUrl: databaseUrl, writeUrl: databaseUrl },
    secret,
    files,
    rates: { network: generous, grant: generous },
    trustProxy: '',
    tellsHosts: false,
    log: { level: 'silent', stream: process.stderr },
    ready: async () => ({ ready: true }),
    outside: outsideTo(''),
    morePages: () => [acting(database, task)],
  })
  startBackground({
    database,
    secret,
    files,
    listenUrl: databaseUrl,
    mail: { smtpUrl: undefined, from: 'school@mail.example', folder, onFile: () => undefined },
    onError: (error, job) =>
      process.send?.({ error: `${job?.kind}: ${error instanceof Error ? error.stack : String(error)}` }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  process.send?.({ port: (app.server.address() as { port: number }).port })
}

if (import.meta.main) {
  // Whatever becomes of the test, this process ends with it.
  process.once('disconnect', () => process.exit(1))
  process.once('message', message => void run(message as Task))
}

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Count, Counter } from '#src/contract/counter.ts'
import type { Db } from '#src/contract/db.ts'
import { readOldestDeliveryAge } from '#src/db/oldest-delivery.ts'
import { formatMetric } from '#src/kit/exposition.ts'
import { Failed } from './command.ts'

/** The counters of this process. */
type Counters = { readonly count: Count; render(): string }

/** Creates the counters of a process; one exists from its first count on. */
export const createCounters = (): Counters => {
  const all = new Map<Counter, Map<string, number>>()
  return {
    count: (counter, value) => {
      const values = all.get(counter) ?? new Map<string, number>()
      all.set(counter, values.set(value, (values.get(value) ?? 0) + 1))
    },
    render: () => [...all].map(([counter, values]) => formatMetric({ ...counter, type: 'counter', values })).join(''),
  }
}

const OLDEST = {
  name: 'stoa_webhook_oldest_waiting_seconds',
  help: 'How long the oldest fact has waited to be delivered to a webhook of any school, replays aside.',
  type: 'gauge',
} as const

// Without the database the counters still say what the process did.
const renderGauges = async (shared: Db): Promise<string> => {
  const age = await readOldestDeliveryAge(shared).catch(() => undefined)
  return age === undefined ? '' : formatMetric({ ...OLDEST, values: new Map([['', age]]) })
}

const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Serves the metrics of this process at /metrics of an address of the operator's; throws Failed where it cannot listen. */
export const serveMetrics = async (
  { host, port }: { readonly host: string; readonly port: number },
  { counters, shared }: { readonly counters: Counters; readonly shared: Db },
): Promise<Server> => {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end()
    const text = `${counters.render()}${await renderGauges(shared)}`
    response.writeHead(200, { 'content-type': TYPE, 'cache-control': 'no-store' }).end(text)
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error: Error) => {
    throw new Failed(`cannot listen at STOA_METRICS_ADDRESS: ${error.message}`)
  })
  return server
}

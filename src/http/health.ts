import type { Reply } from '#src/contract/endpoint.ts'
import type { Readiness } from './parts.ts'
import { json } from './replies.ts'

const headers = { 'cache-control': 'no-store' }

const readyReply = ({ ready, why = 'database_unavailable', warnings = [] }: Readiness): Reply => {
  if (!ready) return json(503, { status: why }, { ...headers, 'retry-after': '1' })
  return json(200, { status: 'ready', ...(warnings.length === 0 ? {} : { warnings }) }, headers)
}

/** The answers for operators, on any host; undefined for every other path. */
export const healthReply = async (path: string, ready: () => Promise<Readiness>): Promise<Reply | undefined> => {
  if (path === '/healthz') return json(200, { status: 'ok' }, headers)
  if (path !== '/readyz') return undefined
  return readyReply(await ready().catch(() => ({ ready: false })))
}

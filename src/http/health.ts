import type { Reply } from '#src/contract/endpoint.ts'
import type { Readiness } from './parts.ts'
import { json } from './replies.ts'

const headers = { 'cache-control': 'no-store' }

const readyReply = ({ ready, reason = 'database_unavailable', warnings = [] }: Readiness): Reply => {
  if (!ready) return json(503, { status: reason }, { ...headers, 'retry-after': '1' })
  return json(200, { status: 'ready', ...(warnings.length === 0 ? {} : { warnings }) }, headers)
}

/** Whether a path is one of the health endpoints, which exist on every host. */
export const isHealthPath = (path: string): path is '/healthz' | '/readyz' => path === '/healthz' || path === '/readyz'

/** The responses of the health endpoints. */
export const healthReply = async (path: '/healthz' | '/readyz', ready: () => Promise<Readiness>): Promise<Reply> => {
  if (path === '/healthz') return json(200, { status: 'ok' }, headers)
  return readyReply(await ready().catch(() => ({ ready: false })))
}

import type { Reply } from '#src/contract/endpoint.ts'
import { json } from './replies.ts'

const headers = { 'cache-control': 'no-store' }

/** The answers for operators, on any host; undefined for every other path. */
export const healthReply = async (
  path: string,
  ready: () => Promise<{ ready: boolean; why?: string }>,
): Promise<Reply | undefined> => {
  if (path === '/healthz') return json(200, { status: 'ok' }, headers)
  if (path !== '/readyz') return undefined
  const state = await ready().catch(() => ({ ready: false, why: 'the database does not answer' }))
  if (state.ready) return json(200, { status: 'ready' }, headers)
  return json(503, { status: 'not ready', why: state.why }, { ...headers, 'retry-after': '1' })
}

import { setTimeout as delay } from 'node:timers/promises'
import { isDiskFull, NO_ROOM } from './disk.ts'
import { EmbeddedFailed, type EmbeddedFailure } from './errors.ts'
import type { Server } from './server.ts'
import type { Diagnosis } from './server-log.ts'
import type { EmbeddedState, ServerEvent } from './types.ts'

/** What a supervised server is started and judged with. */
export type Supervision = {
  readonly cluster: string
  /** Starts a server in the place of the one that ended; it does not take connections yet. */
  launch(): Promise<Server>
  diagnose(): Promise<Diagnosis>
  onEvent(event: ServerEvent): void
  /** Called once, when there will be no server any more. */
  onGivenUp(error: EmbeddedFailed): void
}

/** A server that is started again when it ends by itself. */
type Supervised = { state(): EmbeddedState; stop(): Promise<void> }

type End = { readonly how: string; readonly failure: EmbeddedFailure; readonly reason?: string | undefined }

/** How long the next start is put off, in milliseconds, by how many went before it. */
const DELAYS = [0, 500, 1000, 2000, 4000, 8000, 15_000]
/** How often a server may end within a minute of its start before it is no longer restarted; a full disk does not count. */
const MAX_FAILURES = 7
const STABLE_MS = 60_000
const ROOM_CHECK_MS = 1000

/** Starts a server again whenever it ends by itself, with increasing delays, until it ends too often. */
export function supervise(first: Server, supervision: Supervision): Supervised {
  const stopping = new AbortController()
  const { signal } = stopping
  let server = first
  let state: EmbeddedState = 'running'

  const started = async (): Promise<End | undefined> => {
    try {
      server = await supervision.launch()
      if (signal.aborted) await server.stop()
      else await server.awaitReady()
      return undefined
    } catch (error) {
      return failedStart(error, supervision)
    }
  }

  const keep = async (): Promise<void> => {
    let attempts = 0
    let failures = 0
    let since = performance.now()
    let end = await waitForEnd(server, supervision)
    while (!signal.aborted) {
      if (performance.now() - since > STABLE_MS && state === 'running') attempts = failures = 0
      state = end.failure === 'disk_full' ? 'disk_full' : 'restarting'
      if (end.failure !== 'disk_full') failures += 1
      if (end.failure === 'data_missing' || failures > MAX_FAILURES)
        return supervision.onGivenUp(permanentFailure(end, failures))
      const wait = DELAYS[Math.min(attempts, DELAYS.length - 1)] ?? 0
      attempts += 1
      supervision.onEvent({ kind: 'stopped', ...end, nextStartInMs: wait })
      await pause(wait, state, supervision.cluster, signal)
      if (signal.aborted) return
      const failure = await started()
      if (failure !== undefined) {
        end = failure
        continue
      }
      state = 'running'
      since = performance.now()
      if (!signal.aborted) supervision.onEvent({ kind: 'restarted' })
      end = await waitForEnd(server, supervision)
    }
  }

  const running = keep()
  return {
    state: () => state,
    async stop() {
      stopping.abort()
      // What is being launched at this moment is stopped when it is there.
      await server.stop()
      await running
      await server.stop()
    },
  }
}

async function waitForEnd(server: Server, { diagnose }: Supervision): Promise<End> {
  const how = await server.ended
  const { isDiskFull, reason } = await diagnose()
  return { how, failure: isDiskFull ? 'disk_full' : 'other', reason }
}

async function failedStart(error: unknown, { diagnose }: Supervision): Promise<End> {
  const [how = 'failed'] = (error instanceof Error ? error.message : String(error)).split('\n')
  if (error instanceof EmbeddedFailed && error.failure === 'data_missing') return { how, failure: 'data_missing' }
  const { isDiskFull, reason } = await diagnose()
  return { how, failure: isDiskFull || NO_ROOM.test(how) ? 'disk_full' : 'other', reason }
}

// A start may fail again at once while the disk is full, so it is tried seldom, and as soon as there is room.
async function pause(ms: number, state: EmbeddedState, cluster: string, signal: AbortSignal): Promise<void> {
  const end = performance.now() + ms
  for (let left = ms; left > 0 && !signal.aborted; left = end - performance.now()) {
    await delay(Math.min(left, ROOM_CHECK_MS), undefined, { signal }).catch(() => {})
    if (state === 'disk_full' && !(await isDiskFull(cluster))) return
  }
}

function permanentFailure({ how, failure, reason }: End, failures: number): EmbeddedFailed {
  if (failure === 'data_missing') return new EmbeddedFailed(how, { failure })
  const why = reason === undefined ? how : `${how} (${reason})`
  return new EmbeddedFailed(`PostgreSQL ended ${failures} times and is not started again: ${why}`, { failure })
}

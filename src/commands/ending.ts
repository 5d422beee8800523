import type { Server } from 'node:http'
import { Server as Socketed } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '#src/http/index.ts'

/** The parts that end with the process, in this order. */
type Ending = {
  readonly app: {
    readonly server: Server
    readonly log: { fatal(fields: object, text: string): void }
    close(): PromiseLike<void>
  }
  /** The servers that accept its connections. */
  readonly listeners: readonly Socketed[]
  readonly background: { stop(): Promise<void> }
  readonly installation: { stop(): Promise<void> }
}

// A connection that is closed while its client sends the next request fails that request. So new connections are
// refused first, and open ones are closed with their next response.
const sayFarewell = async ({ app: { server }, listeners }: Ending): Promise<void> => {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  // Closing the HTTP server also ends connections that wait for a request.
  for (const listener of listeners) Socketed.prototype.close.call(listener)
  const countOpenOn = (listener: Socketed) =>
    new Promise<number>(resolve => listener.getConnections((_error, count) => resolve(count)))
  const countOpen = async () => (await Promise.all(listeners.map(countOpenOn))).reduce((sum, count) => sum + count)
  const end = performance.now() + limits.farewell
  while ((await countOpen()) > 0 && performance.now() < end) await pause(25)
}

const endOnce = (ending: Ending) => {
  const { app, background, installation } = ending
  let worst = 0
  let isEnding = false
  const steps = async (): Promise<void> => {
    setTimeout(() => app.server.closeAllConnections(), limits.drain - 3000).unref()
    setTimeout(() => process.exit(worst || 1), limits.drain - 500).unref()
    // After an uncaught error no more requests are accepted.
    if (worst === 0) await sayFarewell(ending)
    await app.close()
    await background.stop()
    await installation.stop()
  }
  return (code: number): void => {
    worst = Math.max(worst, code)
    if (isEnding) return
    isEnding = true
    steps().then(
      () => process.exit(worst),
      () => process.exit(worst || 1),
    )
  }
}

/**
 * Ends the process with a signal, with the launcher, or after an uncaught error, then with exit code 1.
 * The returned function ends it with another code.
 */
export const endWithSignals = (ending: Ending): ((code: number) => void) => {
  const end = endOnce(ending)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0))
  // The launcher's pipe closes whenever the launcher ends.
  if (process.channel !== undefined) process.once('disconnect', () => end(0))
  const broken = (error: unknown): void => {
    ending.app.log.fatal({ err: error }, 'unknown state, ending')
    end(1)
  }
  process.on('uncaughtException', broken)
  process.on('unhandledRejection', broken)
  return end
}

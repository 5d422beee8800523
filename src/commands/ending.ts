import type { Server } from 'node:http'
import { Server as Socketed } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '#src/http/index.ts'

/** What ends with the process, in this order. */
export type Ending = {
  readonly app: {
    readonly server: Server
    readonly log: { fatal(fields: object, text: string): void }
    close(): PromiseLike<void>
  }
  readonly background: { stop(): Promise<void> }
  readonly installation: { stop(): Promise<void> }
}

// A connection that is closed while its client sends the next request fails that request. So new ones are refused first,
// and those in use are told with their next answer, as long as it takes them to ask for something.
const sayFarewell = async ({ server }: Ending['app']): Promise<void> => {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  // The close of an HTTP server also ends the connections that wait for a request.
  Socketed.prototype.close.call(server)
  const countOpen = () => new Promise<number>(resolve => server.getConnections((_error, count) => resolve(count)))
  const end = performance.now() + limits.farewell
  while ((await countOpen()) > 0 && performance.now() < end) await pause(25)
}

const endOnce = ({ app, background, installation }: Ending) => {
  let worst = 0
  let isEnding = false
  const steps = async (): Promise<void> => {
    setTimeout(() => app.server.closeAllConnections(), limits.drain - 3000).unref()
    setTimeout(() => process.exit(worst || 1), limits.drain - 500).unref()
    // What is in an unknown state takes nothing more.
    if (worst === 0) await sayFarewell(app)
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
 * Ends with a signal, with the launcher, or when something was thrown that nobody caught: then with an exit code of 1.
 * What it returns ends with another code.
 */
export const endWithSignals = (ending: Ending): ((code: number) => void) => {
  const end = endOnce(ending)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0))
  // The launcher's pipe closes when the launcher dies, however it dies.
  if (process.channel !== undefined) process.once('disconnect', () => end(0))
  const broken = (error: unknown): void => {
    ending.app.log.fatal({ err: error }, 'unknown state, ending')
    end(1)
  }
  process.on('uncaughtException', broken)
  process.on('unhandledRejection', broken)
  return end
}

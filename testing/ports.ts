import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ephemeral ports of systems, so that no other process takes one between its choice and its use.
const [FIRST, LAST] = [20_000, 32_000]
// The processes of a run have similar numbers: each searches its own range.
const STRETCH = 20

let next = FIRST + ((process.pid * STRETCH) % (LAST - FIRST))

const isFreeOn = async (host: string, port: number): Promise<boolean> => {
  const server = createServer()
  server.listen(port, host)
  const error = await once(server, 'listening').then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  )
  // A machine may have no IPv6.
  if (error !== undefined) return error.code === 'EADDRNOTAVAIL'
  server.close()
  await once(server, 'close')
  return true
}

const isFree = async (port: number): Promise<boolean> =>
  (await isFreeOn('127.0.0.1', port)) && (await isFreeOn('::1', port))

/** Returns a port that is free on both addresses of `localhost`, for a server that starts later and whose address is needed before. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = next
    next = port + 1 < LAST ? port + 1 : FIRST
    if (await isFree(port)) return port
  }
}

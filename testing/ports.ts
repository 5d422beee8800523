import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ephemeral ports of systems, so that no other process takes one between its choice and its use.
const [FIRST, LAST] = [20_000, 32_000]
// The processes of a run have similar numbers: each searches its own range.
const STRETCH = 20

let next = FIRST + ((process.pid * STRETCH) % (LAST - FIRST))

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  const isTaken = await once(server, 'listening').then(
    () => false,
    () => true,
  )
  if (isTaken) return false
  server.close()
  await once(server, 'close')
  return true
}

/** Returns a free port of the loopback interface for a server that starts later and whose address is needed before. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = next
    next = port + 1 < LAST ? port + 1 : FIRST
    if (await isFree(port)) return port
  }
}

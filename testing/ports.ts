import { once } from 'node:events'
import { createServer } from 'node:net'

// Below those that systems give to whoever asks for any port, so that nobody else takes one between finding and using it.
const [FIRST, LAST] = [20_000, 32_000]
// The processes of a run have numbers close to each other: each looks in a stretch of its own.
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

/** A port of the loopback interface for a server that is started later, by somebody who has to be told. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = next
    next = port + 1 < LAST ? port + 1 : FIRST
    if (await isFree(port)) return port
  }
}

// One thing: opens connections that stay idle after one request each; a process of its own, whose limit of open files counts for it alone.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What is opened: how many connections, and the path that is requested once on each. */
export type IdleOrder = {
  readonly port: number
  readonly host: string
  readonly path: string
  readonly connections: number
}

const AT_ONCE = 50

const sockets = new Set<Socket>()

// Networks of their own, since the API limits each network.
const toNetwork = (n: number): string => `10.${(n >> 8) & 255}.${n & 255}.1`

const open = async ({ port, host, path }: IdleOrder, n: number): Promise<void> => {
  const socket = connect(port, '127.0.0.1')
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${toNetwork(n)}\r\n\r\n`)
  const [first] = await once(socket, 'data')
  socket.resume()
  if (!String(first).startsWith('HTTP/1.1 200 '))
    throw new Error(`nothing was measured: ${String(first).slice(0, 300)}`)
}

const openAll = async (order: IdleOrder): Promise<void> => {
  let next = 0
  const caller = async (): Promise<void> => {
    while (next < order.connections) await open(order, next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
}

if (import.meta.main) {
  process.once('disconnect', () => process.exit())
  process.once('message', async message => {
    await openAll(message as IdleOrder)
    // The sender asks again how many of them are still open.
    process.on('message', () => process.send?.(sockets.size))
    process.send?.(sockets.size)
  })
}

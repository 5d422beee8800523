import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A connection to a database that can be frozen: nothing passes any more, and no connection is closed. */
export type Gate = {
  /** Returns the address that leads through the gate to the database of an address. */
  through(url: string): string
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

type Target = { readonly host: string; readonly port: number }

const parseTarget = (url: URL): Target => ({
  host: url.searchParams.get('host') ?? decodeURIComponent(url.hostname),
  port: Number(url.port || 5432),
})

const dialTo = ({ host, port }: Target): Socket =>
  host.startsWith('/') ? dial(`${host}/.s.PGSQL.${port}`) : dial(port, host)

/** Opens a gate on this computer, through which a new connection takes this many milliseconds. */
export const openGate = async (delay = 0): Promise<Gate> => {
  let target: Target = { host: '127.0.0.1', port: 5432 }
  let frozen = false
  const sockets = new Set<Socket>()
  const join = (one: Socket, other: Socket): void => {
    sockets.add(one)
    one.on('data', chunk => other.write(chunk))
    one.on('error', () => undefined)
    one.on('close', () => {
      sockets.delete(one)
      if (!frozen) other.destroy()
    })
    if (frozen) one.pause()
  }
  const server = createServer(async near => {
    sockets.add(near)
    near.on('error', () => undefined)
    if (delay > 0) await pause(delay)
    const far = dialTo(target)
    join(near, far)
    join(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    through: text => {
      const url = new URL(text)
      target = parseTarget(url)
      const login = `${url.username}${url.password === '' ? '' : `:${url.password}`}`
      return `postgres://${login}@127.0.0.1:${port}${url.pathname}`
    },
    freeze: () => {
      frozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw: () => {
      frozen = false
      // Whatever was dropped meanwhile is lost; both sides reconnect.
      for (const socket of sockets) socket.destroy()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

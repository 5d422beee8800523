import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy between a browser and the application, which cuts connections that send pieces of files. */
export type CuttingProxy = {
  readonly address: string
  /** How many more pieces are cut, each after its first bytes. */
  cuts: number
  /** How many pieces were cut. */
  cut: number
  /** Whether an answer to a piece that is still being sent is lost, as where the server closes the connection after it. */
  losesEarlyAnswers: boolean
  stop(): Promise<void>
}

const KEPT_BYTES = 300_000

/** Starts a proxy for HTTP on this machine. */
export const startCuttingProxy = async (): Promise<CuttingProxy> => {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming
    const isCut = proxy.cuts > 0 && url.endsWith('/content')
    if (isCut) proxy.cuts -= 1
    const onward = request(url, { method, headers, agent: false }, reply => {
      if (proxy.losesEarlyAnswers && url.endsWith('/content') && !incoming.complete) {
        onward.destroy()
        incoming.destroy()
        return
      }
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    onward.on('error', () => incoming.destroy())
    if (!isCut) {
      incoming.pipe(onward)
      return
    }
    let sent = 0
    incoming.on('data', (chunk: Buffer) => {
      sent += chunk.length
      onward.write(chunk)
      if (sent < KEPT_BYTES) return
      incoming.pause()
      // What was sent arrives before the connection ends.
      setTimeout(() => {
        proxy.cut += 1
        onward.destroy()
        incoming.destroy()
      }, 200)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const proxy: CuttingProxy = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: 0,
    cut: 0,
    losesEarlyAnswers: false,
    stop: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
  return proxy
}

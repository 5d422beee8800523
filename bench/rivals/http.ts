// One thing: what idle connections are compared with; the HTTP server of Node with our limits and a constant response.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limits } from '#src/http/limits.ts'

const serve = (): void => {
  const { headersTimeout, keepAliveTimeout } = limits
  const server = createServer({ headersTimeout, keepAliveTimeout, requestTimeout: 0 }, (_, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 }).end('ok'),
  )
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  process.once('disconnect', () => process.exit())
}

if (import.meta.main) process.once('message', serve)

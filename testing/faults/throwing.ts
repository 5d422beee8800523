import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

// One thing: loaded into a server by `--import`, it throws outside the handler of a request that asks for it.
subscribe('http.server.request.start', message => {
  const { request } = message as { request: IncomingMessage }
  const way = request.headers['x-test-fault']
  const fault = new Error('thrown by the test')
  if (way === 'throw')
    setImmediate(() => {
      throw fault
    })
  if (way === 'reject') void Promise.reject(fault)
})

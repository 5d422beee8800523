import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Outside } from '#src/contract/outside.ts'
import { makeCertificate } from './certificate.ts'

/** The reply with which a document is served. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A third-party web server on this computer: it publishes client metadata documents under names of `.example`. */
export type DocumentServer = {
  readonly port: number
  /** The certificate to trust. */
  readonly ca: string
  /** The application's outgoing requests: these names resolve to this computer, and no other address is reached. */
  readonly outside: Outside
  /** The requests that it has received so far. */
  readonly requests: IncomingMessage[]
  /** The names that were resolved so far. */
  readonly resolved: string[]
  /** Publishes a reply at its own path; returns the address, which is the id of a client. */
  publish(answer: Answer, host?: string): string
  /** Publishes a document at its own address; `members` replace or add, and undefined ones are removed. */
  describe(members?: Readonly<Record<string, unknown>>, headers?: Readonly<Record<string, string>>): string
  stop(): Promise<void>
}

/** The host name of the certificate. */
export const HOST = 'app.example'

/** The default members of a document. */
export const usualDocument = (clientId: string): Record<string, unknown> => ({
  client_id: clientId,
  client_name: 'Recipe Box',
  redirect_uris: ['http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
  logo_uri: 'https://app.example/logo.png',
})

/** Returns a reply in JSON. */
export const json =
  (value: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))

/** Resolves each name to this computer, never.example to nothing, and trusts one certificate. */
export const outsideTo = (ca: string, resolved: string[] = []): Outside => ({
  ca,
  isAllowed: address => address === '127.0.0.1',
  resolve: async host => {
    resolved.push(host)
    return host === 'never.example' ? new Promise(() => undefined) : ['127.0.0.1']
  },
})

/** Starts such a web server. */
export const startDocuments = async (): Promise<DocumentServer> => {
  const { key, cert } = await makeCertificate([HOST])
  const answers = new Map<string, Answer>()
  const requests: IncomingMessage[] = []
  const resolved: string[] = []
  const server = createServer({ key, cert }, (request, response) => {
    requests.push(request)
    const answer = answers.get(request.url ?? '')
    if (answer === undefined) response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    else answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const publish = (answer: Answer, host = HOST): string => {
    const path = `/clients/${answers.size + 1}`
    answers.set(path, answer)
    return `https://${host}:${port}${path}`
  }
  return {
    port,
    ca: cert,
    outside: outsideTo(cert, resolved),
    requests,
    resolved,
    publish,
    describe: (members = {}, headers = {}) => {
      const id = publish((request, response) =>
        json({ ...usualDocument(`https://${HOST}:${port}${request.url}`), ...members }, headers)(request, response),
      )
      return id
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

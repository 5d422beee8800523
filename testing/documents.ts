import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Outside } from '#src/oauth/index.ts'
import { makeCertificate } from './certificate.ts'

/** How a document is answered. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A web server of others, on this computer: it publishes client documents under names of `.example`. */
export type DocumentServer = {
  readonly port: number
  /** The certificate to trust. */
  readonly ca: string
  /** The application's way outside: these names lead here, and nothing leads anywhere else. */
  readonly outside: Outside
  /** What was asked for so far. */
  readonly requests: IncomingMessage[]
  /** The names that were resolved so far. */
  readonly resolved: string[]
  /** Publishes an answer at a path of its own; gives the address, the id of a client. */
  publish(answer: Answer, host?: string): string
  /** Publishes a document at an address of its own; `members` replace or add, undefined ones go. */
  describe(members?: Readonly<Record<string, unknown>>, headers?: Readonly<Record<string, string>>): string
  stop(): Promise<void>
}

/** The name the certificate is for. */
export const HOST = 'app.example'

/** What a document says when nothing else is said. */
export const usualDocument = (clientId: string): Record<string, unknown> => ({
  client_id: clientId,
  client_name: 'Recipe Box',
  redirect_uris: ['http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
  logo_uri: 'https://app.example/logo.png',
})

/** An answer in JSON. */
export const json =
  (value: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))

/** The way outside that leads each name to this computer, never.example nowhere, and trusts one certificate. */
export const outsideTo = (ca: string, resolved: string[] = []): Outside => ({
  ca,
  isAllowed: address => address === '127.0.0.1',
  resolve: async host => {
    resolved.push(host)
    return host === 'never.example' ? new Promise(() => undefined) : ['127.0.0.1']
  },
})

/** Starts such a server. */
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

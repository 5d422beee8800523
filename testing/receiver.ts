import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { Webhook } from 'standardwebhooks'
import { makeCertificate } from './certificate.ts'

/** A request that a receiver got. */
export type Received = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The body as JSON. */
  readonly json: {
    readonly id: string
    readonly type: string
    readonly sequence: number
    readonly previous: number | null
    readonly test?: boolean
    readonly subject: { readonly id: string; readonly href: string | null } | null
    readonly data: Readonly<Record<string, unknown>>
    readonly [member: string]: unknown
  }
}

/** How a receiver answers a request. */
export type ReceiverAnswer = (received: Received, response: ServerResponse) => void

/** A receiver of webhooks on this computer. */
export type Receiver = {
  readonly port: number
  /** The address of the receiver: over HTTP at 127.0.0.1, over HTTPS at its host name. */
  readonly url: string
  /** The certificate to trust; empty over HTTP. */
  readonly ca: string
  /** What it got so far. */
  readonly received: Received[]
  /** Answers from now on in this way; at first with 204. */
  answer(by: ReceiverAnswer): void
  stop(): Promise<void>
}

/** Answers with a status and headers. */
export const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}): ReceiverAnswer =>
  (_received, response) =>
    void response.writeHead(status, headers).end()

/** Starts a receiver, over HTTPS under this host name where there is one. */
export const startReceiver = async (host?: string, port = 0): Promise<Receiver> => {
  const received: Received[] = []
  let answer: ReceiverAnswer = withStatus(204)
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const one = { path: request.url ?? '', headers: request.headers, body, json: JSON.parse(body) }
    received.push(one)
    answer(one, response)
  }
  const certificate = host === undefined ? undefined : await makeCertificate([host])
  const server = certificate === undefined ? createServer(listener) : createSecure(certificate, listener)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const place = server.address() as { port: number }
  return {
    port: place.port,
    url: host === undefined ? `http://127.0.0.1:${place.port}/hook` : `https://${host}:${place.port}/hook`,
    ca: certificate?.cert ?? '',
    received,
    answer: by => {
      answer = by
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Whether a request is signed with a secret, as the library of Standard Webhooks judges it. */
export const isSignedWith = (secret: string, { body, headers }: Received): boolean => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

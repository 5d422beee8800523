import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A received mail: its envelope, its parsed form and its bytes. */
type Arrived = {
  readonly from: string
  readonly to: readonly string[]
  readonly email: Email
  readonly raw: string
}

/** Called for each mail before the mailbox accepts it; throwing refuses the mail. */
type OnMail = (mail: Arrived) => Promise<void> | void

/** A real SMTP server that keeps the mails that it receives. */
export type Mailbox = {
  readonly url: string
  readonly arrived: readonly Arrived[]
  /** Replaces the function that is called for each mail before it is accepted. */
  treat(onMail: OnMail): void
  /** Returns the mails to an address (with a matching subject) once there are that many; fails after a timeout. */
  waitFor(to: string, count?: number, subject?: RegExp): Promise<Arrived[]>
  stop(): Promise<void>
}

// A fact, and the mail that follows from it, waits for every open transaction in the cluster.
const PATIENCE_MS = 30_000

/** Starts an SMTP server on a port of the loopback interface. */
export const startMailbox = async (port = 0): Promise<Mailbox> => {
  const arrived: Arrived[] = []
  let treat: OnMail = () => undefined
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const bytes = Buffer.concat(chunks)
        const { mailFrom, rcptTo } = session.envelope
        const mail: Arrived = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          email: await PostalMime.parse(bytes),
          raw: bytes.toString('utf8'),
        }
        try {
          await treat(mail)
          arrived.push(mail)
          callback()
        } catch (error) {
          callback(error instanceof Error ? error : new Error(String(error)))
        }
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const own = (server.server.address() as AddressInfo).port
  return {
    url: `smtp://127.0.0.1:${own}`,
    arrived,
    treat: onMail => {
      treat = onMail
    },
    waitFor: async (to, count = 1, subject = /./) => {
      const end = performance.now() + PATIENCE_MS
      for (;;) {
        const found = arrived.filter(mail => mail.to.includes(to) && subject.test(mail.email.subject ?? ''))
        if (found.length >= count) return found
        if (performance.now() > end) throw new Error(`${found.length} of ${count} mails to ${to} arrived`)
        await pause(10)
      }
    },
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
}

/** The subjects of mails with a code. */
export const WITH_CODE = /is your code|é o seu código|invited|new password/

/** Returns the six digits in a mail. */
export const codeIn = (mail: Arrived | undefined): string => {
  const code = /^\d{6}$/m.exec(mail?.email.text ?? '')?.[0]
  if (code === undefined) throw new Error(`no code in: ${mail?.email.subject}`)
  return code
}

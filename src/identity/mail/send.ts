import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A mail with everything that goes into its head. */
export type Message = {
  readonly id: string
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly replyTo: string | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Hands a message on; rejects when nobody took it. */
export type Send = (message: Message) => Promise<void>

/** Where mail goes. */
export type MailSettings = {
  readonly smtpUrl: string | undefined
  readonly from: string
  /** The folder for mails when there is no SMTP server. */
  readonly folder: string
  /** Hears of each file that was written instead of a mail sent. */
  onFile(file: string): void
}

// Each bounds one step of the conversation; together they stay below the time for which a worker's claim holds.
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

const envelope = ({ id, from, to, replyTo, subject, text, html }: Message) => ({
  // From the row's id: a mail sent twice is the same mail (RFC 5322 §3.6.4).
  messageId: `<${id}@${from.address.split('@')[1]}>`,
  from,
  to: { name: '', address: to },
  ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
  subject,
  text,
  html,
  // RFC 3834 §5
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})

// Loaded at the first mail: it is a tenth of what a start would load.
const load = async () => (await import('nodemailer')).default

const once = <Made>(make: () => Promise<Made>): (() => Promise<Made>) => {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make()
    return made
  }
}

const bySmtp = (url: string): Send => {
  const transport = once(async () => (await load()).createTransport({ url, ...patience }))
  return async message => {
    await (await transport()).sendMail(envelope(message))
  }
}

// Half a mail would be taken for one, and on a full disk it would keep the room that it takes.
const writeWhole = async (file: string, bytes: Buffer): Promise<void> => {
  const draft = `${file}.unfinished`
  try {
    await writeFile(draft, bytes, { mode: 0o600 })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

const toFolder = ({ folder, onFile }: MailSettings): Send => {
  const transport = once(async () => (await load()).createTransport({ streamTransport: true, buffer: true }))
  return async message => {
    const { message: bytes } = await (await transport()).sendMail(envelope(message))
    const file = join(folder, `${message.id}.eml`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeWhole(file, bytes as Buffer)
    onFile(file)
  }
}

/** Sends by SMTP, or writes each mail into a file where no server is set. */
export const createSend = (settings: MailSettings): Send =>
  settings.smtpUrl === undefined ? toFolder(settings) : bySmtp(settings.smtpUrl)

import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file as it is attached. */
export type AttachedFile = { readonly name: string; readonly type: string; readonly bytes: Buffer }

/** A mail with everything that its headers need. */
export type Message = {
  readonly id: string
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly replyTo: string | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments?: readonly AttachedFile[]
  /** The address that turns off such mails. */
  readonly unsubscribe?: string | undefined
}

/** Sends a message; rejects when the server did not accept it. */
export type Send = (message: Message) => Promise<void>

/** Where mail goes. */
export type MailSettings = {
  readonly smtpUrl: string | undefined
  readonly from: string
  /** The folder for mails when there is no SMTP server. */
  readonly folder: string
  /** Called with each file that was written instead of sending a mail. */
  onFile(file: string): void
}

// Each limits one step of the SMTP dialogue; together they stay below the duration of a worker's claim.
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

// RFC 8058 §3.1: one click is offered over https alone.
const unsubscribeHeaders = (address: string | undefined): Record<string, string> => {
  if (address === undefined) return {}
  const link = { 'List-Unsubscribe': `<${address}>` }
  return address.startsWith('https:') ? { ...link, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : link
}

const envelope = ({ id, from, to, replyTo, subject, text, html, attachments = [], unsubscribe }: Message) => ({
  // From the row's id: a mail sent twice is the same mail (RFC 5322 §3.6.4).
  messageId: `<${id}@${from.address.split('@')[1]}>`,
  from,
  to: { name: '', address: to },
  ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
  subject,
  text,
  html,
  // RFC 3834 §5
  headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribe) },
  attachments: attachments.map(({ name, type, bytes }) => ({ filename: name, contentType: type, content: bytes })),
  disableFileAccess: true,
  disableUrlAccess: true,
})

// Loaded with the first mail, since it would make the start about a tenth slower.
const load = async () => (await import('nodemailer')).default

const once = <Value>(create: () => Promise<Value>): (() => Promise<Value>) => {
  let value: Promise<Value> | undefined
  return () => {
    value ??= create()
    return value
  }
}

const bySmtp = (url: string): Send => {
  const transport = once(async () => (await load()).createTransport({ url, ...patience }))
  return async message => {
    await (await transport()).sendMail(envelope(message))
  }
}

// A partly written file would look like a whole mail and, on a full disk, keep its space.
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

// The folder that contains it is never created here: where it was moved away, an empty one would stand in its place.
const makeFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

const toFolder = ({ folder, onFile }: MailSettings): Send => {
  const transport = once(async () => (await load()).createTransport({ streamTransport: true, buffer: true }))
  return async message => {
    const { message: bytes } = await (await transport()).sendMail(envelope(message))
    const file = join(folder, `${message.id}.eml`)
    await makeFolder(folder)
    await writeWhole(file, bytes as Buffer)
    onFile(file)
  }
}

/** Sends mails by SMTP, or writes each one to a file when no server is configured. */
export const createSend = (settings: MailSettings): Send =>
  settings.smtpUrl === undefined ? toFolder(settings) : bySmtp(settings.smtpUrl)

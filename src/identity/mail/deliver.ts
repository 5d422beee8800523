import type { Database, Db } from '#src/contract/db.ts'
import type { Job, JobHandler, JobOutcome } from '#src/contract/job.ts'
import { toLanguage } from '#src/contract/language.ts'
import { type MailKind, mailKindsByName } from '#src/contract/mail.ts'
import { unseal } from '#src/kit/crypto.ts'
import { formatWeekdayTime } from '#src/kit/format.ts'
import { asciiEmail, cleanLine, isEmail } from '#src/kit/text.ts'
import { loadAttachments, type ReadFile } from './attachments.ts'
import { wantsMails } from './choices.queries.ts'
import { dropMail, findWaitingMail, markFailed, markParked, markSent, storeAcceptance, type WaitingMail } from './queries.ts'
import { mailSeal } from './record.ts'
import { type MailFrame, renderMail, type StoredValues } from './render.ts'
import type { Message, Send } from './send.ts'
import { unsubscribeToken } from './unsubscribe.ts'

/** What the delivery of mails needs. */
type DeliveryParts = {
  readonly database: Database
  readonly secret: string
  readonly from: string
  readonly send: Send
  readonly kinds: readonly MailKind[]
  readonly readFile: ReadFile
  /** Whether mails are written to files, so that the outbox shows their texts. */
  readonly keepsText: boolean
}

type Delivery = Omit<DeliveryParts, 'kinds'> & { readonly kinds: ReadonlyMap<string, MailKind> }

// Five attempts over a day: one immediately, then one after each of these delays, in seconds.
const PAUSES = [60, 10 * 60, 3 * 3600, 20 * 3600]

const openSecrets = (mail: WaitingMail, schoolId: string, secret: string): Record<string, string> => {
  if (mail.secrets_sealed === null) return {}
  const { key, context } = mailSeal(secret, schoolId, mail.id)
  return JSON.parse(unseal(key, mail.secrets_sealed, context))
}

const getKind = (mail: WaitingMail, { kinds }: Delivery): MailKind => {
  const kind = kinds.get(mail.kind)
  if (kind === undefined) throw new Error(`there is no mail of the kind ${mail.kind}`)
  return kind
}

const unsubscribeAddress = (mail: WaitingMail, schoolId: string, kind: MailKind, secret: string) => {
  if (kind.mute === undefined || mail.member_id === null) return undefined
  const token = unsubscribeToken(secret, schoolId, { memberId: mail.member_id, kind: kind.name })
  return `${mail.site_origin}/unsubscribe/${token}`
}

// What the school and the mail itself determine comes last, so that no recorded value replaces it.
const buildValues = (mail: WaitingMail, secrets: StoredValues, unsubscribe: string | undefined): StoredValues => ({
  ...mail.values,
  ...(mail.values.path === undefined ? {} : { link: `${mail.site_origin}${mail.values.path}` }),
  ...secrets,
  ...(unsubscribe === undefined ? {} : { unsubscribe }),
  school: cleanLine(mail.school_name, 200),
  account: `${mail.site_origin}/account`,
  recorded: formatWeekdayTime(mail.recorded_at, mail.time_zone, toLanguage(mail.locale)),
})

const buildFrame = ({ look, site_origin: siteOrigin, school_name: name }: WaitingMail): MailFrame => {
  const findAddress = (path: string | null | undefined): string | undefined =>
    path == null ? undefined : `${siteOrigin}${path}`
  return {
    name,
    header: findAddress(look?.email.headerImage),
    logo: findAddress(look?.logo),
    logoDark: findAddress(look?.logoDark),
    isWordmark: look?.isWordmark ?? false,
    footer: look?.email.footer ?? undefined,
    ...(look === null ? {} : { style: look.email }),
  }
}

const buildMessage = async (mail: WaitingMail, job: Job, delivery: Delivery): Promise<Message> => {
  const { secret, from, readFile } = delivery
  const { schoolId } = job
  const kind = getKind(mail, delivery)
  if (!isEmail(mail.recipient)) throw new Error('EADDRESS')
  const isLast = job.attempt > PAUSES.length
  const { files, missing } = await loadAttachments(mail.attachments, { schoolId, sender: from, readFile, isLast })
  const unsubscribe = unsubscribeAddress(mail, schoolId, kind, secret)
  const values = buildValues(mail, openSecrets(mail, schoolId, secret), unsubscribe)
  const replyTo =
    mail.contact_email !== null && isEmail(mail.contact_email) ? asciiEmail(mail.contact_email) : undefined
  const frame = { ...buildFrame(mail), takesReplies: replyTo !== undefined }
  return {
    id: mail.id,
    from: { name: cleanLine(mail.school_name, 200), address: asciiEmail(from) },
    to: asciiEmail(mail.recipient),
    replyTo,
    ...renderMail(kind, mail.locale, values, { missingFiles: missing, frame }),
    attachments: files,
    unsubscribe,
  }
}

// Never the server's own message: it contains addresses.
const describeReason = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const codes = [code, responseCode].filter(part => typeof part === 'string' || typeof part === 'number')
  return codes.length === 0 ? error.name : codes.join(' ').slice(0, 100)
}

const parked = (job: Job, reason: string): JobOutcome => ({
  againIn: undefined,
  settle: db => markParked(db, job.schoolId, job.id, job.attempt, reason),
})

// A person may have turned off these mails while this one waited.
const isWantedStill = async (mail: WaitingMail, { schoolId }: Job, { database, kinds }: Delivery): Promise<boolean> => {
  const mute = kinds.get(mail.kind)?.mute
  const memberId = mail.member_id
  if (mute === undefined || memberId === null) return true
  return database.statements(schoolId, db => wantsMails(db, schoolId, memberId, mute))
}

const settleSent = async (db: Db, { schoolId, id, attempt }: Job, mail: WaitingMail, delivery: Delivery) => {
  const { keepsText, from } = delivery
  await markSent(db, schoolId, id, { attempt, keepsText })
  // A file proves nothing of a server.
  if (!keepsText && getKind(mail, delivery).isTest === true) await storeAcceptance(db, schoolId, from)
}

const deliver = async (delivery: Delivery, job: Job): Promise<JobOutcome> => {
  const { schoolId, id, attempt } = job
  const mail = await delivery.database.statements(schoolId, db => findWaitingMail(db, schoolId, id))
  if (mail === undefined) return { againIn: undefined, settle: async () => undefined }
  if (mail.is_late) return parked(job, 'expired before it could be sent')
  if (!(await isWantedStill(mail, job, delivery)))
    return { againIn: undefined, settle: db => dropMail(db, schoolId, id) }
  try {
    await delivery.send(await buildMessage(mail, job, delivery))
    return { againIn: undefined, settle: db => settleSent(db, job, mail, delivery) }
  } catch (error) {
    const reason = describeReason(error)
    const againIn = PAUSES[attempt - 1]
    if (againIn === undefined) return parked(job, reason)
    return { againIn, settle: db => markFailed(db, schoolId, id, attempt, reason) }
  }
}

/**
 * Sends one mail, in up to five attempts over a day; after that it is parked. Its secrets are deleted in either case.
 */
export const createMailDelivery = (parts: DeliveryParts): JobHandler => {
  const delivery: Delivery = { ...parts, kinds: mailKindsByName(parts.kinds) }
  return job => deliver(delivery, job)
}

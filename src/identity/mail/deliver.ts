import type { Database } from '#src/contract/db.ts'
import type { Job, JobHandler, JobOutcome } from '#src/contract/job.ts'
import { unseal } from '#src/kit/crypto.ts'
import { cleanLine, isEmail } from '#src/kit/text.ts'
import { findWaitingMail, markFailed, markParked, markSent, type WaitingMail } from './queries.ts'
import { mailSeal } from './record.ts'
import { renderMail } from './render.ts'
import type { Message, Send } from './send.ts'

type Delivery = { readonly database: Database; readonly secret: string; readonly from: string; readonly send: Send }

// Five attempts over a day: one immediately, then one after each of these delays, in seconds.
const PAUSES = [60, 10 * 60, 3 * 3600, 20 * 3600]

const secretsOf = (mail: WaitingMail, schoolId: string, secret: string): Record<string, string> => {
  if (mail.secrets_sealed === null) return {}
  const { key, context } = mailSeal(secret, schoolId, mail.id)
  return JSON.parse(unseal(key, mail.secrets_sealed, context))
}

const messageOf = (mail: WaitingMail, job: Job, { secret, from }: Delivery): Message => {
  const school = cleanLine(mail.school_name, 200)
  const own = { school, account: `${mail.base_url}/account` }
  const values = { ...mail.values, ...secretsOf(mail, job.schoolId, secret), ...own }
  if (!isEmail(mail.recipient)) throw new Error('EADDRESS')
  const replyTo = mail.contact_email !== null && isEmail(mail.contact_email) ? mail.contact_email : undefined
  const rendered = renderMail(mail.kind, mail.locale, values)
  return { id: mail.id, from: { name: school, address: from }, to: mail.recipient, replyTo, ...rendered }
}

// Never the server's own message: it contains addresses.
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const codes = [code, responseCode].filter(part => typeof part === 'string' || typeof part === 'number')
  return codes.length === 0 ? error.name : codes.join(' ').slice(0, 100)
}

const parked = (job: Job, reason: string): JobOutcome => ({
  againIn: undefined,
  settle: db => markParked(db, job.schoolId, job.id, job.attempt, reason),
})

/**
 * Sends one mail, in up to five attempts over a day; after that it is parked. Its content is deleted in either case.
 */
export const createMailDelivery =
  (delivery: Delivery): JobHandler =>
  async job => {
    const { schoolId, id, attempt } = job
    const mail = await delivery.database.statements(schoolId, db => findWaitingMail(db, schoolId, id))
    if (mail === undefined) return { againIn: undefined, settle: async () => undefined }
    if (mail.is_late) return parked(job, 'expired before it could be sent')
    try {
      await delivery.send(messageOf(mail, job, delivery))
      return { againIn: undefined, settle: db => markSent(db, schoolId, id, attempt) }
    } catch (error) {
      const reason = reasonOf(error)
      const againIn = PAUSES[attempt - 1]
      if (againIn === undefined) return parked(job, reason)
      return { againIn, settle: db => markFailed(db, schoolId, id, attempt, reason) }
    }
  }

import { findEventRow, findOccurrenceRow, type OccurrenceRow } from '#src/areas/events/events/index.ts'
import { clockNow } from '#src/areas/learning/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { putJob } from '#src/db/jobs.ts'
import { getSchool } from '#src/db/schools.ts'
import { newUuid } from '#src/kit/ids.ts'
import { eventMails } from './mails.ts'
import { findMailing, insertMailing, listNext, type MailingRow, moveMailing, wasReminded } from './queries.ts'
import { type DueReminder, dueReminder, nextReminder } from './rules.ts'
import { dateAttached, mailAbout, noteRows, seatRows, ticketsAttached } from './writes.ts'

/** The kind of job that records the mails of a mailing. */
export const MAILING_JOB = 'event_mailing'

/** The kind of job that reminds the people of an occurrence. */
export const REMINDER_JOB = 'event_reminder'

// So many mails are recorded in one transaction.
const MAX_MAILS = 200

/** Has the people of an occurrence reminded in time; one job for each occurrence, moved when its date moves. */
export const planReminder = async (
  { db, school, now }: TransactionContext,
  { id, starts_at: startsAt }: Pick<OccurrenceRow, 'id' | 'starts_at'>,
): Promise<void> => {
  const next = nextReminder(startsAt, now)
  if (next !== undefined) await putJob(db, school.id, { kind: REMINDER_JOB, id, dueAt: next.at })
}

const remind = async (context: TransactionContext, { id }: OccurrenceRow, { kind }: DueReminder): Promise<void> => {
  const { db, school, now } = context
  const mailing = {
    id: newUuid(now.getTime()),
    occurrence_id: id,
    kind,
    statuses: ['confirmed'],
    subject: null,
    message: null,
  }
  await insertMailing(db, school.id, mailing)
  await putJob(db, school.id, { kind: MAILING_JOB, id: mailing.id, dueAt: now })
}

const remindNow = async (db: Db, schoolId: string, occurrenceId: string): Promise<void> => {
  const where = { db, school: await getSchool(db, schoolId), now: await clockNow(db) }
  const occurrence = await findOccurrenceRow(db, schoolId, occurrenceId)
  if (occurrence?.status !== 'scheduled') return
  const due = dueReminder(occurrence, where.now)
  const since = due?.at ?? where.now
  if (due !== undefined && !(await wasReminded(db, schoolId, { occurrenceId, kind: due.kind, since })))
    await remind(where, occurrence, due)
  await planReminder(where, occurrence)
}

/** Reminds the people of an occurrence, in the transaction that settles the job. */
export const remindPeople: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: db => remindNow(db, schoolId, id),
})

type Recipient = Awaited<ReturnType<typeof listNext>>[number]
type Part = { readonly mailing: MailingRow; readonly recipients: readonly Recipient[] }

const contentFor = async (context: TransactionContext, mailing: MailingRow, holder: Recipient, eventId: string) => {
  const { occurrence_id: occurrenceId, kind, subject, message } = mailing
  const seat = { holder, occurrenceId }
  if (kind === 'message')
    return { kind: eventMails.event_message, values: { subject: subject ?? '', notes: noteRows(message ?? '') } }
  if (kind === 'changed') return { kind: eventMails.event_changed, attachments: await dateAttached(context, seat) }
  // Without an account nobody can turn off reminders.
  const reminder = holder.memberId === null ? eventMails.event_guest_reminder : eventMails.event_reminder
  const attachments = await ticketsAttached(context, seat, eventId)
  return { kind: reminder, values: { seats: await seatRows(context, seat) }, attachments }
}

const send = async (db: Db, schoolId: string, { mailing, recipients }: Part): Promise<void> => {
  const where = { db, school: await getSchool(db, schoolId), now: await clockNow(db) }
  const occurrence = await findOccurrenceRow(db, schoolId, mailing.occurrence_id)
  const event =
    occurrence && (await findEventRow(db, schoolId, { memberId: undefined, isStaff: true }, occurrence.event_id))
  if (occurrence === undefined || event === undefined) return
  const dated = { ...occurrence, event_name: event.name }
  for (const one of recipients) await mailAbout(where, one, dated, () => contentFor(where, mailing, one, event.id))
  const isLast = recipients.length < MAX_MAILS
  const after = recipients.at(-1)?.id ?? null
  await moveMailing(db, schoolId, mailing.id, { after, mailed: recipients.length, isLast })
}

/** Records the mails of a mailing to its next recipients, in the transaction that settles the job, until all have theirs. */
export const createMailing =
  (database: Database): JobHandler =>
  async ({ schoolId, id }) => {
    const part = await database.statements(schoolId, async (db): Promise<Part | undefined> => {
      const mailing = await findMailing(db, schoolId, id)
      return mailing && { mailing, recipients: await listNext(db, schoolId, mailing, MAX_MAILS) }
    })
    if (part === undefined) return { againIn: undefined, settle: async () => undefined }
    const isLast = part.recipients.length < MAX_MAILS
    return { againIn: isLast ? undefined : 0, settle: db => send(db, schoolId, part) }
  }

import Type from 'typebox'
import { lockOwnOccurrence, OccurrenceRef } from '#src/areas/events/events/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { fillEach } from '#src/contract/language.ts'
import { declareFor } from '#src/contract/operation.ts'
import { putJob } from '#src/db/jobs.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { Closed, Line, OneOf, Words } from '#src/kit/shapes.ts'
import { texts } from '#src/texts/index.ts'
import { MAILING_JOB } from './jobs.ts'
import { countReaders, insertMailing } from './queries.ts'
import { audienceStatuses } from './rules.ts'

const NewMessage = Closed('NewOccurrenceMessage', {
  to: OneOf(['confirmed', 'waiting'], 'Those with a confirmed seat, or those on the waiting list'),
  subject: Line(120, 'The subject of the mail'),
  message: Words(5000, 'What the mail says, as plain text'),
})

const Message = Closed('OccurrenceMessage', {
  recipient_count: Type.Integer({ minimum: 0, description: 'How many people get the mail' }),
})

const mailRegistrations = declareFor('lecturer_of', 'events', {
  id: 'mailRegistrations',
  route: 'POST /occurrences/:occurrence_id/messages',
  summary: 'Mail registered people',
  description:
    'Mails a message to those who are registered for a date of an event, or to those who wait for a seat. Mails cannot be taken back; `dry_run` returns how many people that would be.',
  confirm: 'person',
  params: OccurrenceRef,
  body: NewMessage,
  returns: Message,
  example: {
    params: { occurrence_id: exampleFrom('occ', 'listOccurrences') },
    body: { to: 'confirmed', subject: 'What to bring', message: 'Please bring a jar with your starter.' },
  },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    const { occurrence } = await lockOwnOccurrence(context, params.occurrence_id)
    const statuses = audienceStatuses[body.to]
    const recipients = await countReaders(db, school.id, occurrence.id, statuses)
    const { subject, message } = body
    const id = newUuid(now.getTime())
    await insertMailing(db, school.id, {
      id,
      occurrence_id: occurrence.id,
      kind: 'message',
      statuses,
      subject,
      message,
    })
    await putJob(db, school.id, { kind: MAILING_JOB, id, dueAt: now })
    const ids = { occurrence_id: toId('occ', occurrence.id), event_id: toId('evt', occurrence.event_id) }
    changed({ ids: [ids.occurrence_id], fields: [] })
    record({
      type: 'occurrence.mailed',
      payload: { ...ids, to: body.to, recipient_count: recipients },
      effects: {
        mail: fillEach(texts.events.registrations.mails.operations.sent, { n: recipients }),
      },
    })
    return { recipient_count: recipients }
  },
})

/** The operations of mails to those who are registered. */
export const eventMailOperations = [mailRegistrations]

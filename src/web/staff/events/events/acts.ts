import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { texts } from '#src/texts/index.ts'
import { type Act, choice, fieldsFor, line, optionalLink, text } from '#src/web/page/index.ts'
import { eventFields, newTicketFields, recurrenceFields, startFields, termsFields, timeFields } from './fields.ts'
import type { DateShown, EventShown } from './frame.ts'

const { acts, dateActs: dateTexts } = texts.staff.events

type Acts<Item> = Readonly<Record<string, Act<Item>>>

const onPage = { offered: () => false }

const isPublished = ({ status }: EventShown): boolean => status === 'published'

/** What is done on the page of an event. Its settings, picture, status and tickets have forms of their own there. */
export const eventActs = {
  save: { operation: 'updateEvent', fields: eventFields, ...onPage },
  picture: { operation: 'updateEvent', ...onPage },
  remove_picture: { operation: 'updateEvent', body: { image_file_id: null }, ...onPage },
  publish: { operation: 'publishEvent', ...onPage },
  unpublish: { operation: 'unpublishEvent', ...onPage },
  remove_ticket: { operation: 'deleteTicketType', params: { ticket_type_id: 'ticket' }, ...onPage },
  dates: {
    operation: 'setEventRecurrence',
    fields: recurrenceFields,
    rows: [['starts_at', 'time_zone', 'duration_minutes'], 'repeats', ['count', 'until'], 'except', 'rule'],
    isTried: 'also',
    prefix: 'dates-',
    offered: ({ status }) => status !== 'cancelled',
  },
  ticket: {
    operation: 'createTicketType',
    fields: newTicketFields,
    isOnce: true,
    prefix: 'ticket-',
    offered: ({ status }) => status !== 'cancelled',
  },
  copy: { operation: 'copyEvent', fields: startFields, isOnce: true, prefix: 'copy-', offered: () => true },
  cancel: {
    operation: 'cancelEvent',
    fields: termsFields,
    rows: ['reason', 'refund', 'message'],
    isTried: 'first',
    offered: isPublished,
  },
  delete: {
    operation: 'deleteEvent',
    fields: fieldsFor<{ readonly confirm: string }>()(acts.delete.fields, { confirm: line({ most: 200 }) }),
    offered: () => true,
  },
} as const satisfies Acts<EventShown>

/** Refuses a form in which the name of what is deleted was not typed. */
export const checkConfirmed = (typed: Pairs, { name }: EventShown): void => {
  if (formField(typed, 'confirm').trim() !== name)
    refuseInvalid([{ pointer: '/confirm', code: 'other', message: 'is not the name of the event' }])
}

const isOpen = ({ status, ended }: DateShown): boolean => status === 'scheduled' && !ended

type Message = { readonly to: 'confirmed' | 'waiting'; readonly subject: string; readonly message: string }

/** What is done on the page of a date; a message is written only about an event that is published. */
export const dateActs = {
  move: { operation: 'rescheduleOccurrence', fields: timeFields, isTried: 'first', offered: isOpen },
  mail: {
    operation: 'mailRegistrations',
    fields: fieldsFor<Message>()(dateTexts.mail.fields, {
      to: choice(['confirmed', 'waiting']),
      subject: line({ most: 120 }),
      message: text({ most: 5000, rows: 6 }),
    }),
    rows: ['to', 'subject', 'message'],
    isTried: 'first',
    isOnce: true,
    prefix: 'mail-',
    offered: () => true,
  },
  recording: {
    operation: 'setOccurrenceRecording',
    fields: fieldsFor<{ readonly url: string | null }>()(dateTexts.recording.fields, {
      url: optionalLink({ most: 500 }),
    }),
    offered: () => true,
    opens: () => true,
  },
  cancel: {
    operation: 'cancelOccurrence',
    fields: termsFields,
    rows: eventActs.cancel.rows,
    isTried: 'first',
    offered: isOpen,
  },
} as const satisfies Acts<DateShown>

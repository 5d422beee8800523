import { inEach, type Phrase } from '#src/contract/language.ts'
import { eventReminders, link, type MailTable, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.events.eventMails.mails

const same = (text: string): Phrase => inEach(() => text)

const seats: MailTable = {
  rows: 'seats',
  columns: [words.seats.columns.name, words.seats.columns.code],
}

// What staff wrote, each line of it a row.
const notes: MailTable = { rows: 'notes', columns: [{}] }

/** The mails to people who registered for an event. */
export const eventMails = mailKinds({
  registration_confirmed: {
    subject: words.eventMails.registrationConfirmed.subject,
    paragraphs: [
      words.eventMails.registrationConfirmed.paragraphs.youAreRegisteredForEvent,
      seats,
      words.eventMails.registrationConfirmed.paragraphs.showTheCodeAtThe,
      link,
    ],
  },
  registration_offered: {
    subject: words.eventMails.registrationOffered.subject,
    paragraphs: [words.eventMails.registrationOffered.paragraphs.aSeatHasBecomeFree, link],
  },
  registration_approved: {
    subject: words.eventMails.registrationApproved.subject,
    paragraphs: [words.eventMails.registrationApproved.paragraphs.yourRequestForEventWhen, link],
  },
  registration_declined: {
    subject: words.eventMails.registrationDeclined.subject,
    paragraphs: [words.eventMails.registrationDeclined.paragraphs.theHostsOfEventWhen, link],
  },
  registration_cancelled: {
    subject: words.eventMails.registrationCancelled.subject,
    paragraphs: [words.eventMails.registrationCancelled.paragraphs.theRegistrationOfNameFor, link],
  },
  event_cancelled: {
    subject: words.eventMails.eventCancelled.subject,
    paragraphs: [words.eventMails.eventCancelled.paragraphs.eventWhenDoesNotTake, notes, link],
  },
  event_changed: {
    subject: words.eventMails.eventChanged.subject,
    paragraphs: [words.eventMails.eventChanged.paragraphs.theDateOfEventHas, link],
  },
  event_reminder: {
    mute: eventReminders,
    subject: words.eventMails.eventReminder.subject,
    paragraphs: [
      words.eventMails.eventReminder.paragraphs.eventBeginsWhen,
      seats,
      link,
      words.eventMails.eventReminder.paragraphs.doNotWantTheseReminders,
    ],
  },
  event_guest_reminder: {
    subject: words.eventMails.eventGuestReminder.subject,
    paragraphs: [words.eventMails.eventGuestReminder.paragraphs.eventBeginsWhen, seats, link],
  },
  event_message: {
    subject: same('{subject}'),
    paragraphs: [words.eventMails.eventMessage.paragraphs.aMessageToThoseWho, notes, link],
  },
})

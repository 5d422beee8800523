import { inEach, type Phrase } from '#src/contract/language.ts'
import { eventReminders, linkButton, type MailTable, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.events.eventMails.mails
const { buttons } = texts.contract.mail

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
      linkButton(buttons.registration),
    ],
  },
  registration_offered: {
    subject: words.eventMails.registrationOffered.subject,
    paragraphs: [words.eventMails.registrationOffered.paragraphs.aSeatHasBecomeFree, linkButton(buttons.takeSeat)],
  },
  registration_approved: {
    subject: words.eventMails.registrationApproved.subject,
    paragraphs: [words.eventMails.registrationApproved.paragraphs.yourRequestForEventWhen, linkButton(buttons.paySeat)],
  },
  registration_declined: {
    subject: words.eventMails.registrationDeclined.subject,
    paragraphs: [words.eventMails.registrationDeclined.paragraphs.theHostsOfEventWhen, linkButton(buttons.event)],
  },
  registration_cancelled: {
    subject: words.eventMails.registrationCancelled.subject,
    paragraphs: [words.eventMails.registrationCancelled.paragraphs.theRegistrationOfNameFor, linkButton(buttons.event)],
  },
  event_cancelled: {
    subject: words.eventMails.eventCancelled.subject,
    paragraphs: [words.eventMails.eventCancelled.paragraphs.eventWhenDoesNotTake, notes, linkButton(buttons.event)],
  },
  event_changed: {
    subject: words.eventMails.eventChanged.subject,
    paragraphs: [words.eventMails.eventChanged.paragraphs.theDateOfEventHas, linkButton(buttons.registration)],
  },
  event_reminder: {
    mute: eventReminders,
    subject: words.eventMails.eventReminder.subject,
    paragraphs: [words.eventMails.eventReminder.paragraphs.eventBeginsWhen, seats, linkButton(buttons.registration)],
  },
  event_guest_reminder: {
    subject: words.eventMails.eventGuestReminder.subject,
    paragraphs: [
      words.eventMails.eventGuestReminder.paragraphs.eventBeginsWhen,
      seats,
      linkButton(buttons.registration),
    ],
  },
  event_message: {
    subject: same('{subject}'),
    paragraphs: [words.eventMails.eventMessage.paragraphs.aMessageToThoseWho, notes, linkButton(buttons.registration)],
  },
})

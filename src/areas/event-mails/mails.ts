import type { Phrase } from '#src/contract/language.ts'
import { eventReminders, type MailTable, mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })
const same = (text: string): Phrase => say(text, text)

const link = same('{link}')
const seats: MailTable = {
  rows: 'seats',
  columns: [{ heading: say('Name', 'Nome') }, { heading: say('Code', 'Código') }],
}

// What staff wrote, each line of it a row.
const notes: MailTable = { rows: 'notes', columns: [{}] }

/** The mails to people who registered for an event. */
export const eventMails = mailKinds({
  registration_confirmed: {
    subject: say('You are registered: {event}', 'A sua inscrição: {event}'),
    paragraphs: [
      say('You are registered for {event} at {school}: {when}.', 'Está inscrito em {event}, de {school}: {when}.'),
      seats,
      say(
        'Show the code at the entrance; each code admits one person. The date is attached for your calendar. You find everything about it here:',
        'Mostre o código à entrada; cada código admite uma pessoa. A data segue em anexo para o seu calendário. Encontra tudo aqui:',
      ),
      link,
    ],
  },
  registration_offered: {
    subject: say('A seat is free for you: {event}', 'Há um lugar livre para si: {event}'),
    paragraphs: [
      say(
        'A seat has become free for {event}, {when}. It is kept for you until {until}. If you do not take it by then, the next person gets it:',
        'Ficou livre um lugar em {event}, {when}. Está reservado para si até {until}. Se não o aceitar até lá, passa à pessoa seguinte:',
      ),
      link,
    ],
  },
  registration_approved: {
    subject: say('You can come: {event}', 'Pode vir: {event}'),
    paragraphs: [
      say(
        'Your request for {event}, {when}, was approved. Pay for your seat until {until}; then it is yours:',
        'O seu pedido para {event}, {when}, foi aprovado. Pague o seu lugar até {until}; depois é seu:',
      ),
      link,
    ],
  },
  registration_declined: {
    subject: say('Your request for {event}', 'O seu pedido para {event}'),
    paragraphs: [
      say(
        'The hosts of {event}, {when}, cannot give you a seat. Nothing was charged.',
        'Quem organiza {event}, {when}, não pode dar-lhe um lugar. Nada foi cobrado.',
      ),
      link,
    ],
  },
  registration_cancelled: {
    subject: say('Cancelled: {event}', 'Cancelado: {event}'),
    paragraphs: [
      say(
        'The registration of {name} for {event}, {when}, was cancelled. What goes back to you is in a mail of its own.',
        'A inscrição de {name} em {event}, {when}, foi cancelada. O que lhe é devolvido segue noutra mensagem.',
      ),
      link,
    ],
  },
  event_cancelled: {
    subject: say('Cancelled: {event}', 'Cancelado: {event}'),
    paragraphs: [
      say(
        '{event}, {when}, does not take place. What goes back to you is in a mail of its own.',
        '{event}, {when}, não se realiza. O que lhe é devolvido segue noutra mensagem.',
      ),
      notes,
      link,
    ],
  },
  event_changed: {
    subject: say('Changed: {event}', 'Alterado: {event}'),
    paragraphs: [
      say(
        'The date of {event} has changed. It is now {when}. Your registration stays as it is; the date is attached for your calendar.',
        'A data de {event} mudou. É agora {when}. A sua inscrição mantém-se; a data segue em anexo para o seu calendário.',
      ),
      link,
    ],
  },
  event_reminder: {
    mute: eventReminders,
    subject: say('Soon: {event}', 'Em breve: {event}'),
    paragraphs: [
      say('{event} begins {when}.', '{event} começa {when}.'),
      seats,
      link,
      say('Do not want these reminders? {unsubscribe}', 'Não quer receber estes lembretes? {unsubscribe}'),
    ],
  },
  event_guest_reminder: {
    subject: say('Soon: {event}', 'Em breve: {event}'),
    paragraphs: [say('{event} begins {when}.', '{event} começa {when}.'), seats, link],
  },
  event_message: {
    subject: same('{subject}'),
    paragraphs: [
      say(
        'A message to those who registered for {event}, {when}:',
        'Uma mensagem para quem se inscreveu em {event}, {when}:',
      ),
      notes,
      link,
    ],
  },
})

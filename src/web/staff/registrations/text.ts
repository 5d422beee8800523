import type { Phrase } from '#src/contract/language.ts'
import { teachingText } from '../teaching/text.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of registrations and of the entrance, in every language; `{…}` is filled in. */
export const registrationsText = {
  title: say('Registrations for {event}', 'Inscrições em {event}'),
  checkIn: say('Check-in at {event}', 'Entradas em {event}'),
  toCheckIn: say('Check people in', 'Registar entradas'),
  toList: say('All registrations', 'Todas as inscrições'),
  none: say('Nobody found.', 'Ninguém encontrado.'),
  date: say('Date', 'Data'),
  anyDate: say('All dates', 'Todas as datas'),
  status: say('Status', 'Estado'),
  any: say('Any', 'Todos'),
  search: say('Name, address or code', 'Nome, endereço ou código'),
  show: say('Show', 'Mostrar'),
  statuses: {
    awaiting_payment: say('waits for payment', 'espera pagamento'),
    awaiting_approval: say('waits for approval', 'espera aprovação'),
    waitlisted: say('on the waiting list', 'na lista de espera'),
    offered: say('has an offer', 'tem um lugar oferecido'),
    confirmed: say('confirmed', 'confirmado'),
    checked_in: say('checked in', 'entrou'),
    cancelled: say('cancelled', 'cancelado'),
    declined: say('declined', 'recusado'),
    expired: say('not paid in time', 'não pago a tempo'),
  },
  noShow: say('did not come', 'não veio'),
  approve: say('Approve', 'Aprovar'),
  decline: say('Decline', 'Recusar'),
  cancel: say('Cancel the seat', 'Cancelar o lugar'),
  cancelAbout: say(
    'The seat goes to the next who waits, and the code admits nobody any more.',
    'O lugar passa a quem espera e o código deixa de servir.',
  ),
  refund: say('Refund what was paid for this seat', 'Reembolsar o que foi pago por este lugar'),
  move: say('Move to another date', 'Mudar para outra data'),
  moveAbout: say(
    'The person keeps the seat, the code and what was paid.',
    'A pessoa mantém o lugar, o código e o que foi pago.',
  ),
  csv: say('Download this list as CSV', 'Descarregar esta lista em CSV'),
  add: say('Add somebody', 'Acrescentar alguém'),
  name: say('Name', 'Nome'),
  email: say('E-mail address', 'Endereço de e-mail'),
  emailHint: say(
    'Whoever has no account gets the code and everything about the date there.',
    'Quem não tem conta recebe aí o código e tudo sobre a data.',
  ),
  memberHint: say(
    'A member is found by the address, and then needs no name. Whoever has no account gets the code and everything about the date there.',
    'Um membro é encontrado pelo endereço e não precisa de nome. Quem não tem conta recebe aí o código e tudo sobre a data.',
  ),
  change: say('Move or cancel', 'Mudar ou cancelar'),
  offerAbout: say(
    'Those who wait longest get a mail, and 24 hours to take the seat.',
    'Quem espera há mais tempo recebe um e-mail e tem 24 horas para aceitar o lugar.',
  ),
  offer: say('Offer free seats now', 'Oferecer já os lugares livres'),
  code: say('Code', 'Código'),
  codeAbout: say('Type the code that the person shows.', 'Escreva o código que a pessoa mostra.'),
  enter: say('Check in', 'Registar entrada'),
  undo: say('Undo', 'Anular'),
  expected: say('Expected: {count}', 'Por chegar: {count}'),
  here: say('Checked in: {count}', 'Já entraram: {count}'),
  more: say(
    'Only the first 100 are shown. Search by name in the list of registrations.',
    'Só se mostram os primeiros 100. Procure pelo nome na lista de inscrições.',
  ),
  done: {
    approve: say('Approved.', 'Aprovado.'),
    decline: say('Declined.', 'Recusado.'),
    cancel: say('The seat is cancelled.', 'O lugar está cancelado.'),
    move: say('The seat was moved to the other date.', 'O lugar foi mudado para a outra data.'),
    add: say('Added.', 'Acrescentado.'),
    offer: say('Free seats were offered to those who wait.', 'Os lugares livres foram oferecidos a quem espera.'),
    enter: say('Checked in.', 'Entrada registada.'),
    undo: say('The check-in was undone.', 'A entrada foi anulada.'),
  },
} as const

/** The sentences for refusals on these pages. */
export const registrationRefusals = {
  ...teachingText.refusals,
  code_not_expected: say('Nobody is expected here with this code.', 'Ninguém é esperado aqui com este código.'),
  already_checked_in: say('This person was checked in before.', 'Esta pessoa já entrou.'),
  sold_out: say('No seat is left.', 'Não há lugares.'),
  registration_closed: say('The date has begun or is cancelled.', 'A data já começou ou está cancelada.'),
  refund_too_large: say('Less than this is left of the payment.', 'Resta menos do que isto do pagamento.'),
  invalid_state: say('Something has changed meanwhile. Look again.', 'Algo mudou entretanto. Veja de novo.'),
}

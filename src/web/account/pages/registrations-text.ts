import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of one's registrations, in every language; `{…}` is filled in. */
export const registrationsText = {
  title: say('Your registrations', 'As suas inscrições'),
  none: say('You are not registered for anything yet.', 'Ainda não se inscreveu em nada.'),
  events: say('See all events', 'Ver todos os eventos'),
  for: say('For {name}', 'Para {name}'),
  code: say('Your code at the entrance: {code}', 'O seu código à entrada: {code}'),
  until: say('Kept for you until {until}', 'Reservado para si até {until}'),
  order: say('Pay for it', 'Pagar'),
  take: say('Take the seat', 'Aceitar o lugar'),
  cancel: say('Cancel this seat', 'Cancelar este lugar'),
  cancelAbout: say(
    'The seat goes to somebody else, and the code admits nobody any more. What you paid is returned by the rule of the event.',
    'O lugar passa a outra pessoa e o código deixa de servir. O que pagou é devolvido segundo a regra do evento.',
  ),
  calendar: say('Put your dates into your calendar', 'Pôr as suas datas no seu calendário'),
  aboutEvent: say('About the event', 'Sobre o evento'),
  orders: say('Order and invoice', 'Encomenda e fatura'),
  all: say('All your registrations', 'Todas as suas inscrições'),
  facts: {
    when: say('When', 'Quando'),
    where: say('Where', 'Onde'),
    ticket: say('Ticket', 'Bilhete'),
    who: say('For', 'Para'),
    meeting: say('Online meeting', 'Reunião online'),
    recording: say('Recording', 'Gravação'),
  },
  questions: say('Questions of the hosts', 'Perguntas de quem organiza'),
  saveAnswers: say('Save the answers', 'Guardar as respostas'),
  names: say('Who comes, one name per line', 'Quem vem, um nome por linha'),
  namesHint: say('Seats without a name are for you.', 'Os lugares sem nome são para si.'),
  older: say('Older registrations', 'Inscrições mais antigas'),
  statuses: {
    awaiting_payment: say('waits for payment', 'espera pagamento'),
    awaiting_approval: say('waits for the host', 'espera por quem organiza'),
    waitlisted: say('on the waiting list', 'na lista de espera'),
    offered: say('a seat is free for you', 'há um lugar livre para si'),
    confirmed: say('confirmed', 'confirmado'),
    checked_in: say('you were there', 'esteve presente'),
    cancelled: say('cancelled', 'cancelado'),
    declined: say('declined by the host', 'recusado por quem organiza'),
    expired: say('not paid in time', 'não foi pago a tempo'),
  },
  new: say('Register for {event}', 'Inscrever-se em {event}'),
  newAbout: say('{ticket}, {when}', '{ticket}, {when}'),
  quantity: say('How many seats', 'Quantos lugares'),
  amount: say('What you pay for each seat, in {currency}', 'Quanto paga por lugar, em {currency}'),
  wait: say('Put me on the waiting list if no seat is left', 'Pôr-me na lista de espera se não houver lugar'),
  approval: say(
    'The host decides who comes. Nothing is charged before you hear from us.',
    'Quem organiza decide quem vem. Nada é cobrado antes de ter notícias nossas.',
  ),
  register: say('Register', 'Inscrever-me'),
  gone: say('This ticket is not offered any more.', 'Este bilhete já não é oferecido.'),
  done: {
    registered: say('You are registered.', 'Está inscrito.'),
    asked: say(
      'The host has your request and will answer by mail.',
      'Quem organiza tem o seu pedido e responde por e-mail.',
    ),
    waiting: say(
      'You are on the waiting list. We mail you when a seat is free.',
      'Está na lista de espera. Avisamos por e-mail quando houver lugar.',
    ),
    answered: say('Your answers were saved.', 'As suas respostas foram guardadas.'),
    cancelled: say('The seat is cancelled.', 'O lugar está cancelado.'),
  },
  refusals: {
    sold_out: say('No seat is left.', 'Não há lugares.'),
    registration_closed: say('Registration for this date is closed.', 'As inscrições para esta data estão fechadas.'),
    ticket_not_for_you: say('This ticket is not on sale to you now.', 'Este bilhete não está à venda para si agora.'),
    too_many_seats: say('You cannot have more seats of this date.', 'Não pode ter mais lugares nesta data.'),
    cancellation_over: say('It is too late to cancel. Ask the school.', 'Já é tarde para cancelar. Fale com a escola.'),
    invalid_state: say('Something has changed meanwhile. Look again.', 'Algo mudou entretanto. Veja de novo.'),
    too_many_pending_orders: say(
      'Three of your orders wait for payment. Pay or cancel one first.',
      'Três encomendas suas esperam pagamento. Pague ou cancele uma primeiro.',
    ),
    precondition_failed: say(
      'Your registration has changed since you opened the page. Check your answers and save them again.',
      'A sua inscrição mudou desde que abriu a página. Verifique as respostas e guarde-as de novo.',
    ),
    invalid_body: say(
      'Check what you typed: an answer is missing, or the number of seats or the amount is not possible.',
      'Verifique o que escreveu: falta uma resposta, ou o número de lugares ou o valor não é possível.',
    ),
  },
} as const

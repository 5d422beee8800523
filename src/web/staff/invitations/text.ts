import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of invitations, in every language. */
export const invitationsText = {
  title: say('Invitations', 'Convites'),
  about: say('Invite people, also as staff or lecturers', 'Convidar pessoas, também como equipa ou docentes'),
  intro: say(
    'An invitation is a mail with a link and a code, valid for 7 days. The account exists once the person has accepted it.',
    'Um convite é uma mensagem com uma ligação e um código, válidos durante 7 dias. A conta existe quando a pessoa o aceita.',
  ),
  invite: say('Invite somebody', 'Convidar alguém'),
  name: say('Name', 'Nome'),
  email: say('E-mail address', 'Endereço de e-mail'),
  role: say('Role', 'Função'),
  roleHint: say(
    'Lecturers run their own courses, admins run the school, and owners do everything, money and roles included.',
    'Os docentes gerem os seus cursos, os administradores gerem a escola e os proprietários fazem tudo, incluindo dinheiro e funções.',
  ),
  button: say('Send the invitation', 'Enviar o convite'),
  pending: say('Pending invitations', 'Convites pendentes'),
  none: say('Nobody is invited at the moment.', 'De momento ninguém está convidado.'),
  since: say('invited on {day}', 'convite de {day}'),
  resend: say('Send again', 'Enviar de novo'),
  withdraw: say('Withdraw', 'Retirar'),
  next: say('Next page', 'Página seguinte'),
  first: say('Back to the first page', 'Voltar à primeira página'),
  outbox: say('Whether the mails arrived', 'Se as mensagens foram entregues'),
  done: {
    invited: say('The invitation is on its way.', 'O convite vai a caminho.'),
    resent: say(
      'A new invitation is on its way; the earlier one stops working.',
      'Um novo convite vai a caminho; o anterior deixa de valer.',
    ),
    withdrawn: say('The invitation is withdrawn.', 'O convite foi retirado.'),
    no_role: say(
      'The invitation is on its way, but the role was not set. Set it on the page of the person.',
      'O convite vai a caminho, mas a função não foi definida. Defina-a na página da pessoa.',
    ),
  },
} as const

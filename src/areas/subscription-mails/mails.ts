import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const link = say('{link}', '{link}')
const yours = say('Your subscription:', 'A sua assinatura:')

/** The mails to those who subscribe, about what they pay and what becomes of it. Nobody can turn them off. */
export const memberMails = mailKinds({
  subscription_payment_failed: {
    subject: say('The payment for {item} failed', 'O pagamento de {item} falhou'),
    paragraphs: [
      say(
        '{school} could not charge {amount} for {item} ({period}). Nothing is lost: we try again on {retry}. If your card has changed, or you would rather pay now, you can do so here:',
        '{school} não conseguiu cobrar {amount} por {item} ({period}). Nada se perdeu: tentamos de novo em {retry}. Se mudou de cartão ou prefere pagar já, pode fazê-lo aqui:',
      ),
      link,
    ],
  },
  subscription_payment_failed_finally: {
    subject: say('Please pay for {item}, or change your card', 'Pague {item} ou mude o seu cartão'),
    paragraphs: [
      say(
        '{school} could not charge {amount} for {item} ({period}), and does not try again by itself. Please pay now, or give another card:',
        '{school} não conseguiu cobrar {amount} por {item} ({period}) e não volta a tentar sozinha. Pague agora ou indique outro cartão:',
      ),
      link,
    ],
  },
  subscription_payment_needs_you: {
    subject: say('Please approve the payment for {item}', 'Aprove o pagamento de {item}'),
    paragraphs: [
      say(
        'Your bank wants you to approve the payment of {amount} to {school} for {item} ({period}) yourself. Your card is not charged until you do so here:',
        'O seu banco quer que aprove pessoalmente o pagamento de {amount} a {school} por {item} ({period}). O seu cartão só é cobrado depois de o fazer aqui:',
      ),
      link,
    ],
  },
  subscription_needs_method: {
    subject: say('{item} needs a card', '{item} precisa de um cartão'),
    paragraphs: [
      say(
        '{amount} for {item} ({period}) is due at {school}, and we have no card of yours to charge. Please pay now, or give a card:',
        '{amount} por {item} ({period}) estão por pagar em {school} e não temos nenhum cartão seu para cobrar. Pague agora ou indique um cartão:',
      ),
      link,
    ],
  },
  subscription_not_paid: {
    subject: say('We have not received your payment for {item}', 'Não recebemos o seu pagamento de {item}'),
    paragraphs: [
      say(
        '{school} has not received {amount} for {item} ({period}). Please pay now. If you have paid already, there is nothing more to do:',
        '{school} não recebeu {amount} por {item} ({period}). Pague agora. Se já pagou, não precisa de fazer mais nada:',
      ),
      link,
    ],
  },
  subscription_trial_ends: {
    subject: say('Your trial of {item} ends on {day}', 'O seu período experimental de {item} termina em {day}'),
    paragraphs: [
      say(
        'Your free trial of {item} at {school} ends on {day}. From then on it costs {amount}, and is charged for the first time on that day. If you do not want that, cancel before:',
        'O seu período experimental gratuito de {item} em {school} termina em {day}. A partir daí custa {amount}, cobrados pela primeira vez nesse dia. Se não quiser, cancele antes:',
      ),
      link,
    ],
  },
  subscription_cancel_planned: {
    subject: say('{item} ends on {day}', '{item} termina em {day}'),
    paragraphs: [
      say(
        'Your subscription to {item} at {school} is canceled. You keep access until {day}, and nothing more is charged. You can undo this until then:',
        'A sua assinatura de {item} em {school} foi cancelada. Mantém o acesso até {day} e não é cobrado mais nada. Até lá pode anular o cancelamento:',
      ),
      link,
    ],
  },
  subscription_cancel_undone: {
    subject: say('{item} goes on', '{item} continua'),
    paragraphs: [
      say(
        'Your subscription to {item} at {school} is no longer canceled and goes on as before.',
        'A sua assinatura de {item} em {school} já não está cancelada e continua como antes.',
      ),
      link,
    ],
  },
  subscription_ended: {
    subject: say('Your subscription to {item} has ended', 'A sua assinatura de {item} terminou'),
    paragraphs: [
      say(
        'Your subscription to {item} at {school} has ended. Nothing more is charged for it. Thank you for having been there.',
        'A sua assinatura de {item} em {school} terminou. Não é cobrado mais nada por ela. Obrigado por ter estado connosco.',
      ),
      link,
    ],
  },
  subscription_ended_unpaid: {
    subject: say('{item} has ended, since it was not paid', '{item} terminou por falta de pagamento'),
    paragraphs: [
      say(
        '{school} could not charge {amount} for {item}, so your subscription has ended, and with it your access. You can subscribe again at any time.',
        '{school} não conseguiu cobrar {amount} por {item}, por isso a sua assinatura terminou, e com ela o acesso. Pode voltar a assinar em qualquer altura.',
      ),
      link,
    ],
  },
  subscription_completed: {
    subject: say('{item} is paid in full', '{item} está totalmente pago'),
    paragraphs: [
      say(
        'You have made all {payments} payments for {item} at {school}. Nothing more is charged, and your access stays as agreed.',
        'Fez todos os {payments} pagamentos de {item} em {school}. Não é cobrado mais nada e o seu acesso mantém-se como combinado.',
      ),
      link,
    ],
  },
  subscription_paused: {
    subject: say('{item} is paused', '{item} está em pausa'),
    paragraphs: [
      say(
        'Your subscription to {item} at {school} is paused, and nothing is charged meanwhile.',
        'A sua assinatura de {item} em {school} está em pausa e entretanto não é cobrado nada.',
      ),
      yours,
      link,
    ],
  },
  subscription_paused_until: {
    subject: say('{item} is paused until {day}', '{item} está em pausa até {day}'),
    paragraphs: [
      say(
        'Your subscription to {item} at {school} is paused until {day}, and nothing is charged meanwhile.',
        'A sua assinatura de {item} em {school} está em pausa até {day} e entretanto não é cobrado nada.',
      ),
      yours,
      link,
    ],
  },
  subscription_resumed: {
    subject: say('{item} goes on', '{item} continua'),
    paragraphs: [
      say(
        'Your subscription to {item} at {school} is no longer paused. The next charge is on {day}.',
        'A sua assinatura de {item} em {school} já não está em pausa. A próxima cobrança é em {day}.',
      ),
      link,
    ],
  },
  subscription_price_changed: {
    subject: say('{item}: {amount} from now on', '{item}: {amount} a partir de agora'),
    paragraphs: [
      say(
        'Your subscription at {school} is now {item} for {amount}. The next charge is on {day}.',
        'A sua assinatura em {school} é agora {item} por {amount}. A próxima cobrança é em {day}.',
      ),
      link,
    ],
  },
  subscription_method_changed: {
    subject: say('The card for {item} has changed', 'O cartão de {item} mudou'),
    paragraphs: [
      say(
        'Your subscription to {item} at {school} is charged to another card from now on. If that was not you, change your password and tell the school.',
        'A sua assinatura de {item} em {school} passa a ser cobrada noutro cartão. Se não foi você, mude a sua palavra-passe e avise a escola.',
      ),
      link,
    ],
  },
})

/** The mails to owners and admins about subscriptions that need somebody. Nobody can turn them off, since each may cost money. */
export const staffMails = mailKinds({
  subscription_waits: {
    subject: say('Charges for {item} wait', 'As cobranças de {item} estão à espera'),
    paragraphs: [
      say(
        'A member who subscribes to {item} at {school} is suspended, so nothing is charged. What is due meanwhile is charged once the member is reinstated. Cancel the subscription if that is not what you want:',
        'Um membro que assina {item} em {school} está suspenso, por isso não é cobrado nada. O que entretanto for devido é cobrado quando o membro for readmitido. Cancele a assinatura se não é isso que quer:',
      ),
      link,
    ],
  },
  subscription_paid_twice: {
    subject: say('Somebody pays twice for {item}', 'Alguém paga {item} duas vezes'),
    paragraphs: [
      say(
        'Two accounts of one person were merged, and both subscribed to {item} at {school}. Both subscriptions go on and are charged. Cancel one of them if that is not what you want:',
        'Duas contas da mesma pessoa foram unidas e ambas assinavam {item} em {school}. As duas assinaturas continuam e são cobradas. Cancele uma delas se não é isso que quer:',
      ),
      link,
    ],
  },
})

import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const details = { rows: 'details', columns: [{}, {}] } as const
const notes = { rows: 'notes', columns: [{}] } as const
const link = say('{link}', '{link}')
const reference = say(
  'State the reference, so that {school} knows what your payment is for.',
  'Indique a referência, para que {school} saiba a que se destina o seu pagamento.',
)

/** The mails to buyers who pay by bank transfer or in person, which nobody can turn off. */
export const transferMails = mailKinds({
  transfer_instructions: {
    subject: say('How to pay order {number} at {school}', 'Como pagar a encomenda {number} em {school}'),
    paragraphs: [
      say(
        'Thank you for your order {number}. {school} keeps it for you until {end}. Please pay {amount} by then:',
        'Obrigado pela sua encomenda {number}. {school} reserva-a para si até {end}. Pague {amount} até lá:',
      ),
      details,
      notes,
      reference,
      link,
    ],
  },
  transfer_reminder: {
    subject: say('Order {number} at {school} ends on {end}', 'A encomenda {number} em {school} termina em {end}'),
    paragraphs: [
      say(
        '{school} has not received {amount} for your order {number} yet, and keeps the order until {end}. If you have paid already, there is nothing more to do.',
        '{school} ainda não recebeu {amount} pela sua encomenda {number} e reserva-a até {end}. Se já pagou, não precisa de fazer mais nada.',
      ),
      details,
      notes,
      reference,
      link,
    ],
  },
  transfer_in_part: {
    subject: say('{missing} is still missing for order {number}', 'Ainda faltam {missing} para a encomenda {number}'),
    paragraphs: [
      say(
        '{school} has received {received} of {amount} for your order {number}. Please pay the remaining {missing} by {end}:',
        '{school} recebeu {received} de {amount} pela sua encomenda {number}. Pague os restantes {missing} até {end}:',
      ),
      details,
      notes,
      reference,
      link,
    ],
  },
})

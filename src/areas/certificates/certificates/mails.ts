import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })
const link = say('{link}', '{link}')

/** The mails about certificates. */
export const certificateMails = mailKinds({
  certificate: {
    subject: say('Your certificate for “{course}”', 'O seu certificado de «{course}»'),
    paragraphs: [
      say(
        'Well done! {school} has issued your certificate for “{course}”. You can view, print and share it here:',
        'Parabéns! {school} emitiu o seu certificado de «{course}». Pode vê-lo, imprimi-lo e partilhá-lo aqui:',
      ),
      link,
      say(
        'Anyone with this address can verify the certificate. If your name on it is not correct, reply to this e-mail.',
        'Qualquer pessoa com este endereço pode verificar o certificado. Se o seu nome não estiver certo, responda a esta mensagem.',
      ),
    ],
  },
})

import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })
// The address of the course on the learning pages.
const link = say('{link}', '{link}')

/** The mails about enrollments. */
export const enrollmentMails = mailKinds({
  enrolled: {
    subject: say('You are enrolled in “{course}” at {school}', 'Está inscrito em «{course}» em {school}'),
    paragraphs: [
      say('{school} has enrolled you in the course “{course}”.', '{school} inscreveu-o no curso «{course}».'),
      say('Start here:', 'Comece aqui:'),
      link,
    ],
  },
  access_ending: {
    subject: say('Your access to “{course}” ends on {end}', 'O seu acesso a «{course}» termina em {end}'),
    paragraphs: [
      say(
        'Your access to the course “{course}” at {school} ends on {end}. Your progress is kept.',
        'O seu acesso ao curso «{course}» em {school} termina em {end}. O seu progresso é guardado.',
      ),
      say('You can continue here until then:', 'Até lá pode continuar aqui:'),
      link,
    ],
  },
})

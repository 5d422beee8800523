import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })
const account = say('{account}', '{account}')

/** The mails about enrollments. */
export const enrollmentMails = mailKinds({
  enrolled: {
    subject: say('You are enrolled in “{course}” at {school}', 'Está inscrito em «{course}» em {school}'),
    paragraphs: [
      say('{school} has enrolled you in the course “{course}”.', '{school} inscreveu-o no curso «{course}».'),
      say('You can find it in your account:', 'Pode encontrá-lo na sua conta:'),
      account,
    ],
  },
  access_ending: {
    subject: say('Your access to “{course}” ends on {end}', 'O seu acesso a «{course}» termina em {end}'),
    paragraphs: [
      say(
        'Your access to the course “{course}” at {school} ends on {end}. Your progress is kept.',
        'O seu acesso ao curso «{course}» em {school} termina em {end}. O seu progresso é guardado.',
      ),
      say('You can find the course in your account:', 'Pode encontrar o curso na sua conta:'),
      account,
    ],
  },
})

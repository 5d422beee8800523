import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })
// The address of the lesson on the learning pages.
const link = say('{link}', '{link}')

/** The mails about graded and returned work. */
export const submissionMails = mailKinds({
  submission_graded: {
    subject: say('Your work for “{lesson}” was graded', 'O seu trabalho para «{lesson}» foi avaliado'),
    paragraphs: [
      say(
        'Your work for the lesson “{lesson}” at {school} was graded. You can see the points and the feedback with your submission:',
        'O seu trabalho para a aula «{lesson}» em {school} foi avaliado. Pode ver os pontos e os comentários junto da sua entrega:',
      ),
      link,
    ],
  },
  submission_returned: {
    subject: say('Your work for “{lesson}” was returned', 'O seu trabalho para «{lesson}» foi devolvido'),
    paragraphs: [
      say(
        'Your work for the lesson “{lesson}” at {school} was returned for revision. You can see what to improve with your submission; submit it again when you are ready:',
        'O seu trabalho para a aula «{lesson}» em {school} foi devolvido para revisão. Pode ver o que há a melhorar junto da sua entrega; entregue-o de novo quando estiver pronto:',
      ),
      link,
    ],
  },
})

import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })
// The address of the lesson on the learning pages.
const link = say('{link}', '{link}')

/** The mails about graded attempts. */
export const attemptMails = mailKinds({
  quiz_attempt_graded: {
    subject: say('Your answers in “{lesson}” were graded', 'As suas respostas em «{lesson}» foram avaliadas'),
    paragraphs: [
      say(
        'Your answers in the quiz “{lesson}” at {school} were graded. You can see the points and the feedback with your attempt:',
        'As suas respostas no questionário «{lesson}» em {school} foram avaliadas. Pode ver os pontos e os comentários junto da sua tentativa:',
      ),
      link,
    ],
  },
})

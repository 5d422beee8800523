import type { Phrase } from '#src/contract/language.ts'
import { lessonsOpened, mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })
const account = say('{account}', '{account}')
// The address of the course on the learning pages.
const link = say('{link}', '{link}')

/** The mails about lessons that became available. */
export const noticeMails = mailKinds({
  lesson_opened: {
    mute: lessonsOpened,
    subject: say('New in “{course}” at {school}', 'Novidades em «{course}» em {school}'),
    paragraphs: [
      say('You can start: {lessons}.', 'Já pode começar: {lessons}.'),
      link,
      say(
        'You turned on these e-mails. You can turn them off in your account:',
        'Ativou estas mensagens. Pode desativá-las na sua conta:',
      ),
      account,
    ],
  },
})

import type { Phrase } from '#src/contract/language.ts'
import { commentReplies, commentsWaiting, mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const link = say('{link}', '{link}')
const off = say('Turn off these e-mails: {unsubscribe}', 'Deixar de receber estes e-mails: {unsubscribe}')

/**
 * The mails about comments. They contain neither names nor words of commenters, so that nothing of a comment that is hidden
 * or erased stays in a mail.
 */
export const commentMails = mailKinds({
  comment_replied: {
    subject: say('A reply to your comment on {subject}', 'Uma resposta ao seu comentário em {subject}'),
    paragraphs: [
      say('Somebody replied to your comment on {subject}:', 'Alguém respondeu ao seu comentário em {subject}:'),
      link,
      off,
    ],
    mute: commentReplies,
  },
  comments_waiting: {
    subject: say('Comments wait for an answer at {school}', 'Há comentários à espera de resposta em {school}'),
    paragraphs: [
      say(
        'Since the last e-mail, people wrote comments that nobody has answered yet:',
        'Desde o último e-mail foram escritos comentários a que ainda ninguém respondeu:',
      ),
      {
        rows: 'subjects',
        columns: [
          { heading: say('Commented', 'Comentado') },
          { heading: say('Comments', 'Comentários'), align: 'end' },
        ],
      },
      link,
      off,
    ],
    mute: commentsWaiting,
  },
  comment_reported: {
    subject: say('A comment was reported at {school}', 'Um comentário foi denunciado em {school}'),
    paragraphs: [
      say(
        'A comment was reported. Read it, and decide whether it stays:',
        'Um comentário foi denunciado. Leia-o e decida se fica:',
      ),
      link,
    ],
  },
})

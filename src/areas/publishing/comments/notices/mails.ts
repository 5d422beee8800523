import { commentReplies, commentsWaiting, linkButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.publishing.comments.notices.mails
const { buttons } = texts.contract.mail

/**
 * The mails about comments. They contain neither names nor words of commenters, so that nothing of a comment that is hidden
 * or erased stays in a mail.
 */
export const commentMails = mailKinds({
  comment_replied: {
    subject: words.commentMails.commentReplied.subject,
    paragraphs: [
      words.commentMails.commentReplied.paragraphs.somebodyRepliedToYourComment,
      linkButton(buttons.comment),
    ],
    mute: commentReplies,
  },
  comments_waiting: {
    subject: words.commentMails.commentsWaiting.subject,
    paragraphs: [
      words.commentMails.commentsWaiting.paragraphs.sinceTheLastEMail,
      {
        rows: 'subjects',
        columns: [
          words.commentMails.commentsWaiting.paragraphs.columns.commented,
          { heading: texts.words.comments, align: 'end' },
        ],
      },
      linkButton(buttons.comments),
    ],
    mute: commentsWaiting,
  },
  comment_reported: {
    subject: words.commentMails.commentReported.subject,
    paragraphs: [words.commentMails.commentReported.paragraphs.aCommentWasReportedRead, linkButton(buttons.comment)],
  },
})

import { inEach, type Phrase } from '#src/contract/language.ts'
import { linkButton, mailKinds, marketing, smallPrint } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const same = (text: string): Phrase => inEach(() => text)

/** The mailing of a post: what everybody reads of it, and its address. */
export const postMails = mailKinds({
  post_mailing: {
    mute: marketing,
    subject: same('{title}'),
    paragraphs: [
      texts.publishing.postMailings.mails.postMails.postMailing.paragraphs.newOnTheBlogOf,
      same('{excerpt}'),
      linkButton(texts.contract.mail.buttons.post),
      smallPrint(texts.publishing.postMailings.mails.postMails.postMailing.paragraphs.youGetThisMailBecause),
    ],
  },
})

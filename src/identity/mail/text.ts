import { accountButton, linkButton, mailKinds, smallPrint } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.identity.mail

const code = texts.identity.mail.code
const codeValidity = texts.identity.mail.codeValidity
const notYou = smallPrint(texts.identity.mail.notYou)
const { buttons } = texts.contract.mail
const seeApps = accountButton(buttons.apps, '/apps')

/** The mails about codes and the security of an account, which nobody can turn off. */
export const mails = mailKinds({
  address_code: {
    subject: words.mails.addressCode.subject,
    heading: words.yourCode,
    paragraphs: [code, words.mails.addressCode.paragraphs.enterThisCodeOnThe, codeValidity, notYou],
  },
  account_exists: {
    subject: words.mails.accountExists.subject,
    paragraphs: [
      words.mails.accountExists.paragraphs.someoneProbablyYouTriedTo,
      words.mails.accountExists.paragraphs.toSignInGoBack,
      notYou,
    ],
  },
  sign_in_code: {
    subject: words.mails.addressCode.subject,
    heading: words.yourCode,
    paragraphs: [
      code,
      words.mails.addressCode.paragraphs.enterThisCodeOnThe,
      codeValidity,
      linkButton(words.mails.signInCode.paragraphs.orOpenThisLink),
      notYou,
    ],
  },
  sign_in_password: {
    subject: words.mails.signInPassword.subject,
    paragraphs: [
      words.mails.signInPassword.paragraphs.someoneProbablyYouRequested,
      words.mails.accountExists.paragraphs.toSignInGoBack,
      notYou,
    ],
  },
  invitation: {
    subject: words.mails.invitation.subject,
    paragraphs: [
      words.mails.invitation.paragraphs.schoolHasInvitedYouOpen,
      linkButton(buttons.invitation),
      words.mails.invitation.paragraphs.enterThisCodeThere,
      code,
      words.mails.invitation.paragraphs.theInvitationIsValidFor,
    ],
  },
  reset: {
    subject: words.mails.reset.subject,
    heading: words.mails.reset.heading,
    paragraphs: [code, words.mails.reset.paragraphs.enterThisCodeOnThe, codeValidity, notYou],
  },
  password_changed: {
    subject: words.mails.passwordChanged.subject,
    paragraphs: [
      words.mails.passwordChanged.paragraphs.thePasswordOfYourAccount,
      seeApps,
      words.mails.passwordChanged.paragraphs.ifThisWasNotYou,
    ],
  },
  password_replaced: {
    subject: words.mails.passwordReplaced.subject,
    paragraphs: [
      words.mails.passwordReplaced.paragraphs.thePasswordOfYourAccount,
      seeApps,
      words.mails.passwordReplaced.paragraphs.ifThisWasNotYou,
    ],
  },
  address_taken: {
    subject: words.mails.addressTaken.subject,
    paragraphs: [words.mails.addressTaken.paragraphs.someoneProbablyYouTriedTo, notYou],
  },
  email_changed: {
    subject: words.mails.emailChanged.subject,
    paragraphs: [
      words.mails.emailChanged.paragraphs.theAddressOfYourAccount,
      words.mails.emailChanged.paragraphs.ifThisWasNotYou,
      accountButton(buttons.account),
    ],
  },
})

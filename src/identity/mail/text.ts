import { account, link, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.identity.mail

const code = texts.identity.mail.code
const codeValidity = texts.identity.mail.codeValidity
const notYou = texts.identity.mail.notYou
const seeApps = texts.identity.mail.seeApps

/** The mails about codes and the security of an account, which nobody can turn off. */
export const mails = mailKinds({
  address_code: {
    subject: words.mails.addressCode.subject,
    paragraphs: [words.mails.addressCode.paragraphs.enterThisCodeOnThe, code, codeValidity, notYou],
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
    paragraphs: [
      words.mails.addressCode.paragraphs.enterThisCodeOnThe,
      code,
      words.mails.signInCode.paragraphs.orOpenThisLink,
      link,
      codeValidity,
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
      link,
      words.mails.invitation.paragraphs.enterThisCodeThere,
      code,
      words.mails.invitation.paragraphs.theInvitationIsValidFor,
    ],
  },
  reset: {
    subject: words.mails.reset.subject,
    paragraphs: [words.mails.reset.paragraphs.enterThisCodeOnThe, code, codeValidity, notYou],
  },
  password_changed: {
    subject: words.mails.passwordChanged.subject,
    paragraphs: [
      words.mails.passwordChanged.paragraphs.thePasswordOfYourAccount,
      seeApps,
      account,
      words.mails.passwordChanged.paragraphs.ifThisWasNotYou,
    ],
  },
  password_replaced: {
    subject: words.mails.passwordReplaced.subject,
    paragraphs: [
      words.mails.passwordReplaced.paragraphs.thePasswordOfYourAccount,
      seeApps,
      account,
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
      account,
    ],
  },
})

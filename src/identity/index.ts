export { type ConnectedApp, endApp, endGrantsOf, listApps } from './apps/index.ts'
export {
  type Browser,
  browserOf,
  clearCookies,
  isSameSite,
  knownCookies,
  preSessionCookies,
  sessionCookies,
} from './browser.ts'
export { type CodeParts, type CodePlace, type CodePurpose, checkCode, findCode } from './codes/index.ts'
export { acceptInvitation, findInvitation, invite } from './invitation.ts'
export {
  createMailDelivery,
  createSend,
  type MailKind,
  type MailPlan,
  type MailSettings,
  parkedMails,
  recordMail,
} from './mail/index.ts'
export { type PasswordContext, type PasswordFault, passwordFault } from './password-rules.ts'
export { checkPassword, hashPassword } from './passwords.ts'
export {
  countOwners,
  type EmailTaken,
  endSession,
  endSessions,
  findMemberByEmail,
  getMember,
  holdPassword,
  holdSession,
  insertMember,
  listMembers,
  lockMember,
  type Member,
  storeBrowser,
  storePassword,
  storeProfile,
  storeRole,
} from './queries.ts'
export { completeReset, startReset } from './reset.ts'
export { findSession, openSession, type Session } from './sessions.ts'
export { type SignInResult, signIn } from './sign-in.ts'
export { type CodeAnswer, completeSignUp, startSignUp } from './sign-up.ts'
export { identitySweeps } from './sweep.queries.ts'
export { completeVerification, startVerification } from './verification.ts'

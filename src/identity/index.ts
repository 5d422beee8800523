export {
  type ConnectedApp,
  countConnectedApps,
  endApprovalsUnderWay,
  endEveryApp,
  endMemberGrants,
  findAppName,
  listApps,
  withdrawApp,
} from './apps/index.ts'
export {
  type CodeBinding,
  type CodeParts,
  type CodePurpose,
  checkCode,
  endCodes,
  findCode,
  isLinkKey,
  refundCode,
} from './codes/index.ts'
export { type CreatedSession, createdSessionReply, createSession, createSessionWith } from './create-session.ts'
export { hasPassword } from './credentials.queries.ts'
export { completeEmailChange, startEmailChange } from './email-change.ts'
export { eraseIdentity, onMemberErased } from './erasure/index.ts'
export { formTokenFor } from './form-token.ts'
export { acceptInvitation, findInvitation, invite, onMemberInvited } from './invitation.ts'
export {
  BULK_MAIL_JOB,
  createMailDelivery,
  createSend,
  dropWaitingMails,
  identityMails,
  keepConsents,
  listConsents,
  listMailsTo,
  MAIL_JOB,
  type MailSettings,
  moveConsents,
  muteMails,
  parkedMails,
  readUnsubscribeToken,
  recordMail,
  recordMailTo,
  type StoredMailValues,
  showMail,
} from './mail/index.ts'
export { changePassword } from './password-change.ts'
export { credentialsIn, proveByPassword, type SignInFailure } from './password-form.ts'
export { findPasswordError, type PasswordContext } from './password-rules.ts'
export { hashPassword } from './passwords.ts'
export { errorsOfProfile, isName, type Profile, profileLimits } from './profile-rules.ts'
export {
  countOwners,
  type EmailTaken,
  endSession,
  endSessions,
  findMemberByEmail,
  getMember,
  insertMember,
  lockMember,
  type Member,
  readReadingSettings,
  restoreMembers,
  shareLockMember,
  storePassword,
  storeProfile,
  storeRole,
} from './queries.ts'
export { proveByCode, requestReset } from './reset-form.ts'
export {
  clearCookies,
  isSameSite,
  preSessionCookies,
  readBrowser,
  redirectInto,
  type SessionStart,
} from './session-cookies.ts'
export {
  endMemberSession,
  endOtherSessions,
  listSessions,
  lockRecentSession,
  lockSession,
  lockSessionMember,
  type OpenSession,
} from './sessions.queries.ts'
export { findSession, type Session } from './sessions.ts'
export { signIn } from './sign-in.ts'
export { completeLinkSignIn, completeSignUp, startSignUp } from './sign-up.ts'
export { identitySweeps } from './sweep.queries.ts'
export { completeVerification, startVerification } from './verification.ts'

export {
  type ConnectedApp,
  countConnectedApps,
  endApprovalsUnderWay,
  endEveryApp,
  endMemberGrants,
  findAppName,
  listApps,
  listStaffAppAccess,
  withdrawApp,
} from './apps/index.ts'
export { completeCodeSignIn, proveByMailedCode, requestSignInCode } from './code-sign-in.ts'
export {
  type ActiveCode,
  type CodeBinding,
  type CodeParts,
  type CodePurpose,
  checkCode,
  endCodes,
  findCode,
  isLinkKey,
  refundCode,
} from './codes/index.ts'
export {
  type CreatedSession,
  createdSessionReply,
  createSession,
  createSessionWith,
  deriveSession,
  provenReply,
} from './create-session.ts'
export { hasPassword } from './credentials.queries.ts'
export { completeEmailChange, startEmailChange } from './email-change.ts'
export { endInvitations, eraseIdentity, eraseInvitations, onMailsDeleted } from './erasure/index.ts'
export { formTokenFor } from './form-token.ts'
export { acceptInvitation, findInvitation, invite, onMemberInvited } from './invitation.ts'
export {
  type ChosenFile,
  deleteKeptForm,
  findKeptForm,
  findMemberOfSession,
  type KeptForm,
  keepForm,
  withoutSecrets,
} from './kept-forms/index.ts'
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
export type { CodeRequestError } from './mail-code.ts'
export { changePassword } from './password-change.ts'
export { type Credentials, credentialsIn, proveByPassword, type SignInFailure } from './password-form.ts'
export { findPasswordError, type PasswordContext } from './password-rules.ts'
export { hashPassword } from './passwords.ts'
export { errorsOfProfile, isName, type Profile, profileLimits } from './profile-rules.ts'
export {
  countOwners,
  type EmailTaken,
  findMemberByEmail,
  getMember,
  insertMember,
  lockActiveMember,
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
  languageCookies,
  parkCookies,
  preSessionCookies,
  readBrowser,
  redirectInto,
  type SessionStart,
  schemeCookies,
  unparkedCookies,
} from './session-cookies.ts'
export {
  endMemberSession,
  endOtherSessions,
  endSession,
  endSessions,
  extendProof,
  listSessions,
  lockRecentSession,
  lockSession,
  lockSessionMember,
  type OpenSession,
} from './sessions.queries.ts'
export { findSession, type Session } from './sessions.ts'
export { signIn } from './sign-in.ts'
export { completeSignUp, startSignUp } from './sign-up.ts'
export { identitySweeps } from './sweep.queries.ts'
export { completeVerification, requestVerification } from './verification.ts'
export { endView, findViewed, startView } from './views.queries.ts'

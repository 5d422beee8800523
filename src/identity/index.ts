export {
  type ConnectedApp,
  countConnectedApps,
  endApprovalsUnderWay,
  endEveryApp,
  endGrantsOf,
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
  refundCode,
} from './codes/index.ts'
export { type CreatedSession, createdSessionReply, createSession, createSessionWith } from './create-session.ts'
export { completeEmailChange, type EmailChangePlan, startEmailChange } from './email-change.ts'
export { forgetIdentity, onMemberErased } from './erasure/index.ts'
export { formErrors } from './form-errors.ts'
export { formTokenFor } from './form-token.ts'
export { acceptInvitation, findInvitation, invite, onMemberInvited } from './invitation.ts'
export {
  createMailDelivery,
  createSend,
  dropWaitingMails,
  listMailsTo,
  type MailKind,
  type MailPlan,
  type MailSettings,
  parkedMails,
  recordMail,
} from './mail/index.ts'
export { changePassword, type PasswordChange } from './password-change.ts'
export { credentialsIn, proveByPassword, type SignInFailure } from './password-form.ts'
export { type PasswordContext, type PasswordFault, passwordFault } from './password-rules.ts'
export { checkPassword, hashPassword } from './passwords.ts'
export { faultsOfProfile, isName, type Profile, profileLimits } from './profile-rules.ts'
export {
  countOwners,
  type EmailTaken,
  endSession,
  endSessions,
  findMemberByEmail,
  getMember,
  holdMember,
  holdPassword,
  holdSession,
  holdSessionPerson,
  holdYoungSession,
  insertMember,
  listMembers,
  lockMember,
  type Member,
  storePassword,
  storeProfile,
  storeRole,
} from './queries.ts'
export { proveByCode, type ResetFault, requestReset } from './reset-form.ts'
export {
  type Browser,
  browserOf,
  clearCookies,
  isSameSite,
  preSessionCookies,
  redirectInto,
  type SessionStart,
} from './session-cookies.ts'
export { endOtherSessions, endSessionOf, listSessions, type OpenSession } from './sessions.queries.ts'
export { findSession, type Session } from './sessions.ts'
export { type SignInResult, signIn } from './sign-in.ts'
export { type CodeAnswer, completeSignUp, startSignUp } from './sign-up.ts'
export { identitySweeps } from './sweep.queries.ts'
export { completeVerification, startVerification } from './verification.ts'

export { type Browser, browserOf, clearCookie, isSameSite, preSessionCookie, sessionCookie } from './browser.ts'
export { checkPassword, hashPassword, isAcceptablePassword } from './passwords.ts'
export {
  countOwners,
  type EmailTaken,
  endSession,
  findMemberByEmail,
  getMember,
  insertMember,
  listMembers,
  lockMember,
  type Member,
  storePassword,
  storeProfile,
  storeRole,
} from './queries.ts'
export { findSession, openSession, type Session } from './sessions.ts'
export { type SignInResult, signIn } from './sign-in.ts'

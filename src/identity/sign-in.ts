import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import {
  buildUse,
  consume,
  type LimitRequest,
  type LimitUse,
  type RateLimit,
  refundUses,
  resetUses,
  useByNetwork,
} from '#src/db/rate-limit.ts'
import { hmac, purposeKey, sha256 } from '#src/kit/crypto.ts'
import { foldEmail } from '#src/kit/text.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { type FoundPassword, findPassword, replaceHash } from './queries.ts'

/** The result of a sign-in; `wait` is in seconds, and `proof` is the stored hash that the password matched. */
export type SignInResult =
  | { readonly kind: 'signed_in'; readonly memberId: string; readonly proof: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many'; readonly wait: number }

/** A sign-in attempt; `trustedDevice` is the token of a browser in which the member signed in before. */
export type SignInAttempt = {
  readonly email: string
  readonly password: string
  readonly network: string
  readonly trustedDevice: string | undefined
  readonly secret: string
}

const WINDOW = 15 * 60
const perAccount: RateLimit = { name: 'sign-in:account', uses: 10, seconds: WINDOW }
const perNetwork: RateLimit = { name: 'sign-in:network', uses: 100, seconds: WINDOW }
// Against one password tried on many accounts from many networks.
const perPassword: RateLimit = { name: 'sign-in:password', uses: 100, seconds: WINDOW }
// A browser that signed in before has a limit of its own: strangers who use up the others do not lock its owner out.
const perBrowser: RateLimit = { name: 'sign-in:browser', uses: 10, seconds: WINDOW }

type Counted = Pick<SignInAttempt, 'email' | 'network'> & {
  /** The member and the hash of the token, where the browser is a trusted device of theirs. */
  readonly trusted: { readonly memberId: string; readonly browserHash: Buffer } | undefined
  /** What stands for the password, if one is tried. */
  readonly password?: string
}

const buildLimits = (school: School, { email, network, trusted, password }: Counted): LimitRequest[] => {
  if (trusted !== undefined)
    return [buildUse(perBrowser, school.id, `${trusted.memberId} ${trusted.browserHash.toString('hex')}`)]
  return [
    buildUse(perAccount, school.id, foldEmail(email)),
    useByNetwork(perNetwork, school.id, network),
    ...(password === undefined ? [] : [buildUse(perPassword, school.id, password)]),
  ]
}

/** Counts an attempt to sign in, by a password or by a code, before anything is compared. */
export const countSignIn = (
  { shared }: Database,
  school: School,
  attempt: Counted,
): Promise<{ readonly wait: number; readonly uses: readonly LimitUse[] }> =>
  consume(shared, buildLimits(school, attempt))

const isDeviceToken = (trustedDevice: string | undefined): trustedDevice is string =>
  trustedDevice !== undefined && /^[\w-]{43}$/.test(trustedDevice)

const isOwn = ({ limit }: LimitUse): boolean => limit === perAccount || limit === perBrowser

/** After a sign-in: resets the account's own limits; those shared with others get this one use back. */
export const clearSignIns = async ({ shared }: Database, uses: readonly LimitUse[]): Promise<void> => {
  await resetUses(shared, uses.filter(isOwn))
  await refundUses(
    shared,
    uses.filter(use => !isOwn(use)),
  )
}

/** Checks address and password, with the same statements and one hash whether or not the address has an account. */
export const signIn = async (database: Database, school: School, attempt: SignInAttempt): Promise<SignInResult> => {
  const browserHash = isDeviceToken(attempt.trustedDevice) ? sha256(attempt.trustedDevice) : undefined
  const found = await database.statements(school.id, db => findPassword(db, school.id, attempt.email, browserHash))
  const { email, network, secret } = attempt
  const trusted = found?.is_trusted && browserHash ? { memberId: found.id, browserHash } : undefined
  const password = hmac(purposeKey(secret, 'sign-in'), `${school.id} ${attempt.password.normalize('NFC')}`)
  const counted = { email, network, trusted, password: password.toString('hex') }
  const { wait, uses } = await countSignIn(database, school, counted)
  if (wait > 0) return { kind: 'too_many', wait }
  const { ok, stale } = await checkPassword(attempt.password, found?.secret)
  if (!ok || found === undefined) return { kind: 'refused' }
  await clearSignIns(database, uses)
  const proof = stale ? await upgrade(database, school, found, attempt.password) : found.secret
  return { kind: 'signed_in', memberId: found.id, proof }
}

const upgrade = async (database: Database, school: School, found: FoundPassword, password: string): Promise<string> => {
  const hash = await hashPassword(password)
  const replaced = await database.statements(school.id, db => replaceHash(db, school.id, found.id, found.secret, hash))
  return replaced > 0 ? hash : found.secret
}

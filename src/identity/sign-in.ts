import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import {
  consume,
  type LimitRequest,
  type LimitUse,
  type RateLimit,
  refundUses,
  resetUses,
  useByNetwork,
  useOf,
} from '#src/db/rate-limit.ts'
import { hmac, purposeKey, sha256 } from '#src/kit/crypto.ts'
import { foldEmail } from '#src/kit/text.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { type FoundPassword, findPassword, replaceHash } from './queries.ts'

/** How a sign-in ended; `wait` is in seconds, and `proof` is the stored password that was right. */
export type SignInResult =
  | { readonly kind: 'signed_in'; readonly memberId: string; readonly proof: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many'; readonly wait: number }

/** Who tries to sign in, with what, and from where; `known` is the mark of a browser that was used before. */
export type SignInAttempt = {
  readonly email: string
  readonly password: string
  readonly network: string
  readonly known: string | undefined
  readonly secret: string
}

const WINDOW = 15 * 60
const perAccount: RateLimit = { name: 'sign-in:account', uses: 10, seconds: WINDOW }
const perNetwork: RateLimit = { name: 'sign-in:network', uses: 100, seconds: WINDOW }
// One password tried on many accounts, from however many networks.
const perPassword: RateLimit = { name: 'sign-in:password', uses: 100, seconds: WINDOW }
// A browser that signed in before has a limit of its own: strangers who use up the others do not lock its owner out.
const perBrowser: RateLimit = { name: 'sign-in:browser', uses: 10, seconds: WINDOW }

const countsOf = (school: School, attempt: SignInAttempt, found: FoundPassword | undefined): LimitRequest[] => {
  const known = sha256(attempt.known ?? '').toString('hex')
  if (found?.is_known) return [useOf(perBrowser, school.id, `${found.id} ${known}`)]
  const password = hmac(purposeKey(attempt.secret, 'sign-in'), `${school.id} ${attempt.password.normalize('NFC')}`)
  return [
    useOf(perAccount, school.id, foldEmail(attempt.email)),
    useByNetwork(perNetwork, school.id, attempt.network),
    useOf(perPassword, school.id, password.toString('hex')),
  ]
}

const isMark = (known: string | undefined): known is string => known !== undefined && /^[\w-]{43}$/.test(known)

const isOwn = ({ limit }: LimitUse): boolean => limit === perAccount || limit === perBrowser

// The account's own limits are whole again; those that others share get this one use back.
const letThrough = async ({ shared }: Database, uses: readonly LimitUse[]): Promise<void> => {
  await resetUses(shared, uses.filter(isOwn))
  await refundUses(
    shared,
    uses.filter(use => !isOwn(use)),
  )
}

/** Checks address and password: the same statements and one hash, whether or not the address is known. */
export const signIn = async (database: Database, school: School, attempt: SignInAttempt): Promise<SignInResult> => {
  const browserHash = isMark(attempt.known) ? sha256(attempt.known) : undefined
  const found = await database.statements(school.id, db => findPassword(db, school.id, attempt.email, browserHash))
  const { wait, uses } = await consume(database.shared, countsOf(school, attempt, found))
  if (wait > 0) return { kind: 'too_many', wait }
  const { ok, stale } = await checkPassword(attempt.password, found?.secret)
  if (!ok || found === undefined) return { kind: 'refused' }
  await letThrough(database, uses)
  const proof = stale ? await upgrade(database, school, found, attempt.password) : found.secret
  return { kind: 'signed_in', memberId: found.id, proof }
}

const upgrade = async (database: Database, school: School, found: FoundPassword, password: string): Promise<string> => {
  const hash = await hashPassword(password)
  const replaced = await database.statements(school.id, db => replaceHash(db, school.id, found.id, found.secret, hash))
  return replaced > 0 ? hash : found.secret
}

import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { countPassage, type Door, forgetPassages, returnPassage } from '#src/db/limit.ts'
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
const perAccount: Door = { name: 'sign-in:account', times: 10, seconds: WINDOW }
const perNetwork: Door = { name: 'sign-in:network', times: 100, seconds: WINDOW }
// One password tried on many accounts, from however many networks.
const perPassword: Door = { name: 'sign-in:password', times: 100, seconds: WINDOW }
// A browser that signed in before has a door of its own: strangers at the others do not lock its owner out.
const perBrowser: Door = { name: 'sign-in:browser', times: 10, seconds: WINDOW }

type Gate = readonly [door: Door, who: string]

const gatesOf = (school: School, attempt: SignInAttempt, found: FoundPassword | undefined): Gate[] => {
  if (found?.is_known) return [[perBrowser, `${found.id} ${sha256(attempt.known ?? '').toString('hex')}`]]
  const password = hmac(purposeKey(attempt.secret, 'sign-in'), `${school.id} ${attempt.password.normalize('NFC')}`)
  return [
    [perAccount, foldEmail(attempt.email)],
    [perNetwork, attempt.network],
    [perPassword, password.toString('hex')],
  ]
}

const isMark = (known: string | undefined): known is string => known !== undefined && /^[\w-]{43}$/.test(known)

// The account's own doors are whole again; the ones that others stand at too get this one passage back.
const letThrough = (database: Database, school: School, gates: readonly Gate[]) =>
  Promise.all(
    gates.map(([door, who]) =>
      door === perAccount || door === perBrowser
        ? forgetPassages(database.shared, door, school.id, who)
        : returnPassage(database.shared, door, school.id, who),
    ),
  )

/** Checks address and password: the same statements and one hash, whether or not the address is known. */
export const signIn = async (database: Database, school: School, attempt: SignInAttempt): Promise<SignInResult> => {
  const browserHash = isMark(attempt.known) ? sha256(attempt.known) : undefined
  const found = await database.read(school.id, db => findPassword(db, school.id, attempt.email, browserHash))
  const gates = gatesOf(school, attempt, found)
  const waits = await Promise.all(gates.map(([door, who]) => countPassage(database.shared, door, school.id, who)))
  const wait = Math.max(...waits)
  if (wait > 0) return { kind: 'too_many', wait }
  const { ok, stale } = await checkPassword(attempt.password, found?.secret)
  if (!ok || found === undefined) return { kind: 'refused' }
  await letThrough(database, school, gates)
  const proof = stale ? await upgrade(database, school, found, attempt.password) : found.secret
  return { kind: 'signed_in', memberId: found.id, proof }
}

const upgrade = async (database: Database, school: School, found: FoundPassword, password: string): Promise<string> => {
  const hash = await hashPassword(password)
  const replaced = await database.read(school.id, db => replaceHash(db, school.id, found.id, found.secret, hash))
  return replaced > 0 ? hash : found.secret
}

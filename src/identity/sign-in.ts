import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { countPassage, type Door, forgetPassages, returnPassage } from '#src/db/limit.ts'
import { foldEmail } from '#src/kit/text.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { findPassword, replaceHash } from './queries.ts'

/** How a sign-in ended; `wait` is in seconds. */
export type SignInResult =
  | { readonly kind: 'signed_in'; readonly memberId: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many'; readonly wait: number }

const perAccount: Door = { name: 'sign-in:account', times: 10, seconds: 15 * 60 }
const perNetwork: Door = { name: 'sign-in:network', times: 100, seconds: 15 * 60 }

/** Checks address and password: the same statements and one hash, whether or not the address is known. */
export const signIn = async (
  database: Database,
  school: School,
  attempt: { readonly email: string; readonly password: string; readonly network: string },
): Promise<SignInResult> => {
  const email = foldEmail(attempt.email)
  const [byAccount, byNetwork] = await Promise.all([
    countPassage(database.shared, perAccount, school.id, email),
    countPassage(database.shared, perNetwork, school.id, attempt.network),
  ])
  const wait = Math.max(byAccount, byNetwork)
  if (wait > 0) return { kind: 'too_many', wait }
  const found = await database.read(school.id, db => findPassword(db, school.id, email))
  const { ok, stale } = await checkPassword(attempt.password, found?.secret)
  if (!ok || found === undefined) return { kind: 'refused' }
  await Promise.all([
    forgetPassages(database.shared, perAccount, school.id, email),
    returnPassage(database.shared, perNetwork, school.id, attempt.network),
  ])
  if (stale) await upgrade(database, school, found, attempt.password)
  return { kind: 'signed_in', memberId: found.id }
}

const upgrade = async (database: Database, school: School, found: { id: string; secret: string }, password: string) => {
  const hash = await hashPassword(password)
  await database.read(school.id, db => replaceHash(db, school.id, found.id, found.secret, hash))
}

import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { countPassage, type Door } from '#src/db/limit.ts'
import { hmac, purposeKey, type Random, sameBytes } from '#src/kit/crypto.ts'
import { foldEmail } from '#src/kit/text.ts'
import { type CodePlace, type LivingCode, type NewCode, storeCode, tryCode } from './queries.ts'

/** What codes are made from: the installation's secret, and random bytes. */
export type CodeParts = { readonly secret: string; readonly random: Random }

/** How long a code lives, in seconds. */
export const CODE_SECONDS = 15 * 60

const HOUR = 3600
const perAddress: Door = { name: 'code:address', times: 5, seconds: HOUR }
const perNetwork: Door = { name: 'code:network', times: 100, seconds: HOUR }
const perSchool: Door = { name: 'code:school', times: 5000, seconds: HOUR }

/** Counts a wish for a code at the doors of address, network and school; the seconds to wait, 0 for none. */
export const countCode = async (
  database: Database,
  school: School,
  email: string,
  network: string,
): Promise<number> => {
  const { shared } = database
  const waits = await Promise.all([
    countPassage(shared, perAddress, school.id, foldEmail(email)),
    countPassage(shared, perNetwork, school.id, network),
    countPassage(shared, perSchool, school.id, ''),
  ])
  return Math.max(...waits)
}

// Six digits are guessed in a second when the hash has no key.
const hashOf = (secret: string, schoolId: string, { boundTo, purpose }: CodePlace, code: string): Buffer =>
  hmac(purposeKey(secret, 'address-code'), [schoolId, purpose, boundTo.toString('hex'), code].join('\n'))

const newCode = (random: Random): string => String(random(6).readUIntBE(0, 6) % 1_000_000).padStart(6, '0')

/** Stores a code and gives it; one that nobody may use is stored under a hash that no six digits have. */
export const issueCode = async (
  db: Db,
  schoolId: string,
  { secret, random }: CodeParts,
  wanted: Omit<NewCode, 'hash'> & { readonly isUsable: boolean },
): Promise<string> => {
  const code = newCode(random)
  const stored = wanted.isUsable ? code : random(32).toString('hex')
  await storeCode(db, schoolId, { ...wanted, hash: hashOf(secret, schoolId, wanted, stored) })
  return code
}

/** Compares what was typed with the code of a place, which counts as a try; undefined when it is not right. */
export const checkCode = async (
  database: Database,
  schoolId: string,
  secret: string,
  place: CodePlace,
  typed: string,
): Promise<LivingCode | undefined> => {
  const digits = typed.replace(/[\s-]/g, '')
  if (!/^[0-9]{6}$/.test(digits)) return undefined
  const code = await database.read(schoolId, db => tryCode(db, schoolId, place))
  if (code === undefined) return undefined
  return sameBytes(code.code_hash, hashOf(secret, schoolId, place, digits)) ? code : undefined
}

import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import {
  consume,
  type LimitRequest,
  type RateLimit,
  refundUses,
  type SharedRateLimit,
  useByNetwork,
  useOf,
  useOfShared,
  usesOfNetwork,
} from '#src/db/rate-limit.ts'
import { hmac, purposeKey, type Random, sameBytes, sha256 } from '#src/kit/crypto.ts'
import { foldEmail } from '#src/kit/text.ts'
import { type CodeBinding, findTrustedMember, type LivingCode, type NewCode, storeCode, tryCode } from './queries.ts'

/** What codes are made from: the installation's secret, and random bytes. */
export type CodeParts = { readonly secret: string; readonly random: Random }

/** How long a code lives, in seconds. */
export const CODE_SECONDS = 15 * 60

const HOUR = 3600
const perAddressAndNetwork: RateLimit = { name: 'code:address-network', uses: 5, seconds: HOUR }
// The mails that strangers can have sent to one address, from however many networks.
const perAddress: RateLimit = { name: 'code:address', uses: 20, seconds: HOUR }
const perNetwork: RateLimit = { name: 'code:network', uses: 100, seconds: HOUR }
const perSchool: SharedRateLimit = { name: 'code:school', uses: 5000, seconds: HOUR, reserve: 3, most: 10_000 }
// A browser in which the member of the address signed in before has a limit of its own: strangers do not use it up.
const perBrowser: RateLimit = { name: 'code:browser', uses: 5, seconds: HOUR }

/** Who asks for a code: to which address, from which network, and the mark of a browser that was used before. */
export type CodeRequest = { readonly email: string; readonly network: string; readonly known: string | undefined }

const countsOf = (school: School, { email, network }: CodeRequest): LimitRequest[] => {
  const address = foldEmail(email)
  return [
    useByNetwork(perAddressAndNetwork, school.id, network, address),
    useByNetwork(perNetwork, school.id, network),
    useOf(perAddress, school.id, address),
    useOfShared(perSchool, school.id, network),
  ]
}

/** Counts a wish for a code at the limits of address, network and school; the seconds to wait, 0 for none. */
export const consumeCode = async (database: Database, school: School, wish: CodeRequest): Promise<number> => {
  const hash = wish.known === undefined ? undefined : sha256(wish.known)
  const memberId = await database.statements(school.id, db => findTrustedMember(db, school.id, wish.email, hash))
  const own = memberId && hash && useOf(perBrowser, school.id, `${memberId} ${hash.toString('hex')}`)
  return (await consume(database.shared, own ? [own] : countsOf(school, wish))).wait
}

/** Gives back what a code counted at its network, after it was used; mails to one address stay counted. */
export const refundCode = (
  { shared }: Database,
  school: School,
  network: string,
  { email, created_at }: Pick<LivingCode, 'email' | 'created_at'>,
): Promise<void> => {
  const ofAddress = usesOfNetwork(perAddressAndNetwork, school.id, network, foldEmail(email))
  return refundUses(shared, [...ofAddress, ...usesOfNetwork(perNetwork, school.id, network)], created_at)
}

// Six digits are guessed in a second when the hash has no key.
const hashOf = (secret: string, schoolId: string, { boundTo, purpose }: CodeBinding, code: string): Buffer =>
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
  place: CodeBinding,
  typed: string,
): Promise<LivingCode | undefined> => {
  const digits = typed.replace(/[\s-]/g, '')
  if (!/^[0-9]{6}$/.test(digits)) return undefined
  const code = await database.statements(schoolId, db => tryCode(db, schoolId, place))
  if (code === undefined) return undefined
  return sameBytes(code.code_hash, hashOf(secret, schoolId, place, digits)) ? code : undefined
}

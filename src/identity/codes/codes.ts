import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import {
  buildUse,
  consume,
  type LimitRequest,
  type RateLimit,
  refundUses,
  type SharedRateLimit,
  useByNetwork,
  useOfShared,
  usesOfNetwork,
} from '#src/db/rate-limit.ts'
import { hmac, purposeKey, type Random, sameBytes, sha256 } from '#src/kit/crypto.ts'
import { foldEmail, plainCode } from '#src/kit/text.ts'
import { type ActiveCode, type CodeBinding, findTrustedMember, type NewCode, storeCode, tryCode } from './queries.ts'

/** What codes are created from: the installation's secret, and random bytes. */
export type CodeParts = { readonly secret: string; readonly random: Random }

/** How long a code is valid, in seconds. */
export const CODE_SECONDS = 15 * 60

const HOUR = 3600
const perAddressAndNetwork: RateLimit = { name: 'code:address-network', uses: 5, seconds: HOUR }
// Limits the mails that strangers can cause to one address, from any number of networks.
const perAddress: RateLimit = { name: 'code:address', uses: 20, seconds: HOUR }
const perNetwork: RateLimit = { name: 'code:network', uses: 100, seconds: HOUR }
const perSchool: SharedRateLimit = { name: 'code:school', uses: 5000, seconds: HOUR, reserve: 3, most: 10_000 }
// A browser in which the member of the address signed in before has a limit of its own: strangers do not use it up.
const perBrowser: RateLimit = { name: 'code:browser', uses: 5, seconds: HOUR }

/** A request for a code: the address, the network, and the trusted-device token of the browser. */
export type CodeRequest = {
  readonly email: string
  readonly network: string
  readonly trustedDevice: string | undefined
}

const buildLimits = (school: School, { email, network }: CodeRequest): LimitRequest[] => {
  const address = foldEmail(email)
  return [
    useByNetwork(perAddressAndNetwork, school.id, network, address),
    useByNetwork(perNetwork, school.id, network),
    buildUse(perAddress, school.id, address),
    useOfShared(perSchool, school.id, network),
  ]
}

/**
 * Counts a request for a code at the limits of address, network and school; returns the seconds to wait, 0 for none.
 */
export const consumeCode = async (database: Database, school: School, request: CodeRequest): Promise<number> => {
  const hash = request.trustedDevice === undefined ? undefined : sha256(request.trustedDevice)
  const memberId = await database.statements(school.id, db => findTrustedMember(db, school.id, request.email, hash))
  const own = memberId && hash && buildUse(perBrowser, school.id, `${memberId} ${hash.toString('hex')}`)
  return (await consume(database.shared, own ? [own] : buildLimits(school, request))).wait
}

/** Refunds the use of a code at its network, after the code was used; mails to one address stay counted. */
export const refundCode = (
  { shared }: Database,
  school: School,
  network: string,
  { email, created_at }: Pick<ActiveCode, 'email' | 'created_at'>,
): Promise<void> => {
  const ofAddress = usesOfNetwork(perAddressAndNetwork, school.id, network, foldEmail(email))
  return refundUses(shared, [...ofAddress, ...usesOfNetwork(perNetwork, school.id, network)], created_at)
}

// Without a key six digits could be found from their hash within a second.
const computeHash = (secret: string, schoolId: string, { boundTo, purpose }: CodeBinding, code: string): Buffer =>
  hmac(purposeKey(secret, 'address-code'), [schoolId, purpose, boundTo.toString('hex'), code].join('\n'))

const newCode = (random: Random): string => String(random(6).readUIntBE(0, 6) % 1_000_000).padStart(6, '0')

/** A new key for a link, which takes the place of a code: 256 random bits. */
export const newLinkKey = (random: Random): string => random(32).toString('hex')

/** Whether a text has the shape of a key for a link. */
export const isLinkKey = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** Stores and returns a code; one that is not usable is stored under a key that no six digits have, `linkKey` if it is set. */
export const issueCode = async (
  db: Db,
  schoolId: string,
  { secret, random }: CodeParts,
  plan: Omit<NewCode, 'hash'> & { readonly isUsable: boolean; readonly linkKey?: string | undefined },
): Promise<string> => {
  const code = newCode(random)
  const stored = plan.isUsable ? code : (plan.linkKey ?? newLinkKey(random))
  await storeCode(db, schoolId, { ...plan, hash: computeHash(secret, schoolId, plan, stored) })
  return code
}

/** Compares the input with the code or the key of a binding, which counts as a try; undefined when it is not correct. */
export const checkCode = async (
  database: Database,
  schoolId: string,
  secret: string,
  place: CodeBinding,
  typed: string,
): Promise<ActiveCode | undefined> => {
  const proof = plainCode(typed)
  if (!/^[0-9]{6}$/.test(proof) && !isLinkKey(proof)) return undefined
  const code = await database.statements(schoolId, db => tryCode(db, schoolId, place))
  if (code === undefined) return undefined
  return sameBytes(code.code_hash, computeHash(secret, schoolId, place, proof)) ? code : undefined
}

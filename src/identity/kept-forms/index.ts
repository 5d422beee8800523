import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { consume, type RateLimit, useByNetwork } from '#src/db/rate-limit.ts'
import { opens, purposeKey, type Random, seal, sha256, systemRandom, unseal } from '#src/kit/crypto.ts'
import type { Pairs } from '#src/kit/form.ts'
import { newUuid } from '#src/kit/ids.ts'
import { lockMember } from '../queries.ts'
import { deleteKept, findKeptRow, insertKept } from './queries.ts'

export { findMemberOfSession } from './queries.ts'

/** A file that was chosen in a form; its bytes are not kept. */
export type ChosenFile = { readonly field: string; readonly name: string; readonly bytes: number }

/** What was typed into a form. */
export type KeptForm = { readonly typed: Pairs; readonly files: readonly ChosenFile[] }

const LIMITS = { forms: 5, bytes: 2_000_000, seconds: 15 * 60 }
const MAX_BYTES = 1_000_000
const BY_NETWORK: RateLimit = { name: 'kept forms of a network', uses: 100, seconds: 3600 }

// Whoever finds a computer unlocked must not find these. `form_key` names the form.
const SECRETS = /^(?:token|password|current)$|secret|(?<!form)_key$/
const CODE_PATHS = /^\/(?:account|oauth)\//

/** What was typed into a form, without its passwords, codes, secrets and token. */
export const withoutSecrets = (typed: Pairs, path: string): Pairs =>
  typed.filter(([name]) => !SECRETS.test(name) && !(name === 'code' && CODE_PATHS.test(path)))

/** Where a form was posted, and by whom. */
type KeptPlace = {
  readonly database: Database
  readonly school: School
  readonly secret: string
  readonly memberId: string
  readonly path: string
}

const contextFor = ({ school, memberId, path }: KeptPlace): string => [school.id, memberId, path].join('\n')

/**
 * Keeps a posted form for 15 minutes, without its passwords, codes and secrets; returns the handle with which its member gets it
 * back. Undefined where the form is too long, or this network has kept too many.
 */
export const keepForm = async (
  place: KeptPlace & { readonly network: string },
  { typed, files }: KeptForm,
  random: Random = systemRandom,
): Promise<string | undefined> => {
  const { database, school, secret, memberId, path, network } = place
  const text = JSON.stringify({ typed: withoutSecrets(typed, path), files })
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_BYTES) return undefined
  const { wait } = await consume(database.shared, [useByNetwork(BY_NETWORK, school.id, network)])
  if (wait > 0) return undefined
  const handle = random(32).toString('base64url')
  const sealed = seal(purposeKey(secret, 'kept-form'), text, contextFor(place), random)
  return database.transaction(school.id, async (db, now) => {
    // Forms that come at once are counted one after the other, and none comes after the erasure of its member.
    if ((await lockMember(db, school.id, memberId)).status !== 'active') return undefined
    const row = { id: newUuid(now.getTime()), handleHash: sha256(handle), memberId, path, sealed, bytes }
    await insertKept(db, school.id, row, LIMITS)
    return handle
  })
}

/**
 * The kept form with a handle; undefined for one that is unknown, expired, of another member or of another path, or that was sealed
 * under another secret of the installation.
 */
export const findKeptForm = async (place: KeptPlace, handle: string): Promise<KeptForm | undefined> => {
  const { database, school, secret, memberId, path } = place
  const row = await database.statements(school.id, db =>
    findKeptRow(db, school.id, { handleHash: sha256(handle), memberId }),
  )
  const key = purposeKey(secret, 'kept-form')
  if (row === undefined || row.path !== path || !opens(key, row.sealed, contextFor(place))) return undefined
  return JSON.parse(unseal(key, row.sealed, contextFor(place))) as KeptForm
}

/** Deletes a kept form, after it was sent. */
export const deleteKeptForm = (
  { database, school, memberId }: Pick<KeptPlace, 'database' | 'school' | 'memberId'>,
  handle: string,
): Promise<unknown> =>
  database.statements(school.id, db => deleteKept(db, school.id, { handleHash: sha256(handle), memberId }))

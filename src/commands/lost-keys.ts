import { disableLostWebhook } from '#src/areas/apps/index.ts'
import { giveUpLostKey } from '#src/areas/learning/index.ts'
import { removeLostSecret } from '#src/areas/school/index.ts'
import type { School } from '#src/contract/school.ts'
import { listSchools } from '#src/db/schools.ts'
import { closedKeys, listSealedKeys, type SealedKeyRow } from '#src/db/sealed-keys.ts'
import { createKeys, signingAlgs } from '#src/oauth/index.ts'
import { Failed, type Run } from './command.ts'
import type { Installation } from './installation.ts'
import { makeSecret } from './secret.ts'

type Lost = { readonly school: School; readonly keys: readonly SealedKeyRow[] }

const buildSummary = ({ school, keys }: Lost) => ({
  school: school.baseUrl,
  keys: keys.map(({ kind, kid }) => ({ kind, kid })),
})

const listLines = (lost: readonly Lost[]): string[] =>
  lost.flatMap(({ school, keys }) => keys.map(({ kind, kid }) => `  ${school.baseUrl}: ${kind} key ${kid}`))

const findLost = async ({ database, secretState: { secret } }: Installation): Promise<Lost[]> => {
  const keys = await listSealedKeys(database.shared)
  const closed = secret === undefined ? keys : closedKeys(keys, secret)
  const schools = await listSchools(database.shared)
  return schools
    .map(school => ({ school, keys: closed.filter(key => key.school_id === school.id) }))
    .filter(lost => lost.keys.length > 0)
}

const adviceByKind = {
  payments: 'Secrets of payment providers were deleted, since nobody can create them but the provider: set them again.',
  webhooks: 'Webhooks were disabled, since nothing can be signed for them: give each a new secret and enable it.',
} as const

// Each key is replaced separately, so that an interrupted run can be repeated.
const replace = async ({ database }: Installation, secret: string, { school, keys }: Lost): Promise<void> => {
  const signing = createKeys(secret)
  for (const { kind, kid } of keys) {
    if (kind === 'credentials') await giveUpLostKey({ database, school }, kid)
    if (kind === 'payments') await removeLostSecret({ database, school }, kid)
    if (kind === 'webhooks') await disableLostWebhook({ database, school }, kid)
  }
  for (const alg of signingAlgs) {
    const closed = await signing.listUnopenable(database, school.id, alg)
    if (closed.length > 0) await signing.rotate(database, school.id, alg, 'now')
  }
}

// A running server uses the old secret and could not unseal the new keys.
const refuseRunning = ({ isEmbedded, startedHere }: Installation): void => {
  if (isEmbedded && !startedHere)
    throw new Failed('a server runs on this data folder, with a secret that it read before; stop it first')
}

/** Replaces the keys that the installation's secret does not unseal, and creates the secret if it is missing. */
export const replaceLostKeys = async (run: Run, installation: Installation): Promise<void> => {
  refuseRunning(installation)
  const lost = await findLost(installation)
  if (lost.length === 0) return run.tell({ replaced: [] }, 'Every key can be unsealed; nothing was replaced.')
  if (run.options.yes !== true)
    throw new Failed(
      `${lost.reduce((sum, { keys }) => sum + keys.length, 0)} keys of ${lost.length} schools cannot be unsealed and would be replaced, which cannot be undone; add --yes to do that`,
    )
  const secret = installation.secretState.secret ?? (await makeSecret(run.config))
  for (const one of lost) await replace(installation, secret, one)
  run.tell(
    { replaced: lost.map(buildSummary) },
    [
      'Replaced by new keys:',
      ...listLines(lost),
      ...(['payments', 'webhooks'] as const)
        .filter(kind => lost.some(({ keys }) => keys.some(key => key.kind === kind)))
        .map(kind => adviceByKind[kind]),
      'Apps use the new keys immediately. Invitations and codes that waited to be sent can no longer be read: send them again.',
    ].join('\n'),
  )
}

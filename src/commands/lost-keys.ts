import { giveUpLostKey } from '#src/areas/certificates/index.ts'
import type { School } from '#src/contract/school.ts'
import { listSchools } from '#src/db/schools.ts'
import { closedKeys, listSealedKeys, type SealedKeyRow } from '#src/db/sealed-keys.ts'
import { createKeys, signingAlgs } from '#src/oauth/index.ts'
import { Failed, type Run } from './command.ts'
import type { Installation } from './installation.ts'
import { makeSecret } from './secret.ts'

type Lost = { readonly school: School; readonly keys: readonly SealedKeyRow[] }

const told = ({ school, keys }: Lost) => ({
  school: school.baseUrl,
  keys: keys.map(({ kind, kid }) => ({ kind, kid })),
})

const linesOf = (lost: readonly Lost[]): string[] =>
  lost.flatMap(({ school, keys }) => keys.map(({ kind, kid }) => `  ${school.baseUrl}: ${kind} key ${kid}`))

const findLost = async ({ database, secretState: { secret } }: Installation): Promise<Lost[]> => {
  const keys = await listSealedKeys(database.shared)
  const closed = secret === undefined ? keys : closedKeys(keys, secret)
  const schools = await listSchools(database.shared)
  return schools
    .map(school => ({ school, keys: closed.filter(key => key.school_id === school.id) }))
    .filter(lost => lost.keys.length > 0)
}

// Each key is replaced by itself, so that a run that was interrupted can be run again.
const replace = async ({ database }: Installation, secret: string, { school, keys }: Lost): Promise<void> => {
  const signing = createKeys(secret)
  for (const { kind, kid } of keys) if (kind === 'credentials') await giveUpLostKey({ database, school }, kid)
  for (const alg of signingAlgs) {
    const closed = await signing.listUnopenable(database, school.id, alg)
    if (closed.length > 0) await signing.rotate(database, school.id, alg, 'now')
  }
}

// A running server holds the secret that the keys were sealed with, and would not open those that follow.
const refuseRunning = ({ isEmbedded, startedHere }: Installation): void => {
  if (isEmbedded && !startedHere)
    throw new Failed('a server runs on this data folder, with a secret that it read before; stop it first')
}

/** Gives up the keys that the installation's secret does not open, and makes the secret if it is gone. */
export const replaceLostKeys = async (run: Run, installation: Installation): Promise<void> => {
  refuseRunning(installation)
  const lost = await findLost(installation)
  if (lost.length === 0) return run.tell({ replaced: [] }, 'Every key opens; nothing was replaced.')
  if (run.options.yes !== true)
    throw new Failed(
      `${lost.reduce((sum, { keys }) => sum + keys.length, 0)} keys of ${lost.length} schools do not open and would be given up, which cannot be taken back; add --yes to do that`,
    )
  const secret = installation.secretState.secret ?? (await makeSecret(run.config))
  for (const one of lost) await replace(installation, secret, one)
  run.tell(
    { replaced: lost.map(told) },
    [
      'Given up, with a new key in the place of each:',
      ...linesOf(lost),
      'Apps sign people in with the new keys at once. Invitations and codes that waited to be sent cannot be read any more: send them again.',
    ].join('\n'),
  )
}

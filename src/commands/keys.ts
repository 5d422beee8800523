import type { School } from '#src/contract/school.ts'
import { createKeys, type Keys, type SigningAlg, signingAlgs } from '#src/oauth/index.ts'
import { chooseSchool, schoolOption } from './choose-school.ts'
import { type Command, Failed, type Run, textOption } from './command.ts'
import { type Installation, withInstallation } from './installation.ts'

const readAlgs = (run: Run): readonly SigningAlg[] => {
  const named = textOption(run, 'alg')
  const algs = named === undefined ? signingAlgs : signingAlgs.filter(alg => alg === named)
  if (algs.length === 0) throw new Failed(`--alg is one of ${signingAlgs.join(', ')}`)
  return algs
}

// Without --now the current key must be unsealed first, so that the next key is not sealed with a wrong secret.
const requireOpenable = async (keys: Keys, { database }: Installation, school: School): Promise<void> => {
  const [kid] = await keys.listUnopenable(database, school.id)
  if (kid !== undefined)
    throw new Failed(
      `key ${kid} cannot be unsealed with this STOA_SECRET; set the one it was created with, or, if that is lost, rotate with --now`,
    )
}

const rotate = async (run: Run, installation: Installation): Promise<void> => {
  const { database, secretState } = installation
  // A secret that does not unseal every key may unseal those of this school, and is needed to replace the others.
  const secret = secretState.secret ?? installation.secret
  const school = await chooseSchool(run, installation)
  const keys = createKeys(secret)
  const when = run.options.now === true ? 'now' : 'published'
  if (when === 'published') await requireOpenable(keys, installation, school)
  const rotated: { alg: string; kid: string; signs_from: string; is_new: boolean }[] = []
  for (const alg of readAlgs(run)) {
    const next = await keys.rotate(database, school.id, alg, when)
    rotated.push({ alg, kid: next.kid, signs_from: next.activatesAt.toISOString(), is_new: next.isNew })
  }
  const lines = rotated.map(
    ({ alg, kid, signs_from, is_new }) =>
      `${alg} key ${kid} ${is_new ? 'was created' : 'was created before'} and signs from ${signs_from}.`,
  )
  run.tell({ school: school.baseUrl, keys: rotated }, lines.join('\n'))
}

// Loaded only here, since it loads the areas.
const replaceLost = async (run: Run, installation: Installation): Promise<void> => {
  const { replaceLostKeys } = await import('./lost-keys.ts')
  await replaceLostKeys(run, installation)
}

const verbs = { rotate, 'replace-lost': replaceLost }

/** Rotates the keys that sign ID tokens, and replaces lost keys. */
export const keys: Command = {
  name: 'keys',
  usage: 'stoa keys rotate [--alg RS256|ES256] [--now] [--school BASE_URL] | replace-lost [--yes]',
  summary:
    'Create the next signing key, which becomes active once cached key sets have expired; --now after a leak: the old key is withdrawn. If the secret is permanently lost, replace-lost replaces the keys that cannot be unsealed',
  options: { ...schoolOption, alg: { type: 'string' }, now: { type: 'boolean' }, yes: { type: 'boolean' } },
  async run(run) {
    const verb = Object.entries(verbs).find(([name]) => name === run.positionals[0])?.[1]
    if (verb === undefined) throw new Failed(`usage: ${keys.usage}`)
    await withInstallation(run.config, run.progress, installation => verb(run, installation))
  },
}

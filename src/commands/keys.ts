import type { School } from '#src/contract/school.ts'
import { createKeys, type Keys, type SigningAlg, signingAlgs } from '#src/oauth/index.ts'
import { chooseSchool, schoolOption } from './choose-school.ts'
import { type Command, Failed, type Run, textOption } from './command.ts'
import { type Installation, withInstallation } from './installation.ts'

const algsOf = (run: Run): readonly SigningAlg[] => {
  const named = textOption(run, 'alg')
  const algs = named === undefined ? signingAlgs : signingAlgs.filter(alg => alg === named)
  if (algs.length === 0) throw new Failed(`--alg is one of ${signingAlgs.join(', ')}`)
  return algs
}

// Without --now the current key must open, so that a wrong secret is not sealed into the next one.
const requireOpenable = async (keys: Keys, { database }: Installation, school: School): Promise<void> => {
  const [kid] = await keys.listUnopenable(database, school.id)
  if (kid !== undefined)
    throw new Failed(
      `key ${kid} does not open with this STOA_SECRET; set the one it was made with, or, if that is lost, rotate with --now`,
    )
}

const rotate = async (run: Run, installation: Installation): Promise<void> => {
  const { database, secretState } = installation
  // One that does not open every key may open those of this school, and is needed to replace the others.
  const secret = secretState.secret ?? installation.secret
  const school = await chooseSchool(run, installation)
  const keys = createKeys(secret)
  const when = run.options.now === true ? 'now' : 'published'
  if (when === 'published') await requireOpenable(keys, installation, school)
  const told: { alg: string; kid: string; signs_from: string; is_new: boolean }[] = []
  for (const alg of algsOf(run)) {
    const rotated = await keys.rotate(database, school.id, alg, when)
    if (rotated !== undefined)
      told.push({ alg, kid: rotated.kid, signs_from: rotated.activatesAt.toISOString(), is_new: rotated.isNew })
  }
  if (told.length === 0) throw new Failed('there is no such key yet; it is made when it is first needed')
  const lines = told.map(
    ({ alg, kid, signs_from, is_new }) =>
      `${alg} key ${kid} ${is_new ? 'was made' : 'was made before'} and signs from ${signs_from}.`,
  )
  run.tell({ school: school.baseUrl, keys: told }, lines.join('\n'))
}

// Loaded when it is needed: it brings the areas along.
const replaceLost = async (run: Run, installation: Installation): Promise<void> => {
  const { replaceLostKeys } = await import('./lost-keys.ts')
  await replaceLostKeys(run, installation)
}

const verbs = { rotate, 'replace-lost': replaceLost }

/** Rotates the keys that sign ID tokens, and replaces keys that were lost. */
export const keys: Command = {
  name: 'keys',
  usage: 'stoa keys rotate [--alg RS256|ES256] [--now] [--school BASE_URL] | replace-lost [--yes]',
  summary:
    'Make the next signing key, which takes over when caches know it; --now for a leak: the old one is withdrawn. After the secret was lost for good, replace-lost gives up the keys that it does not open',
  options: { ...schoolOption, alg: { type: 'string' }, now: { type: 'boolean' }, yes: { type: 'boolean' } },
  async run(run) {
    const verb = Object.entries(verbs).find(([name]) => name === run.positionals[0])?.[1]
    if (verb === undefined) throw new Failed(`usage: ${keys.usage}`)
    await withInstallation(run.config, run.progress, installation => verb(run, installation))
  },
}

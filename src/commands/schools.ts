import { BadSetting, readBaseUrl } from '#src/config.ts'
import { listSchools } from '#src/db/schools.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { isEmail } from '#src/kit/text.ts'
import { createKeys } from '#src/oauth/index.ts'
import { createPerson, createSchool, newPassword } from '#src/world/index.ts'
import { type Command, Failed, type Run, textOption } from './command.ts'
import { withInstallation } from './installation.ts'

const baseUrlOf = (text: string | undefined): string => {
  if (text === undefined)
    throw new Failed('say the base URL: stoa schools create https://learn.example.org --owner-email …')
  try {
    return readBaseUrl(text, 'the base URL')
  } catch (error) {
    throw error instanceof BadSetting ? new Failed(error.message) : error
  }
}

const create = async (run: Run): Promise<void> => {
  const baseUrl = baseUrlOf(run.positionals[1])
  const email = textOption(run, 'owner-email')
  if (email === undefined || !isEmail(email)) throw new Failed("--owner-email is the address of the school's owner")
  const password = textOption(run, 'owner-password') ?? newPassword(systemRandom)
  await withInstallation(run.config, run.progress, async ({ database, secret }) => {
    const id = await createSchool(
      database,
      createKeys(secret),
      { baseUrl, name: textOption(run, 'name') ?? 'My school' },
      Date.now(),
    )
    if (id === undefined) throw new Failed(`a school with the base URL ${baseUrl} exists already`)
    await createPerson(database, id, { email, password, name: textOption(run, 'owner-name') ?? 'Owner', role: 'owner' })
    run.tell(
      { base_url: baseUrl, owner: { email, password } },
      `The school is at ${baseUrl}\nOwner: ${email}, password (shown this once): ${password}`,
    )
  })
}

const list = (run: Run): Promise<void> =>
  withInstallation(run.config, run.progress, async ({ database }) => {
    const schools = await listSchools(database.shared)
    const plain = schools.map(({ baseUrl, name }) => ({ base_url: baseUrl, name }))
    run.tell(plain, plain.map(({ base_url, name }) => `${base_url}  ${name}`).join('\n') || 'There is no school yet.')
  })

/** Makes and lists schools. */
export const schools: Command = {
  name: 'schools',
  usage:
    'stoa schools create BASE_URL --owner-email EMAIL [--name NAME] [--owner-name NAME] [--owner-password PASSWORD] | stoa schools list',
  summary: 'Make a school at a base URL of its own, or list the schools',
  options: {
    name: { type: 'string' },
    'owner-email': { type: 'string' },
    'owner-name': { type: 'string' },
    'owner-password': { type: 'string' },
  },
  async run(run) {
    const [what] = run.positionals
    if (what === 'create') return create(run)
    if (what === 'list') return list(run)
    throw new Failed(`usage: ${schools.usage}`)
  },
}

import { FIRST_NAME } from '#src/areas/school/index.ts'
import type { Config } from '#src/config.ts'
import type { School } from '#src/contract/school.ts'
import { listSchools } from '#src/db/schools.ts'
import {
  createDemoPeople,
  createPerson,
  createSchool,
  crumbAndCrust,
  newPassword,
  type PersonPlan,
  people,
  seedDemo,
} from '#src/demo/index.ts'
import { purposeKey, systemRandom } from '#src/kit/crypto.ts'
import { createKeys } from '#src/oauth/index.ts'
import { openFiles } from '#src/store/index.ts'
import type { Installation } from './installation.ts'
import { memberPassword } from './values.ts'

/** A person who can sign in, with the password that is shown once. */
export type InitialPerson = Pick<PersonPlan, 'email' | 'name' | 'role' | 'password'>

// Checked first, so that an invalid setting creates no school.
const readOwner = async ({ demo, ownerEmail, ownerPassword }: Config, school: Pick<School, 'name'>) => {
  const { name, role } = demo ? people.ada : { name: 'Owner', role: 'owner' as const }
  const email = ownerEmail ?? (demo ? people.ada.email : 'owner@school.example')
  const password =
    ownerPassword === undefined
      ? newPassword(systemRandom)
      : await memberPassword('STOA_OWNER_PASSWORD', ownerPassword, { email, name, school })
  return { name, role, email, password } satisfies PersonPlan
}

/** Creates the first school of an installation without one; returns the people with their passwords, to show once. */
export const ensureFirstSchool = async (
  { database, secret }: Installation,
  config: Config,
): Promise<InitialPerson[]> => {
  if ((await listSchools(database.shared)).length > 0) return []
  const plan = config.demo
    ? { ...crumbAndCrust, baseUrl: config.baseUrl }
    : { name: FIRST_NAME, baseUrl: config.baseUrl }
  const owner = await readOwner(config, plan)
  const id = await createSchool(database, createKeys(secret), plan, Date.now())
  if (id === undefined) return []
  await createPerson(database, id, owner)
  const others = config.demo ? await createDemoPeople(database, id, systemRandom) : []
  if (config.demo) {
    // The hooks of the areas must be connected before their functions are called.
    await import('#src/areas.ts')
    const files = await openFiles(config.storage)
    await seedDemo(database, id, { files, keyFor: purpose => purposeKey(secret, purpose) })
  }
  return [
    { ...owner, ...(config.ownerPassword === undefined ? {} : { password: '(as in STOA_OWNER_PASSWORD)' }) },
    ...others,
  ]
}

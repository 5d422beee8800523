import { createDemoPeople, seedDemo } from '#src/demo/index.ts'
import { purposeKey, systemRandom } from '#src/kit/crypto.ts'
import { openFiles } from '#src/store/index.ts'
import { chooseSchool, schoolOption } from './choose-school.ts'
import type { Command, Run } from './command.ts'
import { withInstallation, withPatience } from './installation.ts'

const run = (run: Run): Promise<void> =>
  withInstallation(run.config, run.progress, async installation => {
    const school = await chooseSchool(run, installation)
    const people = await createDemoPeople(installation.database, school.id, systemRandom)
    // The hooks of the areas must be connected before their functions are called.
    await import('#src/areas.ts')
    const files = await openFiles(run.config.storage)
    const keyFor = (purpose: string) => purposeKey(installation.secret, purpose)
    const isFilled = await withPatience(installation, run.config, patient =>
      seedDemo(patient, school.id, { files, keyFor }),
    )
    const lines = people.map(({ role, email, password }) => `  ${role.padEnd(9)} ${email.padEnd(24)} ${password}`)
    run.tell(
      { school: school.baseUrl, people },
      people.length === 0
        ? isFilled
          ? 'Created the courses; the people already exist.'
          : 'The demo data already exists.'
        : ['Created, with passwords shown only once:', ...lines].join('\n'),
    )
  })

/** Fills a school with the demo data. */
export const seed: Command = {
  name: 'seed',
  usage: 'stoa seed [--school BASE_URL]',
  summary: 'Fill a school with the people and courses of the demo, each person with a random password',
  options: schoolOption,
  run,
}

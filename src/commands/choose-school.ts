import type { School } from '#src/contract/school.ts'
import { listSchools } from '#src/db/schools.ts'
import { Failed, type Run, textOption } from './command.ts'
import type { Installation } from './installation.ts'

/** The option that names a school where there are several. */
export const schoolOption = { school: { type: 'string' } } as const

/** The school of a command: the one in --school, or the only one. */
export const chooseSchool = async (run: Run, { database }: Installation): Promise<School> => {
  const schools = await listSchools(database.shared)
  const named = textOption(run, 'school')
  if (named !== undefined) {
    const found = schools.find(({ baseUrl }) => baseUrl === named)
    if (found === undefined) throw new Failed(`no school has the base URL ${named}; stoa schools list shows them`)
    return found
  }
  const [only, second] = schools
  if (only === undefined) throw new Failed('there is no school yet; create one with: stoa schools create')
  if (second !== undefined) throw new Failed('there are several schools; name one with --school BASE_URL')
  return only
}

import { schoolOption } from './choose-school.ts'
import type { Command } from './command.ts'

/** Checks and imports the people of a file. */
export const imports: Command = {
  name: 'import',
  usage:
    "stoa import people|students FILE --as EMAIL [--map 'COLUMN=FIELD[:FORMAT]' …] [--course SLUG] [--option NAME=VALUE …] [--run] [--report FILE] [--school BASE_URL]",
  summary: 'Check what a file of people would change, as a member of the staff, and import it with --run',
  options: {
    ...schoolOption,
    as: { type: 'string' },
    map: { type: 'string', multiple: true },
    course: { type: 'string' },
    option: { type: 'string', multiple: true },
    run: { type: 'boolean' },
    report: { type: 'string' },
  },
  run: async run => (await import('./import-file.ts')).importFile(run),
}

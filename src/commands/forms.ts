import { schoolOption } from './choose-school.ts'
import type { Command } from './command.ts'

/** Imports forms from a file and exports those of a school. */
export const forms: Command = {
  name: 'forms',
  usage: 'stoa forms import FILE.json [--publish] | export [--school BASE_URL]',
  summary: 'Create or change the forms of a school from a file, or write them to standard output; never their answers',
  options: { ...schoolOption, publish: { type: 'boolean' } },
  run: async run => (await import('./school-forms.ts')).runForms(run),
}

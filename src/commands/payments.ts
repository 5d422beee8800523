import { schoolOption } from './choose-school.ts'
import type { Command } from './command.ts'

/** Sets, removes and shows the payment providers of a school. */
export const payments: Command = {
  name: 'payments',
  usage: 'stoa payments set NAME | remove NAME | show [--school BASE_URL]',
  summary:
    'Set, remove or show the payment providers of a school; secrets are read from standard input, name=value on each line',
  options: { ...schoolOption },
  run: async run => (await import('./payment-providers.ts')).runPayments(run),
}

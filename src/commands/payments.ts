import { schoolOption } from './choose-school.ts'
import type { Command } from './command.ts'

/** Sets, checks, connects, removes and shows the payment providers of a school. */
export const payments: Command = {
  name: 'payments',
  usage:
    'stoa payments set NAME | check NAME | connect NAME | use NAME --for USE | remove NAME [--all-the-same] | show [--school BASE_URL]',
  summary:
    'Set, check, connect, use, remove or show the payment providers of a school; secrets are read from standard input, name=value on each line',
  options: { ...schoolOption, for: { type: 'string' }, 'all-the-same': { type: 'boolean' } },
  run: async run => (await import('./payment-providers.ts')).runPayments(run),
}

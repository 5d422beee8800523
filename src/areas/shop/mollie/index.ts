import { area } from '#src/contract/area.ts'
import { implementProvider } from './implementations.ts'
import { declaration } from './provider.rules.ts'

/** Payments by Mollie, through nine calls of its API. */
export const mollie = area({
  name: 'mollie',
  operations: [],
  hooks: implementProvider('https://api.mollie.com'),
  provider: declaration,
})

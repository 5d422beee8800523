import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'

export { clientRegistry } from './hooks.ts'
export { Integration, IntegrationSecret, Integrations } from './schema.ts'

/** The apps that a school registers itself, and vouches for. */
export const integrations = area({ name: 'integrations', operations })

import { payAt } from '../../mollie/connect.ts'
import { startMollie } from '../../mollie/server.ts'
import type { ProviderUnderTest } from '../provider.ts'

/** Mollie, over the server that speaks its API. */
export const mollieUnderTest: ProviderUnderTest = {
  name: 'mollie',
  isReal: true,
  keysLast: 45 * 60,
  can: { saves: true, delays: true, debits: true, slowRefunds: true, faults: true, notices: true },
  start: async ({ post }) => {
    const server = await startMollie({ reaches: () => true, post })
    payAt(server.origin)
    return server
  },
  callAt: origin => payAt(origin),
}

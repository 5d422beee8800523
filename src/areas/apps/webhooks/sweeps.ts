import { sweepRows } from '#src/contract/sweep.ts'
import { deleteEnded } from './deliveries/queries.ts'

/** Deletes deliveries 30 days after they ended. */
export const sweepDeliveries = sweepRows(deleteEnded)

import type { Static } from 'typebox'
import type { DeletionRow } from './queries.ts'
import type { AccountDeletion } from './schema.ts'

/** Whether an account is scheduled for deletion. */
export const deletionView = (row: DeletionRow | undefined): Static<typeof AccountDeletion> => {
  if (row === undefined) return { status: 'none', begun_at: null, due_at: null }
  return {
    status: row.farewell_at === null ? 'begun' : 'under_way',
    begun_at: row.created_at,
    due_at: row.due_at,
  }
}

import { hook } from '#src/contract/hook.ts'

/** Called before a deleted page that cannot be restored any more goes, so that later areas delete what belongs to it. */
export const pageDeletion = hook<{ readonly pageId: string }, void>('pageDeletion')

/** Called for the address at which a static page shows its live deployment; undefined where there is none. */
export const staticAddress = hook<{ readonly pageId: string; readonly deploymentId: string }, string | undefined>(
  'staticAddress',
)

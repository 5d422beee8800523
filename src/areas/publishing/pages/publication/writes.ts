import type { SchoolContext } from '#src/contract/context.ts'
import { storeHome } from '../placement/queries.ts'
import { pageStatus } from './queries.ts'

/** Publishes a page that was just added, and makes it the home page if that is wanted; for the demo. */
export const publishAddedPage = async (
  { db, school }: SchoolContext,
  id: string,
  { isHome }: { readonly isHome: boolean },
): Promise<void> => {
  await pageStatus.store(db, school.id, id, { status: 'published' })
  if (isHome) await storeHome(db, school.id, id)
}

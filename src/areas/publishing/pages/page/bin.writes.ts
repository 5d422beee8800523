import { putInBin } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { pageStatus } from '../publication/queries.ts'
import { hidePage } from './bin.queries.ts'
import type { PageRow } from './queries.ts'

/** Puts a page into the bin, as a member who deletes it; call it under `lockSite`. */
export const binPage = async (
  { db, school }: SchoolContext,
  { id, title, redirects }: Pick<PageRow, 'id' | 'title' | 'redirects'>,
  memberId: string,
): Promise<void> => {
  await hidePage(db, school.id, id)
  await pageStatus.cancel(db, school.id, id)
  await putInBin(db, school.id, memberId, [{ kind: 'page', id, name: title, paths: redirects }])
}

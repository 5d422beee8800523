import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid } from '#src/kit/ids.ts'
import { copyAttachments } from '#src/areas/attachments/queries.ts'
import { copyContents } from '#src/areas/contents/queries.ts'

/** Gives lessons what those hold that they are copies of, with their attachments; earlier versions stay behind. */
export const copyContentsOf = async (
  { db, school }: { readonly db: Db; readonly school: Pick<School, 'id'> },
  pairs: readonly { readonly from: string; readonly into: string }[],
  now: Date,
): Promise<void> => {
  await copyContents(
    db,
    school.id,
    pairs.map(pair => ({ ...pair, id: newUuid(now.getTime()) })),
  )
  await copyAttachments(db, school.id, pairs, () => newUuid(now.getTime()))
}

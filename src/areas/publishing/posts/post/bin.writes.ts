import { putInBin } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { postStatus } from '../status/queries.ts'
import { hidePost } from './bin.queries.ts'
import type { PostLine } from './queries.ts'

/** Puts a post into the bin, as a member who deletes it. */
export const binPost = async (
  { db, school }: SchoolContext,
  { id, title }: Pick<PostLine, 'id' | 'title'>,
  memberId: string,
): Promise<void> => {
  await hidePost(db, school.id, id)
  await postStatus.cancel(db, school.id, id)
  await putInBin(db, school.id, memberId, [{ kind: 'post', id, name: title }])
}

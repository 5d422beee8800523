import { useFile } from '#src/areas/storage/index.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { putFiles } from './queries.ts'

export { insertSubmission } from './queries.ts'

/** What files are attached to, and by whom; `kept` are those that are attached already, whoever uploaded them. */
export type Attaching = {
  readonly id: string
  readonly purpose: 'work' | 'feedback'
  readonly memberId: string
  readonly kept: readonly string[]
}

/** Claims a member's uploads and attaches them to a submission, in their order; gives the ids of their rows. */
export const attachFiles = async (
  context: Pick<WriteContext, 'db' | 'school' | 'now'>,
  to: Attaching,
  fileIds: readonly string[],
): Promise<string[]> => {
  if (fileIds.length === 0 && to.kept.length === 0) return []
  const ids: string[] = []
  for (const [index, id] of fileIds.entries()) {
    const kept = to.kept.find(one => toId('fil', one) === id)
    const file = { id, pointer: `/file_ids/${index}`, purposes: ['submission'] as const, memberId: to.memberId }
    ids.push(kept ?? (await useFile(context, file)))
  }
  await putFiles(context.db, context.school.id, to, ids)
  return ids
}

import { useFile } from '#src/areas/files/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { putFiles } from './queries.ts'

/** What files are attached to, and by whom; `kept` are those that are attached already, whoever uploaded them. */
type Attaching = {
  readonly id: string
  readonly purpose: 'work' | 'feedback'
  readonly memberId: string
  readonly attachedIds: readonly string[]
}

/** Claims a member's uploads and attaches them to a submission, in their order; returns the ids of their rows. */
export const attachFiles = async (
  context: TransactionContext,
  to: Attaching,
  fileIds: readonly string[],
): Promise<string[]> => {
  if (fileIds.length === 0 && to.attachedIds.length === 0) return []
  const ids: string[] = []
  for (const [index, id] of fileIds.entries()) {
    const attachedIds = to.attachedIds.find(one => one === id)
    const file = { id, pointer: `/file_ids/${index}`, purposes: ['submission'] as const, memberId: to.memberId }
    ids.push(attachedIds ?? (await useFile(context, file)))
  }
  await putFiles(context.db, context.school.id, to, ids)
  return ids
}

import type { Static } from 'typebox'
import type { ReadContext } from '#src/contract/operation.ts'
import { type AttemptContent, readContent, readVisibleKeys } from '../attempts/lookups.ts'
import type { AttemptRow } from '../attempts/queries.ts'
import type { OwnAttempt } from '../attempts/schema.ts'
import { ownAttemptView } from '../attempts/views.ts'

/** One's own attempt with its questions; `read` is its content where that was read before. */
export const ownView = async (
  context: Pick<ReadContext, 'db' | 'school'>,
  row: AttemptRow,
  read?: AttemptContent,
): Promise<Static<typeof OwnAttempt>> => {
  const content = read ?? (await readContent(context, row))
  return ownAttemptView(row, { ...content, keys: await readVisibleKeys(context, row, content) })
}

const listActions = ({ status }: AttemptRow): string[] => [
  'getAccountQuizAttempt',
  ...(status === 'started' ? ['setAccountQuizAnswers', 'submitAccountQuizAttempt'] : []),
]

/** The same with the operations that its status allows. */
export const ownResponse = async (
  context: Pick<ReadContext, 'db' | 'school' | 'allowedActions'>,
  row: AttemptRow,
  read?: AttemptContent,
): Promise<Static<typeof OwnAttempt>> => ({
  ...(await ownView(context, row, read)),
  allowed_actions: context.allowedActions(listActions(row)),
})

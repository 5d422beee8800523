import type { Static } from 'typebox'
import { type FileView, fileViews } from '#src/areas/files/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import { listFiles } from '../answers/rules.ts'
import type { FormAnswer, StoredAnswer } from '../answers/schema.ts'
import type { SubmissionRow } from './queries.ts'
import type { FormSubmission, OwnFormSubmission } from './schema.ts'

type Files = ReadonlyMap<string, Static<typeof FileView>>

const answerView = (answer: StoredAnswer, files: Files): Static<typeof FormAnswer> => {
  const { field_id, type, value, text } = answer
  if (type === 'file') return { field_id, type, value: null, file: files.get(String(value)) ?? null }
  return {
    field_id,
    type,
    value: typeof value === 'object' ? [...value] : value,
    ...(text === undefined ? {} : { text }),
  }
}

/** What submissions are shown with: their files have addresses for the caller alone. */
export type Place = AsCaller<Caller> & Pick<ReadContext, 'keyFor'>

const filesIn = (context: Place, rows: readonly SubmissionRow[]): Promise<Files> =>
  fileViews(
    context,
    rows.flatMap(({ answers }) => listFiles(answers).map(({ fileId }) => fileId)),
  )

const answeredIn = ({ id, form_id, form_version, answers, submitted_at }: SubmissionRow, files: Files) => ({
  id,
  form_id,
  form_version,
  submitted_at,
  answers: answers.map(answer => answerView(answer, files)),
})

/** Submissions as staff see them; the addresses of their files are for the caller alone. */
export const submissionViews = async (
  context: Place,
  rows: readonly SubmissionRow[],
): Promise<Static<typeof FormSubmission>[]> => {
  const files = await filesIn(context, rows)
  return rows.map(row => ({
    ...answeredIn(row, files),
    member_id: row.member_id,
    status: row.status,
    source: { page: row.source_page, campaign: row.source_campaign },
    revision: row.revision,
  }))
}

/** Submissions as the member sees them who sent them; their files are reached by staff alone. */
export const ownSubmissionViews = (rows: readonly SubmissionRow[]): Static<typeof OwnFormSubmission>[] =>
  rows.map(row => ({ ...answeredIn(row, new Map()), form_title: row.form_title }))

import type { Static } from 'typebox'
import type { CommentPage, MutePage, ReportPage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { TeacherContext } from '../../audience.ts'

/** The filters of the list; empty ones do not filter. */
export type Filters = {
  readonly status: string
  readonly reported: string
  readonly unanswered: string
  readonly cursor: string
}

/** A comment of the list. */
export type ListedComment = Encoded<Static<typeof CommentPage>>['data'][number]

/** A report of a comment. */
export type ListedReport = Encoded<Static<typeof ReportPage>>['data'][number]

/** What the page shows. */
export type CommentsView = {
  readonly context: TeacherContext
  readonly filters: Filters
  readonly comments: readonly ListedComment[]
  /** The reports of those that are reported, by the id of the comment. */
  readonly reports: ReadonlyMap<string, readonly ListedReport[]>
  /** The members who may not comment, for staff. */
  readonly muted: Encoded<Static<typeof MutePage>>['data']
  readonly next: string | undefined
  readonly done: string
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly act: string; readonly form: Pairs; readonly refusal: Refusal } | undefined
}

/** Whether a form about a comment was refused just now. */
export const isRefused = ({ refused }: CommentsView, id: string, act: string): boolean =>
  refused?.act === act && formField(refused.form, 'comment') === id

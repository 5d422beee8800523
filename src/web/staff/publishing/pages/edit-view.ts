import type { Refusal } from '#src/contract/problem.ts'
import type { Html } from '#src/kit/html.ts'
import type { Options } from './block-html.ts'
import type { FieldErrors } from './errors.ts'
import type { Content, Edited } from './page-form.ts'

/** What the editor of a page shows. */
export type EditView = {
  readonly page: Content
  readonly edited: Edited
  readonly options: Options
  /** The revision of the page that the form is about; a page that has another one by now is not saved. */
  readonly revision: string
  readonly refusal: Refusal | undefined
  readonly errors: FieldErrors
  /** Whether the form has what was typed and is not stored. */
  readonly isUnsaved: boolean
  /** What was typed beside what somebody else has stored. */
  readonly conflict: Html | false
  /** Whether the form was saved before something else was refused. */
  readonly isSaved: boolean
  /** What was just done; undefined where the address says it. */
  readonly done?: string | undefined
  /** The preview that was just made, where the editor has something to say first. */
  readonly preview?: string | undefined
  /** What of the texts was removed, and links in them that lead nowhere. */
  readonly notes: readonly string[]
  /** The block that the last button was about. */
  readonly current: number | undefined
}

/** The address of the editor of a page. */
export const editPath = (id: string): string => `/staff/pages/${id}`

import type { Static } from 'typebox'
import type { PostVersionPage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { StaffContext } from '../../audience.ts'
import { errorsIn } from '../../forms/errors.ts'
import type { FormState } from '../../forms/fields.ts'
import type { CategoryShown } from './categories.ts'
import type { PostShown } from './frame.ts'
import { postsText as text } from './text.ts'

/** What was typed just now, with what was refused, shown as a preview or counted. */
export type Again = {
  readonly form: Pairs
  readonly refusal?: Refusal
  readonly preview?: string
  readonly recipients?: number
}

/** What the page of a post shows. */
export type PostView = {
  readonly post: PostShown
  readonly categories: readonly CategoryShown[]
  readonly versions: Encoded<Static<typeof PostVersionPage>>['data']
  /** The time zone of the school, in which times are typed. */
  readonly timeZone: string
  readonly again: Again | undefined
}

/** The state of the form of some acts: what was typed into it just now, or else what is stored. */
export const stateOf = (
  { language }: StaffContext,
  { again }: PostView,
  acts: readonly string[],
  stored: Pairs = [],
): FormState =>
  again === undefined || !acts.includes(formField(again.form, 'act'))
    ? { typed: stored, errors: new Map() }
    : { typed: again.form, errors: errorsIn(again.refusal, language, text.errors) }

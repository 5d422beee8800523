import type { Static } from 'typebox'
import type { PricePage } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { StaffContext } from '../../audience.ts'
import type { PlanShown } from './shown.ts'
import type { plansText } from './text.ts'

/** Something that a plan can open. */
export type Openable = { readonly type: keyof typeof plansText.itemTypes; readonly id: string; readonly name: string }

/** What the page of a plan shows. */
export type PlanView = {
  readonly context: StaffContext
  readonly plan: PlanShown
  /** The prices on sale. */
  readonly prices: Encoded<Static<typeof PricePage>>['data']
  /** The prices whose sale has ended; people may still pay them. */
  readonly ended: Encoded<Static<typeof PricePage>>['data']
  readonly currency: string
  /** The words with which something to open was searched for, and what was found. */
  readonly q: string
  readonly found: readonly Openable[] | undefined
  /** Names the forms that create something. */
  readonly formKey: string
  readonly done: string
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly act: string; readonly form: Pairs; readonly refusal: Refusal } | undefined
}

import type { Static } from 'typebox'
import type { PricePage } from '#src/areas/school/index.ts'
import type { ProductFilePage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { StaffContext } from '../../audience.ts'
import type { Terms } from './product-acts.ts'
import type { ProductShown } from './shown.ts'

/** What the page of a product shows. */
export type ProductView = {
  readonly context: StaffContext
  readonly product: ProductShown
  readonly files: Encoded<Static<typeof ProductFilePage>>['data']
  /** The prices on sale. */
  readonly prices: Encoded<Static<typeof PricePage>>['data']
  readonly terms: Terms
  /** Names the forms that create something. */
  readonly formKey: string
  readonly done: string
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly act: string; readonly form: Pairs; readonly refusal: Refusal } | undefined
}

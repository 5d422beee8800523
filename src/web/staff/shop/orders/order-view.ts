import type { Static } from 'typebox'
import type { InvoicePage, OrderEntitlements } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { OrderAct } from './acts.ts'
import type { OrderShown } from './waiting.ts'

/** What the page of an order shows. */
export type OrderView = {
  readonly school: School
  readonly language: Language
  readonly viewer: Session['member']
  readonly token: string
  readonly done: string
  readonly order: OrderShown
  /** What the lines gave. */
  readonly given: Encoded<Static<typeof OrderEntitlements>>['data']
  /** Its invoices and credit notes. */
  readonly documents: Encoded<Static<typeof InvoicePage>>['data']
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly act: OrderAct; readonly form: Pairs; readonly refusal: Refusal } | undefined
}

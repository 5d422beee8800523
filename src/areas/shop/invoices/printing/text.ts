import type { Phrase } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'
import type { RefundReason } from '../invoice/rules.ts'

/** The texts of printed invoices and credit notes. */
export const words = texts.shop.invoices.printing.words

/** Why something was refunded, in words. */
export const reasonText: Readonly<Record<RefundReason, Phrase>> = texts.shop.invoices.printing.reason

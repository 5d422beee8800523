import type { Language } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { formatInput } from '#src/kit/format.ts'
import { readAmount } from '#src/kit/typed-numbers.ts'
import { texts } from '#src/texts/index.ts'

/** The field of an amount that was typed: where it is in the body, its currency, and the language of its page. */
type AmountField = { readonly pointer: string; readonly currency: string; readonly language: Language }

/** What is said of an amount that may be either of two. */
export const ambiguous = texts.account.typedAmount.ambiguous

/** The minor units that somebody typed. Refuses what is not an amount, and what may be either of two. */
export const typedAmount = (text: string, { pointer, currency, language }: AmountField): number => {
  const read = readAmount(text, currency, language)
  if (read !== undefined && 'amount' in read) return read.amount
  const [one = '', other = ''] = read?.readings ?? []
  const error =
    read === undefined
      ? { pointer, code: 'amount', message: 'is not an amount' }
      : {
          pointer,
          code: 'ambiguous',
          message: `is either ${one} or ${other}`,
          values: { one: formatInput(one, language), other: formatInput(other, language) },
        }
  throw new Refusal(invalidBody, 'Some values are not allowed.', { errors: [error] })
}

import type { PriceInput } from '#src/contract/price.ts'
import type { FieldError } from '#src/contract/problem.ts'

/** The errors of a new price that only concern products: they are not rented, and there are as many as are bought. */
export const errorsOfProductPrice = ({ payment_type: type, enrollment_cap: cap }: PriceInput): FieldError[] => [
  ...(type === 'subscription'
    ? [
        {
          pointer: '/payment_type',
          code: 'unwanted',
          message: 'is not for products: use free, one_time or payment_plan',
        },
      ]
    : []),
  ...(cap === undefined ? [] : [{ pointer: '/enrollment_cap', code: 'unwanted', message: 'is for courses only' }]),
]

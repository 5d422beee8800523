import type { Static } from 'typebox'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { type Random, systemRandom } from '#src/kit/crypto.ts'
import { newUuid } from '#src/kit/ids.ts'
import type { CouponRow } from '../coupon/queries.ts'
import { insertCodes, type NewCode } from './queries.ts'
import { cleanCode, codeTaken, errorsOfNewCodes, foldCode, randomCode, tooManyCodes } from './rules.ts'
import { MAX_CODES_OF_COUPON, type NewCodes } from './schema.ts'

type Where = { readonly db: Db; readonly schoolId: string; readonly now: Date; readonly random?: Random }

const buildCode = ({ now }: Where, code: string): NewCode => ({
  id: newUuid(now.getTime()),
  code: cleanCode(code),
  folded: foldCode(code),
})

const ATTEMPTS = 5

// A random code that another coupon has is as good as impossible; it is generated again.
const addRandomCodes = async (
  context: Where,
  couponId: string,
  { count = 1, ...input }: Static<typeof NewCodes>,
): Promise<string[]> => {
  const { db, schoolId, random = systemRandom } = context
  const stored: string[] = []
  for (let attempt = 0; stored.length < count && attempt < ATTEMPTS; attempt++) {
    const codes = Array.from({ length: count - stored.length }, () => buildCode(context, randomCode(input, random)))
    stored.push(...(await insertCodes(db, schoolId, couponId, codes)))
  }
  if (stored.length < count) throw new Error('random codes are taken')
  return stored
}

/** Adds the code of a request, or random ones, to a locked coupon; returns their UUIDs. */
export const addCodes = async (
  context: Where,
  { id, code_count: before }: Pick<CouponRow, 'id' | 'code_count'>,
  input: Static<typeof NewCodes>,
): Promise<string[]> => {
  refuseInvalid(errorsOfNewCodes(input))
  const { code, count = 1 } = input
  if (before + count > MAX_CODES_OF_COUPON)
    throw new Refusal(tooManyCodes, `The coupon has ${before} codes of at most ${MAX_CODES_OF_COUPON}.`)
  if (code === undefined) return addRandomCodes(context, id, input)
  const stored = await insertCodes(context.db, context.schoolId, id, [buildCode(context, code)])
  if (stored.length === 0) throw new Refusal(codeTaken, 'A coupon of the school has this code.')
  return stored
}

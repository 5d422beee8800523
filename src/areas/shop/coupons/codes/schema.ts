import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Line, Nullable, OneOf, Ref } from '#src/kit/shapes.ts'

const statuses = ['active', 'stopped'] as const

/** The longest code, in characters. */
const MAX_CODE = 64

/** How many codes a coupon can have. */
export const MAX_CODES_OF_COUPON = 10_000

/** A code of a coupon. */
export const CouponCode = Closed('CouponCode', {
  id: Id('cod'),
  code: Type.String({ description: 'What a buyer types; case, spaces and hyphens do not matter' }),
  status: OneOf(statuses, 'A stopped code is refused'),
  times_redeemed: Type.Integer({ minimum: 0, description: 'How many paid orders used it' }),
  stopped_at: Nullable(Instant),
  created_at: Instant,
})

/** One page of the codes of a coupon. */
export const CouponCodePage = PageOf(CouponCode, 'CouponCodePage')

/** The query parameters of the list of codes. */
export const CodesQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(OneOf(statuses, 'Only this status')),
})

/** A code that somebody types. */
export const Code = Line(MAX_CODE, 'A code; case, white space and hyphens do not matter')

/** New codes: one that is given, or random ones, by default one. */
export const NewCodes = Closed('NewCodes', {
  code: Type.Optional(Code),
  count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_CODES_OF_COUPON, default: 1, description: 'How many codes to generate' }),
  ),
  prefix: Type.Optional(Line(20, 'What generated codes begin with')),
  length: Type.Optional(
    Type.Integer({
      minimum: 10,
      maximum: 32,
      default: 10,
      description: 'How many random characters a generated code has, of 5 bits each',
    }),
  ),
})

/** What adding codes did. */
export const CodesCreated = Closed('CodesCreated', {
  created: Type.Integer({ minimum: 1, description: 'How many codes were added' }),
  code_count: Type.Integer({ minimum: 1, description: 'How many codes the coupon has now' }),
  code: Nullable(CouponCode),
})

/** A code of a coupon in a path. */
export const CodeRef = Type.Object({ coupon_id: Ref('cpn', ['code']), code_id: Ref('cod') })

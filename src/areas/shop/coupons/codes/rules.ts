import { type FieldError, problem } from '#src/contract/problem.ts'
import { base32 } from '#src/kit/base.ts'
import type { Random } from '#src/kit/crypto.ts'
import { cleanLine, withoutSeparators } from '#src/kit/text.ts'

/** Another coupon, or this one, has the code. */
export const codeTaken = problem(
  409,
  'code_taken',
  'The code is taken',
  'A code belongs to one coupon of the school, also after it was stopped or its coupon was archived. Codes that differ only in case, white space and hyphens are the same. Choose another one.',
)

/** The coupon has the maximum number of codes. */
export const tooManyCodes = problem(
  409,
  'too_many_codes',
  'The coupon has too many codes',
  'A coupon has at most 10,000 codes, stopped ones included. Create another coupon with the same settings.',
)

/** The form in which codes are compared: NFKC, upper case, without white space, hyphens and invisible characters. */
export const foldCode = (code: string): string =>
  // Twice, since some characters in upper case are composed of others.
  withoutSeparators(code.normalize('NFKC').toUpperCase().normalize('NFKC'))

type NewCodes = {
  readonly code?: string | undefined
  readonly count?: number | undefined
  readonly prefix?: string | undefined
  readonly length?: number | undefined
}

const fieldError = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

/** The errors of a request for codes that fits its schema. */
export const errorsOfNewCodes = ({ code, ...random }: NewCodes): FieldError[] => {
  if (code !== undefined) {
    const unwanted = Object.entries(random).filter(([, value]) => value !== undefined)
    if (unwanted.length > 0)
      return unwanted.map(([name]) => fieldError(`/${name}`, 'unwanted', 'goes with random codes only'))
    return foldCode(code) === '' ? [fieldError('/code', 'empty', 'has no letter or digit')] : []
  }
  const isEmpty = random.prefix !== undefined && foldCode(random.prefix) === ''
  return isEmpty ? [fieldError('/prefix', 'empty', 'has no letter or digit')] : []
}

/** The fewest random characters of a generated code: 50 bits. */
const RANDOM_LENGTH = 10

/** A random code of an alphabet of 32 characters without I, L, O and U, after a prefix and a hyphen. */
export const randomCode = (
  { prefix, length = RANDOM_LENGTH }: Pick<NewCodes, 'prefix' | 'length'>,
  random: Random,
): string => {
  // One byte for each character is more than the 5 bits that it shows.
  const characters = base32(random(length), length).toUpperCase()
  return prefix === undefined ? characters : `${cleanLine(prefix, 20)}-${characters}`
}

/** A code as it is shown. */
export const cleanCode = (code: string): string => cleanLine(code, 64)

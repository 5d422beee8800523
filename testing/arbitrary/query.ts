import fc, { type Arbitrary } from 'fast-check'
import { LIST_PARAMETERS, QUERY_VALUES } from './lists.ts'

const pieces = (name: string, value: string): string[] => [
  ...['', '[]', '[b]', '[gte]', '[in]', '[1000000]', '[__proto__][x]', '%00'].map(after => `${name}${after}=${value}`),
  `${name}=1&${name}=${value}`,
  `${name.toUpperCase()}=${value}`,
  `unknown_${name}=${value}`,
  name,
  `=${value}`,
  '&&',
  '?',
  'school_id=1',
]

/** Raw query strings as they are sent, in printable ASCII; `names` are the declared parameters. */
export const hostileQuery = (names: readonly string[] = LIST_PARAMETERS): Arbitrary<string> => {
  const piece = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...QUERY_VALUES))
    .chain(([name, value]) => fc.constantFrom(...pieces(name, value)))
  return fc.array(piece, { minLength: 1, maxLength: 4 }).map(chosen => chosen.join('&'))
}

import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Pairs } from '#src/kit/form.ts'

/** The parameters of an OAuth request: each known one at most once, without empty and unknown ones. */
export type Parameters<Name extends string> = {
  get(name: Name): string | undefined
  /** Every value of a parameter that may repeat. */
  all(name: Name): readonly string[]
  /** The known parameters that were sent more than once though they may not be. */
  readonly repeated: readonly Name[]
  /** The known parameters that are too long. */
  readonly tooLong: readonly Name[]
}

// In bytes, for values that are stored as they were sent. Any other value that is too long is an invalid value and
// refused as such, like a shorter invalid one: RFC 6749 §5.2, RFC 7009 §2.2, RFC 7662 §2.2.
const LONGEST: Readonly<Record<string, number>> = { state: 4096, nonce: 2048 }

/** Reads the named parameters; those that are too long are listed in `tooLong` and read as absent. */
export const parseParameters = <Name extends string>(
  pairs: Pairs,
  names: readonly Name[],
  repeatable: readonly Name[] = [],
): Parameters<Name> => {
  const values = new Map<string, string[]>()
  const tooLong: Name[] = []
  for (const [key, value] of pairs) {
    const name = names.find(one => one === key)
    if (name === undefined || value === '') continue
    if (Buffer.byteLength(value) > (LONGEST[name] ?? Infinity)) tooLong.push(name)
    else values.set(name, [...(values.get(name) ?? []), value])
  }
  const repeated = names.filter(name => !repeatable.includes(name) && (values.get(name)?.length ?? 0) > 1)
  return { get: name => values.get(name)?.[0], all: name => values.get(name) ?? [], repeated, tooLong }
}

/** The value of a required parameter. */
export const required = <Name extends string>(parameters: Parameters<Name>, name: Name): string => {
  const value = parameters.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
  return value
}

/** Refuses a request with a known parameter that is duplicated (RFC 6749 §3.1, §3.2) or too long. */
export const refuseDuplicatedOrInvalid = <Name extends string>({ repeated, tooLong }: Parameters<Name>): void => {
  const [again] = repeated
  if (again !== undefined) throw new OAuthError('invalid_request', `The parameter ${again} was sent more than once.`)
  const [long] = tooLong
  if (long !== undefined) throw new OAuthError('invalid_request', `The parameter ${long} is too long.`)
}

/** Whether one parameter is duplicated or too long. */
export const isDuplicatedOrInvalid = <Name extends string>(
  { repeated, tooLong }: Parameters<Name>,
  name: Name,
): boolean => repeated.includes(name) || tooLong.includes(name)

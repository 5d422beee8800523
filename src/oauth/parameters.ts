import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Pairs } from '#src/kit/form.ts'

/** Parameters of an OAuth request: each known one at most once, empty ones absent, unknown ones gone. */
export type Parameters<Name extends string> = {
  get(name: Name): string | undefined
  /** Every value of a parameter that may repeat. */
  all(name: Name): readonly string[]
  /** The known parameters that were sent more than once though they may not be. */
  readonly repeated: readonly Name[]
  /** The known parameters that are too long. */
  readonly tooLong: readonly Name[]
}

// Bytes of what is kept as it was sent. Anything else that is too long is a wrong value and is answered as one, like a
// shorter wrong one: RFC 6749 §5.2, RFC 7009 §2.2, RFC 7662 §2.2.
const LONGEST: Readonly<Record<string, number>> = { state: 4096, nonce: 2048 }

/** Reads the named parameters; those that are too long are noted and read as absent. */
export const parametersOf = <Name extends string>(
  pairs: Pairs,
  names: readonly Name[],
  repeatable: readonly Name[] = [],
): Parameters<Name> => {
  const values = new Map<string, string[]>()
  const tooLong: Name[] = []
  for (const [name, value] of pairs) {
    const known = names.find(one => one === name)
    if (known === undefined || value === '') continue
    if (Buffer.byteLength(value) > (LONGEST[known] ?? Infinity)) tooLong.push(known)
    else values.set(name, [...(values.get(name) ?? []), value])
  }
  const repeated = names.filter(name => !repeatable.includes(name) && (values.get(name)?.length ?? 0) > 1)
  return { get: name => values.get(name)?.[0], all: name => values.get(name) ?? [], repeated, tooLong }
}

/** The value of a parameter that must be there. */
export const required = <Name extends string>(parameters: Parameters<Name>, name: Name): string => {
  const value = parameters.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
  return value
}

/** Refuses a request that sends a known parameter twice (RFC 6749 §3.1, §3.2) or past its length. */
export const refuseDuplicatedOrInvalid = <Name extends string>({ repeated, tooLong }: Parameters<Name>): void => {
  const [again] = repeated
  if (again !== undefined) throw new OAuthError('invalid_request', `The parameter ${again} was sent more than once.`)
  const [long] = tooLong
  if (long !== undefined) throw new OAuthError('invalid_request', `The parameter ${long} is too long.`)
}

/** Whether one parameter was misused in either way. */
export const isDuplicatedOrInvalid = <Name extends string>(
  { repeated, tooLong }: Parameters<Name>,
  name: Name,
): boolean => repeated.includes(name) || tooLong.includes(name)

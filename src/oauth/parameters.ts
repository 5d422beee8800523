import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Pairs } from '#src/kit/form.ts'

/** Parameters of an OAuth request: each known one at most once, empty ones absent, unknown ones gone. */
export type Parameters<Name extends string> = {
  get(name: Name): string | undefined
  /** Every value of a parameter that may repeat. */
  all(name: Name): readonly string[]
  /** The known parameters that were sent more than once though they may not be. */
  readonly repeated: readonly Name[]
}

// Bytes of one parameter; a state may be longer.
const LONGEST = 2048
const LONGEST_OF: Readonly<Record<string, number>> = { state: 4096 }

/** Reads the named parameters; throws for one that is too long. */
export const parametersOf = <Name extends string>(
  pairs: Pairs,
  names: readonly Name[],
  repeatable: readonly Name[] = [],
): Parameters<Name> => {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    if (!(names as readonly string[]).includes(name) || value === '') continue
    if (Buffer.byteLength(value) > (LONGEST_OF[name] ?? LONGEST))
      throw new OAuthError('invalid_request', `The parameter ${name} is too long.`)
    values.set(name, [...(values.get(name) ?? []), value])
  }
  const repeated = names.filter(name => !repeatable.includes(name) && (values.get(name)?.length ?? 0) > 1)
  return { get: name => values.get(name)?.[0], all: name => values.get(name) ?? [], repeated }
}

/** The value of a parameter that must be there. */
export const required = <Name extends string>(parameters: Parameters<Name>, name: Name): string => {
  const value = parameters.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
  return value
}

/** Refuses a request that sends a known parameter twice (RFC 6749 §3.1, §3.2). */
export const refuseRepeated = <Name extends string>(parameters: Parameters<Name>): void => {
  const [name] = parameters.repeated
  if (name !== undefined) throw new OAuthError('invalid_request', `The parameter ${name} was sent more than once.`)
}

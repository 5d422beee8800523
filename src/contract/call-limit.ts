import type { Db } from './db.ts'

/**
 * How often an operation may be called: so many times within so many seconds, for each network or each member of a
 * school. Calls are counted exactly over all processes, also those that are then refused.
 */
export type CallLimit = {
  readonly times: number
  readonly seconds: number
  readonly by: 'network' | 'member'
  /** With `network`: how many calls of a member, who is counted alone and not with others in one network. */
  readonly timesOfMember?: number
}

type PerNetwork = CallLimit & { readonly by: 'network' }

/**
 * What an operation declares as its limit. Whoever writes without a token is only known by the network, so an open write
 * must have a limit, and no open operation has one by member.
 */
export type LimitDeclaration<Mode extends string, Who extends string> = [Who] extends ['anyone']
  ? Mode extends 'read'
    ? { readonly rateLimit?: PerNetwork }
    : { readonly rateLimit: PerNetwork }
  : { readonly rateLimit?: CallLimit }

/** Why the limit of an operation makes no sense; empty when it does. */
export const errorsOfLimit = (
  limit: CallLimit | undefined,
  { who, mode }: { readonly who: string; readonly mode: string },
): string[] => {
  if (limit === undefined)
    return who === 'anyone' && mode !== 'read' ? ['is a write for anyone, so it needs a rateLimit by network'] : []
  const { times, seconds, by, timesOfMember = 1 } = limit
  return [
    ...(who === 'anyone' && by !== 'network' ? ['is for anyone, so its rateLimit must be by network'] : []),
    ...([times, seconds, timesOfMember].every(value => Number.isInteger(value) && value > 0)
      ? []
      : ['has a rateLimit whose times and seconds are not positive integers']),
  ]
}

/** What somebody tries with a call, such as codes in its body, on a connection outside the transaction of the call. */
type Tries = {
  readonly shared: Db
  readonly schoolId: string
  readonly network: string
  readonly memberId: string | undefined
  /** The body, as its schema allows it. */
  readonly body: unknown
}

/**
 * Counts what a call tries, and refuses it when too much was tried. The function that it returns is called after the call,
 * with its error if it had one, to give the count back; undefined when nothing is tried.
 */
export type CountTries = (tries: Tries) => Promise<((error: unknown) => Promise<void>) | undefined>

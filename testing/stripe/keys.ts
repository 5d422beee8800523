import { type Asked, Refused } from './request.ts'

/** An answer: a status with JSON. */
export type Answer = { readonly status: number; readonly body: unknown; readonly isReplayed?: boolean }

// https://docs.stripe.com/api/idempotent_requests: keys may be removed once they are 24 hours old.
const KEPT_SECONDS = 24 * 3600

type Kept = { readonly request: string; readonly at: number; readonly answer: Answer }

/** The idempotency keys of the server. */
export type Keys = {
  /** Performs a request once for its key: later ones with it get the first answer, also an error. */
  once(asked: Asked, perform: () => Answer): Answer
  /** Keeps another answer for a key, as after a failure that came after the effect. */
  keep(asked: Asked, answer: Answer): void
  forget(): void
}

const misuse = (message: string): Refused => new Refused(400, { type: 'idempotency_error', message }, true)

/** Keys on a clock in seconds. */
export const createKeys = (now: () => number): Keys => {
  const kept = new Map<string, Kept>()
  const find = ({ key, method, path, sent }: Asked): Kept | undefined => {
    const known = kept.get(key ?? '')
    if (known === undefined || known.at + KEPT_SECONDS <= now()) return undefined
    if (known.request !== `${method} ${path} ${sent}`)
      throw misuse('Keys for idempotent requests can only be used with the same parameters they were first used with.')
    return known
  }
  const keep = ({ key, method, path, sent }: Asked, answer: Answer): void => {
    if (key !== undefined) kept.set(key, { request: `${method} ${path} ${sent}`, at: now(), answer })
  }
  return {
    once: (asked, perform) => {
      const known = find(asked)
      if (known !== undefined) return { ...known.answer, isReplayed: true }
      const answer = perform()
      keep(asked, answer)
      return answer
    },
    keep,
    forget: () => kept.clear(),
  }
}

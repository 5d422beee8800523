/**
 * Tells whether a request runs a statement on its own behalf: the school is looked up once a second, in any request
 * that arrives then, and buffered writes are stored every two seconds, whatever requests run meanwhile.
 */
export const isOfRequest = (text: string): boolean =>
  !/from hosts h join schools|set last_seen_at|update sessions s set expires_at|insert into usage_days|insert into view_counts/.test(
    text,
  )

/** Tells whether a statement looks up the caller of an access token. */
export const isTokenLookup = (text: string): boolean => /^\s*with clock .*\bfrom access_tokens\b/s.test(text)

// `(select stoa.now())` and `clock as materialized (select stoa.now() as now)` are evaluated once, and so is a statement without rows.
const READ_ONCE = /\(select stoa\.now\(\)(?: as now)?\)|^\s*select stoa\.now\(\) as now\s*$/g

/** Throws when a statement reads the clock more than once, or once for each row. */
export const requireOneReading = (text: string): void => {
  const all = text.split('stoa.now()').length - 1
  if (all > 1) throw new Error(`a statement reads the clock ${all} times: ${text}`)
  if (all !== (text.match(READ_ONCE) ?? []).length)
    throw new Error(`a statement may read the clock for each row: ${text}`)
}

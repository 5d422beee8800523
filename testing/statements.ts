/**
 * Whether a request runs a statement for itself: which school answers is looked up once a second, in whichever request
 * comes then, and what requests leave as traces is stored every two seconds, whoever is asking meanwhile.
 */
export const isOfRequest = (text: string): boolean => !/from hosts|set last_seen_at|insert into usage_days/.test(text)

/** Whether a statement looks up for whom an access token speaks. */
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

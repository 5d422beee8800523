// Requests name locales and time zones, so what is kept is bounded.
const MOST = 500

// Creating a formatter takes as long as using it a hundred times.
const remember = <Key extends readonly unknown[], Value>(create: (...key: Key) => Value): ((...key: Key) => Value) => {
  const kept = new Map<string, Value>()
  return (...key) => {
    const name = JSON.stringify(key)
    const known = kept.get(name)
    if (known !== undefined) return known
    const value = create(...key)
    if (kept.size === MOST) kept.clear()
    kept.set(name, value)
    return value
  }
}

/** The formatter of dates for a language tag; throws a RangeError for a tag or an option that is none. */
export const dateFormat = remember(
  (tag: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options),
)

/** The formatter of numbers for a language tag; throws a RangeError for a tag or an option that is none. */
export const numberFormat = remember(
  (tag: string, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options),
)

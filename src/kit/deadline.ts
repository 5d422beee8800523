/** Waits for a promise for so many milliseconds, then rejects; what it waited for goes on, and its end is ignored. */
export const inTime = async <T>(work: Promise<T>, milliseconds: number): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

import type { TestDatabase } from './database.ts'

/** What stops the clock: a changed shift no longer writes `stoa.now()` anew, and its new body is used. */
const replaceNow = (instant: string): string => `
  drop trigger if exists clock_shift on stoa.clock;
  create or replace function stoa.now() returns timestamptz language plpgsql stable parallel safe as $$
  begin
    return ${instant};
  end $$`

/** Stops the database's clock at an instant, so that a test can check the exact moment at which something ends. */
export const stopClock = async ({ query }: Pick<TestDatabase, 'query'>, at: Date): Promise<void> => {
  await query(replaceNow(`timestamptz '${at.toISOString()}'`))
}

/** Stops the database's clock at an instant; the result moves it to that many milliseconds after the instant. */
export const stopMovableClock = async (
  { query }: Pick<TestDatabase, 'query'>,
  at: Date,
): Promise<(milliseconds: number) => Promise<unknown>> => {
  await query(replaceNow(`timestamptz '${at.toISOString()}' + (select shift from stoa.clock)`))
  return milliseconds => query('update stoa.clock set shift = make_interval(secs => $1 / 1000.0)', [milliseconds])
}

/** Returns the instant that many milliseconds after another. */
export const later = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds)

/** Moves the database's clock to noon of the next day in UTC, so that no day ends during a test. */
export const moveToNoon = async ({ query }: Pick<TestDatabase, 'query'>): Promise<void> => {
  await query(`
    update stoa.clock set shift = shift + interval '36 hours' - (stoa.now() at time zone 'UTC')::time::interval`)
}

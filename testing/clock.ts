import type { TestDatabase } from './database.ts'

/** Stops the database's clock at an instant, so that a test can check the exact moment at which something ends. */
export const stopClock = async ({ query }: Pick<TestDatabase, 'query'>, at: Date): Promise<void> => {
  await query(`
    create or replace function stoa.now() returns timestamptz language plpgsql stable parallel safe as $$
    begin
      return timestamptz '${at.toISOString()}';
    end $$`)
}

/** Stops the database's clock at an instant; the result moves it to that many milliseconds after the instant. */
export const stopMovableClock = async (
  { query }: Pick<TestDatabase, 'query'>,
  at: Date,
): Promise<(milliseconds: number) => Promise<unknown>> => {
  await query(`
    create or replace function stoa.now() returns timestamptz language plpgsql stable parallel safe as $$
    begin
      return timestamptz '${at.toISOString()}' + (select shift from stoa.clock);
    end $$`)
  return milliseconds => query('update stoa.clock set shift = make_interval(secs => $1 / 1000.0)', [milliseconds])
}

/** Returns the instant that many milliseconds after another. */
export const later = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds)

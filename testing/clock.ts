import type { TestDatabase } from './database.ts'

/** Stops the database's clock at an instant, so that a test can look at the very moment at which something ends. */
export const stopClock = async ({ query }: Pick<TestDatabase, 'query'>, at: Date): Promise<void> => {
  await query(`
    create or replace function stoa.now() returns timestamptz language plpgsql stable parallel safe as $$
    begin
      return timestamptz '${at.toISOString()}';
    end $$`)
}

/** So many milliseconds after an instant. */
export const later = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds)

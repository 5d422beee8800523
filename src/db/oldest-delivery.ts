import type { Db } from '#src/contract/db.ts'
import { sql } from './sql.ts'

/** For how many seconds the oldest fact has waited to be delivered to a webhook of any school, replays aside; 0 where none waits. */
export const readOldestDeliveryAge = async (shared: Db): Promise<number> =>
  (await shared.one(sql<{ age: number }>`select stoa.oldest_delivery_age() as age`)).age

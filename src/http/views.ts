import type { IncomingMessage } from 'node:http'
import type { Database } from '#src/contract/db.ts'
import type { Viewed } from '#src/contract/view-count.ts'
import { addViews } from './queries.ts'
import { startWriteBuffer } from './write-buffer.ts'

/** Counts views of resources, without people, and stores the sums from time to time. */
export type ViewCounter = {
  /** Counts what a response to a GET shows. */
  count(schoolId: string, request: Pick<IncomingMessage, 'method'>, viewed: Viewed | undefined): void
  stop(): Promise<void>
}

type Sums = Map<string, { readonly viewed: Viewed; readonly views: number }>

const addTo = (sums: Sums, viewed: Viewed): Sums => {
  const views = (sums.get(viewed.id)?.views ?? 0) + 1
  return sums.set(viewed.id, { viewed, views })
}

/** Starts counting. */
export const startViewCounter = (database: Database): ViewCounter => {
  const { add, stop } = startWriteBuffer<Viewed, Sums>(database, {
    combine: (sums = new Map(), viewed) => addTo(sums, viewed),
    store: (db, schoolId, sums) =>
      addViews(
        db,
        schoolId,
        [...sums.values()].map(({ viewed, views }) => ({ ...viewed, views })),
      ),
  })
  return {
    count: (schoolId, { method }, viewed) => {
      if (viewed !== undefined && method === 'GET') add(schoolId, viewed)
    },
    stop,
  }
}

import { startApp, type TestApp } from '#testing/app.ts'
import { send } from '#testing/http.ts'
import { importer } from '#testing/imports.ts'
import { startProcess } from '#testing/process.ts'
import { type Load, median } from '../measure.ts'
import type { Group } from './group.ts'

/** How many people a round imports; it ends when all of them are members. */
const ROWS = 5000
/** As many as one batch takes. */
const BATCH = 1000
const PATIENCE_MS = 300_000

/** People whom the school does not have yet, each time others. */
const createCrowds = () => {
  let rounds = 0
  return () => {
    rounds += 1
    return Array.from({ length: ROWS }, (_, at) => ({
      email: `r${rounds}p${at}@moving.example`,
      name: `Person ${at}`,
      tags: ['moving'],
    }))
  }
}

const measureRows = (milliseconds: number, times: readonly number[]): Load => ({
  perSecond: (ROWS / milliseconds) * 1000,
  requests: ROWS,
  p50: median(times),
  p99: Math.max(...times),
})

const openImports = async (app: TestApp, listPeople: ReturnType<typeof createCrowds>) => {
  const ada = await importer(app, 'ada')
  return async () => {
    const lines = listPeople().map(({ email, name, tags }) => `${email},${name},${tags.join(';')}`)
    const begun = await ada.begin(Buffer.from(['email,name,tags', ...lines].join('\n')))
    const { id } = await ada.read(begun.json.id)
    await ada.check(id, PATIENCE_MS)
    return async (): Promise<Load> => {
      const began = performance.now()
      const { status, counts } = await ada.run(id, PATIENCE_MS)
      const took = performance.now() - began
      if (status !== 'completed' || counts.created !== ROWS)
        throw new Error(`an import is ${status}: nothing was measured`)
      return measureRows(took, [took])
    }
  }
}

const openBatches = async (app: TestApp, port: number, listPeople: ReturnType<typeof createCrowds>) => {
  const { token } = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const headers = {
    host: new URL(app.a.baseUrl).host,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }
  const sendBatch = async (rows: readonly object[]): Promise<number> => {
    const began = performance.now()
    const path = '/api/v1/members/batches'
    const { json, text } = await send(port, { method: 'POST', path, headers, body: JSON.stringify({ rows }) })
    if (json?.created !== rows.length) throw new Error(`a batch was refused: ${text.slice(0, 300)}`)
    return performance.now() - began
  }
  return async () => {
    const people = listPeople()
    return async (): Promise<Load> => {
      const times: number[] = []
      for (let at = 0; at < ROWS; at += BATCH) times.push(await sendBatch(people.slice(at, at + BATCH)))
      return measureRows(
        times.reduce((sum, time) => sum + time, 0),
        times,
      )
    }
  }
}

/** People by a file whose check is over, and the same by batches, in one process of `stoa serve`. */
export const moving = async (): Promise<Group> => {
  // Without a mailbox the application has no worker: the process does the work.
  const app = await startApp()
  const stoa = await startProcess(
    { databaseUrl: app.database.appUrl, secret: app.secret },
    { STOA_STORAGE: app.folder },
  )
  const listPeople = createCrowds()
  return {
    comparisons: [
      {
        title: `the run of an import of ${ROWS} people`,
        rival: `batches of ${BATCH} people, one after another`,
        target: 0.5,
        stoa: { pid: stoa.pid, prepare: await openImports(app, listPeople) },
        other: { pid: stoa.pid, prepare: await openBatches(app, stoa.port, listPeople) },
      },
    ],
    stop: async () => {
      await stoa.stop()
      await app.stop()
    },
  }
}

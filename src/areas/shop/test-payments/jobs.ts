import type { JobParts } from '#src/contract/area.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { getSchool } from '#src/db/schools.ts'
import { toId } from '#src/kit/ids.ts'
import { deleteEvent, findEvent, lockById, readClock, type TestEvent } from './queries.ts'
import { changeTestPayment, computeSignature, SIGNATURE_HEADER } from './writes.ts'

// Seconds before an event is sent again; after the last one it is given up.
const PAUSES = [1, 5, 30, 300, 1800, 3600, 3 * 3600]
const TIMEOUT_MS = 10_000

const encodeBytes = ({ id, type, payment_id, created_at }: TestEvent): Buffer =>
  Buffer.from(JSON.stringify({ id: toId('evn', id), type, payment: payment_id, created_at: created_at.toISOString() }))

const isAccepted = async (url: string, signature: string, body: Buffer): Promise<boolean> => {
  try {
    const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const reply = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body), redirect: 'error', signal })
    await reply.arrayBuffer()
    return reply.ok
  } catch {
    return false
  }
}

/** Delivers an event to the webhook of the school, over HTTP as a provider elsewhere does, until it is accepted. */
export const createTestDelivery =
  ({ database, keyFor }: JobParts): JobHandler =>
  async ({ schoolId, id, attempt }) => {
    const { school, event } = await database.statements(schoolId, async db => {
      const [school, event] = await Promise.all([getSchool(db, schoolId), findEvent(db, schoolId, id)])
      return { school, event }
    })
    if (event === undefined) return { againIn: undefined, settle: async () => undefined }
    const body = encodeBytes(event)
    const accepted = await isAccepted(`${school.baseUrl}/webhooks/test`, computeSignature(keyFor, school, body), body)
    const againIn = accepted ? undefined : PAUSES[attempt - 1]
    return {
      againIn,
      settle: async db => (againIn === undefined ? deleteEvent(db, schoolId, id) : undefined),
    }
  }

/** Completes a test payment that took long, and pays one late whose page has ended. */
export const createTestTimer =
  (_: JobParts): JobHandler =>
  async ({ schoolId, id }) => ({
    againIn: undefined,
    settle: async db => {
      const school = await getSchool(db, schoolId)
      const [row, now] = [await lockById(db, schoolId, id), await readClock(db)]
      const isDue = row?.state === 'processing' || (row?.is_late === true && row.state !== 'succeeded')
      if (row !== undefined && isDue) await changeTestPayment({ db, school, now }, row, 'complete')
    },
  })

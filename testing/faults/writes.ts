import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { unroutedOperations } from '#src/contract/area.ts'
import type { Operation, UnroutedOperation } from '#src/contract/operation.ts'
import { areas } from '../../src/areas.ts'
import type { PersonName } from '../app.ts'
import { lookUp } from '../examples.ts'
import { jsonBody, type TestReply, type TestRequest } from '../http.ts'
import { enrollEverybody } from '../learning.ts'
import { chooseExampleStatus, everyOperation, resetLimits } from '../matrix.ts'
import { passing } from '../operation-kinds.ts'
import { pinboard } from '../pinboard.ts'
import { cookieAt } from '../unrouted.ts'
import { arrangements } from './arranged.ts'
import type { Changes } from './keep.ts'
import { createMeetings, meetEachFault, ownFaults, type Run } from './meet.ts'
import { faultyOperations, keyed, kindsFor, oneOfEachKind, withPinboard } from './operations.ts'
import { type Fault, faults } from './session.ts'

const writes = everyOperation.filter(({ method, mode }) => method !== 'GET' && mode === 'write')
// Multi-step operations take no idempotency key, since they have several transactions; they are idempotent themselves.
const multiStep = everyOperation.filter(({ method, runSteps }) => method !== 'GET' && runSteps !== undefined)
// Without a token there is no key either, so a write that is sent again is a new one.
const openWrites = writes.filter(({ who }) => who === 'anyone')
const unrouted = unroutedOperations([...areas, pinboard]).filter(({ mode }) => mode === 'write')
// Rows that the demo data does not have until another operation created them.
const createdBy: Readonly<Record<string, string>> = {
  removeGroupItem: 'addGroupItem',
  liftHold: 'placeHold',
  restoreCertificate: 'revokeCertificate',
  unarchiveCoupon: 'archiveCoupon',
}
// Each time it is sent it stores another file, which is removed within the hour unless a submission names it.
const NEW_EACH_TIME: readonly string[] = ['createFormUpload']
const chooseCaller = (operation: Operation): PersonName => passing(operation).at(-1) ?? 'ada'
const isSuccess = ({ status }: TestReply): boolean => status < 300
const isSame = (one: Changes, other: Changes): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Runs every `count`-th write, from the one at `part` on, with faults; each part has its own test file. */
export const proveWrites = (part: number, count: number): void => {
  const { app, proxy, readToken, buildExample, kept } = faultyOperations(withPinboard)
  const total = { requests: 0, runs: 0 }
  // What all writes send meets each fault in two writes of a part, or in one.
  const meetings = createMeetings()
  after(() => console.log(`S-03: ${total.requests} writes, ${total.runs} runs`))

  const arrange = async (operation: Operation): Promise<void> => {
    if (operation.id === 'completeAccountEnrollment') {
      await enrollEverybody(app, await readToken('ada'))
      await (await kept()).keepAgain()
    }
    const maker = everyOperation.find(({ id }) => id === createdBy[operation.id])
    if (maker === undefined) return
    const { status, text } = await app.send(await buildExample(maker, { token: await readToken('ada') }))
    assert.equal(status, chooseExampleStatus(maker), text)
    await (await kept()).keepAgain()
  }

  const writeUnderFaults = async (operation: Operation): Promise<void> => {
    const rows = await kept()
    await arrange(operation)
    const request = await buildExample(operation, { token: await readToken(chooseCaller(operation)) })
    const clean = await app.send(keyed(request))
    assert.equal(clean.status, chooseExampleStatus(operation), clean.text)
    const effect = await rows.changes()
    assert.deepEqual(effect.idempotency_keys, [1, 0])
    await rows.putBack()

    const meetOne = async ({ fault, meet }: Run) => {
      const once = keyed(request)
      await resetLimits(operation, app.database)
      const met = await meet(() => app.send(once))
      const why = `${fault} at ${met.hit}: ${met.reply.text}`
      const done = await rows.changes()
      if (met.hit === undefined || fault.startsWith('40')) assert.ok(isSuccess(met.reply), why)
      if (isSuccess(met.reply)) assert.deepEqual(done, effect, why)
      else if (fault !== 'lost after') assert.deepEqual(done, {}, `unchanged after ${why}`)
      else assert.ok(isSame(done, {}) || isSame(done, effect), `half written: ${why}`)
      const again = await app.send(once)
      assert.ok(isSuccess(again), `the retry after ${why}: ${again.status} ${again.text}`)
      assert.deepEqual(await rows.changes(), effect, `one effect after ${why}`)
      assert.equal(again.headers['idempotency-replayed'], isSame(done, {}) ? undefined : 'true', why)
      if (isSuccess(met.reply)) assert.equal(again.text, met.reply.text)
      await rows.putBack()
      return met
    }
    // Both SQL states of a kind for one of them; all others use the same map.
    const position = writes.indexOf(operation)
    const { runs, calls } = await meetEachFault(
      proxy(),
      meetOne,
      position === 0 ? faults : kindsFor(position),
      meetings,
    )
    assert.ok(calls >= 1, 'its commit meets faults')
    total.requests++
    total.runs += runs
  }

  const flowUnderFaults = async (operation: Operation): Promise<void> => {
    const rows = await kept()
    await arrange(operation)
    const request = await buildExample(operation, { token: await readToken('ada') })
    const clean = await app.send(request)
    assert.equal(clean.status, chooseExampleStatus(operation), clean.text)
    const effect = await rows.changes()
    await rows.putBack()

    const meetOne = async ({ fault, meet }: Run) => {
      await resetLimits(operation, app.database)
      const met = await meet(() => app.send(request))
      const why = `${fault} at ${met.hit}: ${met.reply.text}`
      if (isSuccess(met.reply)) assert.deepEqual(await rows.changes(), effect, why)
      const again = await app.send(request)
      assert.ok(isSuccess(again), `the retry after ${why}: ${again.status} ${again.text}`)
      if (!NEW_EACH_TIME.includes(operation.id))
        assert.deepEqual(await rows.changes(), effect, `one effect after ${why}`)
      await rows.putBack()
      return met
    }
    const { runs, calls } = await meetEachFault(proxy(), meetOne, oneOfEachKind, meetings)
    assert.ok(calls >= 1, 'its commit meets faults')
    total.requests++
    total.runs += runs
  }

  // One request without a key: it has its whole effect or none, and whoever sends it again gets no error of the server.
  const sentUnderFaults = async (
    request: TestRequest,
    kinds: readonly Fault[],
    reset: () => Promise<void>,
  ): Promise<void> => {
    const rows = await kept()
    await reset()
    const clean = await app.send(request)
    assert.ok(isSuccess(clean), clean.text)
    const effect = await rows.changes()
    assert.ok(Object.keys(effect).length > 0, 'a write has an effect')
    await rows.putBack()
    const { runs, calls } = await meetEachFault(
      proxy(),
      async ({ fault, meet }: Run) => {
        await reset()
        const met = await meet(() => app.send(request))
        const why = `${fault} at ${met.hit}: ${met.reply.text}`
        const done = await rows.changes()
        if (isSuccess(met.reply)) assert.deepEqual(done, effect, why)
        else if (fault !== 'lost after') assert.deepEqual(done, {}, `unchanged after ${why}`)
        else assert.ok(isSame(done, {}) || isSame(done, effect), `half written: ${why}`)
        if (fault === 'lost after') {
          await reset()
          const again = await app.send(request)
          assert.ok(again.status < 500, `sent again after ${why}: ${again.status} ${again.text}`)
          if (isSame(done, {})) assert.deepEqual(await rows.changes(), effect, `one effect after ${why}`)
        }
        await rows.putBack()
        return met
      },
      kinds,
      meetings,
    )
    assert.ok(calls >= 1, 'its commit meets faults')
    total.requests++
    total.runs += runs
  }

  const openUnderFaults = async (operation: Operation): Promise<void> => {
    const { headers: _token, ...request } = await buildExample(operation)
    const headers = { 'content-type': 'application/json' }
    await sentUnderFaults({ ...request, headers }, oneOfEachKind, () => resetLimits(operation, app.database))
  }

  const unroutedUnderFaults = async (operation: UnroutedOperation): Promise<void> => {
    const cookie = await cookieAt(app, 'ada')
    const rows = await kept()
    const instead = await arrangements[operation.id]?.(app)
    const example = await lookUp(operation, await readToken('ada'), one => app.send(one))
    // What the example created is there in every run.
    await rows.keepAgain()
    const request = jsonBody(
      'POST',
      '/account/perform',
      { operation: operation.id, ...example, ...instead },
      { cookie },
    )
    await sentUnderFaults(request, kindsFor(unrouted.indexOf(operation)), () => resetLimits(operation, app.database))
  }

  // What a test arranges is there for that test alone.
  const proveAlone = (title: string, prove: () => Promise<void>): void => {
    test(title, async () => {
      try {
        await prove()
      } finally {
        await (await kept()).startOver()
      }
    })
  }

  const isMine = (_operation: unknown, index: number): boolean => index % count === part

  for (const operation of multiStep.filter(isMine))
    proveAlone(`S-03 ${operation.id} is a success or 503 when a call meets a fault; sent again it is one effect`, () =>
      flowUnderFaults(operation),
    )

  for (const operation of writes.filter(isMine))
    proveAlone(
      `S-03 ${operation.id} has its whole effect or is 503 without when a call meets a fault; sent again it is one effect`,
      () => writeUnderFaults(operation),
    )

  for (const operation of openWrites.filter(isMine))
    proveAlone(
      `S-03 ${operation.id} without a token has its whole effect or is 503 without when a call meets a fault`,
      () => openUnderFaults(operation),
    )

  for (const operation of unrouted.filter(isMine))
    proveAlone(`S-03 ${operation.id} on a page has its whole effect or is 503 without when a call meets a fault`, () =>
      unroutedUnderFaults(operation),
    )

  test('S-03 no fault was one of ours', () => assert.deepEqual(ownFaults(app), []))
}

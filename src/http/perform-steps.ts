import { type Caller, isAtLeast } from '#src/contract/caller.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { AnyMultiStepContext, Content, ResourceChange } from '#src/contract/multi-step.ts'
import { bearerOf, callerOf, checkScope } from './bearer.ts'
import { withContent } from './content.ts'
import { recordRun, type WriteReply, writeReplyOf } from './handler-run.ts'
import { type OperationRequest, operationCallOf, type ParsedRequest, type ServerDeps } from './operation-call.ts'
import { checkRole } from './who.ts'

type StepRun = {
  readonly server: ServerDeps
  readonly call: OperationRequest
  readonly caller: Caller
  readonly asked: ParsedRequest
}

// What a flow began with may have ended while it worked.
const checkStill = async ({ server, call }: StepRun): Promise<void> => {
  const { raw, school, operation, query } = call
  const caller = await callerOf(server.authenticate, school, bearerOf(raw, query))
  checkScope(operation, caller, school)
  checkRole(operation.who, caller)
}

const writeOf =
  (flowing: StepRun): AnyMultiStepContext['write'] =>
  async work => {
    const { server, call, caller } = flowing
    const { school, operation, requestId } = call
    await checkStill(flowing)
    return server.database.transaction(school.id, async (db, now) => {
      const facts: Fact[] = []
      const changes: ResourceChange[] = []
      const record = (fact: Fact) => void facts.push(fact)
      const changed = (change: ResourceChange) => void changes.push(change)
      const value = await work({ db, now, record, changed })
      await recordRun(db, now, { school, caller, operation, requestId }, { facts, changes })
      return value
    })
  }

const flowOf = (flowing: StepRun, content: Content): AnyMultiStepContext => {
  const { server, call, caller, asked } = flowing
  const { school, operation } = call
  return {
    operationId: operation.id,
    ...{ school, caller, params: asked.params, query: asked.query, body: asked.body, content },
    files: server.files,
    keyFor: server.keyFor,
    read: work => server.database.statements(school.id, work),
    write: writeOf(flowing),
  }
}

const none: Content = {
  length: undefined,
  range: undefined,
  read: () => {
    throw new Error('only an operation of the mode stream has content')
  },
}

/** Performs an operation that works between its transactions; scope, shape and role are decided. */
export const performSteps = async (
  server: ServerDeps,
  call: OperationRequest,
  caller: Caller,
  asked: ParsedRequest,
): Promise<WriteReply> => {
  const { operation, raw } = call
  const { flow } = operation
  if (flow === undefined) throw new Error(`${operation.id} has no flow`)
  const flowing = { server, call, caller, asked }
  const answer = async (content: Content) =>
    writeReplyOf(operationCallOf(server, call, caller, asked), await flow(flowOf(flowing, content)))
  if (operation.mode !== 'stream') return answer(none)
  const { member } = caller
  const isPrivileged = member !== undefined && isAtLeast(member.role, 'lecturer')
  return withContent({ raw, claimant: { school: call.school.id, person: member?.id ?? '', isPrivileged } }, answer)
}

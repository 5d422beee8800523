import { type Caller, isAtLeast } from '#src/contract/caller.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { AnyMultiStepContext, Content, ResourceChange } from '#src/contract/multi-step.ts'
import { checkAgain } from './check-again.ts'
import { type ContentClaimant, withContent } from './content.ts'
import { leaveEntrance } from './entrance.ts'
import { buildWriteReply, decodeCall, recordRun, type WriteReply } from './handler-run.ts'
import { buildOperationCall, type OperationRequest, type ParsedRequest, type ServerDeps } from './operation-call.ts'

type StepRun = {
  readonly server: ServerDeps
  readonly call: OperationRequest
  readonly caller: Caller
  readonly parsed: ParsedRequest
}

const createWrite =
  (stepRun: StepRun): AnyMultiStepContext['write'] =>
  async run => {
    const { server, call, caller } = stepRun
    const { school, operation, requestId } = call
    await checkAgain(server, call)
    return server.database.transaction(school.id, async (db, now) => {
      const facts: Fact[] = []
      const changes: ResourceChange[] = []
      const record = (fact: Fact) => void facts.push(fact)
      const changed = (change: ResourceChange) => void changes.push(change)
      const value = await run({ db, now, record, changed })
      await recordRun(db, now, { school, caller, operation, requestId }, { facts, changes })
      return value
    })
  }

const createContext = (stepRun: StepRun, content: Content): AnyMultiStepContext => {
  const { server, call, caller, parsed } = stepRun
  const { school, operation } = call
  return {
    operationId: operation.id,
    school,
    caller,
    ...decodeCall({ operation, ...parsed }),
    content,
    files: server.files,
    keyFor: server.keyFor,
    database: server.database,
    read: run => server.database.statements(school.id, run),
    write: createWrite(stepRun),
  }
}

const noContent: Content = {
  length: undefined,
  range: undefined,
  read: () => {
    throw new Error('only an operation of the mode stream has content')
  },
}

/** Performs a multi-step operation; the scope, the input and the role have been checked. */
export const performSteps = async (
  server: ServerDeps,
  call: OperationRequest,
  caller: Caller,
  parsed: ParsedRequest,
): Promise<WriteReply> => {
  const { operation, raw } = call
  const { runSteps } = operation
  if (runSteps === undefined) throw new Error(`${operation.id} has no steps`)
  const stepRun = { server, call, caller, parsed }
  const answer = async (content: Content) =>
    buildWriteReply(buildOperationCall(server, call, caller, parsed), await runSteps(createContext(stepRun, content)))
  leaveEntrance(raw)
  if (operation.mode !== 'stream') return answer(noContent)
  return withContent({ raw, claimant: buildClaimant(call, caller) }, answer)
}

const buildClaimant = ({ school, network }: OperationRequest, { member }: Caller): ContentClaimant =>
  member === undefined
    ? { school: school.id, person: network, isPrivileged: false, isAnonymous: true }
    : { school: school.id, person: member.id, isPrivileged: isAtLeast(member.role, 'lecturer'), isAnonymous: false }

import { randomUUID } from 'node:crypto'
import type { Area } from '#src/contract/area.ts'
import type { CallAsOperator, OperatorAtSchool } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { createCallAsOperator } from '#src/http/index.ts'
import { purposeKey } from '#src/kit/crypto.ts'
import { openFiles } from '#src/store/index.ts'
import { Failed, type Run } from './command.ts'
import type { Installation } from './installation.ts'

type OperatorParts = Pick<Installation, 'database' | 'secret'> & {
  readonly storage: Run['config']['storage']
  readonly school: School
  readonly areas: readonly Area[]
}

/** A refusal as the failure of a command, with what is wrong with each field; another error as it is. */
export const toFailure = (error: unknown): unknown => {
  if (!(error instanceof Refusal)) return error
  const fields = (error.extras.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`)
  return new Failed([error.message, ...fields].join(' '))
}

/** Runs work that performs operations without a route as the operator of a school; a refusal fails the command. */
export const asOperator = async <T>(
  { database, secret, storage, school, areas }: OperatorParts,
  work: (performAs: CallAsOperator, at: OperatorAtSchool) => Promise<T>,
): Promise<T> => {
  const performAs = createCallAsOperator({
    database,
    operations: areas.flatMap(({ operations }) => operations),
    files: await openFiles(storage),
    keyFor: purpose => purposeKey(secret, purpose),
  })
  return work(performAs, { school, requestId: randomUUID() }).catch((error: unknown) => {
    throw toFailure(error)
  })
}

import { randomUUID } from 'node:crypto'
import type { Area } from '#src/contract/area.ts'
import type { CallAsPerson, ExportAsPerson, SignedInPerson } from '#src/contract/page-call.ts'
import type { School } from '#src/contract/school.ts'
import { createCallAsPerson, createExportAsPerson } from '#src/http/index.ts'
import { findMemberByEmail, lockMember } from '#src/identity/index.ts'
import { purposeKey } from '#src/kit/crypto.ts'
import { openFiles } from '#src/store/index.ts'
import { toFailure } from './as-operator.ts'
import { Failed, type Run } from './command.ts'
import type { Installation } from './installation.ts'

type MemberParts = Pick<Installation, 'database' | 'secret'> & {
  readonly storage: Run['config']['storage']
  readonly school: School
  readonly areas: readonly Area[]
  readonly email: string
}

/** What a command does as a member. */
export type AsMember = {
  readonly person: SignedInPerson
  readonly performAs: CallAsPerson
  readonly exportAs: ExportAsPerson
}

// Whoever runs commands can set every password, so a proof of who they are is no protection from them.
const createPerson = async ({ database, school, email }: MemberParts): Promise<SignedInPerson> => {
  const member = await database.statements(school.id, db => findMemberByEmail(db, school.id, email))
  if (member?.status !== 'active') throw new Failed(`no active member of ${school.baseUrl} has the address ${email}`)
  const { id, role } = member
  return {
    school,
    member: { id, role },
    requestId: randomUUID(),
    network: '',
    hasRecentProof: true,
    async lockMember(db) {
      const locked = await lockMember(db, school.id, id)
      return locked.status === 'active' ? { id, role: locked.role, isRecent: true } : undefined
    },
    extendProof: async () => undefined,
  }
}

/** Runs work that performs operations as a member of a school, with the rights that they have; a refusal fails the command. */
export const asMember = async <T>(parts: MemberParts, work: (as: AsMember) => Promise<T>): Promise<T> => {
  const { database, secret, storage, areas } = parts
  const person = await createPerson(parts)
  const calls = {
    database,
    operations: areas.flatMap(({ operations }) => operations),
    files: await openFiles(storage),
    keyFor: (purpose: string) => purposeKey(secret, purpose),
  }
  return work({ person, performAs: createCallAsPerson(calls), exportAs: createExportAsPerson(calls) }).catch(
    (error: unknown) => {
      throw toFailure(error)
    },
  )
}

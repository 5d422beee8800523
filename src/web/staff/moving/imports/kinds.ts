import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { texts } from '#src/texts/index.ts'
import { staffText } from '../../pages/text.ts'

/** Where imports are in the console. */
export const IMPORTS = '/staff/imports'

/** What a file brings, and the operations on such an import. */
export const kinds = {
  people: {
    create: 'createMemberImport',
    list: 'listMemberImports',
    get: 'getMemberImport',
    update: 'updateMemberImport',
    check: 'checkMemberImport',
    run: 'runMemberImport',
    undo: 'undoMemberImport',
    rows: 'listMemberImportRows',
    findings: 'getMemberImportFindings',
    delete: 'deleteMemberImport',
  },
  learning: {
    create: 'createEnrollmentImport',
    list: 'listEnrollmentImports',
    get: 'getEnrollmentImport',
    update: 'updateEnrollmentImport',
    check: 'checkEnrollmentImport',
    run: 'runEnrollmentImport',
    undo: 'undoEnrollmentImport',
    rows: 'listEnrollmentImportRows',
    findings: 'getEnrollmentImportFindings',
    delete: 'deleteEnrollmentImport',
  },
} as const

/** Either kind. */
export type Kind = keyof typeof kinds

/** Whether a word of an address names a kind. */
export const isKind = (word: string): word is Kind => Object.hasOwn(kinds, word)

/** The kind that an address names. Refuses another word as a page that is not there. */
export const readKind = (word = ''): Kind => {
  if (!isKind(word)) throw new Refusal(notFound, 'There is no such page.')
  return word
}

/** The address of an import. */
export const importPath = (kind: Kind, id: string): string => `${IMPORTS}/${kind}/${id}`

const text = texts.staff.imports

/** The sentences for refusals of these pages. */
export const refusals = { ...staffText.refusals, ...text.refusals }

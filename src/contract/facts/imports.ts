import { Id } from '#src/kit/shapes.ts'
import { declareFacts, FieldNames, Word } from './declaration.ts'

// Imports of either kind create members, and each kind has a GET of its own.
const scope = 'members:read'
const about = { import_id: Id('imp'), kind: Word }
const subject = 'import_id'

/** The facts about imports of people, and of what they learn. */
export const importFacts = {
  ...declareFacts(
    { scope, subject, fields: about },
    {
      'import.checked': 'An import of people, or of what they learn, was checked.',
      'import.completed': 'An import went through all of its rows.',
      'import.created': 'A file was taken for an import.',
      'import.deleted': 'An import that was never run was deleted.',
      'import.started': 'An import began to run, or went on.',
      'import.stopped': 'An import was stopped before its end.',
      'import.undoing': 'An import began to be undone.',
      'import.undone': 'An import was undone.',
    },
  ),
  ...declareFacts(
    { scope, subject, fields: { ...about, fields: FieldNames } },
    { 'import.updated': 'How an import reads its file, or what it does, changed.' },
  ),
}

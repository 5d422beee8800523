import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'
import { Count, declareFacts, FieldNames } from './declaration.ts'

const scope = 'appearance:read'

/** The facts about how the school looks. */
export const appearanceFacts = {
  ...declareFacts(
    { scope, fields: { fields: FieldNames, restores: Type.Optional(Count) } },
    { 'appearance.draft_updated': 'The draft of the appearance changed.' },
  ),
  ...declareFacts(
    { scope, subject: 'version_id', fields: { version_id: Id('apv'), number: Count, fields: FieldNames } },
    { 'appearance.published': 'A version of the appearance was published.' },
  ),
  ...declareFacts(
    { scope: 'internal', fields: {} },
    { 'appearance.previewed': 'A link that previews the appearance was made.' },
  ),
}

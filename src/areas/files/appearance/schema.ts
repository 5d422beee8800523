import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Warnings } from '#src/contract/warning.ts'
import { idPattern } from '#src/kit/ids.ts'
import { AllowedActions, Closed, Id, Instant, Nullable, OneOf, Revision } from '#src/kit/shapes.ts'
import { ContrastOfPair, fileFields, shownFields } from './settings/schema.ts'

const VersionNumber = Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'The number of the version, from 1' })

/** The published appearance, as anybody sees it. */
export const Appearance = Closed('Appearance', {
  version: Nullable(VersionNumber),
  css_url: Nullable(
    Type.String({ description: 'The address of the style sheet of the site; null for the built-in one' }),
  ),
  ...shownFields,
  published_at: Nullable(Instant),
})

/** The draft of the appearance. */
export const AppearanceDraft = Closed('AppearanceDraft', {
  ...shownFields,
  contrast: Type.Array(ContrastOfPair, {
    description: 'Every pair of colors that pages use, in both schemes; publishing refuses those that do not pass',
  }),
  is_published: Type.Boolean({ description: 'Whether the published version has the same settings' }),
  warnings: Warnings,
  revision: Revision,
  allowed_actions: AllowedActions,
  updated_at: Instant,
})

const versionFields = {
  id: Id('apv'),
  number: VersionNumber,
  status: OneOf(['published', 'superseded'], 'Only the newest version is published'),
  missing_files: Type.Array(OneOf(fileFields, 'A field'), {
    description: 'Fields without a file, since it had been deleted when an earlier version was restored',
  }),
  css_url: Type.String({ description: 'The address of its style sheet of the site' }),
  published_at: Instant,
}

/** A version in a list, without its settings. */
export const AppearanceVersionLine = Closed('AppearanceVersionLine', versionFields)

/** A version that was published; it never changes. */
export const AppearanceVersion = Closed('AppearanceVersion', { ...versionFields, ...shownFields })

/** A version in a path. */
export const VersionRef = Type.Object({
  version: Type.String({
    pattern: `${idPattern('apv')}|^[1-9][0-9]{0,5}$`,
    description: 'The number of the version, or its id (apv_…)',
    examples: ['1'],
  }),
})

/** The query parameters of the list of versions. */
export const VersionsQuery = Type.Object({ ...PageQuery })

/** One page of versions. */
export const AppearanceVersionPage = PageOf(AppearanceVersionLine, 'AppearanceVersionPage')

/** The address of a preview. */
export const AppearancePreview = Closed('AppearancePreview', {
  url: Type.String({ description: 'Shows the site with the draft to whoever has it, until it expires' }),
  expires_at: Instant,
})

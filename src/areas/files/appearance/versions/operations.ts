import type { Static } from 'typebox'
import { isShownAt } from '#src/contract/look.ts'
import { declareFor, type ReadContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import {
  Appearance,
  AppearanceDraft,
  AppearanceVersion,
  type AppearanceVersionLine,
  AppearanceVersionPage,
  VersionRef,
  VersionsQuery,
} from '../schema.ts'
import { draftView } from '../settings/operations.ts'
import { lockDraft, storeDraft } from '../settings/queries.ts'
import { changedSettings, defaults } from '../settings/rules.ts'
import { type Showing, shownSettings } from '../settings/views.ts'
import { findPublished, findVersion, type VersionLine, type VersionRow, versionList } from './queries.ts'
import { contrastTooLow, sheetPath } from './rules.ts'
import { addVersion, checkContrast, withoutDeleted } from './writes.ts'

const buildUrl = ({ siteOrigin }: School, { sheet }: VersionLine): string => `${siteOrigin}${sheetPath(sheet)}`

const getAppearance = declareFor('anyone', 'appearance', {
  id: 'getAppearance',
  route: 'GET /appearance',
  summary: 'Get the appearance',
  description:
    'Returns the published appearance of the school; without one, the built-in appearance. The announcement is null while it is not shown.',
  returns: Appearance,
  async handle(context) {
    const { db, school } = context
    const version = await findPublished(db, school.id)
    const settings = await shownSettings(context, version?.settings ?? defaults)
    const { announcement } = settings
    return {
      version: version?.number ?? null,
      css_url: version === undefined ? null : buildUrl(school, version),
      ...settings,
      // Nobody reads before its time what is announced.
      announcement:
        version !== undefined && announcement !== null && isShownAt(announcement, version.now) ? announcement : null,
      published_at: version?.published_at ?? null,
    }
  },
})

const buildLine = (school: School, row: VersionLine): Static<typeof AppearanceVersionLine> => ({
  id: row.id,
  number: row.number,
  status: row.is_published ? 'published' : 'superseded',
  missing_files: [...row.missing],
  css_url: buildUrl(school, row),
  published_at: row.published_at,
})

const versionView = async (context: Showing, row: VersionRow): Promise<Static<typeof AppearanceVersion>> => ({
  ...buildLine(context.school, row),
  ...(await shownSettings(context, row.settings)),
})

const getVersion = async ({ db, school }: Pick<ReadContext, 'db' | 'school'>, ref: string): Promise<VersionRow> => {
  const version = await findVersion(db, school.id, ref)
  if (version === undefined) throw new Refusal(notFound, 'There is no such version.')
  return version
}

const publishAppearance = declareFor('staff', 'appearance', {
  id: 'publishAppearance',
  route: 'POST /appearance/publications',
  summary: 'Publish the appearance',
  description:
    'Makes the draft the next version, which pages and mails have from then on, within a second. Requires If-Match, with the ETag of the draft. A draft with the settings of the published version is not published again.',
  ifMatch: 'required',
  returns: AppearanceVersion,
  status: 201,
  locationPath: '/appearance/versions',
  fails: [contrastTooLow],
  async handle(context) {
    const { db, school, requireMatch, changed, record } = context
    const draft = await lockDraft(db, school.id)
    await requireMatch(draft.revision, () => draftView(context, draft))
    checkContrast(draft.settings)
    const before = await findPublished(db, school.id)
    const fields = changedSettings(before?.settings ?? defaults, draft.settings)
    if (before !== undefined && fields.length === 0) return versionView(context, before)
    const number = (before?.number ?? 0) + 1
    const id = toId('apv', await addVersion(context, draft, number))
    changed({ ids: [id], fields, revision: number })
    record({ type: 'appearance.published', payload: { version_id: id, number, fields } })
    return versionView(context, await getVersion(context, String(number)))
  },
})

const listAppearanceVersions = declareFor('staff', 'appearance', {
  id: 'listAppearanceVersions',
  route: 'GET /appearance/versions',
  summary: 'List versions of the appearance',
  description: 'Lists the versions that were published, the newest first. Read one version for its settings.',
  query: VersionsQuery,
  returns: AppearanceVersionPage,
  async handle(context) {
    const { school } = context
    return readList(context, versionList(school.id), rows => rows.map(row => buildLine(school, row)))
  },
})

const getAppearanceVersion = declareFor('staff', 'appearance', {
  id: 'getAppearanceVersion',
  route: 'GET /appearance/versions/:version',
  summary: 'Get a version of the appearance',
  description: 'Returns the settings of one version. A file that was deleted since is null.',
  params: VersionRef,
  returns: AppearanceVersion,
  example: { params: { version: '1' } },
  async handle(context) {
    return versionView(context, await getVersion(context, context.params.version))
  },
})

const restoreAppearanceVersion = declareFor('staff', 'appearance', {
  id: 'restoreAppearanceVersion',
  route: 'PUT /appearance/versions/:version/restoration',
  summary: 'Restore a version of the appearance',
  description:
    'Copies the settings of a version into the draft, which is then published like any other. Files that were deleted since are left out, and warnings name them.',
  ifMatch: 'honoured',
  params: VersionRef,
  returns: AppearanceDraft,
  example: { params: { version: '1' } },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const draft = await lockDraft(db, school.id)
    await requireMatch(draft.revision, () => draftView(context, draft))
    const version = await getVersion(context, params.version)
    const restored = await withoutDeleted(context, version.settings)
    const fields = changedSettings(draft.settings, restored.settings)
    if (fields.length === 0 && draft.missing.join() === restored.missing.join()) return draftView(context, draft)
    const stored = await storeDraft(db, school.id, restored)
    changed({ ids: [toId('scl', school.id)], fields, revision: stored.revision })
    record({ type: 'appearance.draft_updated', payload: { fields, restores: version.number } })
    return draftView(context, stored)
  },
})

/** The published appearance, in the order of the documentation. */
export const publishedOperations = [getAppearance]

/** The operations of versions, in the order of the documentation. */
export const versionOperations = [
  publishAppearance,
  listAppearanceVersions,
  getAppearanceVersion,
  restoreAppearanceVersion,
]

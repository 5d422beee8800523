import type { Static } from 'typebox'
import { declareFor, type ReadContext } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { computeContrasts } from '../contrast/rules.ts'
import { AppearanceDraft } from '../schema.ts'
import { findPublished, type VersionRow } from '../versions/queries.ts'
import { type DraftRow, getDraft, lockDraft, storeDraft } from './queries.ts'
import { changedSettings, defaults, listWarnings } from './rules.ts'
import { NewAppearance } from './schema.ts'
import { shownSettings } from './views.ts'
import { checkedSettings } from './writes.ts'

const isPublished = (draft: DraftRow, version: VersionRow | undefined): boolean =>
  version !== undefined && changedSettings(draft.settings, version.settings).length === 0

/** The draft as staff see it. */
export const draftView = async (
  context: Pick<ReadContext, 'db' | 'school' | 'caller' | 'keyFor' | 'allowedActions'>,
  draft: DraftRow,
): Promise<Static<typeof AppearanceDraft>> => {
  const version = await findPublished(context.db, context.school.id)
  return {
    ...(await shownSettings(context, draft.settings)),
    contrast: computeContrasts(draft.settings.colors),
    is_published: isPublished(draft, version),
    warnings: listWarnings(draft.missing),
    revision: draft.revision,
    allowed_actions: context.allowedActions(['setAppearanceDraft', 'createAppearancePreview', 'publishAppearance']),
    updated_at: draft.updated_at,
  }
}

const getAppearanceDraft = declareFor('staff', 'appearance', {
  id: 'getAppearanceDraft',
  route: 'GET /appearance/draft',
  summary: 'Get the draft of the appearance',
  description:
    'Returns the settings that are published next, with the contrast of all colors that pages use together. Without a change the draft has the defaults, with revision 1.',
  returns: AppearanceDraft,
  async handle(context) {
    return draftView(context, await getDraft(context.db, context.school.id))
  },
})

const setAppearanceDraft = declareFor('staff', 'appearance', {
  id: 'setAppearanceDraft',
  route: 'PUT /appearance/draft',
  summary: 'Replace the draft of the appearance',
  description:
    'Replaces all settings of the draft; send every field, those that stay as they were read. Requires If-Match, with the ETag of the defaults too. Nobody sees the draft before it is published, but through a preview.',
  ifMatch: 'required',
  body: NewAppearance,
  returns: AppearanceDraft,
  example: {
    body: {
      ...defaults,
      fonts: { heading: 'lora', body: null },
      announcement: { text: 'New: bread for beginners', href: '/courses', from: null, until: null },
      custom_css: '.hero-title {\n  letter-spacing: 0;\n}',
    },
  },
  async handle(context) {
    const { db, school, body, requireMatch, changed, record } = context
    const draft = await lockDraft(db, school.id)
    await requireMatch(draft.revision, () => draftView(context, draft))
    const settings = await checkedSettings(context, draft.settings, body)
    const fields = changedSettings(draft.settings, settings)
    if (fields.length === 0 && draft.missing.length === 0) return draftView(context, draft)
    const stored = await storeDraft(db, school.id, { settings, missing: [] })
    changed({ ids: [toId('scl', school.id)], fields, revision: stored.revision })
    record({ type: 'appearance.draft_updated', payload: { fields } })
    return draftView(context, stored)
  },
})

/** The operations of the draft, in the order of the documentation. */
export const draftOperations = [getAppearanceDraft, setAppearanceDraft]
